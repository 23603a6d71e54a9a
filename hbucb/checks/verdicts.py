"""What a check says."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Verdict:
    """The outcome of one check.

    Parameters
    ----------
    id : str
        Of the exercise.
    state : {"right", "wrong", "unanswered", "unknown"}
        "unknown" if there is no check of this id.
    text : str
        What the reader is told, without the id.
    step : tuple of int, optional
        (3, 6) if the third of six steps is not passed.
    """

    id: str
    state: str
    text: str
    step: tuple[int, int] | None = None

    @property
    def right(self) -> bool:
        """Whether the answer is right."""
        return self.state == "right"

    def __str__(self) -> str:
        step = f" ({self.step[0]} of {self.step[1]})" if self.step else ""
        return f"{self.id}{step}: {self.text}"
