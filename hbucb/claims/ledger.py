"""The ledger: every claim examined, what it says, under which reading, and its verdict.

A claim is a statement in our words with its place in the paper. Verdicts are about statements,
never about papers or people.
"""

from __future__ import annotations

from dataclasses import replace

from hbucb.claims.beyond import beyond
from hbucb.claims.claim import Claim, Ledger
from hbucb.claims.figure_1 import figure_1
from hbucb.claims.figures_2_4 import figures_2_4
from hbucb.claims.recorded import RECORDED
from hbucb.claims.second_paper import eucbv_experiments, eucbv_theory
from hbucb.claims.theorems import theorems
from hbucb.claims.third_experiments import solid_experiments
from hbucb.claims.third_paper import solid_theory
from hbucb.claims.vocabulary import Verdict

SECTIONS = (
    figure_1,
    figures_2_4,
    beyond,
    theorems,
    eucbv_theory,
    eucbv_experiments,
    solid_theory,
    solid_experiments,
)
"""Each gives the claims of one chapter, in the order of the chapters."""


def _all() -> list[Claim]:
    return [claim for section in SECTIONS for claim in section()]


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
    >>> len(rows.of("R1-figure-1"))
    24
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
        for claim in _all()
    )
