"""Random streams keyed by trial, buffered for all trials of a chunk.

Every generator is made from ``SeedSequence(seed, spawn_key=(trial, stream, ...))`` by key, never
by the stateful ``spawn``: trial i sees the same numbers in any run, chunk, executor or company.

Streams of a trial: 0 noise, 1 arm order, 2 contexts, 3 + 56 bits of BLAKE2 over a policy's repr
for that policy's own draws.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

import numpy as np
from numpy.random import SFC64, Generator, SeedSequence

from hbucb.noise import Noise

NOISE, ORDER, CONTEXT, OWN = 0, 1, 2, 3

#: Steps drawn at a time; results do not depend on it, as laws give the same numbers for any split.
BLOCK = 512
#: Steps that a policy's own draws are drawn ahead at least.
LEAST = 16
#: Entries of an arm's reward tape drawn at a time; a power of two.
TAPE_BLOCK = 64


def generator(seed: int, trial: int, stream: int, *key: int) -> Generator:
    """The generator of one trial and stream; ``key`` tells apart its laws, arms and parts.

    Examples
    --------
    >>> generator(7, 0, NOISE).random() == generator(7, 0, NOISE).random()
    True
    """
    return Generator(SFC64(SeedSequence(seed, spawn_key=(trial, stream, *key))))


def policy_stream(policy: object) -> int:
    """Stream number of a policy's own draws: equal policies play alike under any name.

    A policy with ``draws_as`` (see :func:`hbucb.scalar`) has the stream of that other policy.

    Raises
    ------
    ValueError
        If the policy's repr holds an address, so that it would differ between two runs.
    """
    like = getattr(policy, "draws_as", None)
    text = repr(policy if like is None else like)
    if " at 0x" in text:
        raise ValueError(
            f"policy has the repr {text!r}, which holds an address: give it a repr that names its "
            "parameters (a frozen dataclass has one), since its random stream is keyed by it"
        )
    return OWN + int.from_bytes(blake2b(text.encode(), digest_size=7).digest(), "big")


class Draws:
    """Draws of one law for all trials, in time order and ``width`` a step.

    Parameters
    ----------
    law : Noise
    keys : sequence of (seed, trial, stream, ...) tuples, one a trial
    width : int
        Draws a step and trial; 0 gives arrays (steps, trials) instead of (steps, trials, width).
    """

    def __init__(self, law: Noise, keys: Sequence[tuple[int, ...]], width: int = 0) -> None:
        self._law = law
        self._width = width
        self._rngs = [[generator(*key, part) for part in range(law.generators)] for key in keys]
        self._ahead: Iterator[np.ndarray] = iter(())
        self._room: tuple[np.ndarray, np.ndarray] | None = None

    def block(self, steps: int) -> np.ndarray:
        """The next ``steps`` steps: (steps, trials) or (steps, trials, width)."""
        return self._fill(*self._empty(steps))

    def _empty(self, steps: int) -> tuple[np.ndarray, np.ndarray]:
        """Room for a block: by trial, as it is drawn, and by step."""
        trials, tail = len(self._rngs), (self._width,) * bool(self._width)
        return np.empty((trials, steps, *tail)), np.empty((steps, trials, *tail))

    def _fill(self, by_trial: np.ndarray, by_step: np.ndarray) -> np.ndarray:
        for rngs, row in zip(self._rngs, by_trial, strict=True):
            self._law.fill(rngs, row.reshape(-1))
        by_step[...] = by_trial.swapaxes(0, 1)
        return by_step

    def next(self) -> np.ndarray:
        """The next step: (trials,) or (trials, width), buffered; a later call writes over it."""
        step = next(self._ahead, None)
        if step is None:
            # The room is kept: fresh memory costs as much as the draws.
            if self._room is None:
                # Wide steps: few of them, as the numbers of all trials should stay in the cache.
                self._room = self._empty(max(BLOCK // max(self._width, 1), LEAST))
            self._ahead = iter(self._fill(*self._room))
            step = next(self._ahead)
        return step


class Tapes:
    """One reward tape an arm and trial: the k-th pull of an arm reads entry k of its tape.

    A tape is a ring of two blocks. At most ``TAPE_BLOCK`` entries of a tape are read between two
    calls of :meth:`refill`, so one comparison a block replaces a check at every step.
    """

    def __init__(self, laws: Sequence[Noise], order: np.ndarray, seed: int, first: int) -> None:
        trials, arms = order.shape
        self._size = TAPE_BLOCK
        self._ring = np.empty((trials * arms, 2 * self._size))
        self._flat = self._ring.ravel()
        #: Whether every number drawn so far is finite.
        self.finite = True
        self._read = np.zeros(trials * arms, np.int64)
        self._filled = np.zeros(trials * arms, np.int64)
        self._laws = [laws[arm] for arm in order.ravel()]
        self._rngs = [
            [
                generator(seed, first + trial, NOISE, int(order[trial, slot]), part)
                for part in range(laws[order[trial, slot]].generators)
            ]
            for trial in range(trials)
            for slot in range(arms)
        ]

    def refill(self) -> None:
        """Make sure that every tape holds at least one block that was not read."""
        size = self._size
        for tape in np.flatnonzero(self._filled - self._read < size):
            half = (self._filled[tape] // size % 2) * size
            fresh = self._ring[tape, half : half + size]
            self._laws[tape].fill(self._rngs[tape], fresh)
            self._filled[tape] += size
            self.finite = self.finite and bool(np.isfinite(fresh).all())

    def read(self, flat: np.ndarray) -> np.ndarray:
        """The next entry of each tape in ``flat`` (one a trial: trial * K + slot)."""
        at = self._read[flat]
        self._read[flat] = at + 1
        at &= 2 * self._size - 1
        at += flat * (2 * self._size)
        return self._flat[at]


@dataclass
class Run:
    """What a policy is told when it starts: sizes and its trials' own random streams.

    Attributes
    ----------
    trials, arms, horizon : int
        Trials that advance together, K and T.
    features : ndarray (contexts, arms, d) or None
        Of a linear contextual bandit.
    """

    trials: int
    arms: int
    horizon: int
    seed: int = 0
    first: int = 0
    key: int = OWN
    features: np.ndarray | None = None
    _streams: int = field(default=0, repr=False)

    def _keys(self) -> list[tuple[int, ...]]:
        index = self._streams
        self._streams += 1
        return [(self.seed, self.first + i, self.key, index) for i in range(self.trials)]

    def stream(self, law: Noise, width: int = 0) -> Draws:
        """Buffered draws of a law that does not depend on the state; other ones at each call."""
        return Draws(law, self._keys(), width)

    def generators(self) -> list[Generator]:
        """One generator a trial, for laws that depend on the state (a Beta posterior).

        Those of the first call (of `stream` and this together) are what :func:`hbucb.scalar` hands
        out as ``rng``.
        """
        return [generator(*key) for key in self._keys()]
