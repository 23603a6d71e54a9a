"""What a certification returns: counts, exact limits, an e-value and a verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hbucb.statistics.evidence import failure_evalue
from hbucb.statistics.proportions import clopper_pearson

#: certified: the failure probability is at most the claimed one, refuted: it is above, open: the
#: trials do not tell. The first two are wrong with probability at most ``alarm`` together.
VERDICTS = ("certified", "refuted", "open")


def _verdict(low: float, high: float, claimed: float) -> str:
    if low > claimed:
        return "refuted"
    return "certified" if high <= claimed else "open"


@dataclass(frozen=True)
class Certificate:
    """Failures of a claim in independent trials, and what follows from them.

    Attributes
    ----------
    claim : str
        What fails with probability at most ``delta``, in words.
    law : Noise
        The law of the trials; a verdict is about this law.
    n : int
        Rewards in a trial.
    delta : float
        The claimed probability of failure (of each side, where there are two).
    counts : tuple of (side, failures)
        Trials that failed, a side.
    trials : int
    alarm : float
        Probability with which the verdict may be wrong, at most, over all sides.

    Examples
    --------
    >>> import hbucb as hb
    >>> certificate = Certificate("a coin", hb.noise.TwoPoint(), 1, 0.4, (("heads", 480),), 1000)
    >>> certificate.verdict, round(certificate.low, 3), round(certificate.high, 3)
    ('refuted', 0.403, 0.558)
    """

    claim: str
    law: Any
    n: int
    delta: float
    counts: tuple[tuple[str, int], ...]
    trials: int
    alarm: float = 1e-6

    @property
    def side(self) -> str:
        """The side with the most failures."""
        return max(self.counts, key=lambda pair: pair[1])[0]

    @property
    def failures(self) -> int:
        """Failures of that side."""
        return max(count for _, count in self.counts)

    @property
    def share(self) -> float:
        """Failures of that side over trials."""
        return self.failures / self.trials

    def _limits(self) -> tuple[float, float]:
        # Limits of every side hold together: each spends its part of the alarm.
        level = 1 - self.alarm / len(self.counts)
        low, high = clopper_pearson(self.failures, self.trials, level)
        return float(low), float(high)

    @property
    def low(self) -> float:
        """Clopper-Pearson lower limit of the failure probability of that side."""
        return self._limits()[0]

    @property
    def high(self) -> float:
        """Clopper-Pearson upper limit of the failure probability of every side."""
        return self._limits()[1]

    @property
    def evalue(self) -> float:
        """Evidence against the claim: of mean at most 1 if it holds, at every number of trials.

        The mean over sides of :func:`hbucb.statistics.failure_evalue`. Unlike the limits it may
        be looked at after every trial: a true claim ever shows 1/a with probability at most a.
        """
        values = [failure_evalue(count, self.trials, self.delta) for _, count in self.counts]
        return sum(values) / len(values)

    @property
    def verdict(self) -> str:
        """One of :data:`VERDICTS`."""
        return _verdict(*self._limits(), self.delta)

    def __str__(self) -> str:
        low, high = self._limits()
        return (
            f"{self.verdict.upper()}: {self.claim}, n = {self.n}, {self.law!r}: {self.side} in "
            f"{self.failures} of {self.trials} trials, probability in [{low:.3g}, {high:.3g}], "
            f"claimed {self.delta:.3g}; e-value {self.evalue:.3g}"
        )


@dataclass(frozen=True)
class RegretCertificate:
    """Measured regret beside a claimed bound of the expected regret.

    Attributes
    ----------
    policy, bandit : Policy and Bandit
    horizon : int
    bound : float
        The claimed bound of E R_T, reward units.
    mean, low, high : float
        Mean of R_T over trials and limits of E R_T, reward units. The limits hold for every law of
        R_T between 0 and T times the largest gap, so also where a few runs get stuck.
    trials : int
    alarm : float
        Probability with which the verdict may be wrong, at most.
    evalue : float
        Evidence against the bound, of mean at most 1 if it holds.
    trivial : float
        T times the largest gap, which no regret exceeds.

    Examples
    --------
    >>> import hbucb as hb
    >>> bandit = hb.Bandit([0.0, 1.0], hb.noise.Gaussian())
    >>> certificate = hb.certify.regret_bound(hb.UCB(), bandit, 500, trials=100)
    >>> certificate.verdict, certificate.vacuous
    ('certified', False)
    """

    policy: Any
    bandit: Any
    horizon: int
    bound: float
    mean: float
    low: float
    high: float
    trials: int
    alarm: float
    evalue: float
    trivial: float

    @property
    def vacuous(self) -> bool:
        """Whether the bound is at least T times the largest gap, and so says nothing."""
        return self.bound >= self.trivial

    @property
    def verdict(self) -> str:
        """One of :data:`VERDICTS`, about E R_T <= bound."""
        return _verdict(self.low, self.high, self.bound)

    def __str__(self) -> str:
        return (
            f"{self.verdict.upper()}: E R_T of {self.policy!r} at T = {self.horizon} is at most "
            f"{self.bound:.6g}{' (says nothing)' if self.vacuous else ''}: mean {self.mean:.6g} "
            f"of {self.trials} trials, E R_T in [{self.low:.6g}, {self.high:.6g}]"
        )
