"""The claims of Tirinzoni et al. (arXiv 2010.12247) on its experiments.

The verdicts of the comparisons are those that ``python -m hbucb.replay.third`` wrote from stored
runs, by the rule of `hbucb.replay.third_verdicts`.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from hbucb.claims.claim import Claim
from hbucb.claims.third_questions import questions
from hbucb.claims.vocabulary import Verdict

FILE = Path(__file__).with_name("third_recorded.json")
PAPER = "Tirinzoni et al., arXiv 2010.12247"
_AUDIT = "24-third-paper"
_OWN = "Gaussian noise holds; the experiments' widths and lambda_max are not those of the theorems"
_READING = (
    "SOLID with the printed schedule and with public constants; LinTS at two scales; sigma = .5, "
    "exact paired tests"
)

#: id, statement, section, verdict, numbers: what needs no paired test.
_OTHERS: tuple[tuple[str, str, str, Verdict, str], ...] = (
    (
        "S1/allocation", "toy: the lower bound explores in one pair only, (x2, a1)",
        "section 6", Verdict.CONFIRMED, "exact: v* = 10 sigma^2, 50 sigma^2 pulls there",
    ),
    (
        "S1/multiplier", "SOLID without the constraint (lambda_max = 0) has sublinear regret",
        "section 5", Verdict.CONFIRMED,
        "toy, practical set: the multiplier never leaves 0, so it is the same player",
    ),
    (
        "S3/data", "on a real dataset SOLID compares well", "Appendix K",
        Verdict.NOT_ENOUGH_INFORMATION, "neither data, sizes nor plots are in the text available",
    ),
)  # fmt: skip


@cache
def recorded() -> dict[str, list[str]]:
    """Question id -> [verdict, numbers]."""
    return dict(json.loads(FILE.read_text(encoding="utf-8")))


def solid_experiments() -> list[Claim]:
    """The rows of the third paper's experiments."""
    rows = []
    for question in questions():
        word, numbers = recorded()[question.id]
        rows.append(
            Claim(
                id=question.id,
                statement=question.statement,
                source=f"{PAPER}, section 6",
                kind="comparison",
                assumptions=_OWN,
                verdict=Verdict(word),
                reading=_READING,
                numbers=numbers,
                chapter=_AUDIT,
                group=question.group,
                short=numbers.split("; ")[0],
            )
        )
    rows += [
        Claim(
            id=id,
            statement=statement,
            source=f"{PAPER}, {where}",
            kind="qualitative",
            assumptions=_OWN,
            verdict=verdict,
            reading="as printed",
            numbers=numbers,
            chapter=_AUDIT,
            short=numbers,
        )
        for id, statement, where, verdict, numbers in _OTHERS
    ]
    return rows
