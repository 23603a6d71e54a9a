"""A claim, and the ledger that prints as a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from hbucb.claims.vocabulary import Verdict

KINDS = ("theorem", "comparison", "magnitude", "speed", "qualitative")

FAIR_RIVAL = {"RUCB-Median": "Median of means (fair)"}
"""What a handicapped baseline is replaced by when it is given a fair chance."""


@dataclass(frozen=True)
class Claim:
    """One row of the ledger.

    Attributes
    ----------
    id : str
        Unique; for a comparison "experiment/better<worse".
    statement : str
        The claim in our words.
    source : str
        Section and figure of the paper.
    kind : str
        One of `KINDS`.
    assumptions : str
        Whether the paper's own assumptions hold in this experiment.
    verdict : Verdict
    reading : str
        Which reading of the text or code the verdict is about.
    numbers : str
        Estimate, interval and size, or why there are none.
    chapter : str
        Name of the chapter that shows it.
    experiment, better, worse : str
        For comparisons: the experiment and its two curves; else empty.
    note : str
        A handicap, the readings that differ, what is missing.
    group : str
        The sentence of the paper that this row is a part of (rows of one sentence stand together).
    short : str
        One number.
    metric : str
        What is compared, where it is not R_T / T of two curves: "late" (regret per pull in the
        second half), "fail 0.1" (the target of Table 1 not reached), "halves" (R_T / T against half
        of its value after a hundredth of the pulls), "count 7 fail 0.1" and "value 0.4" (against a
        printed number).
    evidence : tuple of str
        For theorems: what supports the verdict, as names of the package or ids of errata.
    """

    id: str
    statement: str
    source: str
    kind: str
    assumptions: str
    verdict: Verdict
    reading: str
    numbers: str
    chapter: str
    experiment: str = ""
    better: str = ""
    worse: str = ""
    note: str = ""
    group: str = ""
    short: str = ""
    metric: str = ""
    evidence: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"kind must be one of {KINDS}, got {self.kind!r}")
        if not isinstance(self.verdict, Verdict):
            raise ValueError(f"verdict must be a Verdict, got {self.verdict!r}")
        for name in ("id", "statement", "source", "assumptions", "reading", "numbers", "chapter"):
            if not getattr(self, name):
                raise ValueError(f"{name} must not be empty (claim {self.id!r})")

    @property
    def fair_rival(self) -> str:
        """The fair version of the rival, or empty."""
        return FAIR_RIVAL.get(self.worse, "") if self.kind == "comparison" else ""


class Ledger(tuple[Claim, ...]):
    """Claims that print as a table, the rows of one sentence of a paper together."""

    def of(self, chapter: str) -> Ledger:
        """The rows of one chapter."""
        return Ledger(claim for claim in self if claim.chapter == chapter)

    def sentences(self) -> Iterator[tuple[str, str, str, Verdict]]:
        """(sentence, verdict with icon and count, one number, verdict), a row each."""
        groups: dict[tuple[str, Verdict], list[Claim]] = {}
        for claim in self:
            groups.setdefault((claim.group or claim.statement, claim.verdict), []).append(claim)
        for (sentence, verdict), claims in groups.items():
            count = f" ({len(claims)} of {len(claims)})" if len(claims) > 1 else ""
            split = [v for (other, v) in groups if other == sentence]
            if len(split) > 1:
                count = f" ({len(claims)})"
            number = claims[0].short or claims[0].numbers
            yield sentence, f"{verdict.icon} {verdict}{count}", number, verdict

    def rows_html(self) -> str:
        """All rows, one each, with the numbers behind the verdicts, as an HTML table."""
        body = "".join(
            f'<tr><td {_LEFT}">{escape(claim.statement)}</td>'
            f'<td {_LEFT};border-left:.4em solid {claim.verdict.colour}">'
            f"{claim.verdict.icon} {escape(str(claim.verdict))}</td>"
            f'<td {_LEFT}">{escape(claim.reading)}</td>'
            f'<td {_LEFT}">{escape(claim.numbers)}</td></tr>'
            for claim in self
        )
        return _table(("Statement", "Verdict", "Reading", "Numbers"), body)

    def __repr__(self) -> str:
        return "\n".join(f"{a}\n    {b}\n    {c}" for a, b, c, _ in self.sentences())

    __str__ = __repr__

    def _repr_html_(self) -> str:
        body = "".join(
            f'<tr><td {_LEFT}">{escape(sentence)}</td>'
            f'<td {_LEFT};border-left:.4em solid {word.colour}">{escape(verdict)}</td>'
            f'<td {_LEFT}">{escape(number)}</td></tr>'
            for sentence, verdict, number, word in self.sentences()
        )
        return _table(("What the paper says", "Verdict", "One number"), body)


_LEFT = 'style="text-align:left'


def _table(names: tuple[str, ...], body: str) -> str:
    head = "".join(f'<th {_LEFT}">{name}</th>' for name in names)
    return (
        '<div style="overflow-x:auto"><table class="table ledger">'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )
