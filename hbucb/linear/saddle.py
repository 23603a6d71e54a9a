"""The saddle point of the Lagrangian of (P_z) by primal-dual steps, for a known model.

This is what SOLID does offline: no noise, no estimates, no optimism.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hbucb.arguments import as_numbers
from hbucb.linear.problem import Problem, as_problem
from hbucb.validate import whole_number

#: Added to the information matrix, which a policy that leaves out arms makes singular.
RIDGE = 1e-8
#: No probability falls below this.
FLOOR = 1e-300


@dataclass(frozen=True)
class Path:
    """What runs of primal-dual steps reached, M runs side by side, after `rounds` steps (R,).

    Attributes
    ----------
    rounds : ndarray (R,) of int
    policy : ndarray (M, R, X, A)
        Average policy so far.
    multiplier, average : ndarray (M, R)
        lambda now and on average so far, reward units.
    value : ndarray (M, R)
        z E Delta of the average policy, reward units; u*(z) in the limit.
    information : ndarray (M, R)
        z times the least information of the average policy; at least 1 in the limit.
    """

    rounds: np.ndarray
    policy: np.ndarray
    multiplier: np.ndarray
    average: np.ndarray
    value: np.ndarray
    information: np.ndarray


def descend(
    bandit: Any,
    z: ArrayLike,
    *,
    steps: int,
    step: ArrayLike | None = None,
    start: float = 0.0,
    largest: float = np.inf,
    scale_by_rho: bool = True,
    record: ArrayLike | None = None,
) -> Path:
    """Entropic ascent in the policy, gradient descent in the multiplier.

    Parameters
    ----------
    bandit : LinearContextualBandit or tuple (features, theta, sigma, contexts)
    z : array_like (M,)
        Budgets, one a run.
    steps : int
        Number of steps.
    step : array_like (M,), optional
        Step size of both; 1 / sqrt(steps) by default.
    start, largest : float
        lambda_1 and lambda_max, reward units.
    scale_by_rho : bool
        Whether a context's gradient carries the factor rho(x). Without it the entropy is the
        one weighted by rho.
    record : array_like of int, optional
        After how many steps to look; only at the end by default.

    Returns
    -------
    Path

    Raises
    ------
    AssumptionError, ValueError
        A problem as in :func:`hbucb.linear.budget.solve`; z or step not above 0, start not in
        [0, largest], record not within 1 to steps.

    Notes
    -----
    Tirinzoni et al. 2020, Section 4, with the model known. With mu the means, d(x, a) the
    divergence at the nearest alternative of the policy and G its information,

        omega(x, a) <- omega(x, a) exp(step rho(x) (mu(x, a) + lambda d(x, a))), normalised,
        lambda <- clip(lambda - step (G - 1 / z), 0, lambda_max).

    Examples
    --------
    >>> bandit = ([[[1.0, 0.0], [0.0, 1.0]]], [0.5, 0.0], 1.0, [1.0])
    >>> path = descend(bandit, 64.0, steps=20_000, step=1.0)  # u*(64) = 4.686
    >>> print(path.value[0, -1].round(2), path.information[0, -1].round(2))
    4.61 0.99
    """
    problem = as_problem(bandit, needs_law=True)
    whole_number(steps, "steps", 1)
    budgets = _column("z", z)
    sizes = _column("step", 1 / np.sqrt(steps) if step is None else step)
    try:
        budgets, sizes = np.broadcast_arrays(budgets, sizes)
    except ValueError:
        raise ValueError(f"z has {len(budgets)} entries, step {len(sizes)}; one each") from None
    if not 0 <= start <= largest:
        raise ValueError(f"start is {start!r}; it must lie in [0, largest] = [0, {largest!r}]")
    rounds = np.array([steps] if record is None else record)
    inside = rounds.dtype.kind in "iu" and rounds.ndim == 1 and rounds.size
    if not (inside and rounds.min() >= 1 and rounds.max() <= steps):
        raise ValueError(f"record is {record!r}; whole numbers from 1 to {steps} are allowed")
    rounds = np.unique(rounds)
    model = _Model(problem)
    runs = len(budgets)
    policy = np.full((runs, *problem.gaps.shape), 1 / problem.gaps.shape[1])
    price = np.full(runs, float(start))
    weight = 1.0 if scale_by_rho else 1 / model.law[:, None]
    policies, prices = np.zeros_like(policy), np.zeros(runs)
    kept: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    for k in range(1, steps + 1):
        policies += policy
        prices += price
        if k == rounds[len(kept)]:
            kept.append((policies / k, prices / k, price))
        told, divergence = model.nearest(policy)
        ascent = model.law[:, None] * (model.means + price[:, None, None] * divergence) * weight
        ascent *= sizes[:, None, None]
        policy = policy * np.exp(ascent - ascent.max(axis=2, keepdims=True))
        policy = np.maximum(policy / policy.sum(axis=2, keepdims=True), FLOOR)
        price = np.clip(price - sizes * (told - 1 / budgets), 0.0, largest)
    return _path(problem, model, budgets, rounds, kept)


def _column(name: str, values: ArrayLike) -> np.ndarray:
    column = np.atleast_1d(as_numbers(name, values, "numbers above 0 are allowed"))
    if column.ndim != 1 or not (np.isfinite(column) & (column > 0)).all():
        raise ValueError(f"{name} is {values!r}; numbers above 0 are allowed")
    return column


class _Model:
    """The known problem, laid out so that a step is a few array operations."""

    def __init__(self, problem: Problem) -> None:
        self.means, self.law = problem.means, problem.law
        self.noise = 2 * problem.sigma**2
        d = problem.theta.size
        self.flat = problem.features.reshape(-1, d)
        self.outer = np.einsum("pd,pe->pde", self.flat, self.flat).reshape(len(self.flat), d * d)
        other = problem.suboptimal & (abs(problem.directions).max(axis=2) > 0)
        self.delta, self.gap = problem.directions[other], problem.gaps[other]
        self.ridge = RIDGE * np.eye(d)

    def nearest(self, policy: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Least information (M,) of policies (M, X, A), and divergences (M, X, A) there."""
        runs, d = len(policy), len(self.ridge)
        shares = (policy * self.law[:, None]).reshape(runs, -1)
        inverse = np.linalg.inv((shares @ self.outer).reshape(runs, d, d) + self.ridge)
        moved = self.delta @ inverse
        norm = (moved * self.delta).sum(axis=2)
        pair = (self.gap**2 / norm).argmin(axis=1)
        row = np.arange(runs)
        ratio = self.gap[pair] / norm[row, pair]
        step = moved[row, pair] * ratio[:, None]
        divergence = (step @ self.flat.T) ** 2 / self.noise
        return (shares * divergence).sum(axis=1), divergence.reshape(policy.shape)


def _path(
    problem: Problem, model: _Model, budgets: np.ndarray, rounds: np.ndarray, kept: list
) -> Path:
    policy = np.stack([one[0] for one in kept], axis=1)
    cost = (model.law[:, None] * policy * problem.gaps).sum(axis=(2, 3))
    told = np.stack([model.nearest(one[0])[0] for one in kept], axis=1)
    average = np.stack([one[1] for one in kept], axis=1)
    now = np.stack([one[2] for one in kept], axis=1)
    z = budgets[:, None]
    return Path(rounds, policy, now, average, z * cost, z * told)
