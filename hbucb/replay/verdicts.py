"""From the stored runs to the verdicts that the ledger shows."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from hbucb.claims import (
    Claim,
    Verdict,
    describe,
    describe_size,
    judge,
    ledger,
    one_number,
    size_settle,
)
from hbucb.claims.judge import fair_partners, sized_pair
from hbucb.claims.recorded import FILE
from hbucb.replay import cost
from hbucb.replay.stored import load, stored_ids


def verdicts(results: Mapping[str, Any] | None = None) -> dict[str, list[str]]:
    """Claim id -> [verdict, one number, numbers], by the rule, from runs.

    Parameters
    ----------
    results : mapping of str to Stored, optional
        Experiment -> run; all stored ones by default.

    Returns
    -------
    dict
        For every claim that the runs can answer.
    """
    if results is None:
        results = {id: load(id) for id in stored_ids()}
    comparisons, decisions, sizes = judge(results, others={})
    fair = fair_partners(results)
    found: dict[str, list[str]] = {}
    for claim in ledger():
        if claim.id in sizes:
            verdict, ratio = sizes[claim.id]
            run = results[claim.experiment]
            settle = math.nan
            if verdict is Verdict.OPEN:
                settle = size_settle(*sized_pair(run, claim))
            found[claim.id] = [str(verdict), *describe_size(claim, ratio, run.trials, settle)]
        elif claim.kind == "speed":
            found[claim.id] = _speed(claim)
        elif claim.id in decisions:
            asked, decision, partner = (
                comparisons[claim.id],
                decisions[claim.id],
                fair.get(claim.id),
            )
            found[claim.id] = [
                str(decision.verdict),
                one_number(claim, asked, decision, comparisons[partner] if partner else None),
                describe(asked, decision, decisions[partner] if partner else None),
            ]
    return found


def _speed(claim: Claim) -> list[str]:
    """Verdict on the cost of a pull, from the stored ratios."""
    ratios = cost.stored()
    ratio = ratios[claim.worse] / ratios[claim.better]
    word = Verdict.OPEN if 0.8 <= ratio <= 1.25 else Verdict.CONFIRMED
    short = f"a pull of {claim.worse} costs {ratio:.1f} times one of {claim.better}"
    numbers = f"{short}; 100 trials together, best of 5 by processor time"
    return [str(word if ratio > 0.8 else Verdict.REFUTED), short, numbers]


def write() -> int:
    """Write the verdicts where the ledger reads them; how many there are."""
    found = verdicts()
    FILE.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return len(found)
