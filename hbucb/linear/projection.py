"""Projection of an estimate on the ball of parameters, in the norm of its precision."""

from __future__ import annotations

from typing import Any

import numpy as np

from hbucb.validate import positive

#: Newton's method needs about five steps; it stops by itself.
_STEPS = 100


def project(estimate: Any, precision: Any, radius: float) -> np.ndarray:
    """The theta with |theta| <= radius that is closest to the estimate in the norm of V.

    Where the estimate lies outside the ball, theta(k) = (V + k I)^-1 V estimate with the k > 0 for
    which |theta(k)| = radius. In the eigenvectors of V that is one equation in k, and
    1 / |theta(k)| is concave in k, so that Newton's method from k = 0 climbs to the root without
    passing it.

    Parameters
    ----------
    estimate : array_like (..., d)
    precision : array_like (..., d, d)
        V, symmetric and positive definite.
    radius : float
        B > 0.

    Returns
    -------
    ndarray (..., d)

    Raises
    ------
    ValueError
        For shapes that do not fit and a radius that is not positive and finite.

    Examples
    --------
    >>> project([3.0, 0.0], [[1.0, 0.0], [0.0, 4.0]], 1.0).tolist()
    [1.0, 0.0]
    >>> project([0.5, 0.5], [[1.0, 0.0], [0.0, 4.0]], 1.0).tolist()
    [0.5, 0.5]
    """
    theta, v = np.array(estimate, dtype=float), np.asarray(precision, dtype=float)
    if not theta.ndim or v.shape != (*theta.shape, theta.shape[-1]):
        raise ValueError(
            f"precision has shape {v.shape}, estimate has {theta.shape}; they must be (..., d, d) "
            "and (..., d)"
        )
    radius = positive("radius", radius)
    out = np.sqrt(np.einsum("...i,...i->...", theta, theta)) > radius
    if not out.any():
        return theta
    scale, axes = np.linalg.eigh(v[out])
    along = np.einsum("nji,nj->ni", axes, theta[out])
    theta[out] = np.einsum("nij,nj->ni", axes, _shrink(along, scale, radius))
    return theta


def _shrink(along: np.ndarray, scale: np.ndarray, radius: float) -> np.ndarray:
    """Coordinates (n, d) scaled by s / (s + k), with k such that their norm is the radius."""
    shift = np.zeros(len(along))
    moving = np.ones(len(along), dtype=bool)
    for _ in range(_STEPS):
        shrunk = along * scale / (scale + shift[:, None])
        square = np.einsum("ni,ni->n", shrunk, shrunk)
        slope = np.einsum("ni,ni->n", shrunk, shrunk / (scale + shift[:, None]))
        step = (np.sqrt(square) / radius - 1) * square / slope
        # Each row stops by itself: the others' number of steps must not move it.
        moving &= step > 1e-15 * shift
        if not moving.any():
            break
        shift = np.where(moving, shift + step, shift)
    # What is left of the error is one of length only.
    return shrunk * (radius / np.sqrt(square))[:, None]
