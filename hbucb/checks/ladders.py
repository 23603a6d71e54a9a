"""Checks of code by properties: a ladder of steps, cheapest first, stopped at the first failure.

Attempted, type, shape, round trip through the proved bound, coverage on the law for which the
bound is sharp at a small delta, width. Nothing is hidden and several right answers pass. The
round trip matters most: a run of 20 000 trials at delta = 0.1 does not see a factor that is
missing inside the logarithm.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hbucb.checks import calls, reading
from hbucb.checks.calls import Fault
from hbucb.checks.verdicts import Verdict

Step = Callable[[Any], None]  # raises Fault with the sentence for the reader


@dataclass(frozen=True)
class Ladder:
    """Steps that a submission has to pass, in order.

    Parameters
    ----------
    steps : sequence of callables
        Each takes the submission and raises Fault.
    right : str
        Said at the top.
    open : callable
        Whether a submission is still unanswered.
    """

    steps: Sequence[Step]
    right: str
    open: Callable[[Any], bool] = calls.is_empty

    def judge(self, identifier: str, submission: Any) -> Verdict:
        """The verdict: the first step that is not passed, or right."""
        if reading.is_unanswered(submission) or self.open(submission):
            return Verdict(identifier, "unanswered", reading.UNANSWERED)
        for number, step in enumerate(self.steps, 1):
            try:
                step(submission)
            except Fault as fault:
                return Verdict(identifier, "wrong", str(fault), (number, len(self.steps)))
        return Verdict(identifier, "right", f"right. {self.right}".strip())


def is_function_of(*names: str) -> Step:
    """A step: the submission is a function that takes these arguments in this order."""
    wanted = ", ".join(names)

    def step(function: Any) -> None:
        if not callable(function):
            raise Fault(
                f"a function of ({wanted}) is asked for, and this is a "
                f"{type(function).__name__}; give the function itself, do not call it."
            )
        try:
            inspect.signature(function).bind(*names)
        except TypeError:
            raise Fault(f"the function must take ({wanted}), in this order.") from None
        except ValueError:  # built-in functions have no signature
            pass

    return step


def value(function: Any, *arguments: Any, names: Sequence[str] = ()) -> float:
    """The function's value as a finite float; Fault with the arguments if it is none."""
    where = ", ".join(
        f"{name} = {short(argument)}" for name, argument in zip(names, arguments, strict=False)
    )
    result = calls.call(
        function, *arguments, what="your function" + (f" at {where}" if where else "")
    )
    if result is None:
        raise Fault(f"at {where} your function returns None: is there a return?")
    number, fault = reading.number(result)
    if number is None:
        raise Fault(f"at {where} the result is unusable: {fault}")
    return number


def short(argument: Any) -> str:
    """An argument as a sentence shows it."""
    if isinstance(argument, float | int):
        return f"{argument:g}"
    size = np.size(argument)
    return f"({size} rewards)" if size > 6 else str(np.asarray(argument).tolist())


def seed_of(*values: float) -> int:
    """A seed made of what the submission returned: fixed, and not for the reader to pick."""
    text = ",".join(f"{value:.6g}" for value in values)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=6).digest(), "big")


def close(one: float, other: float, relative: float = 1e-6) -> bool:
    """Whether two numbers agree up to rounding."""
    return abs(one - other) <= relative * max(abs(one), abs(other))
