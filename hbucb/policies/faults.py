"""What a run says when the code of a policy is wrong: the policy, the method, the round."""

from __future__ import annotations

from typing import Any

import numpy as np

from hbucb.policies.base import Policy
from hbucb.policies.scalar import Scalar
from hbucb.streams import Run


def started(policy: Policy, run: Run) -> Any:
    """The state that ``policy.start(run)`` makes; ValueError if it lacks a verb."""
    try:
        state = policy.start(run)
    except Exception as error:
        if not isinstance(policy, Scalar):  # which has told it, with the trial
            error.add_note(f"in {policy!r}.start")
        raise
    for verb in ("select", "update"):
        if not callable(getattr(state, verb, None)):
            raise ValueError(
                f"{policy!r}.start made {state!r}, which has no method {verb}; it needs select(t) "
                "and update(t, arm, reward)"
            )
    return state


def not_arms(policy: Policy, arm: Any, t: int, trials: int, arms: int) -> ValueError:
    """For what ``select`` returned in round t, where it is no array of one integer a trial."""
    gave = repr(arm)
    if isinstance(arm, np.ndarray):
        gave = f"an array {arm.shape} of {arm.dtype}"
    return ValueError(
        f"{policy!r}.select({t}) gave {gave}; it must be an array ({trials},) of integers in "
        f"0..{arms - 1}, one a trial"
    )


def check_range(policy: Policy, slots: np.ndarray, start: int, first: int, arms: int) -> None:
    """ValueError for the first slot (rounds, trials) outside 0..arms - 1."""
    wrong = (slots < 0) | (slots >= arms)
    if wrong.any():
        step, trial = np.argwhere(wrong)[0]
        raise ValueError(
            f"{policy!r}.select({start + step}) gave arm {slots[step, trial]} in trial "
            f"{first + trial}; it must be in 0..{arms - 1}"
        )


def note(error: Exception, policy: Policy, verb: str, t: int) -> None:
    """Add the policy, the method and the round to an error of the policy's own code."""
    if not isinstance(policy, Scalar):
        error.add_note(f"in {policy!r}.{verb}, round {t}")
