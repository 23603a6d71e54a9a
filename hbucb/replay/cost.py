"""Processor time of a pull, as ratios: what a table of seconds can say beyond one machine."""

from __future__ import annotations

import json
import time
from typing import Any

from hbucb.experiments import experiment
from hbucb.replay.stored import FOLDER

FILE = FOLDER / "cost.json"
UNIT = "SGD-UCB"


def measure(
    trials: int = 100, horizon: int = 10_000, repeats: int = 5, id: str = "T1"
) -> dict[str, float]:
    """Processor time of a pull of each policy of an experiment, over that of SGD-UCB.

    All trials advance together and every policy draws the same noise; the best of the repeats is
    taken, in turn, so that a busy machine disturbs all alike.

    Parameters
    ----------
    trials, horizon, repeats : int
    id : str
        The experiment.

    Returns
    -------
    dict of str to float
        Name -> ratio, 1 for SGD-UCB.
    """
    from dataclasses import replace

    plan: Any = replace(experiment(id), horizon=horizon, rounds=None)
    best: dict[str, float] = {}
    for _ in range(repeats):
        for name in plan.policies("authors"):
            start = time.process_time()
            plan.run(trials, names=[name], rounds=[horizon])
            spent = time.process_time() - start
            best[name] = min(spent, best.get(name, spent))
    return {name: spent / best[UNIT] for name, spent in best.items()}


def write() -> dict[str, float]:
    """Measure and store, rounded to a tenth."""
    ratios = {name: round(ratio, 1) for name, ratio in measure().items()}
    FILE.write_text(json.dumps(ratios, indent=1) + "\n", encoding="utf-8")
    return ratios


def stored() -> dict[str, float]:
    """The stored ratios.

    Examples
    --------
    >>> stored()["SGD-UCB"]
    1.0
    """
    return dict(json.loads(FILE.read_text(encoding="utf-8")))
