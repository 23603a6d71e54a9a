"""Steps for estimates of a location from the rewards of one arm, with a scale parameter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hbucb.checks import calls
from hbucb.checks.calls import Fault
from hbucb.checks.ladders import Step, value

NAMES = ("the rewards", "the level")
REWARDS = (0.3, -1.7, 2.2, 8.0, -0.4, 0.9, -25.0, 1.1, 0.2)
TOLERANCE = 1e-6


def _of(function: Any, rewards: ArrayLike, level: float) -> float:
    return value(function, np.array(rewards, dtype=float), level, names=NAMES)


def _differ(one: float, other: float) -> bool:
    return abs(one - other) > TOLERANCE * (1 + abs(other))


def takes_rewards(level: float) -> Step:
    """Takes lists and arrays alike, and leaves the rewards as they are."""

    def step(function: Any) -> None:
        if _differ(
            value(function, list(REWARDS), level, names=NAMES), _of(function, REWARDS, level)
        ):
            raise Fault("a list and an array of the same rewards give two different estimates.")
        kept = np.array(REWARDS)

        def keeps() -> None:
            function(kept, level)

        calls.call(keeps, what="your function")
        if not np.array_equal(kept, REWARDS):
            raise Fault("your function changes the rewards it is given; work on a copy.")

    return step


def equivariant(level: float) -> Step:
    """Moves with the rewards, grows with their unit, and does not care about their order."""

    def step(function: Any) -> None:
        x = np.array(REWARDS)
        base = _of(function, x, level)
        if _differ(_of(function, x[::-1], level), base):
            raise Fault("the same rewards in another order give another estimate.")
        if _differ(_of(function, x + 5, level), base + 5):
            raise Fault(
                "5 added to every reward moves your estimate by "
                f"{_of(function, x + 5, level) - base:.4g} instead of 5."
            )
        if _differ(_of(function, 3 * x, 3 * level), 3 * base):
            raise Fault(
                "rewards and level three times as large make your estimate "
                f"{_of(function, 3 * x, 3 * level):.4g}; it was {base:.4g}. Units decide: which "
                "constant has none?"
            )
        if _differ(_of(function, -x, level), -base):
            raise Fault("rewards with opposite signs should give the opposite estimate.")

    return step


def near_median(level: float) -> Step:
    """Within the level of the median, however far one reward is."""

    def step(function: Any) -> None:
        x = np.array([*REWARDS[:-1], 1e9])
        got, middle = _of(function, x, level), float(np.median(x))
        if abs(got - middle) > level * (1 + TOLERANCE):
            raise Fault(
                f"one reward of 1e9 among nine pulls your estimate to {got:.4g}. Within the level "
                "of the median lies a root: is every difference clipped, on both sides?"
            )

    return step


def solves(equation: Callable[[np.ndarray, float, float], float], said: str) -> Step:
    """Round trip: put back into its defining equation, the estimate gives 0.

    `equation(rewards, level, x)` increases in x.
    """

    def step(function: Any) -> None:
        rng = np.random.default_rng(20)
        for size, level in ((9, 0.5), (31, 2.0), (31, 0.1), (8, 20.0)):
            x = rng.standard_cauchy(size)
            got = _of(function, x, level)
            low, high = (equation(x, level, got + shift) for shift in (-1e-6, 1e-6))
            if low > 0 or high < 0:
                side = "too high" if low > 0 else "too low"
                raise Fault(
                    f"on {size} Cauchy rewards with level {level:g} your estimate is {side}: "
                    f"{said} is {equation(x, level, got):.4g} there and not 0."
                )

    return step
