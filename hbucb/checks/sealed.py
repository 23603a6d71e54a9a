"""Checks of numbers, arms, choices, names and formulas against sealed records."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable
from importlib.resources import files
from typing import Any

from hbucb.checks import calls, reading, sealing
from hbucb.checks.verdicts import Verdict

# Tried if a number opens no row: a right answer hides behind a sign or a percentage.
DISGUISES = (
    (-1.0, "the size is right, the sign is not."),
    (0.01, "this is 100 times the expected value: a percentage? Give the number itself."),
    (100.0, "this is a hundredth of the expected value: is it asked for in percent?"),
)
FACTORS = {
    "2": 2.0,
    "1/2": 0.5,
    "the root of 2": math.sqrt(2),
    "1 over the root of 2": math.sqrt(0.5),
    "4": 4.0,
    "1/4": 0.25,
    "ln 10": math.log(10),
    "1/ln 10": 1 / math.log(10),
    "ln 2": math.log(2),
    "1/ln 2": 1 / math.log(2),
    "-1": -1.0,
}
NOT_IT = "{} is not it. No mistake that is known gives it; the hint under the exercise may help."


@functools.cache
def records() -> dict[str, Any]:
    """All sealed records by id, as `python -m hbucb.checks` wrote them."""
    return json.loads((files("hbucb.checks") / "sealed.json").read_text(encoding="utf-8"))


def judge(identifier: str, record: dict[str, Any], answer: Any) -> Verdict:
    """The verdict on an answer to the question of a sealed record."""
    kind = record["kind"]
    if kind == "formula":
        return _formula(identifier, record, answer)
    if reading.is_unanswered(answer):
        return Verdict(identifier, "unanswered", reading.UNANSWERED)
    value, fault = reading.READERS[kind](answer)
    if value is None:
        return Verdict(identifier, "wrong", fault)
    scale, width = record.get("scale", ""), record.get("width", 0.0)

    def opened(guess: Any) -> tuple[bool, str] | None:
        return sealing.unseal(identifier, record["rows"], guess, scale, width)

    return verdict_on(identifier, kind, value, opened)


def verdict_on(
    identifier: str, kind: str, value: Any, opened: Callable[[Any], tuple[bool, str] | None]
) -> Verdict:
    """The verdict on a value that has been read; `opened` says which row it opens."""
    found = opened(value)
    if found is not None:
        right, message = found
        if right:
            return Verdict(identifier, "right", f"right. {message}".strip())
        return Verdict(identifier, "wrong", message)
    if kind == "number":
        if value == 0:
            return Verdict(identifier, "wrong", "0 is not it; the answer is another number.")
        for factor, sentence in DISGUISES:
            found = opened(factor * value)
            if found is not None and found[0]:
                return Verdict(identifier, "wrong", sentence)
        return Verdict(identifier, "wrong", NOT_IT.format(f"{value:.6g}"))
    return Verdict(identifier, "wrong", NOT_IT.format(value))


def _formula(identifier: str, record: dict[str, Any], answer: Any) -> Verdict:
    """Compare a function with sealed values at points; say where, and by which factor, it differs.

    The first points hold rows for known mistakes as well; a mistake is named if all of them say so.
    """
    if reading.is_unanswered(answer) or calls.is_empty(answer):
        return Verdict(identifier, "unanswered", reading.UNANSWERED)
    names = record["names"]
    if not callable(answer):
        given = ", ".join(names)
        text = f"a function of ({given}) is asked for; give the function itself, do not call it."
        return Verdict(identifier, "wrong", text)
    values, points = [], record["points"]
    for point in points:
        where = _where(names, point["at"])
        try:
            value, fault = reading.number(calls.call(answer, *point["at"], what="your function"))
        except calls.Fault as error:
            return Verdict(identifier, "wrong", f"at {where} {error}")
        if value is None:
            if fault.startswith("None"):
                fault = "it returns None: is there a return?"
            return Verdict(identifier, "wrong", f"at {where} the result is unusable: {fault}")
        values.append(value)

    def opened(number: int, value: float) -> tuple[bool, str] | None:
        salt = f"{identifier}/{number}"
        return sealing.unseal(salt, points[number]["rows"], value, record["scale"], record["width"])

    found = [opened(number, value) for number, value in enumerate(values)]
    wrong = [number for number, row in enumerate(found) if row is None or not row[0]]
    if not wrong:
        remark = found[0][1] if found[0] else ""
        return Verdict(identifier, "right", f"right. {remark}".strip())
    rich = [row for row, point in zip(found, points, strict=True) if len(point["rows"]) > 1]
    named = {row[1] if row and not row[0] else "" for row in rich}
    if len(named) == 1 and "" not in named:
        return Verdict(identifier, "wrong", named.pop())
    for name, factor in FACTORS.items():
        if len(wrong) == len(values) and _all_right(opened, values, factor):
            return Verdict(
                identifier, "wrong", f"yours is {name} times the expected value everywhere."
            )
    first = _where(names, points[wrong[0]]["at"])
    text = (
        f"it agrees at {len(values) - len(wrong)} of {len(values)} points; at {first} it does not."
    )
    return Verdict(identifier, "wrong", text)


def _all_right(opened: Callable[..., Any], values: list[float], factor: float) -> bool:
    for number in reversed(range(len(values))):  # the last points have one row: fast to refuse
        row = opened(number, values[number] / factor)
        if row is None or not row[0]:
            return False
    return True


def _where(names: list[str], at: list[float]) -> str:
    return ", ".join(f"{name} = {value:g}" for name, value in zip(names, at, strict=True))
