"""Chapter P2."""

from __future__ import annotations

import math

from hbucb.checks.questions.kinds import choice, integer, number, right, wrong
from hbucb.checks.sealing import Anchor


@integer(
    "ex-p2-a",
    "A step costs {calls} us of calls and {own} us a trial: from how many trials on are the "
    "calls less than half of the cost?",
    given={"calls": 9.0, "own": 0.0625},
    vary={"calls": (8.0, 12.0, 20.0), "own": (0.03125, 0.125)},
)
def half_of_the_cost(calls: float, own: float) -> list[Anchor]:
    equal = int(calls / own)  # whole for all numbers above
    return [
        right(equal + 1, "One trial more than where the two parts are equal."),
        wrong(equal, "there they are equal; the calls must be less than half."),
        wrong(equal // 2 + 1, "there the calls are two thirds: compare calls / n with own."),
        wrong(2 * equal + 1, "there the calls are a third: compare calls / n with own, not 2 own."),
        wrong(99 * equal + 1, "that is where they are less than a hundredth."),
    ]


@choice("ex-p2-1", "Which belong in the identity?")
def identity() -> list[Anchor]:
    return [
        right("ae", "A thing belongs there if a number of the run can depend on it."),
        wrong("abe", "(b): does any number depend on how many processors there are?"),
        wrong("ace", "(c): it draws what the run has given; does a number depend on it?"),
        wrong("ade", "(d): a run that began on a laptop may end on a cluster."),
        wrong("abcde", "does a number depend on (b), (c) or (d)?"),
        wrong("e", "true, but one more is: where might the last bit of a logarithm change?"),
        wrong("a", "true, but one more is: whose streams are they?"),
    ]


@integer(
    "ex-p2-2",
    "{trials} trials on {cores} cores: the largest chunk with which every core has a task?",
    given={"trials": 1000, "cores": 64},
    vary={"trials": (500, 2000), "cores": (48, 96)},
)
def chunk(trials: int, cores: int) -> list[Anchor]:
    largest = max(c for c in range(1, trials + 1) if math.ceil(trials / c) >= cores)
    tasks = math.ceil(trials / (largest + 1))
    return [
        right(largest, "The chunk is the task: there are as many tasks as chunks."),
        wrong(largest + 1, f"that makes {tasks} tasks, and a core looks on."),
        wrong(cores, "that is the number of cores; how many chunks does it make?"),
        wrong(trials, "that is one chunk, so one core plays all of it."),
    ]


@number(
    "ex-p2-5",
    "{N} seeds drawn with replacement from {factor} N numbers: probability that two are the same?",
    given={"N": 100, "factor": 100},
    vary={"N": (50, 80, 120), "factor": (60, 150)},
    tolerance=0.005,
)
def same_seed(N: int, factor: int) -> list[Anchor]:
    size = factor * N
    differ = math.prod(1 - i / size for i in range(N))
    return [
        right(1 - differ, "And 0.993 for 1000 trials: more trials make it worse."),
        wrong(differ, "that is the probability that all differ."),
        wrong(N * (N - 1) / (2 * size), "that is the mean number of equal pairs, an upper bound."),
        wrong(1 / factor, "that is about the chance that one given trial shares its seed."),
        wrong(1 / size, "that is the chance that two given trials share a seed."),
    ]


@number(
    "ex-p2-6",
    "Regret after each of {T} rounds in {trials} trials of one policy: how many GB (10^9 bytes)?",
    given={"T": 10**6, "trials": 1000},
    vary={"T": (10**5, 3 * 10**6), "trials": (500, 2000)},
)
def whole_curves(T: int, trials: int) -> list[Anchor]:
    size = 8 * T * trials / 1e9
    return [
        right(size, "For a picture that is a few hundred pixels wide."),
        wrong(size / 2, "single precision would take that; the package keeps 8 bytes a number."),
        wrong(size / 8, "a number takes 8 bytes."),
        wrong(8 * size, "a number takes 64 bits, which are 8 bytes."),
        wrong(size / trials, "that is one trial."),
    ]
