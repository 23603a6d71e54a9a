"""Errata of the papers as data: what is printed, what is true, and what it changes.

The book's page "Errata" shows each of them: the proof, or the run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from hbucb.claims.first_paper_errata import FIRST_PAPER
from hbucb.claims.second_paper_errata import SECOND_PAPER
from hbucb.claims.third_paper_errata import THIRD_PAPER

KINDS = (
    "false statement",
    "proof gap",
    "missing assumption",
    "wrong constant",
    "misprint",
    "code differs from text",
    "experiment design",
)

SHOWN_BY = ("proof", "run", "text", "public code")


@dataclass(frozen=True)
class Erratum:
    """One thing in a paper that is not as printed.

    Attributes
    ----------
    id : str
        Unique: letters and a number, such as "E3".
    paper : str
        Key of the paper in the book's bibliography.
    place : str
        Where it is printed.
    title : str
        One line.
    printed, true : str
        What the paper prints, in our words, and what is true.
    kind : str
        One of `KINDS`.
    consequence : str
        What it changes for a reader or a user.
    shown_by : str
        One of `SHOWN_BY`: how the book's entry shows it.
    chapter : str
        Chapter that treats it at length; "errata" if none does.
    confirmed : bool
        Whether this project has checked it itself.

    Raises
    ------
    ValueError
        For an unknown kind, an empty field or an id of another form.
    """

    id: str
    paper: str
    place: str
    title: str
    printed: str
    true: str
    kind: str
    consequence: str
    shown_by: str
    chapter: str = "errata"
    confirmed: bool = True

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[A-Z][A-Za-z]*\d+", self.id):
            raise ValueError(f"id is {self.id!r}; letters and a number such as 'E3' are allowed")
        if self.kind not in KINDS:
            raise ValueError(f"kind is {self.kind!r} ({self.id}); allowed: {', '.join(KINDS)}")
        if self.shown_by not in SHOWN_BY:
            raise ValueError(
                f"shown_by is {self.shown_by!r} ({self.id}); allowed: {', '.join(SHOWN_BY)}"
            )
        for name in ("paper", "place", "title", "printed", "true", "consequence", "chapter"):
            if not getattr(self, name):
                raise ValueError(f"{name} must not be empty (erratum {self.id})")

    @property
    def label(self) -> str:
        """Label of its entry in the book."""
        return f"errata-{self.id.lower()}"


ERRATA: tuple[Erratum, ...] = tuple(
    Erratum(*row) for row in (*FIRST_PAPER, *SECOND_PAPER, *THIRD_PAPER)
)
"""All errata, in the order of the page; further papers append theirs."""


def errata(paper: str | None = None) -> tuple[Erratum, ...]:
    """The errata, of one paper or of all.

    Parameters
    ----------
    paper : str, optional
        Key in the bibliography.

    Examples
    --------
    >>> errata("bubeck2013")[0].id, len(errata())
    ('E21', 51)
    """
    papers = {entry.paper for entry in ERRATA}
    if paper is not None and paper not in papers:
        raise ValueError(f"paper is {paper!r}; allowed: {', '.join(sorted(papers))}")
    return tuple(entry for entry in ERRATA if paper in (None, entry.paper))


def errata_table(entries: Iterable[Erratum] | None = None) -> str:
    """The errata as a Markdown table whose first column leads to the entries.

    Examples
    --------
    >>> print(errata_table(errata("bubeck2013")).splitlines()[2][:38])
    | [E21](#errata-e21) | The constant of
    """
    lines = ["| id | what | kind | what it changes |", "| --- | --- | --- | --- |"]
    for entry in ERRATA if entries is None else entries:
        kind = entry.kind if entry.confirmed else f"{entry.kind} (not confirmed)"
        cells = (f"[{entry.id}](#{entry.label})", entry.title, kind, entry.consequence)
        lines.append("| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |")
    return "\n".join(lines)
