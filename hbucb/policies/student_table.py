"""Student quantiles over the degrees of freedom, as chords in -ln of the tail probability."""

from __future__ import annotations

from typing import Any

import numpy as np

from hbucb.policies.chord import Lines, band

#: Degrees of freedom that are filled ahead, as an arm's count grows by one at a time.
_AHEAD = 32


def student_quantile(freedom: np.ndarray, x: Any) -> tuple[np.ndarray, np.ndarray, Any]:
    """The 1 - e^-x quantile, its slope in x, and whether the slope rises with x there.

    Parameters
    ----------
    freedom : ndarray of int
        Degrees of freedom, at least 1.
    x : float or ndarray
        At least ln 2, so that quantiles are >= 0. The slope is 1 / hazard rate, and the hazard rate
        of |T| has one maximum at most (Glaser 1980): -f'/f rises to sqrt(freedom), then falls.

    Returns
    -------
    tuple of ndarray
    """
    from scipy import special

    k, tail = np.asarray(freedom, float), np.exp(-x)
    quantile = -special.stdtrit(k, tail)
    log_density = special.gammaln((k + 1) / 2) - special.gammaln(k / 2)
    log_density -= np.log(k * np.pi) / 2 + (k + 1) / 2 * np.log1p(quantile * quantile / k)
    slope = np.exp(-x - log_density)
    rises = (k + 1) * quantile / (k + quantile * quantile) * slope > 1
    return quantile, slope, rises


class StudentTable:
    """Chords of the quantile over one block, for the degrees of freedom that were asked for."""

    def __init__(self, horizon: int, block: float) -> None:
        self._block = block
        self._known = np.full(horizon + 1, -np.inf)
        self._slope, self._high = np.zeros(horizon + 1), np.zeros(horizon + 1)
        self._width = np.zeros(horizon + 1)

    def chords(self, freedom: np.ndarray, end: float) -> Lines:
        """Bands over the block that ends at ``end``."""
        unknown = freedom[self._known[freedom] != end]
        if unknown.size:
            ahead = np.unique(unknown)[:, None] + np.arange(_AHEAD)
            fill = np.unique(np.minimum(ahead, self._known.size - 1))
            fill = fill[self._known[fill] != end]
            start = max(end - self._block, np.log(2))
            lines = band(student_quantile, fill, start, end)
            self._slope[fill], self._high[fill], self._width[fill] = lines
            self._known[fill] = end
        return Lines(self._slope[freedom], self._high[freedom], self._width[freedom])
