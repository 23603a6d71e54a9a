"""How much the constants of clipped SGD matter: a grid of steps, clip levels, c and p."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hbucb.optimizers.clipped_sgd import ClippedSGD, ConstantSchedule
from hbucb.policies.index import IndexPolicy, RootRadius, Rule
from hbucb.simulation import simulate
from hbucb.sweep import grid
from hbucb.validate import nonnegative, positive, store, whole_number


@dataclass(frozen=True)
class ConstantStepUCB(IndexPolicy):
    """The public code's Clipped-SGD-UCB with every constant free.

    Parameters
    ----------
    m, n : int
        2m + 1 means of n rewards make a gradient.
    step : float
        Factor on the public code's step 1 / ln(4 (T + 1) T^2), > 0.
    clip : float
        Clip level, in reward units, > 0.
    c : float
        Exploration constant, in reward units.
    p : int
        First pulls of each arm, >= 1.

    Raises
    ------
    ValueError
        For a parameter of the wrong kind or out of range.

    Examples
    --------
    >>> ConstantStepUCB(step=2.0).rule(10_000).estimator.initial
    3
    """

    m: int = 0
    n: int = 1
    step: float = 1.0
    clip: float = 1.0
    c: float = 0.1
    p: int = 3

    def __post_init__(self) -> None:
        store(self, m=whole_number(self.m, "m", 0), n=whole_number(self.n, "n", 1))
        store(self, step=positive("step", self.step), clip=positive("clip", self.clip))
        store(self, c=nonnegative("c", self.c), p=whole_number(self.p, "p", 1))

    def rule(self, horizon: int) -> Rule:
        step = self.step / math.log(4 * (horizon + 1) * horizon**2)
        schedule = ConstantSchedule(step, self.clip)
        return Rule(ClippedSGD(schedule, self.m, self.n, 1e-3, self.p), RootRadius(self.c))


def grid_means(
    bandit: Any,
    base: ConstantStepUCB,
    *,
    horizon: int,
    trials: int,
    seed: int,
    **values: Sequence[Any],
) -> np.ndarray:
    """Mean R_T / T over a grid of constants, the others as in `base`.

    Parameters
    ----------
    bandit : Bandit
    base : ConstantStepUCB
    horizon, trials, seed : int
        As in `hb.simulate`; the noise of a round is common to the whole grid.
    **values : sequence
        Name of a constant -> its values, one axis each.

    Returns
    -------
    ndarray of float, an axis for each of ``values``
        In reward units.

    Raises
    ------
    ValueError
        As in `hb.grid`.

    Examples
    --------
    >>> import hbucb as hb
    >>> bandit = hb.Bandit([0.0, 1.0], hb.noise.Cauchy())
    >>> options = {"horizon": 50, "trials": 4, "seed": 1}
    >>> grid_means(bandit, ConstantStepUCB(), c=[0.1, 1.0], p=[1, 3, 5], **options).shape
    (2, 3)
    """
    policies = grid(lambda **constants: replace(base, **constants), **values)
    run = simulate(bandit, policies, horizon, trials, seed=seed, rounds=[horizon])
    means = [float(run[name].regret[:, -1].mean()) / horizon for name in policies]
    return np.array(means).reshape([len(along) for along in values.values()])
