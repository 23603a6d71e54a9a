"""Curves of stored runs, each played in a fresh process, and what each of them took."""

from __future__ import annotations

import json
import multiprocessing
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing.context import BaseContext
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np

from hbucb.policies import FILES
from hbucb.replay.stored import Stored, load, stored_ids

T = TypeVar("T")
PROCESSES = 2
#: Name of a curve -> [processor seconds, peak memory of its process in MB].
Costs = dict[str, list[float]]


class Curve(NamedTuple):
    """What the process of a curve sends back."""

    regret: np.ndarray  # (trials, rounds)
    wrong: np.ndarray  # (trials,)
    versions: dict[str, str]
    seconds: float
    memory: float


def workers() -> Executor:
    """Fresh processes, one a curve, so that the peak of the memory is the curve's own.

    Where there is a fork server, it has imported the package once for all of them. Two processes
    on two cores: threads of the linear algebra would only wait for each other.
    """
    for library in ("OMP", "OPENBLAS", "MKL"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    fresh: BaseContext
    if "forkserver" in multiprocessing.get_all_start_methods():
        fresh = multiprocessing.get_context("forkserver")
        files = sorted({f"hbucb.policies.{file}" for file in FILES.values()})
        fresh.set_forkserver_preload(["hbucb.experiments", "hbucb.linear", *files])
    else:
        fresh = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(PROCESSES, mp_context=fresh, max_tasks_per_child=1)


def measured(work: Callable[[], T]) -> tuple[T, float, float]:
    """What a call returns, its processor seconds, and the peak memory of this process in MB."""
    import resource  # not on every system; only making the files needs it

    start = time.process_time()
    done = work()
    spent = time.process_time() - start
    return done, spent, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024  # kB on Linux


def play_all(
    pool: Executor, play: Callable[[str, str], Curve], names: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, dict[str, Curve]]]:
    """Experiments one by one as their curves are done; no process waits for an experiment."""
    waiting = {id: {name: pool.submit(play, id, name) for name in names[id]} for id in names}
    for id, curves in waiting.items():
        done = {}
        for name, curve in curves.items():
            done[name] = one = curve.result()
            print(
                f"{id} {name}: mean regret {one.regret[:, -1].mean():.1f}, {one.seconds:.0f} s, "
                f"{one.memory:.0f} MB",
                flush=True,
            )
        yield id, done


def gather(
    curves: Mapping[str, Curve],
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray], dict[str, str]]:
    """Regrets by name, wrong trials by name, and the versions that played."""
    return (
        {name: curve.regret for name, curve in curves.items()},
        {name: curve.wrong for name, curve in curves.items()},
        next(iter(curves.values())).versions,
    )


def costs(folder: Path) -> dict[str, Costs]:
    """Experiment -> name -> [processor seconds, memory in MB], as stored in a folder."""
    file = folder / "cost.json"
    return dict(json.loads(file.read_text(encoding="utf-8"))) if file.is_file() else {}


def save(run: Stored, curves: Mapping[str, Curve], folder: Path) -> None:
    """Write a run, and what its curves took beside that of the others."""
    run.save(folder)
    own = {name: [round(c.seconds, 1), round(c.memory, 1)] for name, c in curves.items()}
    text = json.dumps({**costs(folder), run.id: own}, indent=1, sort_keys=True)
    (folder / "cost.json").write_text(text + "\n", encoding="utf-8")


def total(folder: Path, names: Mapping[str, Sequence[str]]) -> str:
    """What the curves ``names`` by experiment took in all, and of how many that is known."""
    known = costs(folder)
    spent = [known[id][name] for id in names for name in names[id] if name in known.get(id, {})]
    if not spent:
        return "no stored costs"
    every = sum(len(curves) for curves in names.values())
    return (
        f"{'all' if len(spent) == every else f'{len(spent)} of'} {every} stored curves: "
        f"{sum(cost[0] for cost in spent):.0f} s of processor time, "
        f"at most {max(cost[1] for cost in spent):.0f} MB a process"
    )


def make(
    names: Mapping[str, Sequence[str]],
    play: Callable[[str, str], Curve],
    stored: Callable[..., Stored],
    folder: Path,
) -> str:
    """Play and save the curves ``names`` by experiment; what these and all stored runs took."""
    start = time.monotonic()
    with workers() as pool:
        for id, played in play_all(pool, play, names):
            save(stored(id, *gather(played)), played, folder)
    kept = {id: load(id, folder).names for id in stored_ids(folder)}
    return f"{time.monotonic() - start:.0f} s now; {total(folder, kept)}"
