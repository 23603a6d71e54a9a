"""A radius around an estimate, at one count or at all counts at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from hbucb.assumptions import AssumptionError
from hbucb.bandits import Bandit
from hbucb.certify.certificate import Certificate
from hbucb.certify.classes import check_class, class_of, names_class, target_of
from hbucb.certify.tapes import count, estimates
from hbucb.estimators.checks import FixedLevel
from hbucb.estimators.rows import estimate_rows
from hbucb.noise import Noise, as_noise
from hbucb.streams import Run
from hbucb.validate import finite, open_probability, positive, whole_number

#: "each": two claims, P(x > mu + r) <= delta and P(x < mu - r) <= delta; "above" and "below": one
#: of them; "both": P(|x - mu| > r) <= delta.
SIDES = ("each", "above", "below", "both")


def radius(
    method: Any,
    law: Noise,
    *,
    n: int,
    delta: float,
    trials: int = 20_000,
    seed: int = 0,
    g: Any = None,
    claimed: Callable[[Any, float], Any] | None = None,
    factor: float = 1.0,
    sides: str = "each",
    uniform: bool | None = None,
    loc: float = 0.0,
    target: float | None = None,
    outside: bool = False,
    declare: Sequence[str] = (),
    alarm: float = 1e-6,
    chunk: int | None = None,
    progress: bool = False,
) -> Certificate:
    """Certify that an estimate of n rewards is within its radius, with probability 1 - delta.

    Parameters
    ----------
    method : estimator or optimizer
        An estimator with ``estimate(x, delta)``, ``radius(n, delta)`` and ``assumptions()``, or a
        streaming method with a guarantee `g`. One of your own needs ``estimate(x, delta)`` alone,
        the n rewards of one trial to a number, if its radius is `claimed`. ``assumptions()``
        returns the predicates (``hbucb.predicates``) of the class for which ``radius`` is meant,
        ``()`` for any law; an estimator without it needs ``outside=True``.
    law : Noise
        Of the rewards less `loc`. It must be of the class for which the radius is claimed.
    n : int
        Rewards, >= 1.
    delta : float
        The claimed probability of failure, also handed to the method.
    trials, seed : int
        Independent replications, and their streams: equal seeds, equal tapes.
    g : Guarantee, optional
        The radius is sqrt(2 g(k, delta)), or g(k, delta) if its order is "zero", k updates.
    claimed : callable, optional
        Another radius r(n, delta) of the same estimate, for a claim of one's own: n is an array
        of counts (all up to n if `uniform`, else n alone), the values are numbers >= 0 or inf.
    factor : float
        Multiplies the radius: a radius is known to be sharp if 0.8 of it is refuted.
    sides : {"each", "above", "below", "both"}
        Two one-sided claims at `delta` each (the default), one of them, or P(|error| > r) <= delta.
    uniform : bool, optional
        True: the failure is that *some* count up to n fails. By default that of ``g.kind``, else
        False.
    loc : float
        Location, added to the noise.
    target : float, optional
        What is estimated. By default the mean where the claim is about moments or sub-Gaussian
        noise, else `loc`.
    outside : bool
        True: run it on a law outside the class, or with a `g` that is not proved for the method,
        as a negative control.
    declare : sequence of str
        Assumptions vouched for whose truth the law does not know.
    alarm : float
        Probability with which the verdict may be wrong, at most.
    chunk : int, optional
        Trials that advance together. Never changes a result.
    progress : bool
        Show a progress bar.

    Returns
    -------
    Certificate

    Raises
    ------
    AssumptionError
        If the law is not known to be of the class, unless `outside`.
    ValueError
        If the radius is infinite at n (nothing is claimed), or an argument is out of range.

    Examples
    --------
    >>> import hbucb as hb
    >>> median = hb.estimators.MedianOfMeans(eps=1.0, v=5.0)
    >>> certificate = hb.certify.radius(median, hb.noise.StudentT(2.5), n=400, delta=0.05)
    >>> print(certificate.verdict, certificate.failures)
    certified 0

    An estimator of one's own:

    >>> class Midhinge:
    ...     def estimate(self, x, delta):
    ...         return np.quantile(x, [0.25, 0.75]).mean()
    >>> law, wide = hb.noise.Cauchy(), lambda n, delta: np.full(len(n), 2.0)
    >>> hb.certify.radius(Midhinge(), law, n=40, delta=0.05, claimed=wide, trials=400).verdict
    'certified'
    """
    n, delta = whole_number(n, "n", 1), open_probability("delta", delta)
    law, loc, factor = as_noise(law), finite("loc", loc), positive("factor", factor)
    if sides not in SIDES:
        raise ValueError(f"sides = {sides!r} must be one of {', '.join(SIDES)}")
    # An optimizer's own "radius", if it has one, is the number that it projects to.
    own = callable(getattr(method, "radius", None))
    if g is None and claimed is None and not own:
        raise ValueError(f"method = {method!r} has no radius: give g or claimed")
    needs = class_of(method, g)
    if not outside:
        if claimed is None and g is None and not names_class(method):
            raise ValueError(
                f"method = {method!r} names no class of laws: give it a method assumptions() that "
                "returns the predicates of its class, () for any law; or give its guarantee g; or "
                "say outside=True"
            )
        reason = g.proved_for(method, delta) if g is not None else ""
        if reason:
            raise AssumptionError(f"g = {g!r}: {reason}; outside=True runs it all the same")
        check_class(Bandit([loc], law), needs, f"the radius of {method!r}", declare)
    if uniform is None:
        uniform = g is not None and g.kind == "uniform"
    centre = target_of(law, loc, needs) if target is None else finite("target", target)
    stream = _stream(method, delta, g, uniform, own)
    table = factor * _table(method, n, delta, g, claimed, uniform)
    _something_claimed(table if uniform else table[n:], n)

    def fails(x: np.ndarray, first: int) -> Mapping[str, np.ndarray]:
        if stream is None:
            return _beyond(estimate_rows(method, x, delta) - centre, float(table[n]), sides)
        run = Run(len(x), 1, n, seed, first)
        failed: dict[str, np.ndarray] = {}
        for used, estimate in estimates(stream, x, run):
            if uniform:
                for side, new in _beyond(estimate - centre, float(table[used]), sides).items():
                    failed[side] = failed[side] | new if side in failed else new
        return failed if uniform else _beyond(estimate - centre, float(table[used]), sides)

    each = stream.bytes_per_trial(1, n) if stream is not None else 0
    counts = count(
        fails, law, n, loc=loc, trials=trials, seed=seed, each=each, chunk=chunk, progress=progress
    )
    words = f"{'' if factor == 1 else f'{factor:g} times '}the radius of {method!r}"
    if g is not None:
        words += f" by {g!r}"
    words += f" ({'at all counts' if uniform else 'at one count'}, {sides})"
    return Certificate(words, law, n, delta, counts, trials, open_probability("alarm", alarm))


def _stream(method: Any, delta: float, g: Any, uniform: bool, own: bool) -> Any:
    """The method as a stream of estimates, or None where its offline ``estimate`` serves."""
    streams = hasattr(method, "stream"), hasattr(method, "running")
    rows = estimate_rows.dispatch(type(method)) is not estimate_rows.dispatch(object)
    if g is None and not uniform and ((own and (rows or not streams[0])) or not any(streams)):
        if not callable(getattr(method, "estimate", None)):
            raise ValueError(f"method = {method!r} has no method estimate(x, delta)")
        return None
    if not any(streams):
        raise ValueError(
            f"method = {method!r} has estimate(x, delta) alone, which is read at one count; "
            f"{'uniform = True' if g is None else f'g = {g!r}'} needs a streaming method"
        )
    return method if streams[0] else method.running(FixedLevel(delta))


def _table(method: Any, n: int, delta: float, g: Any, claimed: Any, uniform: bool) -> np.ndarray:
    """(n + 1,) radii by the number of rewards; +inf where nothing is claimed or asked."""
    table = np.full(n + 1, np.inf)
    pulls = np.arange(1 if uniform else n, n + 1)
    if g is not None and claimed is None:
        k = np.maximum(pulls - method.initial, 0) // method.batch
        table[pulls[k > 0]] = g(k[k > 0], delta)
    else:
        table[pulls] = (claimed or method.radius)(pulls, delta)
    if not (table >= 0).all():
        at = int(np.argmin(table >= 0))
        who = "claimed" if claimed else f"g = {g!r}" if g is not None else f"{method!r}.radius"
        raise ValueError(f"{who}: {table[at]:g} at n = {at} must be a number >= 0, or inf")
    squares = g is not None and claimed is None and g.order == "first"
    return np.sqrt(2 * table) if squares else table


def _something_claimed(table: np.ndarray, n: int) -> None:
    if not np.isfinite(table).any():
        raise ValueError(f"the radius is infinite at n = {n}: nothing is claimed there")


def _beyond(error: np.ndarray, radius: float, sides: str) -> dict[str, np.ndarray]:
    """Which trials fail; an estimate that is nan fails unless the radius is infinite."""
    if radius == math.inf:
        error = np.zeros_like(error)
    if sides == "both":
        return {"error beyond": ~(np.abs(error) <= radius)}
    failed = {"error above": ~(error <= radius), "error below": ~(error >= -radius)}
    return failed if sides == "each" else {f"error {sides}": failed[f"error {sides}"]}
