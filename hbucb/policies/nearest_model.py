"""The closest model with another best arm, in every trial: the test and the gradient of SOLID.

Half-spaces have a closed form. Among the parameters for which arm a is at least as good as the best
arm a* of context x, the one closest to theta in the norm of the matrix V is

    theta - V^-1 delta Delta / |delta|^2,   delta = phi(x, a*) - phi(x, a),

at squared distance Delta^2 / |delta|^2, where |delta|^2 = delta V^-1 delta and Delta = delta theta
is the estimated gap. The policies have V^-1 at hand, so that is what the function takes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Rivals(NamedTuple):
    """Estimated best arms (trials, contexts) and the pairs (context, arm) that compete with them.

    ``delta`` (trials, pairs, d) = phi(x, a*) - phi(x, a), ``gap`` (trials, pairs) its mean under
    theta. The same theta with another V has the same rivals.
    """

    best: np.ndarray
    delta: np.ndarray
    gap: np.ndarray

    def of(self, who: np.ndarray) -> Rivals:
        """Those of the trials ``who``, in order, without a copy if these are all."""
        if who.size == len(self.best):
            return self
        return Rivals(self.best[who], self.delta[who], self.gap[who])


class Nearest(NamedTuple):
    """For each trial: the estimated best arms, the closest alternative and how far it is.

    ``best`` (trials, contexts), ``distance`` (trials,) squared, in the norm of V (inf where no arm
    differs from the best one), ``shift`` (trials, d) = theta - theta'.
    """

    best: np.ndarray
    distance: np.ndarray
    shift: np.ndarray


def rivals(features: np.ndarray, theta: np.ndarray) -> Rivals:
    """Best arms and their rivals in the contexts of ``features``, as :func:`nearest_model` has it.

    Examples
    --------
    >>> found = rivals(np.array([[[1.0, 0.0], [0.0, 1.0]]]), np.array([[0.6, 0.2]]))
    >>> found.best.tolist(), found.gap.round(3).tolist()
    ([[0]], [[0.0, 0.4]])
    """
    trials, d = theta.shape
    contexts, arms = features.shape[-3:-1]
    shared = features.ndim == 3
    rows = features.reshape(-1, d) if shared else features.reshape(trials, -1, d)
    mean = np.matmul(rows, theta[:, :, None]).reshape(trials, contexts, arms)
    best = mean.argmax(axis=2)
    first = np.arange(0, contexts * arms, arms)
    if not shared:
        first = first + np.arange(0, trials * contexts * arms, contexts * arms)[:, None]
    top = rows.reshape(-1, d).take(first + best, axis=0)
    delta = (top[:, :, None, :] - features).reshape(trials, contexts * arms, d)
    gap = (mean.max(axis=2, keepdims=True) - mean).reshape(trials, -1)
    return Rivals(best, delta, gap)


def nearest(among: Rivals, inverse: np.ndarray) -> Nearest:
    """The closest parameter that makes one of the rivals a best arm."""
    best, delta, gap = among
    trials, pairs = gap.shape
    moved = np.matmul(delta, inverse)
    norm = np.einsum("tpd,tpd->tp", moved, delta)
    # An arm with the features of the best one is no alternative: its norm is 0.
    square = np.full(gap.shape, np.inf)
    np.divide(gap * gap, norm, out=square, where=norm > 0)
    at = square.argmin(axis=1)
    at += np.arange(0, trials * pairs, pairs)
    distance = square.take(at)
    ratio = np.zeros(trials)
    np.divide(gap.take(at), norm.take(at), out=ratio, where=distance < np.inf)
    shift = moved.reshape(trials * pairs, -1).take(at, axis=0)
    shift *= ratio[:, None]
    return Nearest(best, distance, shift)


def nearest_model(features: np.ndarray, theta: np.ndarray, inverse: np.ndarray) -> Nearest:
    """The closest parameter whose best arm differs in one of the contexts of ``features``.

    Parameters
    ----------
    features : ndarray (contexts, arms, d), or (trials, contexts, arms, d)
        Features of the contexts that count.
    theta : ndarray (trials, d)
    inverse : ndarray (trials, d, d)
        V^-1.

    Examples
    --------
    >>> features = np.array([[[1.0, 0.0], [0.0, 1.0]]])
    >>> near = nearest_model(features, np.array([[0.6, 0.2]]), np.eye(2)[None])
    >>> near.best.tolist(), near.distance.round(3).tolist(), near.shift.round(3).tolist()
    ([[0]], [0.08], [[0.2, -0.2]])
    """
    return nearest(rivals(features, theta), inverse)


def bytes_of_pairs(pairs: int, dim: int) -> int:
    """Bytes a trial of a policy that looks for the nearest model in every context."""
    return 16_384 + 32 * pairs * dim + 96 * (pairs + dim * dim)
