"""A linear bandit from a table of ratings: the Jester jokes, or a synthetic table in their place.

The public copy of the Jester subset cannot be shipped with the package; ``load_jester`` reads it
from a file, ``synthetic_jester`` makes a low-rank table of the same kind.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from hbucb.bandits import LinearContextualBandit
from hbucb.noise import Gaussian
from hbucb.validate import positive, whole_number

#: Ratings are given from -10 to 10.
_SCALE = 10.0
#: Weight of the squared norm in the fit, per rating.
_RIDGE = 1e-3
#: Decimals kept of features and theta: what linear algebra gives beyond about ten of them depends
#: on the machine and its threads, and the same seed must give the same bandit everywhere.
_DIGITS = 6


def ratings_bandit(
    ratings: Any,
    seed: int,
    *,
    contexts: int = 20,
    dim: int = 33,
    rank: int = 36,
    sigma: float = 0.3,
) -> LinearContextualBandit:
    """Users are contexts, items are arms, and features are learnt from the table.

    The table, divided by 10, is cut to ``rank`` singular values; a user's and an item's factors
    together pass through ``dim - 1`` random rectified linear units, a constant is appended, and
    theta is the ridge fit of all ratings on these features. The fitted values are the bandit's
    locations, so the model is exactly linear; a context is one of ``contexts`` users drawn at
    random, all equally likely.

    Parameters
    ----------
    ratings : array_like (users, items)
        In [-10, 10].
    seed : int
        >= 0, of the random units and of the users.
    contexts, dim, rank : int
        Contexts, d and singular values kept (fewer where the table has fewer).
    sigma : float
        Standard deviation of the Gaussian noise, in ratings divided by 10.

    Returns
    -------
    LinearContextualBandit

    Raises
    ------
    ValueError
        For a table that is none, has values outside [-10, 10] or fewer than ``contexts`` users,
        and for arguments out of range.

    Examples
    --------
    >>> table = np.random.default_rng(0).uniform(-10, 10, (60, 12))
    >>> ratings_bandit(table, 1, contexts=5, dim=7).features.shape
    (5, 12, 7)
    """
    try:
        table = np.asarray(ratings, dtype=float)
    except (TypeError, ValueError):
        raise ValueError("ratings must be numbers of shape (users, items)") from None
    if table.ndim != 2 or min(table.shape) < 2:
        raise ValueError(f"ratings has shape {table.shape}; it must be (users, items), both >= 2")
    if not (np.abs(table) <= _SCALE).all():  # nan fails too
        raise ValueError("ratings has values outside [-10, 10]; drop users who did not rate all")
    seed, dim = whole_number(seed, "seed", 0), whole_number(dim, "dim", 2)
    contexts, rank = whole_number(contexts, "contexts", 1), whole_number(rank, "rank", 1)
    if contexts > len(table):
        raise ValueError(f"contexts = {contexts} must be at most the {len(table)} users of ratings")
    sigma = positive("sigma", sigma)
    rng = np.random.Generator(np.random.SFC64(np.random.SeedSequence(seed)))
    table = table / _SCALE
    users, items = _factors(table, rank)
    units = rng.standard_normal((users.shape[1] + items.shape[1] + 1, dim - 1))
    units /= np.sqrt(len(units))
    theta = _ridge(users, items, units, table)
    chosen = np.sort(rng.choice(len(table), contexts, replace=False))
    features = _features(users[chosen], items, units).round(_DIGITS)
    theta = theta.round(_DIGITS)
    return LinearContextualBandit(features, theta, np.full(contexts, 1 / contexts), Gaussian(sigma))


def _factors(table: np.ndarray, rank: int) -> tuple[np.ndarray, np.ndarray]:
    """Factors of users and of items, each column with mean square 1."""
    left, values, right = np.linalg.svd(table, full_matrices=False)
    keep = min(rank, int((values > 1e-9 * values[0]).sum()))
    if not keep:
        raise ValueError("ratings is zero everywhere; nothing can be learnt from it")
    # A singular vector is known up to its sign: let its largest entry be positive.
    largest = np.abs(right).argmax(axis=1)
    sign = np.where(right[np.arange(len(right)), largest] < 0, -1.0, 1.0)
    left, right = left * sign, right * sign[:, None]
    # Leading factors carry most of the table and so most of the units' input.
    weight = np.sqrt(values[:keep] / values[0])
    users, items = left[:, :keep] * weight, right[:keep].T * weight
    return users * np.sqrt(len(users)), items * np.sqrt(len(items))


def _features(users: np.ndarray, items: np.ndarray, units: np.ndarray) -> np.ndarray:
    """Features (users, items, d): rectified units of both factors and a constant."""
    of_user, of_item = units[: users.shape[1]], units[users.shape[1] : -1]
    hidden = (users @ of_user)[:, None, :] + (items @ of_item)[None, :, :] + units[-1]
    constant = np.ones((len(users), len(items), 1))
    return np.concatenate([np.maximum(hidden, 0.0), constant], axis=2)


def _ridge(
    users: np.ndarray, items: np.ndarray, units: np.ndarray, table: np.ndarray
) -> np.ndarray:
    """Theta of the ridge fit of all ratings, summed over blocks of users."""
    dim = units.shape[1] + 1
    square, moment = np.zeros((dim, dim)), np.zeros(dim)
    for first in range(0, len(users), 500):
        part = slice(first, first + 500)
        rows = _features(users[part], items, units).reshape(-1, dim)
        square += rows.T @ rows
        moment += rows.T @ table[part].ravel()
    return np.linalg.solve(square + _RIDGE * table.size * np.eye(dim), moment)


def load_jester(path: str | os.PathLike[str], seed: int = 0, **options: Any) -> Any:
    """The bandit of the Jester jokes, from the user's copy of the ratings.

    Parameters
    ----------
    path : path of a .npy file
        A table (users, jokes) of ratings in [-10, 10]; the subset used by Riquelme, Tucker and
        Snoek (2018) has 19 181 users who rated all of 40 jokes.
    seed : int
    **options
        Of :func:`ratings_bandit`.

    Returns
    -------
    LinearContextualBandit

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If it is not a .npy file of such a table.

    Examples
    --------
    >>> import tempfile
    >>> table = np.random.default_rng(0).uniform(-10, 10, (60, 12))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     np.save(os.path.join(folder, "jester.npy"), table)
    ...     bandit = load_jester(os.path.join(folder, "jester.npy"), contexts=5, dim=7)
    >>> bandit.arms
    12
    """
    if not isinstance(path, str | os.PathLike):
        raise ValueError(f"path = {path!r} must be the path of a file")
    if not os.path.exists(path):
        raise FileNotFoundError(f"there is no file {os.fspath(path)!r}")
    try:
        ratings = np.load(path, allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise ValueError(f"{os.fspath(path)} is no .npy file of ratings: {error}") from error
    return ratings_bandit(ratings, seed, **options)


def synthetic_jester(
    seed: int, *, users: int = 2000, items: int = 40, **options: Any
) -> LinearContextualBandit:
    """A stand-in for Jester: ratings of low rank with a taste of each user, clipped to [-10, 10].

    A rating is 10 tanh(a_u + b_i + <p_u, q_i> + noise): users' and items' levels a and b, six
    hidden tastes, and noise, all Gaussian. It is no copy of the data and nothing measured on it
    is a result about Jester.

    Parameters
    ----------
    seed : int
        >= 0, of the table and of the bandit made from it.
    users, items : int
        Size of the table.
    **options
        Of :func:`ratings_bandit`.

    Returns
    -------
    LinearContextualBandit

    Raises
    ------
    ValueError
        For arguments out of range.

    Examples
    --------
    >>> bandit = synthetic_jester(3)
    >>> bandit.features.shape
    (20, 40, 33)
    """
    seed = whole_number(seed, "seed", 0)
    users, items = whole_number(users, "users", 2), whole_number(items, "items", 2)
    rng = np.random.Generator(np.random.SFC64(np.random.SeedSequence(seed, spawn_key=(1,))))
    levels = 0.3 * rng.standard_normal((users, 1)) + 0.25 * rng.standard_normal(items)
    tastes = 0.25 * rng.standard_normal((users, 6)) @ rng.standard_normal((6, items))
    noise = 0.2 * rng.standard_normal((users, items))
    return ratings_bandit(_SCALE * np.tanh(levels + tastes + noise), seed, **options)
