"""The closed list of words that a claim can get."""

from __future__ import annotations

from enum import Enum


class Verdict(Enum):
    """The words a claim can get, and no others."""

    PROVED = "PROVED"
    CORRECTED = "CORRECTED"
    REFUTED = "REFUTED"
    VACUOUS = "VACUOUS AT SIZE"
    STATED = "STATED"
    CONFIRMED = "CONFIRMED"
    OPEN = "OPEN"
    NOT_AGAINST_FAIR = "CONFIRMED, NOT AGAINST A FAIR BASELINE"
    DEPENDS = "DEPENDS ON READING"
    SAME = "SAME"
    OTHER_SIZE = "OTHER SIZE"
    NOT_ATTEMPTED = "NOT ATTEMPTED"
    NOT_ENOUGH_INFORMATION = "NOT ENOUGH INFORMATION"
    OUT_OF_REACH = "OUT OF REACH"

    def __str__(self) -> str:
        return self.value

    @property
    def icon(self) -> str:
        """A sign that stands beside the word, so that colour is never needed."""
        return _ICONS[self]

    @property
    def colour(self) -> str:
        """Blue where the statement stands, vermilion where it does not, violet and rose between."""
        if self in (Verdict.PROVED, Verdict.CONFIRMED, Verdict.SAME):
            return "#0072B2"
        if self in (Verdict.REFUTED, Verdict.OTHER_SIZE, Verdict.VACUOUS):
            return "#D55E00"
        if self in (Verdict.DEPENDS, Verdict.NOT_AGAINST_FAIR, Verdict.CORRECTED, Verdict.OPEN):
            return "#8811EE"
        return "#BB8888"


_ICONS = {
    Verdict.PROVED: "✔",
    Verdict.CORRECTED: "✎",
    Verdict.REFUTED: "✘",
    Verdict.VACUOUS: "∅",
    Verdict.STATED: "“",
    Verdict.CONFIRMED: "✔",
    Verdict.OPEN: "?",
    Verdict.NOT_AGAINST_FAIR: "◐",
    Verdict.DEPENDS: "⇄",
    Verdict.SAME: "=",
    Verdict.OTHER_SIZE: "≠",
    Verdict.NOT_ATTEMPTED: "–",
    Verdict.NOT_ENOUGH_INFORMATION: "…",
    Verdict.OUT_OF_REACH: "⊘",
}
