"""TOFU: optimism around least squares whose terms are truncated one coordinate at a time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from hbucb.arguments import moment_order
from hbucb.policies.linear_index import LinearIndexPolicy, LinearState, Seen
from hbucb.streams import Run
from hbucb.validate import nonnegative, open_probability, positive, store


@dataclass(frozen=True)
class TOFU(LinearIndexPolicy):
    """Truncation under optimism in the face of uncertainty.

    With u_s = V^-1/2 phi_s after t rounds, the estimate is V^-1/2 sum_s of the vectors u_s y_s in
    which entries larger than b_t in absolute value count as 0; b_t = (v / l)^(1 / (1 + eps)) times
    t^((1 - eps) / (2 (1 + eps))), l = log(2 d T / delta). The index is
    phi^T estimate + r |phi|_{V^-1}, r = 4 sqrt(d) l b_t + sqrt(nu) B. A round costs O(t d).

    Parameters
    ----------
    eps : float
        In (0, 1]: rewards have moments of order 1 + eps.
    v : float
        Bound on E|y|^(1 + eps) of every reward (not of the noise), reward units^(1 + eps).
    theta_bound, regulariser : float
        B and nu, as in :class:`LinUCB`.
    delta : float, optional
        Failure probability; 1 / T if not given.

    Raises
    ------
    ValueError
        For a parameter out of range, named with its value.

    References
    ----------
    Shao, Yu, King and Lyu (2018). The book proves the radius for features that are fixed in
    advance. Features that are chosen from the past break the independence of its terms, so for a
    bandit it is stated only, and there is no ``regret_bound``; :class:`CRT` has one.

    Examples
    --------
    >>> import hbucb as hb
    >>> bandit = hb.linear.toy(noise=hb.noise.StudentT(2.2))
    >>> result = hb.simulate(bandit, hb.TOFU(eps=1.0, v=15.0, theta_bound=1.5), 200, 5, seed=1)
    >>> result["TOFU"].pulls.sum(axis=1).tolist()
    [200, 200, 200, 200, 200]
    """

    eps: float = 1.0
    v: float = 1.0
    theta_bound: float = 1.0
    regulariser: float = 1.0
    delta: float | None = None

    # A reward of +-inf is truncated like any other large one.
    accepts_infinite = True

    def __post_init__(self) -> None:
        moment_order(self.eps)
        store(
            self,
            eps=float(self.eps),
            v=positive("v", self.v),
            theta_bound=nonnegative("theta_bound", self.theta_bound),
            regulariser=positive("regulariser", self.regulariser),
        )
        if self.delta is not None:
            store(self, delta=open_probability("delta", self.delta))

    def start(self, run: Run) -> Any:
        return TOFUState(self, run)

    def levels(self, t: int, horizon: int, dim: int) -> tuple[float, float]:
        """(b_t, r) after t rounds, reward units."""
        delta = 1 / horizon if self.delta is None else self.delta
        log = math.log(2 * dim * horizon / delta)
        cut = (self.v / log) ** (1 / (1 + self.eps))
        cut *= t ** ((1 - self.eps) / (2 * (1 + self.eps))) if t else 0.0
        lead = math.sqrt(self.regulariser) * self.theta_bound
        return cut, 4 * math.sqrt(dim) * log * cut + lead

    def indices(self, seen: Seen) -> np.ndarray:
        nu = self.regulariser
        cut, radius = self.levels(seen.t, seen.horizon, seen.features.shape[1])
        scale, axes = np.linalg.eigh(seen.precision(nu))
        root = axes @ np.diag(scale**-0.5) @ axes.T
        # inf times 0 is no number, and is a term of size 0: the feature has no such coordinate.
        with np.errstate(invalid="ignore"):
            terms = (seen.past @ root) * seen.rewards[:, None]
        terms[~(np.abs(terms) <= cut)] = 0.0
        return seen.features @ (root @ terms.sum(axis=0)) + radius * seen.norms(nu)

    def contextual_bytes(self, contexts: int, arms: int, dim: int, horizon: int) -> int:
        # Cells and rewards of the past; terms of the past in d coordinates, twice, and a mask.
        past = (24 + 26 * dim) * horizon
        return super().contextual_bytes(contexts, arms, dim, horizon) + past


class TOFUState(LinearState):
    """Precisions of all trials and their whole pasts."""

    def __init__(self, policy: TOFU, run: Run) -> None:
        super().__init__(run, policy.regulariser)
        self._policy, self._horizon = policy, run.horizon
        self._cell = np.empty((run.trials, run.horizon), np.int64)
        self._reward = np.empty((run.trials, run.horizon))
        self._zero = np.zeros(run.trials)

    def index(self, t: int, rows: np.ndarray) -> np.ndarray:
        cut, radius = self._policy.levels(t, self._horizon, rows.shape[2])
        bonus = radius * np.sqrt(self.fit.own_norms(rows))
        return bonus + np.einsum("tad,td->ta", rows, self._estimate(t, cut))

    def _estimate(self, t: int, cut: float) -> np.ndarray:
        scale, axes = np.linalg.eigh(self.fit.precision)
        root = (axes / np.sqrt(scale)[:, None, :]) @ axes.transpose(0, 2, 1)
        whitened = self._cells @ root
        terms = whitened[self.trial[:, None], self._cell[:, :t]]
        with np.errstate(invalid="ignore"):
            terms *= self._reward[:, :t, None]
        terms[~(np.abs(terms) <= cut)] = 0.0
        return np.einsum("tij,tj->ti", root, np.einsum("tsd->td", terms))

    def update(self, t: int, context: np.ndarray, arm: np.ndarray, reward: np.ndarray) -> None:
        self._cell[:, t] = context * self._arms + arm
        self._reward[:, t] = reward
        self.fit.update(self.played(context, arm), self._zero)
