"""explain(): one trial of an index policy in plain Python, with every index printed.

It is the definition: each index is computed anew from the arm's full history. It reads the same
random streams as :func:`simulate`, so it plays trial ``trial`` of a run with the same seed action
for action, and is the oracle that the batch engine is tested against.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from hbucb import streams
from hbucb.bandits import Bandit
from hbucb.policies.arm_index import ArmIndexPolicy
from hbucb.policies.index import IndexPolicy, Rule, index_of
from hbucb.validate import whole_number

if TYPE_CHECKING:
    from hbucb.policies.linear_index import LinearIndexPolicy


@dataclass(frozen=True)
class Step:
    """One round: the indices by arm (None while a batch or the first pulls decide), arm, reward.

    ``context`` is None where the bandit has none.
    """

    t: int
    indices: tuple[float, ...] | None
    arm: int
    reward: float
    context: int | None = None


class Explanation(tuple[Step, ...]):
    """The rounds of one trial; prints as a table."""

    @property
    def actions(self) -> list[int]:
        """The arm of each round."""
        return [step.arm for step in self]

    def __str__(self) -> str:
        arms = max((len(step.indices) for step in self if step.indices), default=0)
        contexts = any(step.context is not None for step in self)
        head = "  t " + ("context " if contexts else "")
        head += "".join(f" {f'arm {i}':>10}" for i in range(arms)) + "   plays      reward"
        lines = [head]
        for step in self:
            cells = step.indices or (math.nan,) * arms
            shown = "".join(f" {'-' if math.isnan(x) else f'{x:.4g}':>10}" for x in cells)
            seen = f"{step.context:8d}" if contexts else ""
            lines.append(f"{step.t:4d}{seen}{shown}   arm {step.arm:<3d} {step.reward:10.4g}")
        return "\n".join(lines)

    __repr__ = __str__


def explain(
    policy: IndexPolicy | ArmIndexPolicy | LinearIndexPolicy,
    bandit: Bandit,
    rounds: int = 20,
    *,
    seed: int = 0,
    trial: int = 0,
    horizon: int | None = None,
    coupling: str = "time",
    order: str | None = None,
) -> Explanation:
    """Play one trial of an index policy from the definition of its index.

    Parameters
    ----------
    policy : IndexPolicy, ArmIndexPolicy or LinearIndexPolicy
    bandit : Bandit
        With contexts for a linear index policy, without them for the others.
    rounds : int
        Pulls to play.
    seed, trial : int
        Which trial of which seed; the same one as in :func:`simulate`.
    horizon : int, optional
        T, on which fixed failure probabilities depend; ``rounds`` if not given. To see the first
        rounds of a longer run say its T: a policy tuned to 20 rounds plays another game.
    coupling, order : str
        As in :func:`simulate`.

    Returns
    -------
    Explanation

    Raises
    ------
    ValueError
        If the policy is not an index policy, for arguments out of range, and for an index that is
        nan or no number, with the round and the arm.

    Examples
    --------
    >>> import hbucb as hb
    >>> steps = hb.explain(hb.UCB(), hb.Bandit([0.0, 1.0], hb.noise.Gaussian()), 4, seed=3)
    >>> len(steps), sorted(set(steps.actions))
    (4, [0, 1])

    The first rounds of a longer run have longer bars:

    >>> bandit = hb.Bandit([0.0, 1.0], hb.noise.Gaussian())
    >>> long = hb.explain(hb.UCB(), bandit, 4, seed=3, horizon=500)
    >>> round(steps[2].indices[0], 3), round(long[2].indices[0], 3)
    (1.616, 4.247)
    """
    # Imported here: they bring all of hbucb.linear, which few sessions need.
    from hbucb.explain_contexts import rounds_of
    from hbucb.policies.linear_index import LinearIndexPolicy

    if not isinstance(policy, IndexPolicy | ArmIndexPolicy | LinearIndexPolicy):
        raise ValueError(
            f"policy = {policy!r} must be an index policy (UCB, RobustUCB, ClippedSGDUCB, ...): "
            "explain prints indices, and this policy has none"
        )
    if not isinstance(bandit, Bandit):
        raise ValueError(f"bandit = {bandit!r} must be a Bandit")
    if isinstance(policy, LinearIndexPolicy) != (bandit.features is not None):
        raise ValueError(
            f"policy = {policy!r}: linear index policies (LinUCB, LinTS, ...) are explained on "
            "bandits with contexts, the others on bandits without them"
        )
    rounds, trial = whole_number(rounds, "rounds", 1), whole_number(trial, "trial", 0)
    seed = whole_number(seed, "seed", 0)
    horizon = rounds if horizon is None else whole_number(horizon, "horizon", rounds)
    if coupling not in ("time", "arm"):
        raise ValueError(f"coupling = {coupling!r} must be 'time' or 'arm'")
    if order not in (None, "random", "given"):
        raise ValueError(f"order = {order!r} must be 'random' or 'given'")
    if isinstance(policy, LinearIndexPolicy):
        if order == "random" or coupling == "arm":
            raise ValueError(
                f"order = {order!r}, coupling = {coupling!r}: contextual bandits take "
                "order='given' and coupling='time' only"
            )
        played = rounds_of(policy, bandit, rounds, seed, trial, horizon)
        return Explanation(Step(*step) for step in played)

    slots = list(range(bandit.arms))
    if order != "given":
        slots = streams.generator(seed, trial, streams.ORDER).permutation(bandit.arms).tolist()
    next_reward = _rewards(bandit, seed, trial, coupling)
    history: dict[int, list[float]] = {arm: [] for arm in slots}
    own: dict[int, list[list[float]]] = {arm: [] for arm in slots}
    initial, batch, smoothing = 0, 1, None
    if isinstance(policy, IndexPolicy):
        rule = policy.rule(horizon)
        estimator = rule.estimator
        initial, batch = estimator.initial, estimator.batch
        rules = {arm: Rule(_Memo(estimator), rule.radius) for arm in slots}  # type: ignore[arg-type]
        if estimator.own:
            run = streams.Run(1, bandit.arms, horizon, seed, trial, streams.policy_stream(policy))
            smoothing = run.stream(*estimator.own)

    def index(arm: int, t: int) -> float:
        if isinstance(policy, IndexPolicy):
            return index_of(rules[arm], history[arm], t, own[arm])
        counts = [len(history[i]) for i in range(bandit.arms)]
        return policy.index(history[arm], t, horizon, counts)

    first = [arm for arm in slots for _ in range(initial)]
    steps: list[Step] = []
    arm = slots[0]
    for t in range(rounds):
        indices = None
        if t < len(first):
            arm = first[t]
        elif (t - len(first)) % batch == 0:
            indices = {i: _index(index, policy, i, t) for i in slots}
            # The first of equals wins, as argmax has it.
            arm = max(slots, key=indices.__getitem__)
        reward = next_reward(arm)
        if not math.isfinite(reward):
            raise ValueError(
                f"reward = {reward!r} in trial {trial}, round {t}: explain needs finite rewards"
            )
        history[arm].append(reward)
        learned = t >= len(first) and (t - len(first) + 1) % batch == 0
        if smoothing is not None and learned:
            own[arm].append(smoothing.next()[0].tolist())
        shown = None if indices is None else tuple(indices[i] for i in range(bandit.arms))
        steps.append(Step(t, shown, arm, reward))
    return Explanation(steps)


def _index(index: Any, policy: Any, arm: int, t: int) -> float:
    """The index of one arm; an error of the policy's own code names the arm and the round."""
    try:
        value = index(arm, t)
    except Exception as error:
        error.add_note(f"in {policy!r}.index, arm {arm}, round {t}")
        raise
    if not isinstance(value, Real) or math.isnan(value):
        raise ValueError(
            f"{policy!r}.index gave {value!r} for arm {arm} in round {t}; it must be a number, or "
            "inf for an arm that goes first"
        )
    return float(value)


