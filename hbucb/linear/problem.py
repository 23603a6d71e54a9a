"""The known linear problem that the lower-bound programmes are about, checked once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hbucb.arguments import as_numbers
from hbucb.assumptions import AssumptionError
from hbucb.bandits import LinearContextualBandit
from hbucb.noise import Gaussian
from hbucb.noise.validate import positive

#: Two means closer than this share of the largest one count as tied.
TIE = 1e-12


@dataclass(frozen=True)
class Problem:
    """Features (X, A, d), parameter (d,), noise scale; the law (X,) of the contexts or None."""

    features: np.ndarray
    theta: np.ndarray
    sigma: float
    law: Any = None

    @property
    def means(self) -> np.ndarray:
        """mu (X, A), reward units."""
        return np.einsum("xad,d->xa", self.features, self.theta)

    @property
    def best(self) -> np.ndarray:
        """The optimal arm (X,) of each context."""
        return self.means.argmax(axis=1)

    @property
    def gaps(self) -> np.ndarray:
        """Delta (X, A), reward units."""
        means = self.means
        return means.max(axis=1, keepdims=True) - means

    @property
    def suboptimal(self) -> np.ndarray:
        """Mask (X, A) of the pairs that cost something."""
        return np.arange(self.features.shape[1]) != self.best[:, None]

    @property
    def directions(self) -> np.ndarray:
        """phi(x, best) - phi(x, a), shape (X, A, d)."""
        top = self.features[np.arange(len(self.features)), self.best]
        return top[:, None, :] - self.features


def as_problem(bandit: Any, needs_law: bool = False) -> Problem:
    """A bandit, or a tuple (features, theta, sigma[, contexts]), as a checked :class:`Problem`.

    Parameters
    ----------
    bandit : LinearContextualBandit or tuple
        A bandit needs Gaussian noise: its scale is sigma.
    needs_law : bool
        Whether the law of the contexts must be given, with every probability above 0.

    Raises
    ------
    AssumptionError
        The noise is not Gaussian, a context has two optimal arms, the features do not span R^d,
        or a context never comes.
    ValueError
        Shapes that do not fit, numbers that are not finite, sigma not above 0.

    Examples
    --------
    >>> problem = as_problem(([[[1.0, 0.0], [0.0, 1.0]]], [1.0, 0.25], 2.0))
    >>> problem.gaps.tolist(), problem.sigma
    ([[0.0, 0.75]], 2.0)
    """
    if isinstance(bandit, LinearContextualBandit):
        if not isinstance(bandit.noise, Gaussian):
            raise AssumptionError(
                f"the lower-bound programme needs Gaussian noise; the noise is {bandit.noise!r}"
            )
        return _checked(
            bandit.features, bandit.theta, bandit.noise.scale, bandit.context_law, needs_law
        )
    if not isinstance(bandit, tuple | list) or len(bandit) not in (3, 4):
        raise ValueError(
            f"bandit is {bandit!r}; give a LinearContextualBandit or a tuple "
            "(features, theta, sigma) or (features, theta, sigma, contexts)"
        )
    if needs_law and len(bandit) == 3:
        raise ValueError("bandit has no law of contexts; give (features, theta, sigma, contexts)")
    features, theta, sigma, *law = bandit
    return _checked(features, theta, sigma, law[0] if law else None, needs_law)


def _array(name: str, values: Any, shape: str, dimensions: int) -> np.ndarray:
    array = as_numbers(name, values, f"finite numbers of shape {shape} are allowed")
    if array.ndim != dimensions or not array.size or not np.isfinite(array).all():
        raise ValueError(f"{name} has shape {array.shape}; finite numbers of shape {shape} wanted")
    return array


def _checked(features: Any, theta: Any, sigma: Any, law: Any, needs_law: bool) -> Problem:
    features = _array("features", features, "(contexts, arms, d)", 3)
    theta = _array("theta", theta, "(d,)", 1)
    if features.shape[2] != theta.size:
        raise ValueError(f"features has d = {features.shape[2]}, theta has {theta.size} entries")
    if law is not None:
        law = _array("contexts", law, "(contexts,)", 1)
        if law.size != len(features) or (law < 0).any() or abs(law.sum() - 1) > 1e-9:
            raise ValueError(
                f"contexts is {law.tolist()}; give one probability for each of the "
                f"{len(features)} contexts, with sum 1"
            )
        if needs_law and not (law > 0).all():
            raise AssumptionError(f"contexts is {law.tolist()}; each context must come")
    problem = Problem(features, theta, positive("sigma", sigma), law)
    means = np.sort(problem.means, axis=1)
    if means.shape[1] > 1:
        tied = means[:, -1] - means[:, -2] <= TIE * abs(means).max()
        if tied.any():
            raise AssumptionError(
                f"context {int(tied.argmax())} has two optimal arms; the lower bound needs one"
            )
    d = theta.size
    if np.linalg.matrix_rank(features.reshape(-1, d)) < d:
        raise AssumptionError(f"features do not span R^{d}; drop coordinates that no arm shows")
    return problem
