"""Arguments that all bound functions share, checked in one place."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]


def is_number(value: object) -> bool:
    """Whether `value` is a real number: no boolean, no text, no array of any shape."""
    return isinstance(value, Real) and not isinstance(value, bool)


def is_plain(value: object) -> bool:
    """Whether `value` is a number that arithmetic takes as it is: a float or a 64-bit integer.

    Narrow integers wrap around, narrow floats round, and fractions do not mix with arrays.
    """
    if isinstance(value, bool) or not isinstance(value, float | int | np.int64):
        return False
    return isinstance(value, float) or abs(int(value)) < 2**63


def as_numbers(name: str, values: ArrayLike, allowed: str) -> FloatArray:
    """`values` as floats, any shape; ValueError where an entry is a boolean, a text, or None."""
    if not (isinstance(values, np.ndarray) and values.dtype.kind in "iuf"):
        try:
            entries = np.asarray(values, dtype=object)
        except ValueError:  # rows of unequal length
            raise ValueError(f"{name} is {values!r}; {allowed}") from None
        # A 0-d array in a list stands for its number.
        flat = (e.item() if isinstance(e, np.ndarray) and e.ndim == 0 else e for e in entries.flat)
        if not all(is_number(entry) for entry in flat):
            raise ValueError(f"{name} is {values!r}; {allowed}")
    else:
        entries = values
    try:
        return np.asarray(entries, dtype=float)
    except OverflowError:
        raise ValueError(f"{name} is {values!r}; {allowed}") from None


def as_gaps(gaps: ArrayLike) -> FloatArray:
    """Gaps (arms,) as floats; ValueError unless finite, >= 0 and with a best arm of gap 0."""
    values = as_numbers("gaps", gaps, "give one number an arm")
    if values.ndim != 1 or values.size == 0:
        raise ValueError(f"gaps has shape {values.shape}; give one gap an arm")
    if not (np.isfinite(values).all() and (values >= 0).all()):
        raise ValueError(f"gaps is {values.tolist()}; each must be finite and >= 0")
    if values.min() > 0:
        raise ValueError(f"gaps is {values.tolist()}; the best arm's gap, 0, is missing")
    return values


def as_gap_rows(gaps: ArrayLike) -> FloatArray:
    """Gaps (..., arms), one row a context: each row as :func:`as_gaps` has it."""
    values = np.asarray(gaps)
    rows = values.reshape(-1, values.shape[-1]) if values.ndim > 1 else values[None]
    return np.array([as_gaps(row) for row in rows])


def as_horizon(horizon: ArrayLike) -> FloatArray:
    """Horizon as floats, any shape; ValueError unless whole numbers >= 1."""
    allowed = "whole numbers of pulls, 1 to 1e100, are allowed"
    values = as_numbers("horizon", horizon, allowed)
    if not (
        np.isfinite(values).all()
        and (values >= 1).all()
        and (values <= 1e100).all()
        and (values % 1 == 0).all()
    ):
        raise ValueError(f"horizon is {horizon!r}; {allowed}")
    return values


def as_delta(delta: ArrayLike | None, horizon: FloatArray) -> FloatArray:
    """Failure probability broadcast to `horizon`; None means 1/T^2; ValueError outside (0, 1)."""
    if delta is None:
        with np.errstate(over="ignore"):
            return 1.0 / horizon**2
    allowed = "it must lie in (0, 1), not below 1e-300, or be None for 1/T^2"
    values = as_numbers("delta", delta, allowed)
    if not ((values >= 1e-300).all() and (values < 1).all()):
        raise ValueError(f"delta is {delta!r}; {allowed}")
    try:
        return np.broadcast_to(values, horizon.shape)
    except ValueError:
        raise ValueError(
            f"delta has shape {values.shape}, horizon {horizon.shape}; one delta for all "
            "horizons, or one each, is allowed"
        ) from None


def positive(name: str, value: float) -> None:
    """ValueError unless `value` is a number above 0 whose square is neither lost nor infinite."""
    if not (is_plain(value) and 1e-150 <= value <= 1e150):
        raise ValueError(f"{name} is {value!r}; it must be a float or integer above 0, to 1e150")


def moment_order(eps: float) -> None:
    """ValueError unless 0 < eps <= 1 (moments of order 1 + eps), and not below 1e-12."""
    if not (is_plain(eps) and 1e-12 <= eps <= 1):
        raise ValueError(f"eps is {eps!r}; it must lie in (0, 1] (moments of order 1 + eps)")


def as_output(values: ArrayLike) -> Any:
    """A float for a scalar, an array otherwise."""
    result = np.asarray(values, dtype=float)
    return float(result) if result.ndim == 0 else result