class _Memo:
    """An estimator of one arm that does not repeat itself while the arm has no new rewards."""

    def __init__(self, estimator: Any) -> None:
        self.batch, self.initial = estimator.batch, estimator.initial
        self._estimator = estimator
        self._known: tuple[tuple[int, int], float] | None = None

    def estimate(self, rewards: Any, own: Any = (), t: int = 0) -> float:
        key = (len(rewards), t if self._estimator.moving else 0)
        if self._known is None or self._known[0] != key:
            self._known = key, self._estimator.estimate(rewards, own, t)
        return self._known[1]


def _rewards(bandit: Bandit, seed: int, trial: int, coupling: str) -> Any:
    """A function of the arm that gives its next reward."""
    laws, source, scale = bandit.primitive()
    of_arm = [0] * bandit.arms if source is None else source.tolist()
    factor = [1.0] * bandit.arms if scale is None else scale.tolist()

    def reward(arm: int, draw: float) -> float:
        if bandit._binary:
            return float(draw < bandit.loc[arm])
        return float(bandit.loc[arm]) + factor[arm] * draw

    if coupling == "arm":
        tapes = {
            arm: streams.Draws(laws[of_arm[arm]], [(seed, trial, streams.NOISE, arm)])
            for arm in range(bandit.arms)
        }
        return lambda arm: reward(arm, float(tapes[arm].next()[0]))
    noise = [
        streams.Draws(law, [(seed, trial, streams.NOISE, index)]) for index, law in enumerate(laws)
    ]

    def now(arm: int) -> float:
        draws = [float(np.asarray(d.next())[0]) for d in noise]
        return reward(arm, draws[of_arm[arm]])

    return now
