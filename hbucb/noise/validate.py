"""Checks of the parameters of a law: a number is accepted as it is or refused by name."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any


def finite(name: str, value: Any) -> float:
    """Return ``value`` as a float, or raise ValueError unless it is a finite real number."""
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
        raise ValueError(f"{name} must be a finite number, got {value!r}")
    return float(value)


def positive(name: str, value: Any) -> float:
    """Return ``value`` as a float, or raise ValueError unless it is finite and > 0."""
    if (
        isinstance(value, bool)
        or not isinstance(value, Real)
        or not math.isfinite(value)
        or value <= 0
    ):
        raise ValueError(f"{name} must be a finite number > 0, got {value!r}")
    return float(value)


def probability(name: str, value: Any) -> float:
    """Return ``value`` as a float, or raise ValueError unless it lies in [0, 1]."""
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= float(value) <= 1:
        raise ValueError(f"{name} must be a number in [0, 1], got {value!r}")
    return float(value)


def distance_of_ends(low: float, high: float) -> float:
    """Return high - low, or raise ValueError if it is beyond the range of floats."""
    if not math.isfinite(high - low):
        raise ValueError(f"high - low must be in the range of floats, got low {low}, high {high}")
    return high - low


def store(law: Any, **values: Any) -> None:
    """Write checked values into a frozen dataclass (for use in ``__post_init__`` only).

    Floats are stored, so that ``Cauchy(1)`` and ``Cauchy(1.0)`` are one law with one repr,
    and hence with one random stream.
    """
    for name, value in values.items():
        object.__setattr__(law, name, value)
