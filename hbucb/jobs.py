"""A run cut into chunks, and the chunks played: here, or on an executor, or read from a checkpoint.

The chunk is the task: it bounds memory and is what a worker gets, what the progress bar counts and
what a checkpoint keeps. No number depends on it.
"""

from __future__ import annotations

import math
import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, as_completed
from contextlib import suppress
from dataclasses import dataclass, field, replace
from multiprocessing import parent_process
from threading import current_thread, main_thread
from typing import Any

import numpy as np

from hbucb import streams
from hbucb.bandits import Bandit
from hbucb.checkpoint import Checkpoint, folder, read_identity
from hbucb.engine import ChunkResult, Task, play
from hbucb.policies.base import Policy
from hbucb.results import PolicyResult, Result, versions
from hbucb.validate import whole_number

#: Bytes of state and buffers that one chunk may take.
MEMORY = 256 * 2**20
#: Bytes that one trial may take: a chunk cannot be smaller.
TRIAL_MEMORY = 2**30
#: Above this many trials a chunk gains no speed.
_TRIALS = 1000


@dataclass(frozen=True)
class Plan:
    """One run: what to play, and how many trials of each policy make a chunk."""

    bandit: Bandit
    policies: Mapping[str, Policy]
    horizon: int
    trials: int
    seed: int
    coupling: str
    order: str
    rounds: np.ndarray
    actions: bool
    chunks: Mapping[str, int] = field(default_factory=dict)
    checkpoint: Checkpoint | None = None

    def identity(self) -> dict[str, Any]:
        """All that decides the bytes of the run and of its chunks, in JSON types."""
        made_by = versions()
        return {
            **{name: made_by[name] for name in ("hbucb", "numpy", "scipy")},
            "bandit": repr(self.bandit),
            "policies": {name: repr(policy) for name, policy in self.policies.items()},
            "horizon": self.horizon,
            "trials": self.trials,
            "seed": self.seed,
            "coupling": self.coupling,
            "order": self.order,
            "rounds": self.rounds.tolist(),
            "actions": self.actions,
            "chunks": dict(self.chunks),
        }

    def tasks(self) -> Iterator[tuple[int, Task]]:
        """Each chunk with the number of its policy."""
        for number, (name, policy) in enumerate(self.policies.items()):
            for first in range(0, self.trials, self.chunks[name]):
                count = min(self.chunks[name], self.trials - first)
                yield (
                    number,
                    Task(
                        self.bandit,
                        policy,
                        self.horizon,
                        first,
                        count,
                        self.seed,
                        self.coupling,
                        self.order,
                        self.rounds,
                        self.actions,
                    ),
                )

    def result(self, parts: Sequence[tuple[int, ChunkResult]]) -> Result:
        """The chunks, in the order of :meth:`tasks`, put together."""
        results = {}
        for number, name in enumerate(self.policies):
            own = [part for of, part in parts if of == number]
            results[name] = PolicyResult(
                np.concatenate([part.regret for part in own]),
                np.concatenate([part.pulls for part in own]),
                np.concatenate([part.actions for part in own]) if self.actions else None,  # type: ignore[misc]
            )
        return Result(
            self.bandit,
            dict(self.policies),
            self.horizon,
            self.trials,
            self.seed,
            self.coupling,
            self.order,
            self.rounds,
            results,
        )


def cut(
    plan: Plan,
    chunk: int | None,
    executor: Executor | None,
    checkpoint: str | os.PathLike[str] | None,
) -> Plan:
    """The plan cut into chunks, as its checkpoint was if there is one."""
    if chunk is not None:
        chunk = whole_number(chunk, "chunk", 1)
    kept: Mapping[str, int] = {}
    if checkpoint is not None and chunk is None:
        kept = (read_identity(folder(checkpoint)) or {}).get("chunks", {})
    sizes = {
        name: _size(plan, policy, kept.get(name, chunk), executor)
        for name, policy in plan.policies.items()
    }
    plan = replace(plan, chunks=sizes)
    if checkpoint is None:
        return plan
    return replace(plan, checkpoint=Checkpoint(checkpoint, plan.identity()))


