"""The pilots that chose the constants: what each candidate of a grid lost, stored as data.

The rule is the same for every panel: all candidates of a curve are played in the panel itself, in
120 trials of a seed that no replayed curve and no verdict uses, and the one with the lowest mean
R_T / T is taken (in Figure 4 the mean of R_T / (T gap) over five gaps of the grid).
``python -m hbucb.replay --pilots`` plays them again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("pilots.json")
HEAVY = (
    *("F1a", "F1b", "F1c", "F2a", "F2b", "F2c"),
    *(f"AE-{law}-Env{k}" for law in ("F1", "CE", "CP") for k in (1, 2, 3)),
)
LIGHT = tuple(f"F3{letter}{reading}" for reading in ("", "-code") for letter in "abc")
SWEEPS = ("F4L", "F4L-code", "F4R", "F4R-code")
IDS = (*HEAVY, *LIGHT, *SWEEPS)


def coupling(id: str) -> str:
    """How the candidates share noise: by arm under heavy tails, by round in Figures 3 and 4."""
    return "arm" if id in HEAVY else "time"


def grid_of(candidates: tuple[Any, ...]) -> dict[str, list[Any]]:
    """What tells the candidates of a curve apart: constant -> its value in each of them.

    Examples
    --------
    >>> import hbucb as hb
    >>> grid_of((hb.UCB(sigma=0.1), hb.UCB(sigma=1.0)))
    {'sigma': [0.1, 1.0]}
    """
    columns = {key: [vars(policy)[key] for policy in candidates] for key in vars(candidates[0])}
    return {key: row for key, row in columns.items() if any(x != row[0] for x in row)}


def measure(id: str, **options: Any) -> dict[str, Any]:
    """Play the pilot of one panel: seed, trials, coupling, and each curve's grid and means.

    Parameters
    ----------
    id : str
        One of `IDS`.
    **options
        As in `hb.simulate`.

    Returns
    -------
    dict
        ``"curves"`` maps a name to its constants, one list each, and to ``"mean"``, a number a
        candidate: R_T / T in reward units (Figure 4: over the gap, so without a unit).

    Raises
    ------
    ValueError
        For a panel without a pilot of its own.
    """
    from hbucb.experiments.catalogue import experiment
    from hbucb.experiments.sweep import GapSweep

    if id not in IDS:
        raise ValueError(f"id = {id!r} must be one of {', '.join(IDS)}")
    plan = experiment(id)
    if isinstance(plan, GapSweep):
        gaps = [plan.gaps[k] for k in (0, 1, 4, 9, -1)]
        means, first = plan.pilot(gaps, coupling=coupling(id), **options), plan.first
        shape = {"gaps": gaps}
    else:
        means, first, shape = plan.pilot(coupling=coupling(id), **options), plan, {}
    grids = {entry.name: grid_of(entry.candidates) for entry in first.entries}
    return {
        "seed": first.pilot_seed,
        "trials": first.pilot_trials,
        "coupling": coupling(id),
        **shape,
        "curves": {name: {**grids[name], "mean": row} for name, row in means.items()},
    }


def write(ids: Iterable[str] = IDS) -> None:
    """Play these pilots and store them beside the others; all take some minutes."""
    found = {**stored(), **{id: measure(id) for id in ids}}
    lines = (f" {json.dumps(id)}: {json.dumps(found[id])}" for id in IDS if id in found)
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    stored.cache_clear()


@cache
def stored() -> Mapping[str, Any]:
    """Panel -> what `measure` returned; empty before any pilot is stored."""
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.is_file() else {}


def chosen(id: str) -> dict[str, int]:
    """Curve -> position of the candidate with the lowest mean in the stored pilot.

    Parameters
    ----------
    id : str
        A panel; without a stored pilot, the answer is empty.

    Examples
    --------
    >>> chosen("F1b")["SGD-UCB"]
    1
    """
    curves = stored().get(id, {}).get("curves", {})
    return {name: curve["mean"].index(min(curve["mean"])) for name, curve in curves.items()}
