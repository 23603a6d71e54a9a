"""What borrowed constants cost: pilots of the panels that take their constants from Figure 1.

The pilot of Figure 1 chose constants under Cauchy noise, and the panels of Figure 2 and Appendix E
take them over. This is a pilot of each of those panels itself, at a seed that no verdict uses.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

#: 60 trials a candidate at the experiment's pilot seed, the noise of a round common to all.
TRIALS = 60
FILE = Path(__file__).with_name("pilots.json")
IDS = (
    *("F2a", "F2b", "F2c"),
    *(f"AE-{law}-Env{k}" for law in ("F1", "CE", "CP") for k in (1, 2, 3)),
)


def measure(id: str, **options: Any) -> dict[str, list[float]]:
    """Mean R_T / T of every candidate of one panel, four digits: name -> one number a candidate."""
    from hbucb.experiments.catalogue import experiment

    means = experiment(id).pilot(TRIALS, coupling="time", **options)
    return {name: [round(value, 4) for value in row] for name, row in means.items()}


def write() -> None:
    """Measure all panels again and store the result; some minutes."""
    FILE.write_text(json.dumps({id: measure(id) for id in IDS}, indent=1) + "\n", encoding="utf-8")


def handicap(id: str) -> dict[str, float]:
    """Mean R_T / T of the constant in use over that of the best candidate, by name; 1 is none.

    Parameters
    ----------
    id : str
        One of `IDS`.

    Raises
    ------
    ValueError
        For a panel that has constants of its own.

    Examples
    --------
    >>> handicap("F2a")["SGD-UCB"]
    1.0
    """
    from hbucb.experiments.catalogue import experiment

    if id not in IDS:
        raise ValueError(f"id = {id!r} must be one of {', '.join(IDS)}")
    means = json.loads(FILE.read_text(encoding="utf-8"))[id]
    chosen = {entry.name: entry.chosen for entry in experiment(id).entries}
    return {name: row[chosen[name]] / min(row) for name, row in means.items()}
