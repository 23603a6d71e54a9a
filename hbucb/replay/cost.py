"""Processor time of a pull, as ratios: what a table of seconds can say beyond one machine."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
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
    plan = experiment(id)
    return ratios(plan.bandit, plan.policies("authors"), UNIT, trials, horizon, repeats)


def ratios(
    bandit: Any,
    policies: Mapping[str, Any],
    unit: str,
    trials: int,
    horizon: int,
    repeats: int,
) -> dict[str, float]:
    """Processor time of each policy over that of the one called ``unit``, as `measure` says."""
    from hbucb.simulation import simulate

    best: dict[str, float] = {}
    for _ in range(repeats):
        for name, policy in policies.items():
            start = time.process_time()
            simulate(bandit, {name: policy}, horizon, trials, seed=1, rounds=[horizon])
            spent = time.process_time() - start
            best[name] = min(spent, best.get(name, spent))
    return {name: spent / best[unit] for name, spent in best.items()}


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
