"""From runs to verdicts: the comparisons that the ledger asks for, judged by the rule.

Claims of the kind "comparison" or "magnitude" name two curves of an experiment: `family` recomputes
what their verdicts rest on from runs, and `decide` applies the rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from hbucb.claims.claim import Claim
from hbucb.claims.ledger import ledger
from hbucb.claims.sizes import count_verdict, size_verdict
from hbucb.claims.verdicts import Decision, decide, two_sided
from hbucb.claims.vocabulary import Verdict
from hbucb.statistics import Comparison, compare, paired_pvalues

LOOKS = 2
"""Runs that may have judged a row: a first one, and a second one where the first left it open."""

__all__ = ["LOOKS", "fair_partners", "family", "judge", "measured", "sized_pair"]


def measured(result: Any, claim: Claim, name: str) -> tuple[np.ndarray, float, float]:
    """What a claim compares, of one policy: values (trials,), their largest, and the stuck level.

    Parameters
    ----------
    result : Result or Stored
        A run of the claim's experiment.
    claim : Claim
        Its ``metric`` says what is measured; R_T / T if it says nothing.
    name : str
        The policy.

    Returns
    -------
    values : ndarray, shape (trials,)
        Reward units per pull; 0 or 1 for "fail".
    largest, stuck : float
        Range and level in the same unit.
    """
    from hbucb.experiments import experiment

    plan = experiment(claim.experiment)
    rounds, regret = np.asarray(result.rounds), np.asarray(result[name].regret)
    gap = float(np.max(result.bandit.gaps))
    target = claim.metric.partition("fail ")[2]
    if claim.metric == "late":
        half = int(np.searchsorted(rounds, rounds[-1] // 2))
        late = (regret[:, -1] - regret[:, half]) / float(rounds[-1] - rounds[half])
        return late, gap, plan.stuck
    if target:
        return _failed(result, name, float(target), plan), 1.0, 0.5
    return regret[:, -1] / float(rounds[-1]), gap, plan.stuck


def _failed(result: Any, name: str, target: float, plan: Any) -> np.ndarray:
    from hbucb.experiments import hitting_times

    hits = getattr(result, "hits", None)
    if hits is not None:
        times = hits[name][:, plan.targets.index(target)]
    else:
        times = hitting_times(result, name, target, after=plan.horizon // 50)
    return np.isinf(times).astype(float)


def _other(result: Any, claim: Claim) -> np.ndarray:
    """What the values of the better one are compared with."""
    if claim.metric != "halves":
        return measured(result, claim, claim.worse)[0]
    rounds, regret = np.asarray(result.rounds), np.asarray(result[claim.worse].regret)
    early = int(np.searchsorted(rounds, rounds[-1] // 100))
    return 0.5 * regret[:, early] / float(rounds[early])


def _pairs(
    results: Mapping[str, Any], claims: tuple[Claim, ...] | None = None
) -> Iterator[tuple[str, str, tuple[np.ndarray, np.ndarray, float, float]]]:
    """(id, id of the claim if it is its fair partner, what `compare` takes) of every comparison."""
    for claim in ledger() if claims is None else claims:
        if claim.kind == "magnitude" or claim.experiment not in results:
            continue
        result = results[claim.experiment]
        coupling = getattr(result, "coupling", "arm")
        if coupling != "arm":
            raise ValueError(f"runs for verdicts need coupling='arm', got {coupling!r}")
        ours, gap, stuck = measured(result, claim, claim.better)
        yield claim.id, "", (ours, _other(result, claim), gap, stuck)
        other = claim.fair_rival
        if other and not claim.metric and other in result.names and "theory" not in claim.reading:
            partner = f"{claim.experiment}/{claim.better}<{other}"
            yield partner, claim.id, (ours, measured(result, claim, other)[0], gap, stuck)


def family(
    results: Mapping[str, Any], *, claims: tuple[Claim, ...] | None = None
) -> tuple[dict[str, Comparison], dict[str, str]]:
    """All comparisons of the ledger that the given runs can answer, and the fair partners.

    Parameters
    ----------
    results : mapping of str to Result or Stored
        Experiment -> a run with ``coupling="arm"`` of the policies that its claims name.
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
    for id, claim, (ours, rival, gap, stuck) in _pairs(results, claims):
        comparisons[id] = compare(ours, rival, gap, stuck=stuck)
        if claim:
            fair[claim] = id
    return comparisons, fair


def fair_partners(results: Mapping[str, Any]) -> dict[str, str]:
    """Claim id -> id of the comparison with the fair form of its rival."""
    return {claim: id for id, claim, _ in _pairs(results) if claim}


def judge(
    results: Mapping[str, Any], *, level: float = 0.99, others: Mapping[str, Any] | None = None
) -> tuple[dict[str, Comparison], dict[str, Decision], dict[str, tuple[Verdict, float]]]:
    """Apply the rule to the runs: comparisons, decisions, and the verdicts on magnitudes.

    Half of ``1 - level`` is spent on the comparisons (Holm, over the whole ledger) and half, in
    equal parts, on the magnitudes. Each p-value counts `LOOKS` times, as a row that a first run
    left open was judged again by a run on other noise: the smaller one of two p-values, doubled, is
    a p-value, whatever decided which of the two is kept.

    Parameters
    ----------
    results
        As in `family`.
    level : float
        One minus the chance that the ledger shows anything false.
    others : mapping of str to Stored, optional
        Runs of the other experiments, whose tests belong to the same family; the stored ones by
        default.

    Returns
    -------
    comparisons : dict of str to Comparison
    decisions : dict of str to Decision
    sizes : dict of str to (Verdict, float)
        Claim id -> word and the ratio of means, rival's over the better one's; for a count of
        Table 1, the share of trials that failed here.

    Raises
    ------
    ValueError
        As in `family`.
    """
    if others is None:
        from hbucb.replay.stored import load, stored_ids

        others = {id: load(id) for id in stored_ids() if id not in results}
    comparisons, fair = family(results)
    elsewhere = {
        id: two_sided(paired_pvalues(ours, rival, gap, stuck=stuck))
        for id, _, (ours, rival, gap, stuck) in _pairs(others)
    }
    spent = 0.5 * (1.0 - level) / LOOKS
    decisions = decide(
        comparisons,
        fair=fair,
        level=1.0 - spent,
        others=[p for test in elsewhere.values() for p in test.values()],
    )
    sized = [c for c in ledger() if c.kind == "magnitude" and c.experiment]
    sizes = {
        claim.id: _size(results[claim.experiment], claim, spent / len(sized))
        for claim in sized
        if claim.experiment in results
    }
    return comparisons, decisions, sizes


def sized_pair(result: Any, claim: Claim) -> tuple[np.ndarray, np.ndarray, float]:
    """What `size_verdict` compares for a magnitude: (ours, the other or the printed value, gap)."""
    ours, gap, _ = measured(result, claim, claim.worse)
    kind, _, printed = claim.metric.partition(" ")
    if kind == "value":
        return ours, np.full(ours.size, float(printed)), gap
    return ours, measured(result, claim, claim.better)[0], gap


def _size(result: Any, claim: Claim, alpha: float) -> tuple[Verdict, float]:
    ours, other, gap = sized_pair(result, claim)
    if claim.metric.startswith("count"):
        return count_verdict(int(claim.metric.split()[1]), 100, ours, alpha)
    return size_verdict(ours, other, gap, alpha=alpha)
