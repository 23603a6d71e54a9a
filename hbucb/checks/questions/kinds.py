"""Kinds of questions and how they are written down."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hbucb.checks import sealing
from hbucb.checks.sealing import Anchor

Answers = Callable[..., Iterable[Anchor]]
MISTAKE_POINTS = 3  # points of a formula at which known mistakes are sealed too


def right(value: float | str, remark: str = "") -> Anchor:
    """The right answer and a remark that only a right answer shows."""
    return Anchor(value, remark, True)


def wrong(value: float | str, hint: str) -> Anchor:
    """The answer that a known mistake gives, and the hint for it."""
    return Anchor(value, hint)


@dataclass(frozen=True)
class Question:
    """A question for one number, whole number, row of arms, choice or name.

    Parameters
    ----------
    id, kind, ask : str
        `ask` may hold the names of the numbers in braces.
    answers : callable
        Of the given numbers; returns anchors, one of them right (several, if several forms are).
    given : mapping
        The numbers of the book.
    vary : mapping
        Values to choose from for a variant, by name; empty if there is none.
    tolerance : float
        Relative on the scale "log", absolute on "linear".
    scale : {"log", "linear"}
    """

    id: str
    kind: str
    ask: str
    answers: Answers
    given: Mapping[str, Any] = field(default_factory=dict)
    vary: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    tolerance: float = 0.01
    scale: str = "log"

    @property
    def width(self) -> float:
        """Of a bucket; 0 for words."""
        return 2 * self.tolerance if self.kind == "number" else 0.0

    def anchors(self, given: Mapping[str, Any]) -> list[Anchor]:
        """The answers for these numbers; words in their normal form."""
        found = list(self.answers(**given))
        if self.kind == "integer":
            found = [Anchor(str(int(a.value)), a.message, a.right) for a in found]
        return found

    def record(self) -> dict[str, Any]:
        """The sealed record of the book's numbers."""
        numbers = {"scale": self.scale, "width": self.width} if self.kind == "number" else {}
        rows = sealing.seal(self.id, self.anchors(self.given), **numbers)  # type: ignore[arg-type]
        return {"kind": self.kind, **numbers, "rows": rows}

    def draw(self, seed: object) -> dict[str, Any]:
        """Numbers of a variant, the same for the same seed, at which the answers differ."""
        digest = hashlib.blake2b(f"{self.id}/{seed}".encode(), digest_size=8).digest()
        rng = np.random.default_rng(int.from_bytes(digest, "big"))
        for _ in range(200):
            drawn = {
                name: values[int(rng.integers(len(values)))] for name, values in self.vary.items()
            }
            given = {**self.given, **drawn}
            if given != self.given and self._distinct(self.anchors(given)):
                return given
        raise ValueError(f"{self.id} has no numbers at which its known mistakes differ")

    def _distinct(self, anchors: Sequence[Anchor]) -> bool:
        for place, one in enumerate(anchors):
            for other in anchors[:place]:
                if not self.width:
                    same = one.value == other.value
                else:
                    same = not sealing.separate(
                        float(one.value), float(other.value), self.scale, self.width, 2.5
                    )
                if same:
                    return False
        return True


@dataclass(frozen=True)
class Formula:
    """A question for a function, compared at six chosen and six drawn points.

    Parameters
    ----------
    id : str
    names : tuple of str
        Of the arguments, in order.
    function : callable
        The expected one.
    remark : str
    mistakes : tuple of (callable, str)
        Known wrong functions, each with its hint.
    chosen : sequence of points
    ranges : sequence of (low, high, whole)
        From which the other points are drawn, log-uniformly; `whole` numbers are rounded.
    """

    id: str
    names: tuple[str, ...]
    function: Callable[..., float]
    remark: str
    chosen: Sequence[Sequence[float]]
    ranges: Sequence[tuple[float, float, bool]]
    mistakes: Sequence[tuple[Callable[..., float], str]] = ()
    tolerance: float = 1e-4
    scale: str = "log"
    kind = "formula"

    def points(self) -> list[list[float]]:
        """Six chosen points and six that the id draws."""
        digest = hashlib.blake2b(self.id.encode(), digest_size=8).digest()
        rng = np.random.default_rng(int.from_bytes(digest, "big"))
        found = [list(point) for point in self.chosen]
        for _ in range(6):
            point = []
            for low, high, whole in self.ranges:
                x = low * (high / low) ** rng.random()
                point.append(round(x) if whole else float(f"{x:.3g}"))
            found.append(point)
        return found

    def record(self) -> dict[str, Any]:
        """The sealed record; known mistakes are sealed at the first points only."""
        width, sealed = 2 * self.tolerance, []
        for number, at in enumerate(self.points()):
            anchors = [right(self.function(*at), self.remark if number == 0 else "")]
            if number < MISTAKE_POINTS:
                anchors += [wrong(mistake(*at), hint) for mistake, hint in self.mistakes]
            rows = sealing.seal(f"{self.id}/{number}", anchors, self.scale, width)
            sealed.append({"at": at, "rows": rows})
        return {
            "kind": "formula",
            "names": list(self.names),
            "scale": self.scale,
            "width": width,
            "points": sealed,
        }


REGISTRY: dict[str, Question | Formula] = {}


def _add(question: Question | Formula) -> None:
    if question.id in REGISTRY:
        raise ValueError(f"{question.id} is asked twice")
    REGISTRY[question.id] = question


def ask(kind: str, identifier: str, text: str, **options: Any) -> Callable[[Answers], Answers]:
    """Register the decorated function as the answers to a question."""

    def register(answers: Answers) -> Answers:
        _add(Question(identifier, kind, text, answers, **options))
        return answers

    return register


def number(identifier: str, text: str, **options: Any) -> Callable[[Answers], Answers]:
    """A question for a number; see :class:`Question`."""
    return ask("number", identifier, text, **options)


def integer(identifier: str, text: str, **options: Any) -> Callable[[Answers], Answers]:
    """A question for a whole number."""
    return ask("integer", identifier, text, **options)


def arms(identifier: str, text: str, **options: Any) -> Callable[[Answers], Answers]:
    """A question for the arms of a game, as digits."""
    return ask("arms", identifier, text, **options)


def choice(identifier: str, text: str, **options: Any) -> Callable[[Answers], Answers]:
    """A question for the letters of the right options."""
    return ask("choice", identifier, text, **options)


def formula(identifier: str, names: str, **options: Any) -> Callable[..., Callable[..., float]]:
    """A question for a function; decorates the expected one."""

    def register(function: Callable[..., float]) -> Callable[..., float]:
        _add(Formula(identifier, tuple(names.split()), function, **options))
        return function

    return register
