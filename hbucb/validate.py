"""Checks of the parameters of policies and runs: accepted as they are, or refused by name.

Checked numbers are stored as Python floats and ints, so that equal policies have one repr, and
hence one random stream, whatever kind of number they were given.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hbucb.noise.validate import finite, positive, store

__all__ = ["finite", "nonnegative", "open_probability", "positive", "store", "whole_number"]


def whole_number(value: Any, name: str, low: int) -> int:
    """``value`` as an int, or a ValueError that names the argument."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < low:
        raise ValueError(f"{name} = {value!r} must be an integer >= {low}")
    return int(value)


def nonnegative(name: str, value: Any) -> float:
    """``value`` as a float, or a ValueError unless it is finite and >= 0."""
    if finite(name, value) < 0:
        raise ValueError(f"{name} must be a finite number >= 0, got {value!r}")
    return float(value)


def open_probability(name: str, value: Any) -> float:
    """``value`` as a float, or a ValueError unless it lies in (0, 1)."""
    try:
        inside = 1e-300 <= finite(name, value) < 1
    except ValueError:
        inside = False
    if not inside:  # the logarithm of a subnormal number, or its inverse, is lost
        raise ValueError(f"{name} must be a probability in (0, 1), got {value!r}")
    return float(value)
