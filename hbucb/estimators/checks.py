"""What all estimators ask of their arguments, and the failure probability as a function of t."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hbucb.arguments import as_numbers, is_plain

FloatArray = NDArray[np.float64]


def as_samples(x: ArrayLike, least: int = 1) -> FloatArray:
    """Samples (n,) as floats; ValueError for a nan, another shape or fewer than ``least``."""
    values = as_numbers("x", x, "samples must be real numbers")
    if values.ndim != 1 or values.size < least:
        raise ValueError(f"x has shape {values.shape}; it must be one-dimensional, n >= {least}")
    if np.isnan(values).any():
        raise ValueError(f"x[{int(np.isnan(values).argmax())}] is nan; rewards must be numbers")
    return values


def as_counts(n: ArrayLike) -> FloatArray:
    """Numbers of samples as floats, any shape; ValueError unless whole and in 0..2^53."""
    allowed = "whole numbers of samples, 0 to 2^53, are allowed"
    values = as_numbers("n", n, allowed) + 0.0  # -0.0 is 0
    inside = (values >= 0) & (values <= 2**53)
    if not (inside.all() and (values % 1 == 0).all()):
        raise ValueError(f"n is {n!r}; {allowed}")
    return values


def not_both_infinities(values: FloatArray, why: str) -> None:
    """ValueError if the samples hold +inf and -inf, whose sum is undefined."""
    if np.isposinf(values).any() and np.isneginf(values).any():
        raise ValueError(f"x holds both inf and -inf; {why}")


def log_inverse(delta: float) -> float:
    """ln(1/delta); ValueError unless 0 < delta < 1 (and delta is a normal float)."""
    if not (is_plain(delta) and 1e-300 <= delta < 1):
        raise ValueError(f"delta = {delta!r} must be a probability in (0, 1)")
    return -math.log(delta)


def order_above_one(eps: float) -> None:
    """ValueError unless 0 < eps <= 1."""
    if not (is_plain(eps) and 0 < eps <= 1):
        raise ValueError(f"eps = {eps!r} must be in (0, 1]")


def positive(name: str, value: float) -> None:
    """ValueError unless ``value`` is finite and above 0."""
    if not (is_plain(value) and 1e-150 <= value <= 1e150):
        raise ValueError(f"{name} = {value!r} must be positive and finite")


class Level(Protocol):
    """Failure probability of one side after t pulls of all arms."""

    @property
    def moving(self) -> bool:
        """Whether delta depends on t."""

    def delta(self, t: int) -> float:
        """A probability in (0, 1), never increasing in t."""


@dataclass(frozen=True)
class FixedLevel:
    """The same failure probability in all rounds.

    Examples
    --------
    >>> FixedLevel(0.05).delta(3)
    0.05
    """

    value: float

    def __post_init__(self) -> None:
        log_inverse(self.value)

    @property
    def moving(self) -> bool:
        return False

    def delta(self, t: int) -> float:
        return self.value


@dataclass(frozen=True)
class PowerLevel:
    """delta_t = max(t, 2)^-power: t = 1 would give the level 1, which promises nothing.

    Examples
    --------
    >>> PowerLevel().delta(10)
    0.01
    """

    power: float = 2.0

    def __post_init__(self) -> None:
        positive("power", self.power)

    @property
    def moving(self) -> bool:
        return True

    def delta(self, t: int) -> float:
        return float(max(t, 2)) ** -self.power
