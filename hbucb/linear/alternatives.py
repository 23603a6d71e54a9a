"""The nearest model under which some context has another optimal arm, in closed form.

Every function takes any leading axes (trials) and treats them apart: the arithmetic of one trial
does not depend on the others, so results do not depend on how trials are cut into chunks.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hbucb.arguments import as_numbers
from hbucb.noise.validate import positive


class Closest(NamedTuple):
    """The nearest alternative of each leading index.

    Attributes
    ----------
    distance : ndarray (...)
        Divergence in nats; inf where there is no alternative (one arm).
    context, arm : ndarray (...)
        The pair that the alternative prefers to the optimal arm. With `contexts` given, `context`
        is that context.
    model : ndarray (..., d)
        The alternative itself, on the boundary where the two arms tie.
    """

    distance: np.ndarray
    context: np.ndarray
    arm: np.ndarray
    model: np.ndarray


def information_matrix(allocation: np.ndarray, features: np.ndarray) -> np.ndarray:
    """V = sum of allocation(x, a) phi phi^T, shape (..., d, d); allocation is (..., X, A).

    Examples
    --------
    >>> import numpy as np
    >>> information_matrix(np.array([[2.0, 3.0]]), np.array([[[1.0, 0.0], [0.0, 1.0]]])).tolist()
    [[2.0, 0.0], [0.0, 3.0]]
    """
    return np.einsum("...xad,xae->...de", allocation[..., None] * features, features)


def divergences(
    theta: np.ndarray, other: np.ndarray, features: np.ndarray, sigma: float
) -> np.ndarray:
    """d(x, a) = (phi^T (theta - other))^2 / (2 sigma^2), nats, shape (..., X, A).

    At the nearest alternative this is the derivative of the distance with respect to the
    allocation: the supergradient that primal-dual methods step along.

    Examples
    --------
    >>> import numpy as np
    >>> features = np.array([[[1.0, 0.0], [0.0, 1.0]]])
    >>> divergences(np.array([1.0, 0.0]), np.array([0.5, 0.5]), features, 1.0).tolist()
    [[0.125, 0.125]]
    """
    return np.einsum("...d,xad->...xa", theta - other, features) ** 2 / (2 * sigma**2)


def half_spaces(
    theta: np.ndarray, inverse: np.ndarray, features: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Squared distance of theta to each half-space, and the way there; nothing is checked.

    Parameters
    ----------
    theta : ndarray (..., d)
    inverse : ndarray (..., d, d)
        Inverse of the matrix V of the norm.
    features : ndarray (..., X, A, d)

    Returns
    -------
    squared : ndarray (..., X, A)
        min ||theta - theta'||_V^2 over models under which arm a is at least as good in x as the
        arm that is best under theta; inf for that arm itself and for arms with its features.
    step : ndarray (..., X, A, d)
        V^{-1} delta Delta / ||delta||^2 in the inverse's norm: the nearest such model is
        theta - step.
    """
    means = np.einsum("...d,...xad->...xa", theta, features)
    best = means.argmax(axis=-1)[..., None]
    full = np.broadcast_to(features, (*means.shape, features.shape[-1]))
    delta = np.take_along_axis(full, best[..., None], axis=-2) - full
    gap = np.take_along_axis(means, best, axis=-1) - means
    moved = np.matmul(delta, inverse[..., None, :, :])
    norm = np.einsum("...d,...d->...", moved, delta)
    some = norm > 0
    ratio = np.divide(gap, norm, out=np.zeros_like(norm), where=some)
    return np.where(some, gap * ratio, np.inf), moved * ratio[..., None]