def _size(plan: Plan, policy: Policy, chunk: int | None, executor: Executor | None) -> int:
    each = trial_bytes(policy, plan.bandit, plan.horizon, len(plan.rounds), plan.actions)
    if each > TRIAL_MEMORY:
        raise ValueError(
            f"horizon = {plan.horizon}: {policy!r} needs {each / 2**30:.1f} GB for one trial; "
            f"at most {TRIAL_MEMORY / 2**30:.0f} GB is allowed. Take a policy that keeps no history"
            + (", or actions=False" if plan.actions else "")
        )
    if chunk is not None:
        return chunk
    size = max(1, min(_TRIALS, MEMORY // each))
    if executor is not None:
        # Enough tasks to keep a few workers busy to the end, but no tiny ones.
        size = min(size, max(50, math.ceil(plan.trials / 8)))
    return size


def trial_bytes(
    policy: Policy, bandit: Bandit, horizon: int, rounds: int = 100, actions: bool = False
) -> int:
    """Bytes that one trial of a chunk takes: the engine's buffers and the policy's state."""
    cells = bandit.contexts * bandit.arms
    laws = bandit.primitive()[0]
    steps = min(streams.BLOCK, horizon)
    # Two copies of a block of each law's noise, the cells played (and their slots), and the two
    # blocks of every arm's tape, which hold a generator each.
    engine = 8 * steps * (2 * len(laws) + 3) + cells * (16 * streams.TAPE_BLOCK + 1200)
    engine += 8 * rounds + 2 * horizon * actions
    if bandit.features is None:
        return engine + policy.bytes_per_trial(bandit.arms, horizon)
    contexts, arms, dim = bandit.features.shape
    return engine + policy.contextual_bytes(contexts, arms, dim, horizon)


def run(plans: Sequence[Plan], executor: Executor | None, progress: bool) -> list[Result]:
    """Play all chunks of all plans that no checkpoint holds yet, and put the results together.

    Raises
    ------
    RuntimeError
        If a worker process died. Chunks that a checkpoint holds are not lost.
    """
    from tqdm import tqdm

    jobs = [(of, number, task) for of in plans for number, task in of.tasks()]
    done: dict[int, ChunkResult] = {}
    total = sum(task.trials * task.horizon for _, _, task in jobs)
    with tqdm(total=total, unit="step", unit_scale=True, disable=not progress) as bar:

        def keep(i: int, result: ChunkResult, fresh: bool) -> None:
            of, number, task = jobs[i]
            if fresh and of.checkpoint is not None:
                of.checkpoint.save(number, task.first, task.trials, result)
            done[i] = result
            bar.update(task.trials * task.horizon)

        for i, (of, number, task) in enumerate(jobs):
            if of.checkpoint is not None:
                found = of.checkpoint.load(number, task.first, task.trials)
                if found is not None:
                    keep(i, found, fresh=False)
        rest = [i for i in range(len(jobs)) if i not in done]
        if executor is None:
            for i in rest:
                keep(i, play(jobs[i][2]), fresh=True)
        else:
            for i, result in _submitted([jobs[i][2] for i in rest], executor):
                keep(rest[i], result, fresh=True)
    results, start = [], 0
    for of in plans:
        stop = start + sum(1 for _ in of.tasks())
        results.append(of.result([(jobs[i][1], done[i]) for i in range(start, stop)]))
        start = stop
    return results


def _work(task: Task) -> ChunkResult:
    """:func:`play` in a worker, which Ctrl-C in the terminal reaches too.

    The caller ends the run; a worker that was interrupted as well could die with a lock of its
    pool in hand, and the caller would wait for it for ever.
    """
    if parent_process() is not None and current_thread() is main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    return play(task)


def _submitted(tasks: Sequence[Task], executor: Executor) -> Iterator[tuple[int, ChunkResult]]:
    """Results with the number of their task, as they are finished."""
    futures: dict[Any, int] = {}
    finished = 0
    try:
        for i, task in enumerate(tasks):
            futures[executor.submit(_work, task)] = i
        for future in as_completed(futures):
            yield futures[future], future.result()
            finished += 1
    except BrokenExecutor as error:
        raise RuntimeError(
            f"a worker process died (killed, or out of memory) after {finished} of {len(tasks)} "
            "chunks were finished. Start again with a new executor; with checkpoint=PATH the "
            "finished chunks are kept and only the others are played"
        ) from error
    finally:
        # After an error, an interrupt or a dead worker nothing that waits may start.
        for future in futures:
            with suppress(Exception):
                future.cancel()
