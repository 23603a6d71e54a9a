"""Roots of Catoni's equation for many rows of samples at once, by Newton steps."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hbucb.estimators.checks import FloatArray

#: |y| beyond which 1 + |y| + y^2/2 is y^2/2 to the last bit; its logarithm is taken in parts.
_HUGE = 1e17
_STEPS = 400
#: A root is exact to _PRECISION (|theta| + 1/a), beside the rounding of the sum of psi.
_PRECISION = 2.0**-51
_ORIGIN = np.zeros(1, np.int64)


def psi(y: FloatArray, work: FloatArray | None = None) -> tuple[FloatArray, FloatArray]:
    """sign(y) ln(1 + |y| + y^2/2) and its derivative (1 + |y|)/(1 + |y| + y^2/2).

    Parameters
    ----------
    y : (n,)
    work : (3, n), optional
        Overwritten, with the two results first: fresh memory costs more than the arithmetic.

    Examples
    --------
    >>> [value.tolist() for value in psi(np.array([0.0, -2.0]))]
    [[0.0, -1.6094379124341003], [1.0, 0.6]]
    """
    value, slope, below = np.empty((3, y.size)) if work is None else work
    size = np.abs(y, out=slope)
    huge = None
    if size.max(initial=0.0) > _HUGE:
        huge, large = size > _HUGE, size[size > _HUGE]
        size[huge] = _HUGE
    np.multiply(size, 0.5, out=value)
    value += 1
    value *= size  # |y| + y^2/2
    slope += 1
    slope /= np.add(value, 1, out=below)
    np.log1p(value, out=value)
    if huge is not None:
        value[huge] = 2 * np.log(large) - np.log(2.0)
        slope[huge] = 2 / large
    return np.copysign(value, y, out=value), slope


def sums(
    y: FloatArray, first: np.ndarray, n: np.ndarray, huge: bool, work: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """sum psi(y), sum psi'(y) and sum psi'(y) y over rows, (rows,) each.

    A logarithm costs as much as ten products: those of eight samples, or of fewer at a row's end,
    are taken together, with the factors of negative y inverted. Each factor is rounded to 2^-53 of
    itself and each product too, so that the sum errs by at most 2^-51 n.

    Parameters
    ----------
    y : (sum of n,) rows of samples one after the other
    first, n : (rows,) where they start, and lengths
    huge : bool
        Whether some |y| may exceed 1e17.
    work : (3, sum of n)
        Overwritten.
    """
    slope, factor, other = work
    size = np.abs(y, out=slope)
    more = None
    if huge and size.max() > _HUGE:
        large = np.flatnonzero(size > _HUGE)
        capped = math.log(_HUGE) * 2 - math.log(2.0)
        more = np.sign(y[large]) * (2 * np.log(size[large]) - math.log(2.0) - capped)
        size[large] = _HUGE
    size += 1
    np.multiply(size, size, out=factor)
    factor += 1
    factor *= 0.5  # 1 + |y| + y^2/2
    inverse = np.divide(1.0, factor, out=other)
    slope *= inverse
    # The inverse where y < 0: there -factor is below it, elsewhere the factor is above it.
    np.copysign(factor, y, out=factor)
    np.maximum(factor, inverse, out=factor)
    if more is not None:
        slope[large] = 2 / np.abs(y[large])
    if n.size == 1:
        start, at = first, np.arange(0, y.size, 8)
    else:
        groups = (n + 7) // 8
        start = np.cumsum(groups) - groups
        at = np.arange(0, 8 * groups.sum(), 8)
        at += np.repeat(first - 8 * start, groups)
    f = np.add.reduceat(np.log(np.multiply.reduceat(factor, at)), start)
    if more is not None:
        np.add.at(f, np.searchsorted(first, large, side="right") - 1, more)
    df = np.add.reduceat(slope, first)
    slope *= y
    return f, df, np.add.reduceat(slope, first)


def roots(
    values: FloatArray,
    n: np.ndarray,
    a: FloatArray,
    start: FloatArray,
    work: FloatArray | None = None,
    ends: tuple[FloatArray, FloatArray] | None = None,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Roots of sum psi(a (X - theta)) over ragged rows of finite samples.

    The sum is strictly decreasing in theta, positive at the smallest and negative at the largest
    sample: this bracket shrinks at every step, and a Newton step that leaves it, as every second
    one of a long run, is replaced by bisection. As |psi''| <= 1/4, a Newton step d ends within
    e = k (|d| + e)^2 of the root, k = n a / (8 sum psi'), so e <= 1.15 k d^2 if k |d| <= 1/16: the
    last step needs no check.

    Parameters
    ----------
    values : (sum of n,) samples, one row after the other
    n, a, start : (rows,) lengths, scales and first guesses
    work : (4, >= sum of n), optional
    ends : two (rows,), optional
        Smallest and largest samples; overwritten.

    Returns
    -------
    theta : (rows,) roots, within 2^-51 (|theta| + 1/a) beside the rounding of the sum
    slope, tilt : (rows,) sum psi'(y) and sum psi'(y) y, y = a (X - theta), at the last but one step
    """
    if work is None:
        work = np.empty((4, values.size))
    if ends is None:
        first = np.cumsum(n) - n
        ends = np.minimum.reduceat(values, first), np.maximum.reduceat(values, first)
    with np.errstate(over="ignore"):
        if n.size == 1 and (found := _one_step(values, n, a, start, work, ends)):
            return found
        return _roots(values, n, a, start, work, *ends)


