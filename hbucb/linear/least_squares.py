"""Regularised least squares for all trials at once, by rank-one updates.

With features phi_s and rewards y_s of one trial, V = nu I + sum phi phi^T, U = sum phi y and the
estimate is V^-1 U. One more reward costs O(d^2):

    V^-1  <-  V^-1 - g g^T / (1 + phi^T g),   g = V^-1 phi      (Sherman and Morrison)
    log det V  <-  log det V + log(1 + phi^T g)

Every product is taken trial by trial, so a trial's numbers do not depend on its company.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hbucb.validate import positive, whole_number

#: Updates after which the inverse is computed anew, so that rounding errors do not pile up.
REFRESH = 512


class LeastSquares:
    """The state of regularised least squares in ``trials`` trials.

    Parameters
    ----------
    trials, d : int
        Trials that advance together, and the dimension.
    regulariser : float
        nu > 0, in squared units of the features.

    Attributes
    ----------
    precision, inverse : ndarray (trials, d, d)
        V and its inverse.
    moment, estimate : ndarray (trials, d)
        U and V^-1 U.
    log_det : ndarray (trials,)
        log det(V / nu), the number that confidence widths grow with.

    Raises
    ------
    ValueError
        For arguments out of range, named with their value.

    Examples
    --------
    >>> import numpy as np
    >>> fit = LeastSquares(trials=1, d=2, regulariser=1.0)
    >>> for phi, y in [([1.0, 0.0], 2.0), ([1.0, 1.0], 3.0)]:
    ...     fit.update(np.array([phi]), np.array([y]))
    >>> fit.precision[0].tolist(), fit.estimate[0].round(3).tolist()
    ([[3.0, 1.0], [1.0, 2.0]], [1.4, 0.8])
    """

    def __init__(self, trials: int, d: int, regulariser: float = 1.0) -> None:
        trials, d = whole_number(trials, "trials", 1), whole_number(d, "d", 1)
        self.regulariser = positive("regulariser", regulariser)
        eye = np.broadcast_to(np.eye(d), (trials, d, d))
        self.inverse = eye / self.regulariser
        self.moment, self.estimate = np.zeros((trials, d)), np.zeros((trials, d))
        self.log_det = np.zeros(trials)
        self._precision = self.regulariser * eye
        # Features that the precision does not hold yet: one product for many is cheaper.
        self._late, self._waiting = np.empty((trials, REFRESH, d)), 0
        self._updates = 0

    @property
    def precision(self) -> np.ndarray:
        """V (trials, d, d)."""
        if self._waiting:
            late = self._late[:, : self._waiting]
            self._precision = self._precision + late.transpose(0, 2, 1) @ late
            self._waiting = 0
        return self._precision

    def update(self, phi: np.ndarray, reward: np.ndarray) -> None:
        """Learn one reward in every trial: features (trials, d) and rewards (trials,)."""
        self._late[:, self._waiting] = phi
        self._waiting += 1
        self._updates += 1
        self.moment += phi * reward[:, None]
        if self._updates % REFRESH == 0:
            self._refresh()
        else:
            step = np.einsum("tij,tj->ti", self.inverse, phi)
            grown = 1.0 + np.einsum("ti,ti->t", phi, step)
            self.log_det += np.log(grown)
            step /= np.sqrt(grown)[:, None]  # a square keeps the inverse symmetric
            self.inverse -= step[:, :, None] * step[:, None, :]
        self.estimate = np.einsum("tij,tj->ti", self.inverse, self.moment)

    def _refresh(self) -> None:
        inverse = np.linalg.inv(self.precision)
        self.inverse = (inverse + inverse.transpose(0, 2, 1)) / 2
        d = self.moment.shape[1]
        self.log_det = np.linalg.slogdet(self.precision)[1] - d * np.log(self.regulariser)

    def norms(self, features: Any) -> np.ndarray:
        """phi^T V^-1 phi of features (..., d) that all trials share: (trials, ...)."""
        rows = np.asarray(features, dtype=float)
        flat = rows.reshape(-1, rows.shape[-1])
        spread = np.maximum(np.einsum("tai,ai->ta", flat @ self.inverse, flat), 0.0)
        return spread.reshape(len(self.inverse), *rows.shape[:-1])

    def own_norms(self, features: np.ndarray) -> np.ndarray:
        """phi^T V^-1 phi of features (trials, arms, d), each trial's own: (trials, arms)."""
        return np.maximum(np.einsum("tai,tai->ta", features @ self.inverse, features), 0.0)

    def own_values(self, features: np.ndarray) -> np.ndarray:
        """phi^T estimate of features (trials, arms, d), each trial's own: (trials, arms)."""
        return np.einsum("tai,ti->ta", features, self.estimate)
