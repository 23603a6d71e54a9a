"""A function of the count n of pulls: looked up for small counts, computed for large ones.

The radius of an arm is needed at one count a trial and step. A table answers fastest, but one of
length T takes memory that grows with the horizon, so it ends at ``LIMIT``: a run of up to that
many rounds never leaves it, and a longer one computes what lies beyond.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

#: Largest count in a table; 1 MB of numbers, which a processor's cache can hold.
LIMIT = 2**17

OfCounts = Callable[[np.ndarray], np.ndarray]


class ByCount:
    """``of`` at arrays of counts, as ``by_count(...)[n]``.

    ``of`` must treat each count by itself, so that its value does not depend on which other counts
    are asked for: then the table and the computation agree bit for bit.
    """

    def __init__(self, of: OfCounts) -> None:
        self._of = of
        self.table = _table(of, LIMIT)

    def __getitem__(self, n: np.ndarray) -> np.ndarray:
        try:
            return self.table[n]
        except IndexError:  # dearer than a comparison, but only where a count is large
            return self._of(n)


def by_count(of: OfCounts, largest: int) -> np.ndarray | ByCount:
    """What gives ``of`` at whole counts from 1 to ``largest``, when indexed by an array of them.

    Parameters
    ----------
    of : function
        From counts (n,) to one value each, (n,), or one row each, (n, columns).
    largest : int
        Largest count that will be asked for.

    Returns
    -------
    ndarray (largest + 1, ...), entry 0 of which means nothing; or ByCount where that is too long

    Examples
    --------
    >>> by_count(np.sqrt, 4)[np.array([4, 1])].tolist()
    [2.0, 1.0]
    >>> by_count(np.sqrt, 10**12)[np.array([4, 10**12])].tolist()
    [2.0, 1000000.0]
    """
    return _table(of, largest) if largest <= LIMIT else ByCount(of)


def _table(of: OfCounts, largest: int) -> np.ndarray:
    return of(np.maximum(np.arange(largest + 1), 1))