def closest(
    theta: Any, information: Any, features: Any, sigma: Any, contexts: Any = None
) -> Closest:
    """The nearest alternative model: the smallest divergence that an allocation gives.

    Parameters
    ----------
    theta : array_like (..., d)
        The model whose optimal arms are to change.
    information : array_like (..., d, d)
        V = sum of eta(x, a) phi phi^T over the pulls, positive definite.
    features : array_like (X, A, d)
    sigma : float
        Scale of the Gaussian noise, reward units.
    contexts : array_like of int (...), optional
        If given, only changes of the optimal arm in this one context count.

    Returns
    -------
    Closest
        `distance` is min over x and a of Delta(x, a)^2 / (2 sigma^2 ||delta||^2), with
        delta = phi(x, best) - phi(x, a) measured in the norm of V^{-1}. It is exact when the
        models are all of R^d, and a lower bound for a smaller set of models.

    Raises
    ------
    ValueError
        Shapes that do not fit, numbers that are not finite, V not positive definite, a context
        that does not exist.

    Notes
    -----
    Tirinzoni et al. 2020, Section 2 and Appendix G; the half-space form is Lattimore &
    Szepesvari 2017, Section 3. As a function of the allocation the distance is concave and
    homogeneous of degree one; :func:`divergences` at `model` is a supergradient.

    Examples
    --------
    >>> near = closest([1.0, 0.0], [[4.0, 0.0], [0.0, 4.0]], [[[1.0, 0.0], [0.0, 1.0]]], 1.0)
    >>> float(near.distance), near.model.tolist(), int(near.arm)
    (1.0, [0.5, 0.5], 1)
    """
    allowed = "finite numbers are allowed"
    theta = as_numbers("theta", theta, allowed)
    matrix = as_numbers("information", information, allowed)
    features = as_numbers("features", features, allowed)
    sigma = positive("sigma", sigma)
    for name, array in (("theta", theta), ("information", matrix), ("features", features)):
        if not np.isfinite(array).all():
            raise ValueError(f"{name} holds a number that is not finite; {allowed}")
    if theta.ndim < 1 or features.ndim != 3 or not features.size:
        raise ValueError(
            f"theta has shape {theta.shape}, features {features.shape}; "
            "(..., d) and (contexts, arms, d) are wanted"
        )
    d = features.shape[2]
    if theta.shape[-1] != d or matrix.shape != (*theta.shape, d):
        raise ValueError(
            f"theta has shape {theta.shape}, information {matrix.shape}, features has d = {d}; "
            "(..., d) and (..., d, d) are wanted"
        )
    try:
        np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        raise ValueError("information is not positive definite; pull more directions") from None
    inverse = np.linalg.inv(matrix)
    if contexts is None:
        return _closest(theta, inverse, features, sigma)
    where = np.asarray(contexts)
    if where.dtype.kind not in "iu" or where.shape != theta.shape[:-1]:
        raise ValueError(
            f"contexts is {contexts!r}; integers of shape {theta.shape[:-1]} are wanted"
        )
    if where.size and not (0 <= where.min() and where.max() < len(features)):
        raise ValueError(f"contexts is {contexts!r}; 0 to {len(features) - 1} are allowed")
    found = _closest(theta, inverse, features[where][..., None, :, :], sigma)
    return found._replace(context=where)


def _closest(theta: np.ndarray, inverse: np.ndarray, features: np.ndarray, sigma: float) -> Closest:
    """The same from the inverse, unchecked; features (..., X, A, d) may differ by trial."""
    squared, step = half_spaces(theta, inverse, features)
    arms, d = step.shape[-2:]
    flat = squared.reshape(*squared.shape[:-2], -1)
    pair = flat.argmin(axis=-1)[..., None]
    distance = np.take_along_axis(flat, pair, axis=-1)[..., 0]
    away = np.take_along_axis(step.reshape(*flat.shape, d), pair[..., None], axis=-2)[..., 0, :]
    pair = pair[..., 0]
    return Closest(distance / (2 * sigma**2), pair // arms, pair % arms, theta - away)


#: For callers that keep V^{-1} and step through many rounds: closest without checks.
closest_from_inverse = _closest
