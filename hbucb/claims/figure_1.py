"""The ledger: every claim examined, what it says, under which reading, and its verdict.

A claim is a statement in our words with its place in the paper. Verdicts are about statements,
never about papers or people. Claims of the kind "comparison" or "magnitude" name two curves of an
experiment: `family` recomputes what their verdicts rest on from runs, and `decide` applies the
rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from hbucb.claims.claim import Claim, Ledger
from hbucb.claims.recorded import RECORDED
from hbucb.claims.verdicts import Decision, decide, size_verdict
from hbucb.claims.vocabulary import Verdict
from hbucb.statistics import Comparison, compare

__all__ = ["describe", "family", "judge", "ledger", "one_number"]

_OURS = ("SGD-UCB", "SGD-UCB-Median", "SGD-UCB-SMoM")
_PAPER = "Dorn et al., arXiv 2402.07062"
_ASSUMPTION = (
    "Assumption 1 (symmetry, a moment of some order) holds; Assumption 6 (finite variance of the "
    "gradient) fails for all three variants: a median of three Cauchy draws has none"
)
_HANDICAP = "RUCB-Median is run with eps = 0, so that its bonus is one constant: it is greedy"


def _figure_1() -> list[Claim]:
    claims = []
    chapter = "R1-figure-1"

    def add(experiment: str, better: str, worse: str, statement: str, **other: str) -> None:
        claims.append(
            Claim(
                id=f"{experiment}/{better}<{worse}",
                statement=statement,
                group=other.pop("group"),
                source=f"{_PAPER}, section 3.1, text on Figure 1",
                kind="comparison",
                assumptions=_ASSUMPTION,
                verdict=Verdict.NOT_ATTEMPTED,
                reading=other.pop("reading", "authors"),
                numbers="not run yet",
                chapter=chapter,
                experiment=experiment,
                better=better,
                worse=worse,
                note=other.pop("note", ""),
            )
        )

    for experiment, environment in (("F1a", "Env1"), ("F1b", "Env2")):
        for ours in _OURS:
            for rival in ("UCB", "RUCB-Median"):
                add(
                    experiment,
                    ours,
                    rival,
                    f"{ours} outperforms {rival} in {environment} under Cauchy noise",
                    group=f"{environment}: the SGD family outperforms {rival}",
                    note=_HANDICAP if rival == "RUCB-Median" else "",
                )
        for rival in ("UCB", "RUCB-Median"):
            add(
                experiment,
                "SGD-UCB (theory)",
                rival,
                f"SGD-UCB with the constants that Theorem 10 prints outperforms {rival} in "
                f"{environment}",
                reading="theory",
                group="Env1 and Env2: SGD-UCB as the theorem has it outperforms both rivals",
                note="Cauchy noise has no standard deviation; sigma = 1 is a choice of this replay",
            )
    for ours in _OURS:
        add(
            "F1c",
            "RUCB-Median",
            ours,
            f"in Env3 RUCB-Median needs fewer steps than {ours} to the same mean regret",
            group="Env3: RUCB-Median converges faster per step",
        )
    for ours in _OURS:
        claims.append(
            Claim(
                id=f"F1c/size:{ours}",
                statement=f"in Env3 RUCB-Median is only slightly ahead of {ours}",
                source=f"{_PAPER}, section 3.1, text on Figure 1",
                kind="magnitude",
                assumptions=_ASSUMPTION,
                verdict=Verdict.NOT_ATTEMPTED,
                reading='authors; "slightly" = ratio of the means at T within 1.25',
                numbers="not run yet",
                chapter=chapter,
                experiment="F1c",
                better="RUCB-Median",
                worse=ours,
                group="Env3: only slightly faster",
            )
        )
    claims.append(
        Claim(
            id="F1/values",
            group="The heights of the curves",
            statement="the heights of the curves of Figure 1",
            source=f"{_PAPER}, Figure 1",
            kind="magnitude",
            assumptions=_ASSUMPTION,
            verdict=Verdict.NOT_ENOUGH_INFORMATION,
            reading="none",
            numbers="the text states no value of any curve",
            chapter=chapter,
            note="missing: the data behind the picture, the constants of each curve, the seeds",
        )
    )
    claims.append(
        Claim(
            id="F1/convergence",
            group="The SGD family converges without expectation",
            statement="the mean regret of the SGD family goes to zero, noise without expectation",
            source=f"{_PAPER}, section 4",
            kind="qualitative",
            assumptions=_ASSUMPTION,
            verdict=Verdict.NOT_ATTEMPTED,
            reading="authors",
            numbers="needs horizons beyond the figure's",
            chapter=chapter,
            note="1e4 pulls cannot tell a slow decay from a floor",
        )
    )
    return claims


def ledger() -> Ledger:
    """All claims with their verdicts, in the order of the chapters.

    Returns
    -------
    Ledger
        A tuple of `Claim` that prints as a table; ``.of(chapter)`` picks a chapter's rows.

    Examples
    --------
    >>> rows = ledger()
    >>> rows[0].id, rows[0].chapter
    ('F1a/SGD-UCB<UCB', 'R1-figure-1')
    >>> len(rows.of("R1-figure-1")) == len(rows)
    True
    """
    return Ledger(
        replace(
            claim,
            verdict=Verdict(RECORDED[claim.id][0]),
            short=RECORDED[claim.id][1],
            numbers=RECORDED[claim.id][2],
        )
        if claim.id in RECORDED
        else claim
        for claim in _figure_1()
    )


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
