"""New numbers for a question, for those who teach with the book."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hbucb.checks import reading, sealing
from hbucb.checks.questions import Question, all_questions
from hbucb.checks.sealed import verdict_on
from hbucb.checks.verdicts import Verdict


@dataclass(frozen=True)
class Variant:
    """A question with other numbers than the book's; printing it gives its text.

    Parameters
    ----------
    id : str
        Of the exercise.
    seed : object
        What the numbers were drawn from.
    given : mapping
        The numbers by name.
    text : str
        The question.
    """

    id: str
    seed: object
    given: Mapping[str, Any]
    text: str

    def __str__(self) -> str:
        return f"{self.name}: {self.text}"

    @property
    def name(self) -> str:
        """The id with the seed."""
        return f"{self.id}, seed {self.seed}"

    def judge(self, answer: Any) -> Verdict:
        """The verdict on an answer, computed from the reference."""
        question = all_questions()[self.id]
        assert isinstance(question, Question)
        if reading.is_unanswered(answer):
            return Verdict(self.name, "unanswered", reading.UNANSWERED)
        value, fault = reading.READERS[question.kind](answer)
        if value is None:
            return Verdict(self.name, "wrong", fault)
        anchors = question.anchors(self.given)

        def opened(guess: Any) -> tuple[bool, str] | None:
            for anchor in anchors:
                if _same(question, anchor.value, guess):
                    # remarks speak of the book's numbers
                    return anchor.right, "" if anchor.right else anchor.message
            return None

        return verdict_on(self.name, question.kind, value, opened)


def _same(question: Question, expected: Any, guess: Any) -> bool:
    if not question.width:
        return str(expected) == str(guess)
    scale, width = question.scale, question.width
    shift = sealing.offset(float(expected), scale, width)
    return sealing.bucket(float(guess), scale, width, shift) == sealing.bucket(
        float(expected), scale, width, shift
    )


def variant(identifier: str, seed: object) -> Variant:
    """See :meth:`hbucb.checks.Check.variant`."""
    known = {
        name: question
        for name, question in all_questions().items()
        if isinstance(question, Question) and question.vary
    }
    if identifier not in known:
        raise ValueError(
            f"id = {identifier!r} has no variants; allowed are {', '.join(sorted(known))}"
        )
    question = known[identifier]
    given = question.draw(seed)
    return Variant(identifier, seed, given, question.ask.format(**given))
