"""Steps for policies written for one trial: a class with select(t) and update(t, arm, reward)."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hbucb.checks import calls
from hbucb.checks.calls import Fault
from hbucb.checks.ladders import Step

Rewards = Callable[[int, int], float]  # (pull of this arm counted from 0, arm) -> reward


def is_open(submission: Any) -> bool:
    """Whether the body of select is still empty."""
    return calls.is_empty(getattr(submission, "select", None))


def _made(policy: Any, arms: int, horizon: int, parameters: dict[str, Any]) -> Any:
    offered = {"arms": arms, "horizon": horizon, "rng": np.random.default_rng(0)}
    accepted = inspect.signature(policy).parameters
    given = {name: value for name, value in offered.items() if name in accepted}

    def make() -> Any:
        return policy(**given, **parameters)

    return calls.call(make, what=f"{policy.__name__}({', '.join([*given, *parameters])})")


def play(policy: Any, rewards: Rewards, arms: int, horizon: int, **parameters: Any) -> list[int]:
    """The arms that the policy plays; `horizon` rounds and no more.

    Raises
    ------
    Fault
        If it raises, or selects what is not an arm.
    """
    player = _made(policy, arms, horizon, parameters)
    played, counts = [], [0] * arms
    for t in range(horizon):

        def select(now: int = t) -> Any:  # not on a copy: a policy keeps its state
            return player.select(now)

        arm = calls.call(select, what=f"select({t})")
        if arm is None:
            raise Fault(f"select({t}) returns None: is there a return?")
        if isinstance(arm, bool) or not isinstance(arm, int | np.integer):
            raise Fault(f"select({t}) returns {arm!r}; an arm is a whole number.")
        if not 0 <= arm < arms:
            raise Fault(
                f"select({t}) returns {int(arm)}; with {arms} arms it must be 0 to {arms - 1}."
            )
        arm = int(arm)
        reward = rewards(counts[arm], arm)

        def update(now: int = t, arm: int = arm, reward: float = reward) -> None:
            player.update(now, arm, reward)

        calls.call(update, what=f"update({t}, {arm}, {reward:g})")
        counts[arm] += 1
        played.append(arm)
    return played


def is_policy(**parameters: Any) -> Step:
    """A class with the two verbs that plays twelve rounds."""

    def step(policy: Any) -> None:
        if not inspect.isclass(policy):
            raise Fault("a class is asked for; give the class itself, not an object made from it.")
        for verb in ("select", "update"):
            if not callable(getattr(policy, verb, None)):
                raise Fault(f"the class has no method {verb}.")
        accepted = inspect.signature(policy).parameters
        missing = [name for name in parameters if name not in accepted]
        if missing:
            raise Fault(f"__init__ must take {', '.join(missing)} too.")
        play(policy, lambda pull, arm: 0.5 * arm, 3, 12, **parameters)

    return step


def moves_with_rewards(rewards: Rewards, arms: int, horizon: int, **parameters: Any) -> Step:
    """The same choices when every reward is larger by a constant."""

    def step(policy: Any) -> None:
        one = play(policy, rewards, arms, horizon, **parameters)
        two = play(policy, lambda pull, arm: rewards(pull, arm) - 64.0, arms, horizon, **parameters)
        if one != two:
            t = next(t for t in range(horizon) if one[t] != two[t])
            raise Fault(
                f"64 less for every reward changes your choice in round {t}. Only differences "
                "between arms should count: does something start at 0?"
            )

    return step


def plays(
    expected: Sequence[int],
    rewards: Rewards,
    arms: int,
    hints: Callable[[int, int, int], str],
    horizon: int | None = None,
    **parameters: Any,
) -> Step:
    """The same arms as a trial worked out by hand; the first round that differs is named.

    `hints(t, yours, expected)` says what to look at.
    """

    def step(policy: Any) -> None:
        got = play(policy, rewards, arms, horizon or len(expected), **parameters)
        for t, (mine, ours) in enumerate(zip(got, expected, strict=False)):
            if mine != ours:
                raise Fault(
                    f"your policy and a trial by hand agree before round {t}; there you pull "
                    f"arm {mine}. {hints(t, mine, ours)}"
                )

    return step
