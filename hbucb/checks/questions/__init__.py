"""The checked questions: for each its numbers, its right answer and its known mistakes.

Here the answers are computed; `python -m hbucb.checks` seals them into sealed.json, which is all
that :func:`hbucb.check` reads. These files are loaded only then, and for `check.variant`, which
draws new numbers for a question. A question is a function of its numbers that returns anchors::

    @number("ex-09-1", "Cauchy noise of scale {scale}: the radius at k = {k}?",
            given={"scale": 2.0, "k": 1000}, vary={"scale": (3.0, 5.0), "k": (500, 2000)})
    def radius(scale, k):
        r = ...
        return right(r, "a remark"), wrong(r / 2, "the hint for who made this mistake")

Choose numbers at which the known mistakes differ: `seal` refuses two answers that are closer than
five tolerances.
"""

from __future__ import annotations

import importlib

from hbucb.checks.questions.kinds import REGISTRY, Formula, Question, right, wrong

FILES = (
    "scaling",
    "game",
    "one_idea",
    "sharper",
    "bounded",
    "structure",
    "audits",
    "doing",
    "programmes",
    "spots",
)

__all__ = ["REGISTRY", "Formula", "Question", "all_questions", "right", "wrong"]


def all_questions() -> dict[str, Question | Formula]:
    """Every question by its id."""
    for name in FILES:
        importlib.import_module(f"hbucb.checks.questions.{name}")
    return REGISTRY
