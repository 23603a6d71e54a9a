"""The state of SOLID in all trials of a chunk: arrays over trials x contexts x arms."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from hbucb.linear import LeastSquares
from hbucb.noise import Uniform
from hbucb.policies.nearest_model import Rivals, nearest, rivals
from hbucb.streams import Run

if TYPE_CHECKING:
    from hbucb.policies.solid import SOLID

_FLOOR = 1e-300
_RIDGE = 1e-8
#: The last phase is never left: it has more explorations than any run.
_PHASES = 31


class SOLIDState:
    """Estimates, exploration policies, multipliers and phases.

    Attributes
    ----------
    omega : ndarray (trials, contexts * arms)
        Exploration policies; each context's part sums to 1.
    multiplier : ndarray (trials,)
        lambda.
    phase, explored, in_phase : ndarray (trials,)
        k, explorations in all and in this phase.
    exploring : ndarray of int
        Trials that explored in the last round.
    """

    def __init__(self, policy: SOLID, run: Run) -> None:
        if run.features is None:
            raise ValueError("features are missing: SOLID plays a LinearContextualBandit")
        self._policy, self._horizon = policy, run.horizon
        self._features = run.features
        self._contexts, self._arms, self._d = run.features.shape
        pairs = self._contexts * self._arms
        self._rows = run.features.reshape(pairs, self._d)
        # phi phi^T of every pair as a row: V(omega) and all norms are products with this matrix.
        self._outer = (self._rows[:, :, None] * self._rows[:, None, :]).reshape(pairs, -1)
        self._outer_t = np.ascontiguousarray(self._outer.T)
        self._least = LeastSquares(run.trials, self._d, policy.regulariser)
        self._ceiling: float = policy.lambda_max  # type: ignore[assignment]
        self._ridge = _RIDGE * np.eye(self._d)
        self._loglog = self._d * math.log(math.log(max(run.horizon, 3)))
        phases = range(_PHASES)
        self._z = np.array([policy.z(k) for k in phases])
        self._length = np.array([float(policy.length(k)) for k in phases])
        self._step = np.array([policy.steps(k) for k in phases])
        self._uniform = run.stream(Uniform(0.0, 1.0))
        self._row = np.arange(run.trials)
        self._seen, self._rounds = np.zeros((run.trials, self._contexts)), 0
        self.omega = np.full((run.trials, pairs), 1 / self._arms)
        self.multiplier = np.full(run.trials, policy.lambda_start)
        self.phase = np.zeros(run.trials, np.int64)
        self.explored = np.zeros(run.trials)
        self.in_phase = np.zeros(run.trials)
        self.exploring = self._row[:0]

    def select(self, t: int, context: np.ndarray) -> np.ndarray:
        policy, least = self._policy, self._least
        if policy.test == "current":
            among = rivals(self._features[context][:, None], least.estimate)
            arm = among.best[:, 0]
        else:
            among = rivals(self._features, least.estimate)
            arm = among.best[self._row, context]
        near = nearest(among, least.inverse)
        beta = policy.threshold * self._width(math.log(max(t, 1)), self._row)
        self.exploring = np.flatnonzero(near.distance <= beta)
        draw = self._uniform.next()
        if self.exploring.size:
            arm = arm.copy()
            arm[self.exploring] = self._explore(self.exploring, context, draw, among)
        return arm

    def update(self, t: int, context: np.ndarray, arm: np.ndarray, reward: np.ndarray) -> None:
        self._least.update(self._features[context, arm], reward)
        self._seen[self._row, context] += 1
        self._rounds += 1

    def _explore(
        self, who: np.ndarray, context: np.ndarray, draw: np.ndarray, among: Rivals
    ) -> np.ndarray:
        """Draw the arms of the trials ``who``, then move their policies and multipliers."""
        size = who.size
        # With a slice NumPy hands out the arrays themselves, where numbers would copy them.
        own: Any = slice(None) if size == len(self._row) else who
        omega = self.omega[own]
        at = self._row[:size] * self._contexts + context[own]
        edges = omega.reshape(size * self._contexts, -1).take(at, axis=0).cumsum(axis=1)
        arm = (edges < (draw[own] * edges[:, -1])[:, None]).sum(axis=1)
        self.explored[own] += 1
        self.in_phase[own] += 1
        self._learn(own, omega, among.of(who))
        self._end_phases(who)
        return np.minimum(arm, self._arms - 1)

    def _learn(self, who: Any, omega: np.ndarray, among: Rivals) -> None:
        """One step of mirror ascent in omega and of projected descent in lambda."""
        policy, size, d = self._policy, len(omega), self._d
        shape = (size, self._contexts, self._arms)
        theta, phase = self._least.estimate[who], self.phase[who]
        rho = self._frequencies(who)
        weight = (omega.reshape(shape) * rho[:, :, None]).reshape(size, 1, -1)
        gamma = policy.optimism * self._width(np.log(self.explored[who]), who)
        inverse = self._least.inverse[who].reshape(size, 1, d * d)
        bonus = np.sqrt(np.maximum(np.matmul(inverse, self._outer_t)[:, 0], 0.0) * gamma[:, None])
        gradient = np.matmul(self._rows, theta[:, :, None])[:, :, 0] + bonus

        kl = self._divergences(weight, among)
        kl += policy.kl_bonus * bonus
        slack = np.einsum("tp,tp->t", weight[:, 0], kl) - 1 / self._z[phase]
        multiplier = self.multiplier[who]
        kl *= multiplier[:, None]
        gradient += kl
        step = self._step[phase]
        gradient *= step[:, :1]
        gradient = gradient.reshape(shape)
        if policy.scale_by_rho:
            gradient *= rho[:, :, None]
        gradient -= gradient.max(axis=2, keepdims=True)
        fresh = omega.reshape(shape) * np.exp(gradient)
        np.maximum(fresh, _FLOOR, out=fresh)
        fresh /= fresh.sum(axis=2, keepdims=True)
        self.omega[who] = fresh.reshape(size, -1)
        multiplier = np.minimum(multiplier - step[:, 1] * slack, self._ceiling)
        self.multiplier[who] = np.maximum(multiplier, 0.0)

    def _width(self, log: Any, who: Any) -> np.ndarray:
        """Squared radius of the ellipsoid of the trials ``who``; ``log`` is ln t or ln S."""
        policy = self._policy
        if policy.width == "experiment":
            return np.maximum(policy.sigma**2 * (log + self._loglog), 0.0)
        grown = np.maximum(self._least.log_det[who], 0.0)
        lead = math.sqrt(policy.regulariser) * policy.bound  # type: ignore[operator]
        return (policy.sigma * np.sqrt(2 * math.log(max(self._horizon, 2)) + grown) + lead) ** 2

    def _divergences(self, weight: np.ndarray, among: Rivals) -> np.ndarray:
        """KL of every pair (trials, pairs) from the closest alternative, given the information."""
        size, d = len(weight), self._d
        information = np.matmul(weight, self._outer).reshape(size, d, d)
        information += self._ridge
        shift = nearest(among, np.linalg.inv(information)).shift
        if self._policy.bound is not None:
            length = np.sqrt(np.einsum("td,td->t", shift, shift))
            cap = 2 * self._policy.bound
            shift = shift * (cap / np.maximum(length, cap))[:, None]
        away = np.matmul(self._rows, shift[:, :, None])[:, :, 0]
        away *= away
        away /= 2 * self._policy.sigma**2
        return away

    def _frequencies(self, who: Any) -> np.ndarray:
        """Empirical law of the contexts before this round; uniform in the first."""
        seen = self._seen[who]
        if not self._rounds:
            return np.full(seen.shape, 1 / self._contexts)
        return seen / self._rounds

    def _end_phases(self, who: np.ndarray) -> None:
        ended = who[self.in_phase[who] >= self._length[self.phase[who]]]
        if not ended.size:
            return
        self.phase[ended] = np.minimum(self.phase[ended] + 1, _PHASES - 1)
        self.in_phase[ended] = 0
        if self._policy.reset:
            self.omega[ended] = 1 / self._arms
            self.multiplier[ended] = self._policy.lambda_start
