"""The rule that gives a verdict to an empirical comparison.

The rule is fixed before any full-size run. "A does better than B" has three readings, and each
gets its own test on common noise, valid at every number of trials:

- *mean*: A's mean regret per pull is lower (what a figure of mean curves shows). The difference
  lies in [-largest gap, largest gap]; the test bets on it (`hbucb.statistics.betting`).
- *stuck*: A gets stuck less often (exact binomial test of the discordant trials).
- *pair*: A ends a random trial with less regret (exact binomial test, ties set apart).

All tests of all claims of a chapter are adjusted together (Holm). A verdict needs the mean, and
the mean never decides alone: if one reading is shown on the claimed side and another one on the
other side, the words of the claim do not say which is meant, and the verdict is
DEPENDS ON READING.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hbucb.arguments import is_plain
from hbucb.claims.vocabulary import Verdict
from hbucb.statistics import holm
from hbucb.statistics.comparisons import READINGS, Comparison

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "Decision",
    "decide",
    "two_sided",
]


@dataclass(frozen=True)
class Decision:
    """What the rule says about one claim.

    Attributes
    ----------
    verdict : Verdict
    sides : dict of str to int
        Reading -> +1 shown on the claimed side, -1 on the other side, 0 silent.
    adjusted : dict of str to float
        Reading -> two-sided p-value, Holm-adjusted over the whole family.
    settle : float
        For OPEN: trials that would decide the mean (unadjusted level); else nan.
    """

    verdict: Verdict
    sides: dict[str, int]
    adjusted: dict[str, float]
    settle: float


def decide(
    comparisons: Mapping[str, Comparison],
    *,
    fair: Mapping[str, str] | None = None,
    level: float = 0.99,
    others: Sequence[float] = (),
) -> dict[str, Decision]:
    """Apply the rule to all comparisons of a chapter together.

    1. Each reading of each comparison has a two-sided p-value, twice the smaller one-sided one;
       all of them are Holm-adjusted together. Below ``1 - level`` the reading is *shown*, on the
       side of the smaller one.
    2. Readings shown on both sides: DEPENDS ON READING.
    3. Else the mean decides: shown on the claimed side CONFIRMED, on the other side REFUTED,
       not shown OPEN (with the number of trials that would settle it).
    4. A CONFIRMED claim whose comparison with a fair rival is not CONFIRMED becomes
       CONFIRMED, NOT AGAINST A FAIR BASELINE.

    Parameters
    ----------
    comparisons : mapping of str to Comparison
        The family: the claims, and the comparisons with fair rivals.
    fair : mapping of str to str, optional
        Claim -> the comparison of the same policy with the fair version of its rival.
    level : float
        One minus the chance that the family shows anything false.
    others : sequence of float
        Two-sided p-values of further tests of the family, judged elsewhere.

    Returns
    -------
    dict of str to Decision

    Raises
    ------
    ValueError
        If `fair` names an unknown comparison, or `level` is outside (0, 1).

    Examples
    --------
    >>> import numpy as np
    >>> from hbucb.statistics import compare
    >>> asked = compare(np.full(99, 0.1), np.full(99, 0.5), largest_gap=0.9, stuck=0.2)
    >>> print(decide({"A < B": asked})["A < B"].verdict)
    CONFIRMED
    """
    if not isinstance(comparisons, Mapping):
        raise ValueError(f"comparisons is {comparisons!r}; give a dict of claims and comparisons")
    if not (is_plain(level) and 0.0 < level < 1.0):
        raise ValueError(f"level must lie strictly between 0 and 1, got {level}")
    fair = {} if fair is None else dict(fair)
    for claim, rival in fair.items():
        if claim not in comparisons or rival not in comparisons:
            raise ValueError(f"fair names an unknown comparison: {claim!r} -> {rival!r}")
    raw = [p for asked in comparisons.values() for p in two_sided(asked.pvalues).values()]
    adjusted = holm([*raw, *others])[: len(raw)].reshape(-1, len(READINGS))
    decisions = {
        claim: _decide_one(asked, row, 1.0 - level)
        for (claim, asked), row in zip(comparisons.items(), adjusted, strict=True)
    }
    plain = {claim: decision.verdict for claim, decision in decisions.items()}
    for claim, rival in fair.items():
        if plain[claim] is Verdict.CONFIRMED and plain[rival] is not Verdict.CONFIRMED:
            old = decisions[claim]
            decisions[claim] = Decision(
                Verdict.NOT_AGAINST_FAIR, old.sides, old.adjusted, old.settle
            )
    return decisions


def two_sided(pvalues: Mapping[str, tuple[float, float]]) -> dict[str, float]:
    """Reading -> two-sided p-value, twice the smaller one-sided one.

    Examples
    --------
    >>> two_sided({"pair": (0.01, 1.0), "mean": (0.7, 0.8)})
    {'pair': 0.02, 'mean': 1.0}
    """
    return {reading: min(1.0, 2.0 * min(pvalues[reading])) for reading in pvalues}


def _decide_one(asked: Comparison, row: NDArray[np.float64], alpha: float) -> Decision:
    sides = {}
    for reading, p in zip(READINGS, row, strict=True):
        for_claim, against = asked.pvalues[reading]
        sides[reading] = 0 if p > alpha else (1 if for_claim < against else -1)
    settle = math.nan
    if 1 in sides.values() and -1 in sides.values():
        verdict = Verdict.DEPENDS
    elif sides["mean"] == 1:
        verdict = Verdict.CONFIRMED
    elif sides["mean"] == -1:
        verdict = Verdict.REFUTED
    else:
        verdict, settle = Verdict.OPEN, asked.settle("mean")
    adjusted = dict(zip(READINGS, (float(p) for p in row), strict=True))
    return Decision(verdict, sides, adjusted, settle)
