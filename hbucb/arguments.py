"""Arguments that all bound functions share, checked in one place."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]


def as_gaps(gaps: ArrayLike) -> FloatArray:
    """Gaps (arms,) as floats; ValueError unless finite, >= 0 and with a best arm of gap 0."""
    values = np.asarray(gaps, dtype=float)
    if values.ndim != 1 or values.size == 0:
        raise ValueError(f"gaps has shape {values.shape}; give one gap an arm")
    if not (np.isfinite(values).all() and (values >= 0).all()):
        raise ValueError(f"gaps is {values.tolist()}; each must be finite and >= 0")
    if values.min() > 0:
        raise ValueError(f"gaps is {values.tolist()}; the best arm's gap, 0, is missing")
    return values


def as_horizon(horizon: ArrayLike) -> FloatArray:
    """Horizon as floats, any shape; ValueError unless whole numbers >= 1."""
    values = np.asarray(horizon, dtype=float)
    if not (np.isfinite(values).all() and (values >= 1).all() and (values % 1 == 0).all()):
        raise ValueError(f"horizon is {horizon!r}; whole numbers of pulls >= 1 are allowed")
    return values


def as_delta(delta: ArrayLike | None, horizon: FloatArray) -> FloatArray:
    """Failure probability broadcast to `horizon`; None means 1/T^2; ValueError outside (0, 1)."""
    if delta is None:
        return 1.0 / horizon**2
    values = np.asarray(delta, dtype=float)
    if not ((values > 0).all() and (values < 1).all()):
        raise ValueError(f"delta is {delta!r}; it must lie in (0, 1), or be None for 1/T^2")
    return np.broadcast_to(values, horizon.shape)


def positive(name: str, value: float) -> None:
    """ValueError unless `value` is a finite number above 0."""
    if not (np.isfinite(value) and value > 0):
        raise ValueError(f"{name} is {value!r}; it must be a finite number above 0")


def moment_order(eps: float) -> None:
    """ValueError unless 0 < eps <= 1 (moments of order 1 + eps)."""
    if not 0 < eps <= 1:
        raise ValueError(f"eps is {eps!r}; it must lie in (0, 1] (moments of order 1 + eps)")


def as_output(values: ArrayLike) -> Any:
    """A float for a scalar, an array otherwise."""
    result = np.asarray(values, dtype=float)
    return float(result) if result.ndim == 0 else result
