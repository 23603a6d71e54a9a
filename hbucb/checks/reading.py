"""Reading an answer: what was given, or one sentence on why it cannot be an answer.

Each kind of question has a function that returns `(value, "")` or `(None, sentence)`. Sentences
speak to a student and never tell the answer.
"""

from __future__ import annotations

import math
import operator
import re
from numbers import Integral, Real
from types import EllipsisType
from typing import Any

import numpy as np

UNANSWERED = "not answered yet."


def is_unanswered(answer: object) -> bool:
    """Whether the answer is still the three dots (or nothing) of the notebook."""
    return isinstance(answer, EllipsisType) or answer is None


def _shown(answer: object) -> str:
    text = repr(answer)
    return text if len(text) <= 40 else text[:37] + "..."


def number(answer: Any) -> tuple[float | None, str]:
    """A finite number, from any type that is one."""
    if isinstance(answer, np.ndarray) and answer.ndim == 0:
        answer = answer[()]
    if isinstance(answer, str):
        return None, f"{_shown(answer)} is text; give the number itself, without quotes."
    if isinstance(answer, bool | np.bool_):
        return None, f"{answer} is no number; give the number itself, not a comparison."
    if isinstance(answer, np.ndarray | list | tuple | set):
        size = np.size(answer) if isinstance(answer, np.ndarray) else len(answer)
        if size == 1:
            return None, "this is a list or array with one entry; give the entry itself."
        return None, f"one number is asked for, and this holds {size}."
    if callable(answer):
        return None, "this is a function; call it and give the number that it returns."
    if not isinstance(answer, Real):
        try:
            answer = float(answer)
        except (TypeError, ValueError):
            return None, f"{_shown(answer)} is not a number; a real number is asked for."
    try:
        value = float(answer)
    except OverflowError:
        return None, "this number is too large to be a float."
    if math.isnan(value):
        return None, "this is nan, not a number: somewhere 0/0 or infinity minus infinity."
    if math.isinf(value):
        return None, "this is infinite; the answer is finite. Did you divide by zero?"
    return value, ""


def integer(answer: Any) -> tuple[str | None, str]:
    """A whole number, as its decimal digits."""
    if isinstance(answer, Integral) and not isinstance(answer, bool):
        return str(int(answer)), ""
    value, fault = number(answer)
    if value is None:
        return None, fault
    if value != math.floor(value):
        return None, f"a whole number is asked for, and {value:g} is none. Round up or down?"
    return str(int(value)), ""


def choice(answer: Any) -> tuple[str | None, str]:
    """Letters of the chosen options, each once, in order: "ac" for "c, a" or ["a", "c"]."""
    if not isinstance(answer, str):
        try:
            answer = " ".join(answer)
        except TypeError:
            return None, 'give the letters of your choice as text, such as "ac".'
    letters = re.sub(r"[\s,;.()/]|\band\b", "", answer.lower())
    if not re.fullmatch(r"[a-h]+", letters):
        return None, 'give the letters of your choice as text, such as "ac".'
    return "".join(sorted(set(letters))), ""


def name(answer: Any) -> tuple[str | None, str]:
    """A name without capitals, blanks and hyphens."""
    if not isinstance(answer, str):
        return None, 'give the name as text, in quotes, such as "UCB1".'
    short = re.sub(r"[\W_]", "", answer.lower())
    return (short, "") if short else (None, "this text is empty.")


def arms(answer: Any) -> tuple[str | None, str]:
    """Arms in the order of play, as digits: "0120" for "0, 1, 2, 0" or [0, 1, 2, 0]."""
    if not isinstance(answer, str):
        try:
            answer = "".join(str(operator.index(arm)) for arm in answer)
        except TypeError:
            answer = ""
    digits = re.sub(r"[\s,;.()\[\]]", "", answer)
    if not re.fullmatch("[0-9]+", digits):
        return None, 'give the arms in their order as digits in quotes, such as "0120".'
    return digits, ""


READERS = {
    "number": number,
    "integer": integer,
    "arms": arms,
    "choice": choice,
    "name": name,
}
