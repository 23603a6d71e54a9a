"""Processor time of a pull of the second paper's players, as ratios to UCB1 with as many arms.

``python -m hbucb.replay.second --cost`` measures it again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hbucb.experiments import experiment
from hbucb.policies.dmed import IMED
from hbucb.policies.ocucb_n import OCUCBn
from hbucb.policies.ucb_v import UCBTuned
from hbucb.replay.cost import ratios
from hbucb.replay.second import FOLDER

UNIT = "UCB1"


def settings() -> dict[str, tuple[Any, Mapping[str, Any]]]:
    """Name -> bandit and players: the coins of Experiment 1, a hundred of them, Experiment 2.

    Examples
    --------
    >>> {name: bandit.arms for name, (bandit, _) in settings().items()}
    {'20 coins': 20, '100 coins': 100, '100 normal arms': 100}
    """
    more = {"OCUCB-n": OCUCBn(), "UCB-tuned": UCBTuned()}
    coins, normal = experiment("E1"), experiment("E2")
    players = {**coins.policies("all"), **more, "IMED": IMED()}
    many = replace(coins, loc=(0.07,) * 99 + (0.1,))
    gauss = {**normal.policies("all"), **more, "IMED-G": IMED(family="gaussian", sigma=0.5)}
    return {
        "20 coins": (coins.bandit, players),
        "100 coins": (many.bandit, players),
        "100 normal arms": (normal.bandit, gauss),
    }


def measure(
    trials: int = 100, horizon: int = 3000, repeats: int = 3
) -> dict[str, dict[str, float]]:
    """Setting -> player -> processor time of a pull over that of UCB1, best of the repeats."""
    return {
        name: ratios(bandit, players, UNIT, trials, horizon, repeats)
        for name, (bandit, players) in settings().items()
    }


def write() -> dict[str, dict[str, float]]:
    """Measure and store, rounded to a tenth."""
    found = {
        name: {player: round(ratio, 1) for player, ratio in row.items()}
        for name, row in measure().items()
    }
    (FOLDER / "ratio.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return found


def stored() -> dict[str, dict[str, float]]:
    """The stored ratios.

    Examples
    --------
    >>> stored()["100 coins"]["UCB1"]
    1.0
    """
    return dict(json.loads((FOLDER / "ratio.json").read_text(encoding="utf-8")))
