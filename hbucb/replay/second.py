"""Stored runs of Experiments 1 to 4 of the second paper, at its sizes.

    python -m hbucb.replay.second              make the files that are missing
    python -m hbucb.replay.second E3 E4        these experiments only
    python -m hbucb.replay.second --check 1    play one trial of each file again, bit for bit

Unlike the runs of :mod:`hbucb.replay.run`, these have the noise of each round in common and not
tapes of the arms, as with 100 arms the tapes cost more than the policies. Each curve is played in
a process of its own, which says how long it took and how much memory.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from pathlib import Path

import numpy as np

from hbucb.engine import Task
from hbucb.engine import play as engine_play
from hbucb.experiments import experiment
from hbucb.replay.stored import Stored, path, stored_ids
from hbucb.replay.stored import load as load_from

FOLDER = Path(__file__).with_name("second")
TRIALS = {"E1": 100, "E2": 100, "E3": 100, "E4": 20}
"""Trials by experiment: as printed, but for Experiment 4."""
ONLY = {"E4": ("EUCBV", "EUCBV (released)", "MOSS", "OCUCB")}
"""The curves of an experiment that is not stored with all of them."""
PROCESSES = 2


def names(id: str) -> list[str]:
    """The curves that are stored.

    Examples
    --------
    >>> names("E2")[:2]
    ['EUCBV', 'EUCBV (released)']
    """
    every = list(experiment(id).policies("all"))
    return [name for name in every if name in ONLY.get(id, every)]


def load(id: str) -> Stored:
    """The stored run of an experiment: regret after 1, 2, ..., 10 tenths of the horizon.

    Examples
    --------
    >>> load("E2")["EUCBV"].regret.shape
    (100, 10)
    """
    return load_from(id, FOLDER)


def stored(
    id: str, regrets: dict[str, np.ndarray], wrong: dict[str, np.ndarray], versions: dict[str, str]
) -> Stored:
    """The run of an experiment as it is stored: identity of the plan, numbers as given."""
    plan = experiment(id)
    policies = plan.policies("all")
    return Stored(
        id=id,
        bandit=plan.bandit,
        policies={name: policies[name] for name in names(id)},
        horizon=plan.horizon,
        trials=TRIALS[id],
        seed=plan.seed,
        coupling="time",
        order="random",
        rounds=tenths(plan.horizon),
        versions=versions,
        regrets=regrets,
        wrong=wrong,
        hits={},
    )


def tenths(horizon: int) -> np.ndarray:
    """The rounds after which regret is stored."""
    return np.arange(1, 11) * (horizon // 10)


Curve = tuple[np.ndarray, np.ndarray, dict[str, str], float, float]


def play(id: str, name: str) -> Curve:
    """One curve: regrets (trials, 10), wrong arms (trials,), versions, seconds, memory in MB."""
    import resource  # not on every system; only making the files needs it

    plan, start = experiment(id), time.process_time()
    run = plan.run(TRIALS[id], preset="all", names=[name], rounds=tenths(plan.horizon))
    spent = time.process_time() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024  # kB on Linux
    return run[name].regret, run.stuck(name), dict(run.versions or {}), spent, memory


def workers() -> Executor:
    """Fresh processes, one a curve, so that the peak of the memory is the curve's own."""
    fresh = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(PROCESSES, mp_context=fresh, max_tasks_per_child=1)


def make(id: str) -> tuple[Stored, dict[str, list[float]]]:
    """Play all curves of one experiment; the run, and name -> [seconds, MB]."""
    with workers() as pool:
        waiting = {name: pool.submit(play, id, name) for name in names(id)}
        done = {name: curve.result() for name, curve in waiting.items()}
    for name, (regret, _, _, spent, memory) in done.items():
        mean = regret[:, -1].mean()
        print(f"{id} {name}: mean regret {mean:.1f}, {spent:.0f} s, {memory:.0f} MB", flush=True)
    run = stored(
        id,
        {name: curve[0] for name, curve in done.items()},
        {name: curve[1] for name, curve in done.items()},
        next(iter(done.values()))[2],
    )
    return run, {name: [round(x, 1) for x in curve[3:]] for name, curve in done.items()}


def costs() -> dict[str, dict[str, list[float]]]:
    """Experiment -> name -> [processor seconds, memory of its process in MB], as measured.

    Examples
    --------
    >>> seconds, memory = costs()["E2"]["UCB1"]
    >>> seconds > 0 and memory > 0
    True
    """
    file = FOLDER / "cost.json"
    return dict(json.loads(file.read_text(encoding="utf-8"))) if file.is_file() else {}


def save(run: Stored, cost: dict[str, list[float]]) -> None:
    """Write a run, and what it took beside that of the others."""
    run.save(FOLDER)
    text = json.dumps({**costs(), run.id: cost}, indent=1, sort_keys=True)
    (FOLDER / "cost.json").write_text(text + "\n", encoding="utf-8")


def stale(run: Stored) -> str:
    """Why a stored run is not the one that its experiment now describes; empty if it is."""
    now = stored(run.id, dict(run.regrets), dict(run.wrong), {}).identity
    found = run.identity
    if list(found["policies"]) != list(now["policies"]):
        return f"curves are {run.names}, not {list(now['policies'])}"
    return "; ".join(
        f"{key} is {found[key]!r}, not {now[key]!r}" for key in now if found[key] != now[key]
    )


def one_trial(id: str, name: str, trial: int) -> tuple[np.ndarray, bool]:
    """Play one trial of a stored run alone: its regrets (10,), and whether the wrong arm won."""
    plan = experiment(id)
    policy, at = plan.policies("all")[name], tenths(plan.horizon)
    task = Task(
        plan.bandit, policy, plan.horizon, trial, 1, plan.seed, "time", "random", at, False
    )  # fmt: skip
    part = engine_play(task)
    return part.regret[0], bool(plan.bandit.gaps[part.pulls[0].argmax()] > 0)


def check(trials: int, ids: Iterable[str]) -> list[str]:
    """Play some trials of each file again; what differs, a line each."""
    faults, choice = [], random.Random(1)
    for id in ids:
        run = load(id)
        for _ in range(trials):
            name, trial = choice.choice(run.names), choice.randrange(run.trials)
            regret, wrong = one_trial(id, name, trial)
            if not np.array_equal(regret, run.regrets[name][trial]) or (
                wrong != run.wrong[name][trial]
            ):
                faults.append(f"{id} {name}, trial {trial}: {regret} against the stored numbers")
    return faults


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m hbucb.replay.second", description=__doc__)
    parser.add_argument("ids", nargs="*", help=f"experiments (all: {', '.join(TRIALS)})")
    parser.add_argument("--check", type=int, metavar="N", help="play N trials a file again")
    given = parser.parse_args(arguments)
    if given.check is not None:
        faults = check(given.check, given.ids or stored_ids(FOLDER))
        print("\n".join(faults) or f"{given.check} trials of each file are as stored")
        return 1 if faults else 0
    start = time.monotonic()
    for id in given.ids or TRIALS:
        if not path(id, FOLDER).is_file() or stale(load(id)):
            save(*make(id))
    spent = [cost for curves in costs().values() for cost in curves.values()]
    print(
        f"{time.monotonic() - start:.0f} s now; all stored runs: {sum(s for s, _ in spent):.0f} s "
        f"of processor time, at most {max(m for _, m in spent):.0f} MB a process"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
