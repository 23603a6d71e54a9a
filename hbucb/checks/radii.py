"""Steps for confidence radii r(k, delta, ...)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hbucb.checks.calls import Fault
from hbucb.checks.ladders import Step, close, seed_of, value

RUNS = 20_000
ALARM = 1e-6  # of the exact limits: a right radius fails a run with this probability at most

Point = Sequence[float]
Bound = Callable[..., float]  # failure probability that the proof allows at (radius, *point)
Errors = Callable[[np.random.Generator, Point], np.ndarray]


class Radius:
    """The argument names of a radius and the points at which it is looked at.

    Parameters
    ----------
    names : tuple of str
        Of the arguments; "k" and "delta" among them.
    at : sequence of float
        One point, in this order.
    """

    def __init__(self, names: Sequence[str], at: Point) -> None:
        self.names, self.at = tuple(names), tuple(at)

    def moved(self, **changes: float) -> Point:
        """The point with some arguments changed."""
        return tuple(changes.get(name, old) for name, old in zip(self.names, self.at, strict=True))

    def of(self, function: Any, point: Point | None = None) -> float:
        """The submission's radius at a point."""
        return value(function, *(self.at if point is None else point), names=self.names)

    def show(self, point: Point) -> str:
        """The point in words."""
        pairs = zip(self.names, point, strict=True)
        return ", ".join(f"{name} = {x:g}" for name, x in pairs)

    def positive(self) -> Step:
        """A finite number above 0."""

        def step(function: Any) -> None:
            got = self.of(function)
            if got <= 0:
                raise Fault(
                    f"at {self.show(self.at)} the radius is {got:.4g}; a radius is above 0."
                )

        return step

    def falls_with_k(self, *, root: bool) -> Step:
        """Shorter with more rewards; with `root`, exactly half at four times as many."""

        def step(function: Any) -> None:
            k = self.at[self.names.index("k")]
            one, four = self.of(function), self.of(function, self.moved(k=4 * k))
            if four >= one:
                raise Fault(
                    f"with {4 * k:g} rewards your radius is {four:.4g}, with {k:g} it is "
                    f"{one:.4g}. More rewards must make it shorter: where does k stand?"
                )
            if root and not close(one, 2 * four):
                raise Fault(
                    f"four times as many rewards divide your radius by {one / four:.4g}; "
                    "errors fall like one over the root of k, so it should be 2. Is the root "
                    "taken of all of it, and is it k itself that stands there?"
                )

        return step

    def grows_as_delta_falls(self) -> Step:
        """Less risk needs a wider interval."""

        def step(function: Any) -> None:
            wide = self.of(function, self.moved(delta=0.01))
            narrow = self.of(function, self.moved(delta=0.1))
            if wide <= narrow:
                raise Fault(
                    f"your radius for delta = 0.01 is not longer than for delta = 0.1 "
                    f"({wide:.4g} and {narrow:.4g}). Less risk needs a wider interval: look at "
                    "the sign of the logarithm."
                )

        return step

    def scales_with(self, *units: str) -> Step:
        """Multiplied by s when all of `units` are: rewards in cents instead of euros."""

        def step(function: Any) -> None:
            old = {name: x for name, x in zip(self.names, self.at, strict=True) if name in units}
            one = self.of(function)
            ten = self.of(function, self.moved(**{name: 10 * x for name, x in old.items()}))
            if not close(ten, 10 * one):
                raise Fault(
                    f"with {' and '.join(units)} ten times as large your radius is {ten / one:.4g} "
                    "times as long. Units decide: it must be 10 times."
                )

        return step

    def round_trip(self, bound: Bound, *, exact: bool, points: Sequence[Point]) -> Step:
        """Put into the proved bound, the radius must give delta back (or less, unless `exact`)."""

        def step(function: Any) -> None:
            where = self.names.index("delta")
            back = [bound(self.of(function, point), *point) for point in points]
            for allowed, point in zip(back, points, strict=True):
                if allowed > point[where] * (1 + 1e-6):
                    raise Fault(
                        f"at {self.show(point)} your radius is too short for its delta: put into "
                        f"the proved bound it gives a failure probability of {allowed:.4g}."
                        f"{_pattern(back, points, where)}"
                    )
                if exact and allowed < point[where] * (1 - 1e-6):
                    raise Fault(
                        f"at {self.show(point)} your radius is longer than it needs to be: put "
                        f"into the proved bound it gives {allowed:.4g}, less than delta."
                        f"{_pattern(back, points, where)}"
                    )

        return step

    def covers(self, errors: Errors, point: Point, law: str) -> Step:
        """Fails at most a share delta of runs on the law for which the bound is sharp."""

        def step(function: Any) -> None:
            from hbucb.statistics import clopper_pearson

            radius, delta = self.of(function, point), point[self.names.index("delta")]
            rng = np.random.default_rng(seed_of(radius))
            failed = int((np.abs(errors(rng, point)) > radius).sum())
            if clopper_pearson(failed, RUNS, 1 - ALARM)[0] > delta:
                raise Fault(
                    f"on {law} at {self.show(point)} your radius fails in {failed} of {RUNS} runs, "
                    f"more often than delta = {delta:g} allows."
                )

        return step

    def not_too_wide(self, bound: Bound, point: Point, factor: float) -> Step:
        """At most `factor` times what the proved bound needs."""

        def step(function: Any) -> None:
            got, delta = self.of(function, point), point[self.names.index("delta")]
            if bound(got / factor, *point) < delta:
                raise Fault(
                    f"at {self.show(point)} your radius is safe but more than {factor:g} times as "
                    "long as the proof needs: what was added that need not be there?"
                )

        return step


def _pattern(back: Sequence[float], points: Sequence[Point], where: int) -> str:
    """What the allowed probabilities have in common, in words."""
    deltas = [point[where] for point in points]
    ratios = [b / d for b, d in zip(back, deltas, strict=True)]
    if max(ratios) < 1.001 * min(ratios):
        kind = "two sides were counted as one" if ratios[0] > 1 else "more than two sides paid for"
        near = abs(ratios[0] - 2) < 0.01 or abs(ratios[0] - 0.5) < 0.01
        tail = f": {kind}?" if near else "; something inside the logarithm."
        return f" It is {ratios[0]:.4g} times delta at every point{tail}"
    powers = [
        np.log(b / 2) / np.log(d / 2) if b > 0 else np.inf
        for b, d in zip(back, deltas, strict=True)
    ]
    if max(powers) < 1.001 * min(powers):
        return (
            f" The exponent is {powers[0]:.4g} times the right one at every point: a factor in "
            "front of the logarithm (or its base) is off."
        )
    return ""
