"""From runs to verdicts: the comparisons that the ledger asks for, judged by the rule.

Claims of the kind "comparison" or "magnitude" name two curves of an experiment: `family` recomputes
what their verdicts rest on from runs, and `decide` applies the rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hbucb.claims.claim import Claim
from hbucb.claims.ledger import ledger
from hbucb.claims.verdicts import Decision, decide, size_verdict
from hbucb.claims.vocabulary import Verdict
from hbucb.statistics import Comparison, compare

__all__ = ["describe", "family", "judge", "one_number"]


def _final(result: Any, name: str) -> np.ndarray:
    return np.asarray(result[name].regret)[:, -1] / float(np.asarray(result.rounds)[-1])


def family(
    results: Mapping[str, Any], *, stuck: float = 0.1, claims: tuple[Claim, ...] | None = None
) -> tuple[dict[str, Comparison], dict[str, str]]:
    """All comparisons of the ledger that the given runs can answer, and the fair partners.

    Parameters
    ----------
    results : mapping of str to Result
        Experiment name -> a run of all presets with ``coupling="arm"``.
    stuck : float
        A trial is stuck if R_T / T is above this (reward units).
    claims : tuple of Claim, optional
        The whole ledger by default.

    Returns
    -------
    comparisons : dict of str to Comparison
        Claim id -> comparison; and the comparisons with fair rivals under their own ids.
    fair : dict of str to str
        Claim id -> id of the comparison with the fair rival.

    Raises
    ------
    ValueError
        If a run is not coupled by arm: the pairing is what makes the tests sharp.
    """
    comparisons: dict[str, Comparison] = {}
    fair: dict[str, str] = {}
    for claim in ledger() if claims is None else claims:
        if claim.kind != "comparison" or claim.experiment not in results:
            continue
        result = results[claim.experiment]
        coupling = getattr(result, "coupling", "arm")
        if coupling != "arm":
            raise ValueError(f"runs for verdicts need coupling='arm', got {coupling!r}")
        gap = float(np.max(result.bandit.gaps))
        ours = _final(result, claim.better)
        comparisons[claim.id] = compare(ours, _final(result, claim.worse), gap, stuck=stuck)
        rival = claim.fair_rival
        if rival and rival in result.names and "theory" not in claim.reading:
            fair[claim.id] = f"{claim.experiment}/{claim.better}<{rival}"
            comparisons[fair[claim.id]] = compare(ours, _final(result, rival), gap, stuck=stuck)
    return comparisons, fair


def judge(
    results: Mapping[str, Any], *, stuck: float = 0.1, level: float = 0.99
) -> tuple[dict[str, Comparison], dict[str, Decision], dict[str, tuple[Verdict, float]]]:
    """Apply the rule to the runs: comparisons, decisions, and the verdicts on magnitudes.

    Half of ``1 - level`` is spent on the comparisons (Holm) and half, in equal parts, on the
    magnitudes.

    Parameters
    ----------
    results, stuck
        As in `family`.
    level : float
        One minus the chance that anything false is shown.

    Returns
    -------
    comparisons : dict of str to Comparison
    decisions : dict of str to Decision
    sizes : dict of str to (Verdict, float)
        Claim id -> word and the ratio of means, rival's over RUCB-Median's.

    Raises
    ------
    ValueError
        As in `family`.
    """
    comparisons, fair = family(results, stuck=stuck)
    spent = 0.5 * (1.0 - level)
    decisions = decide(comparisons, fair=fair, level=1.0 - spent)
    sized = [c for c in ledger() if c.kind == "magnitude" and c.experiment in results]
    sizes = {}
    for claim in sized:
        result = results[claim.experiment]
        sizes[claim.id] = size_verdict(
            _final(result, claim.worse),
            _final(result, claim.better),
            float(np.max(result.bandit.gaps)),
            alpha=spent / len(sized),
        )
    return comparisons, decisions, sizes


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
    text = f"{claim.better} {asked.a.mean:.3f}, {claim.worse} {asked.b.mean:.3f}"
    if decision.verdict is Verdict.DEPENDS:
        text += f"; ahead in {asked.pair.first} of {asked.trials} trials"
    if fair is not None:
        text += f"; fair rival {fair.b.mean:.3f}"
    return text
