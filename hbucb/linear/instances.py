"""Linear contextual bandits by name: the third paper's toy, its random problems, and a classic."""

from __future__ import annotations

from typing import Any

import numpy as np

from hbucb.bandits import LinearContextualBandit
from hbucb.noise import Gaussian
from hbucb.validate import open_probability, positive, whole_number

#: Problems that a generator may draw before it gives up on the smallest gap.
_DRAWS = 10_000


def _noise(sigma: Any, noise: Any) -> Any:
    return Gaussian(positive("sigma", sigma)) if noise is None else noise


def toy(
    xi: float = 0.05, rho: float = 0.5, sigma: float = 0.5, *, noise: Any = None
) -> LinearContextualBandit:
    """Two contexts, three arms, d = 3: the information that is cheapest is in the rare context.

    Context 0 has the features (1, 0, 0), (0, 1, 0), (1 - xi, 2 xi, 0); context 1 has
    (0, .6, .8), (0, 0, 1), (0, xi / 10, 1 - xi); theta is (1, 0, 1).

    Parameters
    ----------
    xi : float
        In (0, 1/2): small gaps are xi, reward units.
    rho : float
        Probability of context 0, in (0, 1).
    sigma : float
        Standard deviation of the Gaussian noise, reward units.
    noise : Noise, optional
        Another law in its place; sigma then plays no part.

    Returns
    -------
    LinearContextualBandit

    Raises
    ------
    ValueError
        For arguments out of range.

    References
    ----------
    Tirinzoni, Pirotta, Restelli and Lazaric (2020), section 6. The text available names three of
    the vectors; the others and theta are the ones with which the exact lower bound explores only
    arm 0 of context 1, as the section says it does.

    Examples
    --------
    >>> toy(xi=0.05).gaps.round(3).tolist()
    [[0.0, 1.0, 0.05], [0.2, 0.0, 0.05]]
    """
    if not 0 < open_probability("xi", xi) < 0.5:
        raise ValueError(f"xi = {xi!r} must lie in (0, 1/2)")
    rho = open_probability("rho", rho)
    features = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1 - xi, 2 * xi, 0.0]],
        [[0.0, 0.6, 0.8], [0.0, 0.0, 1.0], [0.0, xi / 10, 1 - xi]],
    ]
    law = [rho, 1 - rho]
    return LinearContextualBandit(features, [1.0, 0.0, 1.0], law, _noise(sigma, noise))


def end_of_optimism(
    xi: float = 0.05, sigma: float = 0.5, *, noise: Any = None
) -> LinearContextualBandit:
    """One context, arms e1, e2 and (1 - xi, 2 xi), theta = e1: optimism never plays e2 enough.

    Parameters
    ----------
    xi : float
        In (0, 1/2): the gap of the third arm, reward units.
    sigma : float
        Standard deviation of the Gaussian noise, reward units.
    noise : Noise, optional
        Another law in its place; sigma then plays no part.

    Returns
    -------
    LinearContextualBandit

    Raises
    ------
    ValueError
        For arguments out of range.

    References
    ----------
    Lattimore and Szepesvari (2017), The End of Optimism, section 8.

    Examples
    --------
    >>> end_of_optimism(xi=0.25).gaps.tolist()
    [[0.0, 1.0, 0.25]]
    """
    if not 0 < open_probability("xi", xi) < 0.5:
        raise ValueError(f"xi = {xi!r} must lie in (0, 1/2)")
    features = [[[1.0, 0.0], [0.0, 1.0], [1 - xi, 2 * xi]]]
    return LinearContextualBandit(features, [1.0, 0.0], [1.0], _noise(sigma, noise))


def random_problem(
    arms: int,
    seed: int,
    *,
    contexts: int = 4,
    dim: int = 8,
    sigma: float = 0.5,
    min_gap: float = 0.05,
    noise: Any = None,
) -> LinearContextualBandit:
    """Features and theta uniform on the unit sphere, contexts equally likely.

    Problems are drawn until every suboptimal arm of every context is at least ``min_gap`` worse
    than the best one and the features span R^d.

    Parameters
    ----------
    arms : int
        K >= 2, in each context.
    seed : int
        >= 0; the same problem for the same arguments.
    contexts, dim : int
        >= 1; ``contexts * arms >= dim`` is needed for the features to span.
    sigma : float
        Standard deviation of the Gaussian noise, reward units.
    min_gap : float
        Reward units, > 0.
    noise : Noise, optional
        Another law in its place; sigma then plays no part.

    Returns
    -------
    LinearContextualBandit

    Raises
    ------
    ValueError
        For arguments out of range, and if 10 000 draws gave no problem with such gaps.

    Examples
    --------
    >>> bandit = random_problem(4, seed=1)
    >>> bandit.features.shape, bool(np.sort(bandit.gaps, axis=1)[:, 1].min() >= 0.05)
    ((4, 4, 8), True)
    """
    arms, seed = whole_number(arms, "arms", 2), whole_number(seed, "seed", 0)
    contexts, dim = whole_number(contexts, "contexts", 1), whole_number(dim, "dim", 1)
    if contexts * arms < dim:
        raise ValueError(
            f"contexts * arms = {contexts * arms} features cannot span R^{dim}: dim must be smaller"
        )
    min_gap, law = positive("min_gap", min_gap), _noise(sigma, noise)
    rng = np.random.Generator(np.random.SFC64(np.random.SeedSequence(seed)))
    for _ in range(_DRAWS):
        features = rng.standard_normal((contexts, arms, dim))
        features /= np.linalg.norm(features, axis=2, keepdims=True)
        theta = rng.standard_normal(dim)
        theta /= np.linalg.norm(theta)
        best, second = np.sort(features @ theta, axis=1)[:, [-1, -2]].T
        spans = np.linalg.matrix_rank(features.reshape(-1, dim)) == dim
        if spans and (best - second).min() >= min_gap:
            return LinearContextualBandit(features, theta, np.full(contexts, 1 / contexts), law)
    raise ValueError(
        f"min_gap = {min_gap!r}: none of {_DRAWS} problems with {arms} arms and {contexts} "
        "contexts has gaps that large"
    )
