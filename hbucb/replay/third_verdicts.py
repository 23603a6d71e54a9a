"""From the stored runs of the third paper's experiments to words, by exact paired tests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from hbucb.claims.third_experiments import FILE
from hbucb.claims.third_questions import Question, Side, questions
from hbucb.claims.vocabulary import Verdict
from hbucb.statistics import holm, paired_wins

#: Level of the whole family of tests.
LEVEL = 0.01
Pair = tuple[Side, Side]


def values(runs: Mapping[str, Any], side: Side) -> np.ndarray:
    """The numbers (trials,) that a side stands for, reward units."""
    run = runs[side.experiment]
    regret = run.regrets[side.curve]
    if side.part == "end":
        return regret[:, -1]
    half = int(np.searchsorted(run.rounds, run.horizon // 2))
    return regret[:, -1] - regret[:, half]


def answerable(runs: Mapping[str, Any]) -> list[Question]:
    """The questions all of whose experiments are among the runs."""
    return [
        question
        for question in questions()
        if all(
            side.experiment in runs
            for pair in (*question.readings, *question.fair)
            for side in pair
        )
    ]


def comparisons(runs: Mapping[str, Any]) -> dict[Pair, Any]:
    """Every comparison that can be asked: paired wins on the trials that both sides have."""
    found: dict[Pair, Any] = {}
    for question in answerable(runs):
        for pair in (*question.readings, *question.fair):
            if pair not in found:
                first, second = (values(runs, side) for side in pair)
                size = min(len(first), len(second))
                found[pair] = paired_wins(first[:size], second[:size])
    return found


def words(runs: Mapping[str, Any]) -> tuple[dict[Pair, Verdict], dict[Pair, Any]]:
    """CONFIRMED, REFUTED or OPEN for every comparison, adjusted together, and its test."""
    found = comparisons(runs)
    if not found:
        return {}, {}
    raw = [min(1.0, 2 * min(test.p_first, test.p_second)) for test in found.values()]
    said = {}
    for (pair, test), p in zip(found.items(), holm(raw), strict=True):
        ahead = test.p_first < test.p_second
        said[pair] = Verdict.OPEN
        if p < LEVEL:
            said[pair] = Verdict.CONFIRMED if ahead else Verdict.REFUTED
    return said, found


def verdict(question: Question, said: Mapping[Pair, Verdict]) -> Verdict:
    """One word for a question: its readings must agree, and a fair rival be beaten too."""
    answers = {said[pair] for pair in question.readings}
    if len(answers) > 1:
        return Verdict.DEPENDS
    word = answers.pop()
    fair = {said[pair] for pair in question.fair}
    if word is Verdict.CONFIRMED and fair - {Verdict.CONFIRMED}:
        return Verdict.NOT_AGAINST_FAIR
    return word


def numbers(question: Question, runs: Mapping[str, Any], found: Mapping[Pair, Any]) -> str:
    """Means and wins of every reading, in one line."""
    parts = []
    for pair in (*question.readings, *question.fair):
        first, second = (values(runs, side) for side in pair)
        size = min(len(first), len(second))
        names = [side.curve for side in pair]
        if pair[0].experiment != pair[1].experiment:
            names = [f"{side.curve} in {side.experiment}" for side in pair]
        parts.append(
            f"{names[0]} {first[:size].mean():.0f}, {names[1]} {second[:size].mean():.0f}, "
            f"ahead in {found[pair].first} of {size}"
        )
    return "; ".join(parts)


def verdicts(runs: Mapping[str, Any]) -> dict[str, list[str]]:
    """Question id -> [verdict, numbers]; NOT ATTEMPTED where a run is missing."""
    said, found = words(runs)
    made = {
        question.id: [str(verdict(question, said)), numbers(question, runs, found)]
        for question in answerable(runs)
    }
    missing = [str(Verdict.NOT_ATTEMPTED), "no stored run yet; the command of the audit makes it"]
    return {question.id: made.get(question.id, missing) for question in questions()}


def write(runs: Mapping[str, Any]) -> int:
    """Write the verdicts where the ledger reads them; how many there are."""
    made = verdicts(runs)
    FILE.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return len(made)
