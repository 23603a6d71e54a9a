"""Disproofs of symmetry and of unimodality from the CDF of a law.

Each function returns True only when exact CDF values contradict the property by far more than
rounding; False means "not refuted", never "proved".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from hbucb.noise.base import Noise


def refutes_symmetry(law: Noise) -> bool:
    """Whether P(xi <= -x) differs from P(xi >= x) somewhere, so that xi is not symmetric about 0.

    Examples
    --------
    >>> from hbucb.noise import Exponential, Laplace
    >>> refutes_symmetry(Exponential()), refutes_symmetry(Laplace())
    (True, False)
    """
    x = np.unique(law.ppf(np.linspace(0.005, 0.995, 199)))
    # Centred points as well: with atoms the quantiles alone miss the mass between them.
    x = np.concatenate([x, -x, 0.5 * (x[1:] + x[:-1])])
    at_least = 1.0 - law.cdf(x) + law.atom(x)
    return bool(np.max(np.abs(law.cdf(-x) - at_least)) > 1e-9)


def refutes_unimodality(law: Noise) -> bool:
    """Whether the law is proved to have a dip: less mass a unit of length between two denser bins.

    For a unimodal law no bin of a partition has an average density below one of a bin to its left
    and below one of a bin to its right.

    Examples
    --------
    >>> from hbucb.noise import Cauchy, TwoPoint
    >>> refutes_unimodality(TwoPoint()), refutes_unimodality(Cauchy())
    (True, False)
    """
    x = np.unique(law.ppf(np.linspace(0.0025, 0.9975, 200)))
    span = max(float(x[-1] - x[0]), 1.0)
    edges = np.concatenate([[x[0] - span], x, 0.5 * (x[1:] + x[:-1]), [x[-1] + span]])
    edges = np.unique(edges)
    density = np.diff(law.cdf(edges)) / np.diff(edges)
    left = np.maximum.accumulate(density)
    right = np.maximum.accumulate(density[::-1])[::-1]
    return bool(np.any(density < np.minimum(left, right) * (1.0 - 1e-6)))
