"""Expectations by quadrature, for the cases that have no closed form."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import pairwise

from hbucb.noise.floats import power_or_inf, weighted_power


def shifted_moment(
    pdf: Callable[[float], float],
    known: float,
    *,
    order: float,
    about: float,
    centre: float,
    spread: float,
    support: tuple[float, float],
) -> float:
    """E|X - about|^order from the density and the known value of E|X - centre|^order.

    Only the difference of the two powers is integrated: its tail is one order lighter than that
    of the moment itself, so that orders just below the tail index are no harder than others.

    Parameters
    ----------
    pdf : callable
        Density of X, one float to one float (1 / reward units).
    known : float
        E|X - centre|^order (reward units to the power ``order``); finite.
    order, about, centre : float
        The moment order (> 0), the point it is taken about and the point of ``known``.
    spread : float
        A length of the law (reward units), such as its interquartile range; sets breakpoints only.
    support : (float, float)
        Ends of the support, possibly infinite.

    Examples
    --------
    >>> from math import exp
    >>> value = shifted_moment(lambda x: exp(-x), 1.0, order=1.0, about=1.0, centre=0.0,
    ...                        spread=1.0, support=(0.0, float("inf")))
    >>> abs(value - 2 * exp(-1)) < 1e-9
    True
    """
    low, high = support
    reach = abs(about - centre)
    if power_or_inf(reach, order) == math.inf:
        return math.inf
    inner = {low, high, about, centre}
    for step in (spread / 8, spread, 8 * spread, 64 * spread, 3 * reach, 3 * reach + 64 * spread):
        inner |= {centre - step, centre + step}
    inner |= {about - spread, about + spread}
    points = sorted(p for p in inner if low <= p <= high)

    def integrand(x: float) -> float:
        density = pdf(x)
        if density <= 0:
            return 0.0
        return weighted_power(density, abs(x - about), order) - weighted_power(
            density, abs(x - centre), order
        )

    total = 0.0
    for a, b in pairwise(points):
        if math.isinf(a) or math.isinf(b):
            # x = end +- width (1 - s) / s, as quad does for width 1: here the law's own width.
            end, sign = (b, -1.0) if math.isinf(a) else (a, 1.0)
            width = max(abs(end - centre), spread)

            def tail(s: float, end: float = end, step: float = sign * width) -> float:
                return integrand(end + step * (1.0 - s) / s) * abs(step) / s**2 if s > 0 else 0.0

            total += integral(tail, 0.0, 1.0, epsabs=0.0, limit=400)[0]
        else:
            total += integral(integrand, a, b, epsabs=1e-13 * known, limit=400)[0]
    return known + total if math.isfinite(total) else math.inf


def expectation(
    f: Callable[[float, float], float],
    pdf: Callable[[float], float],
    points: Iterable[float],
    *,
    support: tuple[float, float],
    order: float,
    tail_index: float,
    kink: float = 0.0,
) -> float:
    """E f(X) from the density alone; the tails are integrated on a logarithmic scale.

    Far out a power tail of index ``tail_index`` continues geometrically; that remainder is added
    in closed form, so that orders close to the tail index are not cut short.

    Parameters
    ----------
    f : callable
        ``f(weight, x)`` is the weight times the function, which grows like |x|^order.
    pdf : callable
        Density of X.
    points : iterable of float
        Breakpoints, at least two, that span most of the mass; those outside ``support`` are
        dropped.
    support : (float, float)
        Ends of the support, possibly infinite.
    order, tail_index : float
        0 < order < tail_index (inf for light tails).
    kink : float
        The point where f is not smooth.

    Returns
    -------
    float
        nan where the quadrature does not reach a relative error of 1e-6.

    Examples
    --------
    >>> from math import exp, inf
    >>> value = expectation(lambda w, x: w * x**2, lambda x: exp(-x), [1.0, 5.0],
    ...                     support=(0.0, inf), order=2.0, tail_index=inf)
    >>> round(value, 9)                                     # exponential law: 2
    2.0
    """
    low, high = support
    inner = sorted({p for p in (*points, low, high) if low <= p <= high and math.isfinite(p)})
    if inner[0] < kink < inner[-1]:
        inner = sorted({*inner, kink})

    def integrand(x: float) -> float:
        density = pdf(x)
        return f(density, x) if 0.0 < density < math.inf else 0.0

    parts = [integral(integrand, a, b) for a, b in pairwise(inner)]
    rest = 0.0
    middle = 0.5 * (inner[0] + inner[-1])
    # Where the density of a power tail would underflow nothing is left to integrate.
    end = min(250.0, 600.0 / (1.0 + tail_index)) if tail_index < math.inf else 250.0
    for start, limit in ((inner[0], low), (inner[-1], high)):
        if math.isfinite(limit):
            continue

        def tail(s: float, reach: float = start - middle) -> float:
            step = reach * math.exp(s)
            return integrand(middle + step) * abs(step)

        edges = [0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0]
        if (kink - middle) / (start - middle) > 1.0:
            edges.append(math.log((kink - middle) / (start - middle)))
        for a, b in pairwise([*sorted(e for e in edges if e < end), end]):
            parts.append(integral(tail, a, b))
        if tail_index < math.inf:
            rest += tail(end) / (tail_index - order)
    size, error = (sum(abs(part[i]) for part in parts) for i in (0, 1))
    if error > 1e-6 * (size + abs(rest)):
        return math.nan
    return sum(value for value, _ in parts) + rest


def integral(
    f: Callable[[float], float], a: float, b: float, *, epsabs: float = 1e-13, limit: int = 200
) -> tuple[float, float]:
    """The integral of f from a to b and the estimated error, without warnings.

    Examples
    --------
    >>> value, error = integral(lambda x: x**-0.5, 0.0, 1.0)
    >>> abs(value - 2.0) < 1e-9, error < 1e-9
    (True, True)
    """
    from scipy.integrate import quad

    # With full_output the outcome is told by the returned error and not by a warning.
    result = quad(f, a, b, epsabs=epsabs, epsrel=1e-10, limit=limit, full_output=1)
    return float(result[0]), float(result[1])
