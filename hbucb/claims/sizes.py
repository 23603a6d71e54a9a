"""Verdicts on magnitudes: "slightly", "almost the same", and printed counts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hbucb.claims.vocabulary import Verdict
from hbucb.statistics import paired_wins
from hbucb.statistics.betting import bounded_mean_pvalue, trials_to_decide_mean

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def size_verdict(
    a: ArrayLike, b: ArrayLike, largest_gap: float, *, margin: float = 1.25, alpha: float = 0.01
) -> tuple[Verdict, float]:
    """Is the ratio of two means within a margin ("slightly", "almost equal")?

    ``E a <= margin * E b`` is a statement about the mean of ``a - margin * b``, a bounded number,
    so the paired bet applies; the same with the two exchanged.

    Parameters
    ----------
    a, b : array_like, shape (trials,)
        R_T / T on common noise, reward units.
    largest_gap : float
        Range of R_T / T.
    margin : float
        The two means count as alike when their ratio lies within [1/margin, margin].
    alpha : float
        Level of each one-sided test (adjust it for the number of claims).

    Returns
    -------
    verdict : Verdict
        SAME, OTHER_SIZE, or OPEN when neither is shown.
    ratio : float
        Ratio of the sample means, a over b.

    Raises
    ------
    ValueError
        If `margin` is not above 1, or values leave the range.

    Examples
    --------
    >>> import numpy as np
    >>> verdict, ratio = size_verdict(np.full(600, 0.3), np.full(600, 0.1), largest_gap=0.9)
    >>> print(verdict, round(ratio, 3))
    OTHER SIZE 3.0
    """
    if not margin > 1.0:
        raise ValueError(f"margin must be above 1, got {margin}")
    first, second = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    paired_wins(first, second)  # same shape, finite
    span = margin * largest_gap
    too_big = bounded_mean_pvalue(first - margin * second, -span, largest_gap)
    too_small = bounded_mean_pvalue(second - margin * first, -span, largest_gap)
    ratio = float(first.mean() / second.mean()) if second.mean() > 0 else math.inf
    if min(too_big[1], too_small[1]) <= alpha / 2:
        return Verdict.OTHER_SIZE, ratio
    if max(too_big[0], too_small[0]) <= alpha:
        return Verdict.SAME, ratio
    return Verdict.OPEN, ratio


def size_settle(
    a: ArrayLike, b: ArrayLike, largest_gap: float, *, margin: float = 1.25, alpha: float = 0.01
) -> float:
    """Trials at which `size_verdict` would decide, if further trials look like these.

    Examples
    --------
    >>> import numpy as np
    >>> size_settle(np.full(9, 0.102), np.full(9, 0.1), largest_gap=0.9) > 9
    True
    """
    first, second = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    span, apart = margin * largest_gap, []
    for difference in (first - margin * second, second - margin * first):
        level = alpha / 2 if difference.mean() > 0 else alpha
        trials = trials_to_decide_mean(difference, -span, largest_gap, level)
        apart.append((difference.mean() > 0, trials))
    # one of the two above 0: outside the margin; both below: inside, and both must be shown
    outside = [trials for above, trials in apart if above]
    return min(outside) if outside else max(trials for _, trials in apart)


def count_verdict(
    printed: int, of: int, failed: ArrayLike, alpha: float = 0.01
) -> tuple[Verdict, float]:
    """Does a printed count of failures differ from ours (Fisher's exact test, two-sided)?

    Parameters
    ----------
    printed, of : int
        Failures and trials in print.
    failed : array_like of bool, shape (trials,)
        Ours.
    alpha : float
        Level of the test.

    Returns
    -------
    verdict : Verdict
        OTHER_SIZE when the test tells the two shares apart, else SAME: the counts are what one
        share can give (which is less than a proof that the shares are equal).
    share : float
        Of our trials.

    Examples
    --------
    >>> import numpy as np
    >>> print(*count_verdict(30, 100, np.arange(600) < 60))
    OTHER SIZE 0.1
    """
    from scipy.stats import fisher_exact

    ours = np.asarray(failed, dtype=bool)
    count = int(ours.sum())
    table = [[printed, of - printed], [count, ours.size - count]]
    differs = float(fisher_exact(table).pvalue) <= alpha
    return (Verdict.OTHER_SIZE if differs else Verdict.SAME), count / ours.size
