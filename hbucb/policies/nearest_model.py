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


class Nearest(NamedTuple):
    """For each trial: the estimated best arms, the closest alternative and how far it is.

    ``best`` (trials, contexts), ``distance`` (trials,) squared, in the norm of V (inf where no arm
    differs from the best one), ``shift`` (trials, d) = theta - theta'.
    """

    best: np.ndarray
    distance: np.ndarray
    shift: np.ndarray


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
    trials, d = theta.shape
    contexts, arms = features.shape[-3:-1]
    row = np.arange(trials)
    if features.ndim == 3:
        mean = np.matmul(features.reshape(-1, d), theta[:, :, None]).reshape(trials, contexts, arms)
        best = mean.argmax(axis=2)
        top = features[np.arange(contexts), best]
    else:
        rows = features.reshape(trials, contexts * arms, d)
        mean = np.matmul(rows, theta[:, :, None]).reshape(trials, contexts, arms)
        best = mean.argmax(axis=2)
        top = features[row[:, None], np.arange(contexts), best]
    delta = (top[:, :, None, :] - features).reshape(trials, contexts * arms, d)
    moved = np.matmul(delta, inverse)
    norm = np.einsum("tpd,tpd->tp", moved, delta)
    high = np.take_along_axis(mean, best[:, :, None], axis=2)
    gap = (high - mean).reshape(trials, -1)
    # An arm with the features of the best one is no alternative: its norm is 0.
    square = np.divide(gap**2, norm, out=np.full_like(gap, np.inf), where=norm > 0)
    pair = square.argmin(axis=1)
    distance = square[row, pair]
    ratio = np.divide(
        gap[row, pair], norm[row, pair], out=np.zeros(trials), where=distance < np.inf
    )
    return Nearest(best, distance, moved[row, pair] * ratio[:, None])
