"""A regret bound beside the regret of simulated runs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from hbucb.bandits import Bandit
from hbucb.certify.certificate import RegretCertificate
from hbucb.simulation import simulate
from hbucb.statistics.betting import bounded_mean_interval
from hbucb.statistics.evidence import mean_evalue
from hbucb.validate import open_probability, whole_number


def regret_bound(
    policy: Any,
    bandit: Bandit,
    horizon: int,
    *,
    trials: int = 200,
    seed: int = 0,
    claimed: float | None = None,
    declare: Sequence[str] = (),
    alarm: float = 1e-6,
    executor: Any = None,
    progress: bool = False,
) -> RegretCertificate:
    """Certify that the expected pseudo-regret at T is at most the policy's bound.

    Parameters
    ----------
    policy : Policy
    bandit : Bandit
        With at least one gap above 0.
    horizon : int
        T.
    trials, seed : int
        Runs of T pulls, and their streams.
    claimed : float, optional
        Another bound than ``policy.regret_bound(bandit, horizon)``, as a claim of one's own; no
        assumption is checked then.
    declare : sequence of str
        Assumptions vouched for, handed to the policy.
    alarm : float
        Probability with which the verdict may be wrong, at most.
    executor, progress
        As in :func:`hbucb.simulate`.

    Returns
    -------
    RegretCertificate

    Raises
    ------
    AssumptionError
        If no theorem covers the policy on the bandit.
    ValueError
        If all gaps are 0, if the policy's bound (or ``claimed``) is no number >= 0, or if an
        argument is out of range.

    Examples
    --------
    >>> import hbucb as hb
    >>> bandit = hb.Bandit([0.0, 1.0], hb.noise.Gaussian())
    >>> greedy = hb.UCB(sigma=0.0)
    >>> hb.certify.regret_bound(greedy, bandit, 500, claimed=5.0).verdict
    'refuted'
    """
    horizon = whole_number(horizon, "horizon", 1)
    alarm = open_probability("alarm", alarm)
    said, bound = f"claimed = {claimed!r}", claimed
    if bound is None:
        bound = policy.regret_bound(bandit, horizon, declare=declare)
        said = f"{policy!r}.regret_bound(bandit, {horizon}) = {bound!r}"
    bound = _number(bound, said)
    trivial = horizon * float(np.max(bandit.gaps))
    if not trivial > 0:
        raise ValueError(f"gaps are {bandit.gaps.tolist()}; one of them must be above 0")
    result = simulate(
        bandit,
        {"policy": policy},
        horizon,
        trials,
        seed=seed,
        rounds=[horizon],
        executor=executor,
        progress=progress,
    )
    regret = result["policy"].regret[:, -1]
    limits = bounded_mean_interval(regret, trivial, level=1 - alarm)
    # Regret lies between 0 and the trivial bound: there is nothing to bet against beyond it.
    evalue = mean_evalue(regret, 0.0, trivial, null=bound) if 0 < bound < trivial else 1.0
    return RegretCertificate(
        policy,
        bandit,
        horizon,
        bound,
        limits.mean,
        limits.low,
        limits.high,
        trials,
        alarm,
        evalue,
        trivial,
    )


def _number(bound: Any, said: str) -> float:
    """The bound as a float >= 0; ``said`` is who gave it, for the message."""
    try:
        value = float(bound)
    except (TypeError, ValueError):
        value = math.nan
    if not value >= 0:
        raise ValueError(f"{said} must be a number >= 0")
    return value
