"""Guarantees of score SGD: at each k, at all k, with the variance, and with a bias."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hbucb.optimizers.drift import DriftCondition
from hbucb.optimizers.guarantee import Guarantee
from hbucb.optimizers.mean_sgd import _counts, _log_inverse
from hbucb.optimizers.score_sgd import ScoreSGD
from hbucb.optimizers.scores import Clip
from hbucb.predicates import Predicate, symmetric
from hbucb.validate import nonnegative, positive, store, whole_number


@dataclass(frozen=True)
class _ScoreG(Guarantee):
    """What the guarantees of score SGD share."""

    condition: DriftCondition

    def __post_init__(self) -> None:
        if not isinstance(self.condition, DriftCondition):
            raise ValueError(f"condition = {self.condition!r} must be a DriftCondition")

    @property
    def _shift(self) -> int:
        return 1

    def needs(self) -> tuple[Predicate, ...]:
        return (self.condition.holds(),)

    def proved_for(self, optimizer: Any, delta: float | None) -> str:
        if not isinstance(optimizer, ScoreSGD):
            return f"it is proved for ScoreSGD, not for {optimizer!r}"
        if optimizer.condition != self.condition or optimizer.shift != self._shift:
            return (
                f"it is proved for a ScoreSGD with the same drift condition and shift = "
                f"{self._shift}, not for {optimizer!r}"
            )
        if optimizer.interval is None:
            return "an interval around first pulls may miss the location, which g does not count"
        return ""


@dataclass(frozen=True)
class LastIterateG(_ScoreG):
    """g(k, delta) = tau^2 ln(2/delta) / k at each k >= 1, tau = lam/p, two-sided (order "first").

    The last iterate is sub-Gaussian: E cosh(s (x_k - mu)) <= exp(s^2 tau^2 / (2k)). One run
    serves all k and delta; the start and the moments of the noise do not appear.

    Parameters
    ----------
    condition : DriftCondition
        The one that :class:`ScoreSGD` runs with.

    References
    ----------
    Proof in the book, chapter "Clipping: the last iterate is a random walk".

    Examples
    --------
    >>> from hbucb.optimizers import Sign
    >>> LastIterateG(DriftCondition(Sign(), reach=1.0, slope=0.5))([100, 1000], 0.01).round(4)
    array([0.2119, 0.0212])
    """

    def __call__(self, k: ArrayLike, delta: ArrayLike) -> Any:
        return self.condition.tau**2 * (math.log(2) + _log_inverse(delta)) / _counts(k)


def harmonic(k: ArrayLike) -> np.ndarray:
    """H_k = 1 + 1/2 + ... + 1/k, at real k > 0 by the digamma function.

    Examples
    --------
    >>> harmonic([1, 2, 4]).round(6).tolist()
    [1.0, 1.5, 2.083333]
    """
    from scipy.special import digamma

    return np.asarray(digamma(np.asarray(k, dtype=float) + 1) + np.euler_gamma)


@dataclass(frozen=True)
class LastIterateUniformG(_ScoreG):
    """g(k, delta) = tau^2 (ln(1/delta) + H_k / 2) / k for *all* k at once (order "first").

    With probability at least 1 - delta, (x_k - mu)^2 / 2 < g(k, delta) for every k >= 1.

    Parameters
    ----------
    condition : DriftCondition
        The one that :class:`ScoreSGD` runs with.

    References
    ----------
    Proof in the book, chapter "Clipping: the last iterate is a random walk".

    Examples
    --------
    >>> from hbucb.optimizers import Sign
    >>> g = LastIterateUniformG(DriftCondition(Sign(), reach=1.0, slope=0.5))
    >>> g([100, 1000], 0.01).round(4)
    array([0.288 , 0.0334])
    """

    kind = "uniform"

    def __call__(self, k: ArrayLike, delta: ArrayLike) -> Any:
        count = _counts(k)
        return self.condition.tau**2 * (_log_inverse(delta) + harmonic(count) / 2) / count


@dataclass(frozen=True)
class BiasedG(_ScoreG):
    """B + tau sqrt(2 ln(2/delta) / k) at each k: a bias that no number of rewards removes ("zero").

    For noise with sgn(u) h(u) >= p (|u| - B): a share of arbitrary rewards
    (:meth:`DriftCondition.contaminated`) or asymmetry (:meth:`DriftCondition.asymmetry_bias`).

    Parameters
    ----------
    condition : DriftCondition
        With the slope p of the inequality, which :class:`ScoreSGD` runs with.
    bias : float
        B, reward units.

    Examples
    --------
    >>> from hbucb.optimizers import Sign
    >>> clean = DriftCondition(Sign(), reach=1.0, slope=0.5)
    >>> BiasedG(*clean.contaminated(0.1))([100, 10**8], 0.01).round(4)
    array([0.9456, 0.2229])
    """

    bias: float = 0.0
    order = "zero"

    def __post_init__(self) -> None:
        super().__post_init__()
        store(self, bias=nonnegative("bias", self.bias))

    def __call__(self, k: ArrayLike, delta: ArrayLike) -> Any:
        half_square = LastIterateG(self.condition)(k, delta)
        return self.bias + np.sqrt(2 * half_square)

    def needs(self) -> tuple[Predicate, ...]:
        return (self.condition.holds_beyond(self.bias),)


@dataclass(frozen=True)
class BernsteinG(_ScoreG):
    """A radius with the variance V of the clip in place of its square level ("zero"), each k.

    With the step 1/(p (k + k0)), k0 = ceil(1/p), and l = ln(2/delta):
    D (k0 - 1)/(k + k0 - 1) + (sqrt(2 k V l) + 2 lam l / 3) / (p (k + k0 - 1)). For light tails and
    a large clip level V is much below lam^2.

    Parameters
    ----------
    condition : DriftCondition
        With a clip as score, and p <= 1.
    variance : float
        V >= Var clip(u - xi, lam) for all |u| <= D, reward units squared.

    Notes
    -----
    As in the proof of :class:`LastIterateG`, with Bernstein's inequality for the centred score.
    Symmetric noise has h(0) = 0 and a clip h' <= 1, so p u <= h(u) <= u for 0 <= u <= D; with
    steps of at most 1 the mean move u - step h(u) lies between 0 and (1 - step p) u. The start
    keeps the weight (k0 - 1)/(k + k0 - 1), every reward has 1/(p (k + k0 - 1)).

    Examples
    --------
    >>> condition = DriftCondition(Clip(2.0), reach=1.0, slope=0.917)
    >>> g = BernsteinG(condition, variance=0.92)
    >>> g.steps, g([50, 1000], 0.01).round(4)
    (2, array([0.6428, 0.1163]))
    """

    variance: float = 1.0
    order = "zero"

    def __post_init__(self) -> None:
        super().__post_init__()
        store(self, variance=positive("variance", self.variance))
        if not isinstance(self.condition.score, Clip) or self.condition.slope > 1:
            raise ValueError(f"condition = {self.condition!r} must have a clip and a slope <= 1")

    @property
    def steps(self) -> int:
        """k0, the shift of the step."""
        return whole_number(math.ceil(1 / self.condition.slope), "shift", 1)

    @property
    def _shift(self) -> int:
        return self.steps

    def __call__(self, k: ArrayLike, delta: ArrayLike) -> Any:
        count, level = _counts(k), math.log(2) + _log_inverse(delta)
        lam, slope = self.condition.score.lam, self.condition.slope
        total = count + self.steps - 1
        memory = self.condition.reach * (self.steps - 1)
        spread = np.sqrt(2 * count * self.variance * level) + 2 * lam * level / 3
        return (memory + spread / slope) / total

    def needs(self) -> tuple[Predicate, ...]:
        return (symmetric(), self.condition.holds(), self._small_variance())

    def _small_variance(self) -> Predicate:
        """Var psi <= V on 101 points; between them it moves by at most 4 lam |u - u'|."""
        score, reach = Clip(self.condition.score.lam), self.condition.reach

        def test(bandit: Any, arm: int) -> tuple[bool | None, str]:
            law = bandit.laws[arm]
            grid = np.linspace(0, reach, 101)
            values = [score.second_moment(law, u) - score.drift(law, u) ** 2 for u in grid.tolist()]
            most = max(values)
            words = f"the variance of {score!r} under {law!r} reaches {most:.6g}"
            if most > self.variance * (1 + 1e-9):
                return False, words
            margin = 4 * score.lam * reach / 200
            return (True, "") if most + margin <= self.variance else (None, words)

        return Predicate("score_variance", f"score variance <= {self.variance:g}", test)
