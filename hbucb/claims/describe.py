"""The numbers behind a verdict in words, as the ledger records them."""

from __future__ import annotations

import math

from hbucb.claims.claim import Claim
from hbucb.claims.verdicts import Decision
from hbucb.claims.vocabulary import Verdict
from hbucb.statistics import Comparison

_SIDE = {1: "for", 0: "not shown", -1: "against"}


def describe(asked: Comparison, decision: Decision, fair: Decision | None = None) -> str:
    """The numbers behind a verdict in one line, as the ledger records them.

    Parameters
    ----------
    asked : Comparison
    decision : Decision
    fair : Decision, optional
        What the rule says of the same policy against the fair version of its rival.

    Returns
    -------
    str
    """
    d, side = asked.difference, {k: _SIDE[v] for k, v in decision.sides.items()}
    text = (
        f"mean difference {d.mean:.3f} [{d.low:.3f}, {d.high:.3f}] ({side['mean']}); "
        f"stuck: only the rival {asked.stuck.first}, only this one {asked.stuck.second} "
        f"({side['stuck']}); pairs: better in {asked.pair.first}, worse in {asked.pair.second} "
        f"({side['pair']}); {asked.trials} trials"
    )
    if decision.settle == decision.settle:  # not nan: the verdict is OPEN
        text += f"; {decision.settle:.0f} trials would settle the mean"
    return text if fair is None else f"{text}; against the fair baseline: {fair.verdict}"


def one_number(
    claim: Claim, asked: Comparison, decision: Decision, fair: Comparison | None = None
) -> str:
    """The number that a table of verdicts shows: mean R_T / T of both, in reward units.

    Parameters
    ----------
    claim : Claim
    asked : Comparison
    decision : Decision
    fair : Comparison, optional
        The comparison with the fair rival.

    Returns
    -------
    str
    """
    if claim.metric == "halves":
        text = f"at the end {asked.a.mean:.4f}, half of the early value {asked.b.mean:.4f}"
    elif claim.metric.startswith("fail"):
        text = f"{claim.better} misses in {asked.a.mean:.0%}, {claim.worse} {asked.b.mean:.0%}"
    else:
        a, b = (f"{x:.3f}" if x >= 0.01 else f"{x:.1e}" for x in (asked.a.mean, asked.b.mean))
        text = f"{claim.better} {a}, {claim.worse} {b}"
    if decision.verdict is Verdict.DEPENDS:
        text += f"; ahead in {asked.pair.first} of {asked.trials} trials"
    if fair is not None:
        text += f"; fair rival {fair.b.mean:.3f}"
    return text


def describe_size(
    claim: Claim, ratio: float, trials: int, settle: float = math.nan
) -> tuple[str, str]:
    """One number and the numbers of a magnitude, as the ledger records them.

    Parameters
    ----------
    claim : Claim
    ratio : float
        As `judge` gives it.
    trials : int
    settle : float
        Trials that would decide, where the verdict is OPEN.

    Returns
    -------
    short, numbers : str
    """
    printed = claim.metric.split()[1] if claim.metric else ""
    if claim.metric.startswith("value"):
        short = f"read off {printed}, here {ratio * float(printed):.3f}"
        numbers = f"{short}; {trials} trials"
        return short, numbers if math.isnan(settle) else f"{numbers}; {settle:.0f} would settle it"
    if claim.metric:
        short = f"printed {printed} of 100, here {ratio:.1%}"
        return short, f"{short} of {trials} trials"
    short = f"{claim.worse} has {ratio:.2f} times the mean"
    numbers = f"{short} of {claim.better} at T; {trials} trials"
    return short, numbers if math.isnan(settle) else f"{numbers}; {settle:.0f} would settle it"
