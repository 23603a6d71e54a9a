"""How many trials decide where a first run did not: the second runs of Table 1 and Figures 2 to 4.

The first runs (seed 2, 600 trials a panel; in commit `c3e07dd`) are pilots for the size of the
second ones. `FIRST` has their verdicts, and for every row that they left OPEN the trials that would
decide it with chance 0.9 at the level of the whole ledger, if further trials look like the first
ones. A row is within reach if that is at most `MOST` trials and `PULLS` pulls of each policy. A
panel with a row within reach is played again, on a new seed, in as many trials as its largest such
row asks for, rounded up to a multiple of 600 and not below 1200; so are, in 1200 trials, the panels
where a curve that a claim names got another constant (the first run had those of Figure 1). All
rows of a panel are judged by its second run alone. A row has then had two chances to be shown, and
each p-value counts twice (`hbucb.claims.judge`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

SEED, LEAST, STEP = 4, 1200, 600
MOST, PULLS = 15_000, 5 * 10**7

_FILE = Path(__file__).with_name("first_runs.json")
#: Row of the ledger -> (verdict after the first run, trials that would decide it if that was OPEN).
FIRST: Mapping[str, tuple[str, int | None]] = MappingProxyType(
    {row: (word, need) for row, (word, need) in json.loads(_FILE.read_text("utf-8")).items()}
)
#: Row that was OPEN after the first run -> trials that would decide it.
OPEN_AT_FIRST: Mapping[str, int] = MappingProxyType(
    {row: need for row, (_, need) in FIRST.items() if need is not None}
)
#: Panels where the constant of a curve that a claim names was another one in the first run.
RETUNED = ("F2a", "F2b", *(f"AE-{law}-Env{k}" for law in ("F1", "CE", "CP") for k in (1, 2)))


def within_reach(id: str, horizon: int) -> list[int]:
    """Trials that the open rows of a panel asked for, those out of reach left out.

    Examples
    --------
    >>> within_reach("AE-F1-Env1", 10_000)
    [919, 2172]
    """
    needs = [n for row, n in OPEN_AT_FIRST.items() if row.partition("/")[0] == id]
    return [n for n in needs if n <= MOST and n * horizon <= PULLS]


def second_run(id: str, horizon: int) -> dict[str, Any]:
    """Seed and trials that decide, as fields of an `Experiment`; empty without a second run.

    Parameters
    ----------
    id : str
        A panel, or a point of a sweep.
    horizon : int
        Its pulls.

    Examples
    --------
    >>> second_run("F2c", 15_000), second_run("F1a", 10_000)
    ({'verdict_trials': 3000, 'verdict_seed': 4}, {})
    """
    needs = within_reach(id, horizon)
    if not needs and id not in RETUNED:
        return {}
    trials = max([LEAST, *(STEP * -(-n // STEP) for n in needs)])
    return {"verdict_trials": trials, "verdict_seed": SEED}
