"""Stored runs of the third paper's experiments, which are too dear to play in a chapter.

    python -m hbucb.replay.third               make what is missing or stale, then the verdicts
    python -m hbucb.replay.third S1-.5 S4      these experiments only
    python -m hbucb.replay.third --check 1     play one trial of each file again, bit for bit

All policies of an experiment see the same contexts and the same noise of each round. OAM, which
solves a programme where the others take a step, plays 5 to 20 trials where they play 100. Each
curve is played in a process of its own, which says how long it took and how much memory.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from hbucb.engine import Task
from hbucb.engine import play as engine_play
from hbucb.experiments import experiment
from hbucb.experiments.third_paper import third_paper_ids
from hbucb.policies.base import Policy
from hbucb.replay import curves
from hbucb.replay.curves import Curve, measured
from hbucb.replay.stored import Stored, path, stored_ids
from hbucb.replay.stored import load as load_from
from hbucb.results import Recorded
from hbucb.streams import Run

FOLDER = Path(__file__).with_name("third")
#: Trials of OAM on the toy, and on random problems by the number of arms.
OAM_TRIALS = {"S1": 20, "S2-4": 10, "S2-8": 10, "S2-16": 5, "S2-32": 5}


def load(id: str, folder: Path | None = None) -> Stored:
    """The stored run of an experiment: regret at the rounds of its plan.

    Examples
    --------
    >>> load("S1-.5")["SOLID"].regret.shape
    (100, 12)
    """
    return load_from(id, FOLDER if folder is None else folder)


def trials_of(plan: Any, name: str) -> int:
    """How many trials of a curve are played."""
    if not name.startswith("OAM"):
        return int(plan.trials)
    return OAM_TRIALS.get(plan.id, OAM_TRIALS["S1"])


def stored(
    id: str, regrets: dict[str, np.ndarray], wrong: dict[str, np.ndarray], versions: dict[str, str]
) -> Stored:
    """The run of an experiment as it is stored: identity of the plan, numbers as given."""
    plan = experiment(id)
    policies, at = plan.policies("all"), np.array(plan.rounds)
    bandit = plan.bandit
    # The features of some bandits are long: their digest tells whether they are the same.
    text = f"{plan.title}; {blake2b(repr(bandit).encode(), digest_size=16).hexdigest()}"
    return Stored(
        id=id,
        bandit=Recorded(text, bandit.gaps),
        policies={name: policies[name] for name in regrets},
        horizon=plan.horizon,
        trials=plan.trials,
        seed=plan.seed,
        coupling="time",
        order="given",
        rounds=at,
        versions=versions,
        regrets=regrets,
        wrong={name: _padded(flags, plan.trials) for name, flags in wrong.items()},
        hits={},
    )


def _padded(flags: np.ndarray, trials: int) -> np.ndarray:
    return np.concatenate([flags, np.zeros(trials - len(flags), bool)])


def play(id: str, name: str) -> Curve:
    """One curve, its regrets at the rounds of the plan."""
    plan = experiment(id)
    run, spent, memory = measured(
        lambda: plan.run(trials_of(plan, name), preset="all", names=[name])
    )
    wrong = run.stuck(name, plan.stuck)
    return Curve(run[name].regret, wrong, dict(run.versions or {}), spent, memory)


def costs() -> dict[str, curves.Costs]:
    """Experiment -> name -> [processor seconds, peak memory of its process in MB].

    Examples
    --------
    >>> costs()["S1-low"]["LinUCB"][1] < 1000
    True
    """
    return curves.costs(FOLDER)


def stale(run: Stored) -> str:
    """Why a stored run is not the one that its experiment now describes; empty if it is."""
    names = list(experiment(run.id).policies("all"))
    if run.names != names:
        return f"curves are {run.names}, not {names}"
    now, found = stored(run.id, dict(run.regrets), {}, {}).identity, run.identity
    return "; ".join(
        f"{key} is {found[key]!r}, not {now[key]!r}" for key in now if found[key] != now[key]
    )


def one_trial(id: str, name: str, trial: int, upto: int | None = None) -> np.ndarray:
    """Play one trial of a stored run alone: its regrets at the rounds of the plan.

    With ``upto`` it stops at that round; its policy still knows the whole horizon.
    """
    plan = experiment(id)
    policy, at = plan.policies("all")[name], np.array(plan.rounds)
    if upto is not None:
        at = at[at <= upto]
        policy = _Knows(policy, plan.horizon)
    task = Task(
        plan.bandit, policy, int(at[-1]), trial, 1, plan.seed, "time", "given", at, False
    )  # fmt: skip
    return engine_play(task).regret[0]


class _Knows(Policy):
    """A policy that is told the horizon of the whole run, with the same random stream."""

    contextual = True

    def __init__(self, policy: Any, horizon: int) -> None:
        self._policy, self._horizon = policy, horizon

    def __repr__(self) -> str:
        return repr(self._policy)

    def start(self, run: Run) -> Any:
        return self._policy.start(replace(run, horizon=self._horizon))


def check(trials: int, ids: Iterable[str]) -> list[str]:
    """Play some trials of each file again; what differs, a line each."""
    faults, choice = [], random.Random(1)
    for id in ids:
        run = load(id)
        for _ in range(trials):
            name = choice.choice(run.names)
            trial = choice.randrange(len(run.regrets[name]))
            regret = one_trial(id, name, trial)
            if not np.array_equal(regret, run.regrets[name][trial]):
                faults.append(f"{id} {name}, trial {trial}: {regret} against the stored numbers")
    return faults


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m hbucb.replay.third", description=__doc__)
    parser.add_argument("ids", nargs="*", help=f"experiments (all: {', '.join(third_paper_ids())})")
    parser.add_argument("--check", type=int, metavar="N", help="play N trials a file again")
    given = parser.parse_args(arguments)
    if given.check is not None:
        faults = check(given.check, given.ids or stored_ids(FOLDER))
        print("\n".join(faults) or f"{given.check} trials of each file are as stored")
        return 1 if faults else 0
    todo = [
        id
        for id in given.ids or third_paper_ids()
        if not path(id, FOLDER).is_file() or stale(load(id))
    ]
    todo.sort(key=lambda id: -experiment(id).horizon)  # so that no long curve is left alone
    names = {id: list(experiment(id).policies("all")) for id in todo}
    print(curves.make(names, play, stored, FOLDER))
    if not given.ids:
        from hbucb.replay.third_verdicts import write

        print(f"{write({id: load(id) for id in stored_ids(FOLDER)})} verdicts written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
