"""Reward tapes: one arm, n rewards a trial, and what a method makes of them along the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from hbucb.noise import Noise
from hbucb.streams import NOISE, Run, generator
from hbucb.validate import whole_number

#: Bytes that the tapes of one chunk, and what is made of them, may take.
MEMORY = 128 * 2**20

Fails = Callable[[np.ndarray, int], Mapping[str, np.ndarray]]


def count(
    fails: Fails,
    law: Noise,
    n: int,
    *,
    loc: float,
    trials: int,
    seed: int,
    each: int = 0,
    chunk: int | None = None,
    progress: bool = False,
) -> tuple[tuple[str, int], ...]:
    """Trials in which each side fails; the same for every chunk.

    Parameters
    ----------
    fails : callable
        ``fails(x, first)``: x (rows, n) are the rewards of the trials first, first + 1, ...;
        a boolean array (rows,) for every side.
    each : int
        Bytes that a trial takes besides its tape.
    """
    from tqdm import tqdm

    trials, seed = whole_number(trials, "trials", 1), whole_number(seed, "seed", 0)
    if chunk is None:
        chunk = max(1, MEMORY // (64 * n + each))
    size = min(whole_number(chunk, "chunk", 1), trials)
    # One stream for all trials: a law gives the same numbers for any split of its draws.
    rngs = [generator(seed, 0, NOISE, part) for part in range(law.generators)]
    counts: dict[str, int] = {}
    with tqdm(total=trials, unit="trial", unit_scale=True, disable=not progress) as bar:
        for first in range(0, trials, size):
            x = np.empty((min(size, trials - first), n))
            law.fill(rngs, x.reshape(-1))
            x += loc
            for side, failed in fails(x, first).items():
                counts[side] = counts.get(side, 0) + int(np.count_nonzero(failed))
            bar.update(len(x))
    return tuple(counts.items())


def estimates(method: Any, x: np.ndarray, run: Run) -> Iterator[tuple[int, np.ndarray]]:
    """(pulls, estimates (rows,)) after every update of a streaming method on the tapes x."""
    rows, n = x.shape
    tape = np.ascontiguousarray(x.T)
    stream = method.stream(run)
    used = 0
    while True:
        size = method.initial if method.initial and not used else method.batch
        if used + size > n:
            return
        reward = tape[used : used + size] if size > 1 else tape[used]
        used += size
        yield used, stream.push(np.arange(rows), np.full(rows, used), reward)


def indices(policy: Any, x: np.ndarray, run: Run) -> Iterator[np.ndarray]:
    """The index (rows,) of the one arm, as the batch policy has it after n = 1, 2, ... pulls."""
    state = policy.start(run)
    if not hasattr(state, "indices"):
        raise ValueError(f"policy = {policy!r} must be an index policy: its state has no indices()")
    tape = np.ascontiguousarray(x.T)
    arm = np.asarray(state.select(0))
    for t, reward in enumerate(tape):
        state.update(t, arm, reward)
        arm = np.asarray(state.select(t + 1))
        yield state.indices()[:, 0]