def _one_step(
    values: FloatArray,
    n: np.ndarray,
    a: FloatArray,
    start: FloatArray,
    work: FloatArray,
    ends: tuple[FloatArray, FloatArray],
) -> tuple[FloatArray, FloatArray, FloatArray] | None:
    """The root of one row if the first Newton step finds it: what _roots does, on floats."""
    low, high, scale = float(ends[0][0]), float(ends[1][0]), float(a[0])
    theta = min(max(float(start[0]), low), high)
    if not low < high:
        return None
    y = np.subtract(values, theta, out=work[0, : values.size])
    y *= scale
    huge = scale * (high - low) > _HUGE
    f, df, tilt = sums(y, _ORIGIN, n, huge, work[1:, : values.size])
    level = float(f[0])
    low, high = theta if level >= 0 else low, theta if level <= 0 else high
    moved, _, sure = _advance(theta, level, float(df[0]), values.size, scale, low, high)
    return (np.array([moved]), df, tilt) if sure else None


def _roots(
    values: FloatArray,
    n: np.ndarray,
    a: FloatArray,
    start: FloatArray,
    work: FloatArray,
    low: FloatArray,
    high: FloatArray,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Roots of all rows; ``low`` and ``high`` are overwritten."""
    out = np.minimum(np.maximum(start, low), high)
    slopes, tilts = np.array(n, dtype=float), np.zeros(n.size)
    begin, span = out.copy(), high - low
    rows = np.flatnonzero(low < high)
    if rows.size < n.size:
        values = values[np.repeat(low < high, n)]
    for steps in range(_STEPS):
        if not rows.size:
            break
        theta, size, scale = out[rows], n[rows], a[rows]
        first = np.cumsum(size) - size
        y = work[0, : values.size]
        np.subtract(values, np.repeat(theta, size), out=y)
        y *= np.repeat(scale, size)
        huge = bool((scale * span[rows] > _HUGE).any())
        f, df, tilt = sums(y, first, size, huge, work[1:, : values.size])
        slopes[rows], tilts[rows] = df, tilt
        low[rows] = np.where(f >= 0, theta, low[rows])
        high[rows] = np.where(f <= 0, theta, high[rows])
        moved, inside, sure = _advance(theta, f, df, size, scale, low[rows], high[rows])
        if steps > 8 and steps % 2:  # a slope taken at a huge sample says nothing of the rest
            inside[:] = sure[:] = False
        sure |= high[rows] - low[rows] <= _PRECISION * (np.abs(theta) + 1 / scale)
        if not inside.all():
            # Fine near the first guess, then near 0: either may be where the root is.
            about = begin[rows] * (steps % 4 != 3)
            middle = _between(low[rows], high[rows], about, scale)
            moved = np.where(inside, moved, middle)
        if steps > 20:  # among huge samples the sum may be flat: its last bit is all it tells
            total = np.add.reduceat(np.abs(psi(y)[0]), first)
            flat = np.abs(f) <= 2.0**-52 * total
            moved, sure = np.where(flat, theta, moved), sure | flat
        out[rows] = moved
        if sure.all():
            break
        if sure.any():
            values, rows = values[np.repeat(~sure, size)], rows[~sure]
    else:
        if rows.size:
            raise ArithmeticError(f"Catoni's equation is not solved after {_STEPS} steps")
    return out, slopes, tilts


def _advance(
    theta: Any, f: Any, df: Any, n: Any, a: Any, low: Any, high: Any
) -> tuple[Any, Any, Any]:
    """The Newton step, whether it stays in the bracket and whether it ends at the root.

    For arrays and for floats alike: a single row is spared the cost of calls on arrays of one.
    """
    step = f / (a * df)
    moved = theta + step
    inside = (low <= moved) & (moved <= high)
    reach = n * a / (8 * df) * abs(step)  # k |d|
    close = 1.15 * reach * abs(step) <= _PRECISION * (abs(moved) + 1 / a)
    return moved, inside, inside & close & (reach <= 1 / 16)


def _between(low: FloatArray, high: FloatArray, c: FloatArray, a: FloatArray) -> FloatArray:
    """Halfway on the scale of asinh(a (theta - c)): brackets may span the range of floats."""
    with np.errstate(over="ignore", invalid="ignore"):
        middle = c + np.sinh((np.arcsinh(a * (low - c)) + np.arcsinh(a * (high - c))) / 2) / a
    inside = (middle > low) & (middle < high)  # false for a nan
    return np.where(inside, middle, low / 2 + high / 2)
