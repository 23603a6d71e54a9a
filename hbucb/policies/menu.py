"""MENU: median of least-squares estimates, each arm repeated k times."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from hbucb.arguments import moment_order
from hbucb.policies.linear_index import LinearIndexPolicy, LinearState, Seen
from hbucb.streams import Run
from hbucb.validate import nonnegative, open_probability, positive, store, whole_number


@dataclass(frozen=True)
class MENU(LinearIndexPolicy):
    """Median of estimates under optimism in the face of uncertainty, for one context.

    An arm is chosen for an epoch of k rounds; the j-th reward of every epoch goes to the j-th of k
    least-squares estimates, which share V = nu I + sum over epochs of phi phi^T. The estimate used
    is the one whose median distance to all k, in the norm of V, is smallest (the median is the
    (floor(k / 2) + 1)-th smallest of the k distances, its own 0 included). After n epochs the
    index is phi^T estimate + r |phi|_{V^-1}, r = 3 ((9 d v)^(1 / (1 + eps))
    n^((1 - eps) / (2 (1 + eps))) + sqrt(nu) B).

    Parameters
    ----------
    eps : float
        In (0, 1]: the noise has moments of order 1 + eps.
    v : float
        Bound on E|noise|^(1 + eps), reward units^(1 + eps).
    theta_bound, regulariser : float
        B and nu, as in :class:`LinUCB`.
    groups : int, optional
        k; ceil(24 log(e T / delta)) if not given, as the theorem has it.
    delta : float, optional
        Failure probability; 1 / T if not given.

    Raises
    ------
    ValueError
        For a parameter out of range, named with its value; at the start of a run on a bandit with
        more than one context, where an arm cannot be repeated.

    References
    ----------
    Shao, Yu, King and Lyu (2018). The book proves the radius for features that are fixed in
    advance. Features that are chosen from the past break the independence of its estimates, so for
    a bandit it is stated only, and there is no ``regret_bound``; :class:`CRT` has one.

    Examples
    --------
    >>> import hbucb as hb
    >>> bandit = hb.linear.end_of_optimism(noise=hb.noise.StudentT(1.5))
    >>> result = hb.simulate(bandit, hb.MENU(eps=0.4, v=5.0, groups=9), 900, 5, seed=1)
    >>> sorted(set((result["MENU"].pulls % 9).ravel().tolist()))
    [0]
    """

    eps: float = 1.0
    v: float = 1.0
    theta_bound: float = 1.0
    regulariser: float = 1.0
    groups: int | None = None
    delta: float | None = None

    def __post_init__(self) -> None:
        moment_order(self.eps)
        store(
            self,
            eps=float(self.eps),
            v=positive("v", self.v),
            theta_bound=nonnegative("theta_bound", self.theta_bound),
            regulariser=positive("regulariser", self.regulariser),
        )
        if self.groups is not None:
            store(self, groups=whole_number(self.groups, "groups", 1))
        if self.delta is not None:
            store(self, delta=open_probability("delta", self.delta))

    def start(self, run: Run) -> Any:
        return MENUState(self, run)

    def batch(self, horizon: int) -> int:
        """Pulls of one epoch in a run of this horizon."""
        horizon = whole_number(horizon, "horizon", 1)
        if self.groups is not None:
            return self.groups
        delta = 1 / horizon if self.delta is None else self.delta
        return math.ceil(24 * (1 + math.log(horizon / delta)))

    def radius(self, epochs: int, dim: int) -> float:
        """r after that many epochs, reward units."""
        power = (1 - self.eps) / (2 * (1 + self.eps))
        noise = (9 * dim * self.v) ** (1 / (1 + self.eps)) * (epochs**power if epochs else 0.0)
        return 3 * (noise + math.sqrt(self.regulariser) * self.theta_bound)

    def indices(self, seen: Seen) -> np.ndarray:
        k = self.batch(seen.horizon)
        epochs, dim = seen.t // k, seen.features.shape[1]
        played = seen.past[: epochs * k : k]
        v = self.regulariser * np.eye(dim) + played.T @ played
        by_group = seen.rewards[: epochs * k].reshape(epochs, k)
        estimates = np.linalg.solve(v, played.T @ by_group).T  # (k, d)
        apart = estimates[:, None, :] - estimates[None, :, :]
        distance = np.sqrt(np.einsum("jsd,de,jse->js", apart, v, apart))
        chosen = estimates[np.sort(distance, axis=1)[:, k // 2].argmin()]
        norms = np.sqrt(np.einsum("ad,da->a", seen.features, np.linalg.solve(v, seen.features.T)))
        return seen.features @ chosen + self.radius(epochs, dim) * norms

    def contextual_bytes(self, contexts: int, arms: int, dim: int, horizon: int) -> int:
        k = self.batch(horizon)
        # Distances of all pairs and their parts; moments and two kinds of estimates.
        groups = 24 * k * k + 24 * k * dim
        return super().contextual_bytes(contexts, arms, dim, horizon) + groups


class MENUState(LinearState):
    """Moments of all trials and groups, and the one estimate in use."""

    def __init__(self, policy: MENU, run: Run) -> None:
        super().__init__(run, policy.regulariser)
        contexts, _, dim = self.features.shape
        if contexts > 1:
            raise ValueError(
                f"MENU repeats an arm, so it needs a bandit with one context; this one has "
                f"{contexts}"
            )
        self._policy, self._size = policy, policy.batch(run.horizon)
        self._moments = np.zeros((run.trials, self._size, dim))
        self._estimate = np.zeros((run.trials, dim))
        self._arm = np.zeros(run.trials, np.int64)
        self._zero = np.zeros(run.trials)

    def select(self, t: int, context: np.ndarray) -> np.ndarray:
        if t % self._size == 0:
            rows = self.features.take(context, axis=0)
            radius = self._policy.radius(t // self._size, rows.shape[2])
            index = np.einsum("tad,td->ta", rows, self._estimate)
            index += radius * np.sqrt(self.fit.own_norms(rows))
            self._arm = index.argmax(axis=1)
        return self._arm.copy()

    def update(self, t: int, context: np.ndarray, arm: np.ndarray, reward: np.ndarray) -> None:
        phi = self.played(context, arm)
        self._moments[:, t % self._size] += phi * reward[:, None]
        if t % self._size == self._size - 1:
            self.fit.update(phi, self._zero)
            self._estimate = self._median()

    def _median(self) -> np.ndarray:
        """The estimate in the middle of all: (trials, d)."""
        estimates = self._moments @ self.fit.inverse
        # |x|_V is the usual length of L^T x, V = L L^T.
        flat = estimates @ np.linalg.cholesky(self.fit.precision)
        distance = np.zeros((len(flat), self._size, self._size))
        for along in flat.transpose(2, 0, 1):
            distance += (along[:, :, None] - along[:, None, :]) ** 2
        middle = np.partition(distance, self._size // 2, axis=2)[:, :, self._size // 2]
        return estimates[self.trial, middle.argmin(axis=1)]
