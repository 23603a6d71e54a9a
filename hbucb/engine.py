"""The engine: one policy in one chunk of trials, all of them advancing together.

choose    arm    = state.select(t)            (trials,) integers
observe   reward = bound.reward(flat, noise)  (trials,) floats
learn     state.update(t, arm, reward)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from hbucb import streams
from hbucb.bandits import Bandit
from hbucb.noise import Uniform
from hbucb.policies import faults
from hbucb.policies.base import Policy


@dataclass(frozen=True)
class Task:
    """One policy in one chunk of trials: all a worker needs."""

    bandit: Bandit
    policy: Policy
    horizon: int
    first: int
    trials: int
    seed: int
    coupling: str
    order: str
    rounds: np.ndarray
    actions: bool


@dataclass(frozen=True)
class ChunkResult:
    """What a worker sends back."""

    regret: np.ndarray
    pulls: np.ndarray
    actions: np.ndarray | None


def play(task: Task) -> ChunkResult:
    """Play one policy in one chunk of trials, from its own streams."""
    bandit, policy, trials, horizon = task.bandit, task.policy, task.trials, task.horizon
    arms, cells = bandit.arms, bandit.contexts * bandit.arms
    order = arm_order(task)
    bound = bandit.bind(order)
    key = streams.policy_stream(policy)
    run = streams.Run(trials, arms, horizon, task.seed, task.first, key, bandit.features)
    state = faults.started(policy, run)
    row, shape = np.arange(trials) * cells, (trials,)
    counts = np.zeros(trials * cells, np.int64)
    regret = np.empty((trials, len(task.rounds)))
    actions = np.empty((trials, horizon), np.int16) if task.actions else None
    recorded = 0
    contextual = policy.contextual and bandit.features is not None
    for start, context, noise in _blocks(task, order):
        steps = min(streams.BLOCK, horizon - start)
        played = np.empty((steps, trials), np.int64)
        base = row if context is None else row + context[:steps] * arms
        doing = "select"
        try:
            for j, flat in enumerate(played):
                t = start + j
                seen = (context[j],) if contextual and context is not None else ()
                doing = "select"
                arm = state.select(t, *seen)
                doing = "check"
                if type(arm) is not np.ndarray or arm.shape != shape or arm.dtype.kind not in "iu":
                    raise faults.not_arms(policy, arm, t, trials, arms)
                np.add(base if context is None else base[j], arm, out=flat)
                doing = "reward"
                reward = bound.reward(flat, noise(j, flat))
                doing = "update"
                state.update(t, *seen, arm, reward)
        except Exception as error:
            known = j + (doing in ("reward", "update"))
            # A slot out of range is the cause of what follows it.
            faults.check_range(policy, (played - base)[:known], start, task.first, arms)
            if doing in ("select", "update"):
                faults.note(error, policy, doing, t)
            raise
        slots = played - base
        faults.check_range(policy, slots, start, task.first, arms)
        done = 0
        while recorded < len(task.rounds) and task.rounds[recorded] <= start + steps:
            upto = int(task.rounds[recorded]) - start
            counts += np.bincount(played[done:upto].ravel(), minlength=counts.size)
            regret[:, recorded] = (counts.reshape(trials, cells) * bound.gaps).sum(axis=1)
            done, recorded = upto, recorded + 1
        counts += np.bincount(played[done:].ravel(), minlength=counts.size)
        if actions is not None:
            actions[:, start : start + steps] = np.take_along_axis(order, slots.T, axis=1)
    pulls = counts.reshape(trials, bandit.contexts, arms).sum(axis=1)
    by_arm = np.empty_like(pulls)
    np.put_along_axis(by_arm, order, pulls, axis=1)
    return ChunkResult(regret, by_arm, actions)


def arm_order(task: Task) -> np.ndarray:
    """Slot j of trial i is arm order[i, j]: drawn once a trial, or as given."""
    arms = task.bandit.arms
    if task.order == "given":
        return np.tile(np.arange(arms), (task.trials, 1))
    return np.array(
        [
            streams.generator(task.seed, task.first + i, streams.ORDER).permutation(arms)
            for i in range(task.trials)
        ]
    )


def _blocks(task: Task, order: np.ndarray) -> Iterator[tuple[int, np.ndarray | None, Any]]:
    """Blocks of steps: where each starts, its contexts, and its noise as a function of the step."""
    size = streams.BLOCK
    laws, source, _ = task.bandit.primitive()
    keys = [(task.seed, task.first + i) for i in range(task.trials)]
    contexts = None
    if task.bandit.features is not None:
        uniform = streams.Draws(Uniform(0.0, 1.0), [(*key, streams.CONTEXT) for key in keys])
        edges = np.cumsum(task.bandit.context_law)[:-1]  # type: ignore[attr-defined]
        contexts = uniform, edges
    if task.coupling == "arm":
        of_arm = laws * task.bandit.arms if source is None else [laws[i] for i in source]
        tapes = streams.Tapes(of_arm, order, task.seed, task.first)
        for start in range(0, task.horizon, size):
            yield start, None, _tape_reader(task, tapes, start)
        return
    draws = [
        streams.Draws(law, [(*key, streams.NOISE, index) for key in keys])
        for index, law in enumerate(laws)
    ]
    for start in range(0, task.horizon, size):
        steps = min(size, task.horizon - start)
        block = draws[0].block(steps)
        if len(draws) > 1:
            block = np.stack([block, *(d.block(steps) for d in draws[1:])], axis=2)
        now = None
        if contexts is not None:
            now = np.searchsorted(contexts[1], contexts[0].block(steps), side="right")
        yield start, now, _block_reader(task, block, start)


def _block_reader(task: Task, block: np.ndarray, start: int) -> Any:
    if np.isfinite(block).all():
        return lambda j, flat: block[j]
    return lambda j, flat: _checked(task, block[j], start + j)


def _tape_reader(task: Task, tapes: streams.Tapes, start: int) -> Any:
    def read(j: int, flat: np.ndarray) -> np.ndarray:
        if j % streams.TAPE_BLOCK == 0:
            tapes.refill()
        values = tapes.read(flat)
        return values if tapes.finite else _checked(task, values, start + j)

    return read


def _checked(task: Task, noise: np.ndarray, t: int) -> np.ndarray:
    """Refuse nan always, and +-inf unless the policy's estimator can bear it."""
    bad = np.isnan(noise) if task.policy.accepts_infinite else ~np.isfinite(noise)
    if bad.any():
        trial = int(np.flatnonzero(bad.reshape(len(noise), -1).any(axis=1))[0])
        value = noise[trial] if noise.ndim == 1 else noise[trial][bad[trial]][0]
        raise ValueError(
            f"reward = {float(value)!r} in trial {task.first + trial}, round {t}: "
            f"{type(task.policy).__name__} needs finite rewards"
        )
    return noise
