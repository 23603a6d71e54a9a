"""SignSGDUCB, ClipSGDUCB and TwoPointUCB: the last iterate of score SGD plus its radius."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from hbucb.optimizers import Clip, DriftCondition, KnownLaw, MassWithin, Sign, TwoPoint
from hbucb.optimizers.knowledge import Knowledge
from hbucb.policies.score_index import ScoreIndex
from hbucb.validate import positive, store


@dataclass(frozen=True)
class SignSGDUCB(ScoreIndex):
    """Play the largest x_k + radius, x_k the last iterate of sign SGD: three numbers an arm.

    Parameters
    ----------
    knowledge : KnownLaw, UnimodalMoment or DensityFloor
        What is known about the noise; it gives the slope p(D) of the drift.
    interval : (float, float), optional
        Known to hold all locations, reward units; D is its length.
    half : float, optional
        Without an interval, each arm's iterate stays within ``half`` of the median of its first
        pulls, and D = 2 half; ``knowledge.scale`` if not given.
    pulls : int, optional
        The odd number of those pulls; so many that the median is farther off than ``half`` with
        probability at most 1/T if not given.
    kind : {"fixed", "anytime", "uniform"}
        Radius tau sqrt(2 ln(2/delta) / k); tau sqrt(2 ln(1 + t ln^2 t) / k) in round t, with an
        interval only; tau sqrt((2 ln(1/delta) + H_k) / k), which holds for all k at once.
    delta : float, optional
        Failure probability: 1/T^2 if not given, and 1/T for "uniform".
    privacy : float, optional
        Budget eps of local differential privacy: only the sign is sent, flipped with probability
        1/(1 + e^eps). With an interval only, since first pulls would be seen.

    Raises
    ------
    ValueError
        For a parameter of the wrong kind or out of range, named with its value.

    References
    ----------
    Proofs in the book, chapter "Clipping: the last iterate is a random walk" and page "All
    bounds".

    Examples
    --------
    >>> import hbucb as hb
    >>> from hbucb.optimizers import KnownLaw
    >>> bandit = hb.Bandit([0.0, 1.0], hb.noise.Cauchy())
    >>> policy = hb.SignSGDUCB(KnownLaw(hb.noise.Cauchy()), interval=(-1.0, 1.0))
    >>> policy.condition.tau.__round__(3), round(policy.regret_bound(bandit, 10_000))
    (2.838, 592)
    """

    privacy: float | None = None

    def __post_init__(self) -> None:
        if self.privacy is not None:
            store(self, privacy=positive("privacy", self.privacy))
            if self.interval is None:
                raise ValueError(
                    f"privacy = {self.privacy!r} needs an interval: first pulls are not private"
                )
        super().__post_init__()

    def _condition(self, reach: float) -> DriftCondition:
        condition = self.knowledge.at(reach)
        if not isinstance(condition.score, Sign):
            raise ValueError(f"knowledge = {self.knowledge!r} is about a clip: use ClipSGDUCB")
        return condition if self.privacy is None else condition.private(self.privacy)


@dataclass(frozen=True)
class ClipSGDUCB(ScoreIndex):
    """Play the largest x_k + radius, x_k the last iterate of clipped SGD with step 1/(p (k + 1)).

    Parameters
    ----------
    knowledge : MassWithin or KnownLaw
        MassWithin(s, p): the clip level is s + D and the slope p, whatever the tails, with holes
        and atoms. KnownLaw: needs ``lam``.
    interval, half, pulls, kind, delta
        As in :class:`SignSGDUCB`.
    lam : float, optional
        Clip level for a KnownLaw, reward units.

    Raises
    ------
    ValueError
        For a parameter of the wrong kind or out of range, named with its value.

    References
    ----------
    As :class:`SignSGDUCB`.

    Examples
    --------
    >>> import hbucb as hb
    >>> from hbucb.optimizers import MassWithin
    >>> bandit = hb.Bandit([0.0, 9.0], hb.noise.ParetoHole(0.5))
    >>> policy = hb.ClipSGDUCB(MassWithin(s=4.0, p=0.5))
    >>> policy.condition.tau, round(policy.regret_bound(bandit, 10_000))
    (24.0, 5197)
    """

    knowledge: Knowledge = field(default_factory=lambda: MassWithin(1.001, 0.5))
    lam: float | None = None

    def __post_init__(self) -> None:
        if self.lam is not None:
            store(self, lam=positive("lam", self.lam))
        super().__post_init__()

    def _condition(self, reach: float) -> DriftCondition:
        if isinstance(self.knowledge, MassWithin) and self.lam is None:
            return self.knowledge.at(reach)
        if isinstance(self.knowledge, KnownLaw) and self.lam is not None:
            law, score = self.knowledge.law, Clip(self.lam)
            return DriftCondition(score, reach, score.drift(law, reach) / reach)
        raise ValueError(
            f"knowledge = {self.knowledge!r}, lam = {self.lam!r}: give a MassWithin, which sets "
            "the clip level, or a KnownLaw and lam"
        )


@dataclass(frozen=True)
class TwoPointUCB(ClipSGDUCB):
    """ClipSGDUCB for a learner that may ask for two values of |. - X| only: the zero-order form.

    Each update takes (|x + lam - X| - |x - lam - X|)/2, which equals clip(x - X, lam), so it plays
    as :class:`ClipSGDUCB` does, action for action, under the same bound.

    Parameters
    ----------
    knowledge, interval, half, pulls, kind, delta, lam
        As in :class:`ClipSGDUCB`; lam is half the distance of the two points.

    References
    ----------
    Proof in the book, chapter "Zero order is clipping".

    Examples
    --------
    >>> import hbucb as hb
    >>> bandit = hb.Bandit([0.0, 1.0], hb.noise.Cauchy())
    >>> hb.TwoPointUCB().regret_bound(bandit, 1000) == hb.ClipSGDUCB().regret_bound(bandit, 1000)
    True
    """

    def _condition(self, reach: float) -> DriftCondition:
        condition = super()._condition(reach)
        return replace(condition, score=TwoPoint(condition.score.lam))
