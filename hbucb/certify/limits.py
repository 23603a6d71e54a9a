"""An index, or another upper limit: is it above the arm's location?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hbucb.assumptions import AssumptionError
from hbucb.bandits import Bandit
from hbucb.certify.certificate import Certificate
from hbucb.certify.classes import check_class, class_of, target_of
from hbucb.certify.tapes import count, indices
from hbucb.estimators.rows import upper_rows
from hbucb.noise import Noise, as_noise
from hbucb.policies.index import FormulaRadius, IndexPolicy, Rule
from hbucb.streams import Run, policy_stream
from hbucb.validate import finite, open_probability, positive, whole_number


def index(
    policy: Any,
    law: Noise,
    *,
    n: int,
    delta: float | None = None,
    horizon: int | None = None,
    trials: int = 20_000,
    seed: int = 0,
    factor: float = 1.0,
    uniform: bool = False,
    loc: float = 0.0,
    target: float | None = None,
    outside: bool = False,
    declare: Sequence[str] = (),
    alarm: float = 1e-6,
    chunk: int | None = None,
    progress: bool = False,
) -> Certificate:
    """Certify that an index is at least the arm's location, with probability 1 - delta.

    A policy is played in its batch form on the tape of one arm, so that every count up to n is
    reached: in a bandit run bad arms stop being pulled, and failures would hide.

    Parameters
    ----------
    policy : IndexPolicy, or an estimator with an upper limit
        The estimators are OrderStatistic and HodgesLehmann.
    n : int
        Pulls of the arm.
    delta : float, optional
        The claimed probability; by default that of the policy at this horizon.
    horizon : int, optional
        T, at least n; n by default.
    factor : float
        Multiplies the radius of a policy whose radius is a table over the count.
    uniform : bool
        True: the failure is that the index is below the location at *some* count up to n.
    law, trials, seed, loc, target, outside, declare, alarm, chunk, progress
        As in :func:`radius`. A law is of a policy's class if its regret bound covers it.

    Returns
    -------
    Certificate

    Raises
    ------
    AssumptionError, ValueError
        As in :func:`radius`.

    Examples
    --------
    >>> import hbucb as hb
    >>> policy = hb.UCB(sigma=1.0, delta=0.05)
    >>> hb.certify.index(policy, hb.noise.Gaussian(), n=20).verdict
    'certified'
    >>> hb.certify.index(policy, hb.noise.Gaussian(), n=20, factor=0.5).verdict
    'refuted'
    """
    n, law, loc = whole_number(n, "n", 1), as_noise(law), finite("loc", loc)
    horizon = n if horizon is None else whole_number(horizon, "horizon", n)
    offline = not hasattr(policy, "start")
    if delta is None:
        delta = None if offline else getattr(policy.tuned(horizon), "delta", None)
        if delta is None:
            raise ValueError(f"delta is needed: {policy!r} fixes none")
    delta = open_probability("delta", delta)
    bandit = Bandit([loc], law)
    if offline:
        if uniform or factor != 1:
            raise ValueError(f"uniform = {uniform!r}, factor = {factor!r} need a batch policy")
        if not outside:
            check_class(bandit, policy.assumptions(), f"the upper limit of {policy!r}", declare)
    elif not outside:
        try:
            policy.regret_bound(bandit, horizon, declare=declare)
        except AssumptionError as error:
            raise AssumptionError(f"{error}; outside=True runs it all the same") from None
    played = policy if factor == 1 else _Scaled(policy, positive("factor", factor))
    made_of = policy.rule(horizon).estimator if isinstance(policy, IndexPolicy) else None
    needs = class_of(policy, getattr(policy, "g", None)) or class_of(made_of)
    centre = target_of(law, loc, needs) if target is None else finite("target", target)

    def fails(x: np.ndarray, first: int) -> Mapping[str, np.ndarray]:
        if offline:
            return {"index below": ~(upper_rows(policy, x, delta) >= centre)}
        run = Run(len(x), 1, horizon, seed, first, policy_stream(policy))
        failed = np.zeros(len(x), bool)
        for at, upper in enumerate(indices(played, x, run), start=1):
            if uniform or at == n:
                failed |= ~(upper >= centre)
        return {"index below": failed}

    each = 0 if offline else played.bytes_per_trial(1, horizon)
    counts = count(
        fails, law, n, loc=loc, trials=trials, seed=seed, each=each, chunk=chunk, progress=progress
    )
    words = f"the index of {policy!r}" + (f" with {factor:g} radii" if factor != 1 else "")
    words += f" ({'at all counts' if uniform else 'at one count'})"
    return Certificate(words, law, n, delta, counts, trials, open_probability("alarm", alarm))


class _Scaled(IndexPolicy):
    """A policy with all its radii multiplied by one factor."""

    def __init__(self, policy: Any, factor: float) -> None:
        self._policy, self._factor = policy, factor

    def rule(self, horizon: int) -> Rule:
        rule = self._policy.rule(horizon) if isinstance(self._policy, IndexPolicy) else None
        if rule is None or not rule.radius.fixed or not self._positive(rule, horizon):
            raise ValueError(f"factor = {self._factor!r}: {self._policy!r} has no table of radii")
        radius = rule.radius.weight
        return Rule(rule.estimator, FormulaRadius(lambda n: self._factor * radius(n)))

    def _positive(self, rule: Rule, horizon: int) -> bool:
        """Whether there is anything to multiply: an index may be an upper end without a radius."""
        radii = rule.radius.weight(np.arange(1, horizon + 1))
        return bool((radii[np.isfinite(radii)] > 0).any())
