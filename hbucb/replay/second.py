"""Stored runs of Experiments 1 to 4 of the second paper, at its sizes.

    python -m hbucb.replay.second              make the files that are missing
    python -m hbucb.replay.second E3 E4        these experiments only
    python -m hbucb.replay.second --check 1    play one trial of each file again, bit for bit
    python -m hbucb.replay.second --cost       measure again what a pull of each player costs

Unlike the runs of :mod:`hbucb.replay.run`, these have the noise of each round in common and not
tapes of the arms, as with 100 arms the tapes cost more than the policies. Each curve is played in
a process of its own, which says how long it took and how much memory.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from hbucb.engine import Task
from hbucb.engine import play as engine_play
from hbucb.experiments import experiment
from hbucb.replay import curves
from hbucb.replay.curves import Curve, measured
from hbucb.replay.stored import Stored, path, stored_ids
from hbucb.replay.stored import load as load_from

FOLDER = Path(__file__).with_name("second")
TRIALS = {"E1": 100, "E2": 100, "E3": 100, "E4": 100, "E2-sd": 20, "E3-sd": 20, "E4-sd": 20}
"""Trials by experiment: as printed, fewer where the listed spread is read as a deviation."""


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
    return Stored(
        id=id,
        bandit=plan.bandit,
        policies=plan.policies("all"),
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


def play(id: str, name: str) -> Curve:
    """One curve, its regrets at the tenths of the horizon."""
    plan = experiment(id)
    run, spent, memory = measured(
        lambda: plan.run(TRIALS[id], preset="all", names=[name], rounds=tenths(plan.horizon))
    )
    return Curve(run[name].regret, run.stuck(name), dict(run.versions or {}), spent, memory)


def costs() -> dict[str, curves.Costs]:
    """Experiment -> name -> [processor seconds, memory of its process in MB], as measured.

    Examples
    --------
    >>> seconds, memory = costs()["E2"]["UCB1"]
    >>> seconds > 0 and memory > 0
    True
    """
    return curves.costs(FOLDER)


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
    parser.add_argument("--cost", action="store_true", help="measure the cost of a pull again")
    given = parser.parse_args(arguments)
    if given.cost:
        from hbucb.replay import second_cost

        print(json.dumps(second_cost.write(), indent=1))
        return 0
    if given.check is not None:
        faults = check(given.check, given.ids or stored_ids(FOLDER))
        print("\n".join(faults) or f"{given.check} trials of each file are as stored")
        return 1 if faults else 0
    todo = [id for id in given.ids or TRIALS if not path(id, FOLDER).is_file() or stale(load(id))]
    todo.sort(key=lambda id: -experiment(id).horizon)  # so that no long curve is left alone
    names = {id: list(experiment(id).policies("all")) for id in todo}
    print(curves.make(names, play, stored, FOLDER))
    return 0


if __name__ == "__main__":
    sys.exit(main())
