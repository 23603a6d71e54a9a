"""Playing what the ledger needs, whole or one trial at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hbucb.claims.claim import FAIR_RIVAL
from hbucb.engine import Task
from hbucb.engine import play as engine_play
from hbucb.experiments import Experiment, experiment, hitting_times
from hbucb.replay.stored import Stored
from hbucb.results import PolicyResult, Result


def needed() -> dict[str, list[str]]:
    """Experiment -> names of the policies that some claim compares there, rivals' fair forms too.

    Examples
    --------
    >>> needed()["F2b"][:2]
    ['UCB', 'SGD-UCB']
    """
    from hbucb.claims import ledger

    wanted: dict[str, set[str]] = {}
    for claim in ledger():
        if claim.experiment:
            names = wanted.setdefault(claim.experiment, set())
            names.update({claim.better, claim.worse})
            if claim.metric == "halves":  # drawn beside all others of a long run
                names.update(experiment(claim.experiment).policies("all"))
            if claim.kind == "comparison" and not claim.metric and claim.worse in FAIR_RIVAL:
                names.add(FAIR_RIVAL[claim.worse])
    return {
        id: [name for name in experiment(id).policies("all") if name in names]
        for id, names in wanted.items()
    }


def rounds_of(plan: Experiment) -> np.ndarray:
    """Rounds whose regret is stored: half of the pulls and all, or the plan's own."""
    if plan.rounds is None or plan.targets:
        return np.array((plan.horizon // 2, plan.horizon), dtype=np.int64)
    return np.array(plan.rounds, dtype=np.int64)


def _recorded(plan: Experiment) -> np.ndarray:
    """Rounds to record in the run: all that may be the first passage of a target."""
    return np.array(plan.rounds if plan.targets else rounds_of(plan), dtype=np.int64)


def _digest(plan: Experiment, name: str, run: Result) -> tuple[np.ndarray, ...]:
    """Regret at the stored rounds, wrong arm, and the times to the targets."""
    at = np.searchsorted(run.rounds, rounds_of(plan))
    hits = [hitting_times(run, name, x, after=plan.horizon // 50) for x in plan.targets]
    shape = (len(plan.targets), run.trials)
    return run[name].regret[:, at].copy(), run.stuck(name), np.reshape(hits, shape).T


def play(id: str, names: list[str], *, tell: Callable[[str], Any] = print) -> Stored:
    """Play the verdict run of an experiment: by arm, at its verdict seed and size.

    Parameters
    ----------
    id : str
        An experiment, or a point of a sweep such as "F4R@4".
    names : list of str
        The policies, in the order in which they are stored.
    tell : callable
        Called with a line for each policy.

    Returns
    -------
    Stored
    """
    plan = experiment(id)
    regrets, wrong, hits = {}, {}, {}
    for name in names:
        run = plan.verdict_run(names=[name], rounds=_recorded(plan))
        regrets[name], wrong[name], hit = _digest(plan, name, run)
        if hit.size:
            hits[name] = hit
        tell(f"{id} {name}: mean R_T/T {regrets[name][:, -1].mean() / plan.horizon:.4f}")
    return Stored(
        id=id,
        bandit=plan.bandit,
        policies={name: plan.policies("all")[name] for name in names},
        horizon=plan.horizon,
        trials=plan.verdict_trials,
        seed=plan.verdict_seed,
        coupling="arm",
        order=run.order,
        rounds=rounds_of(plan),
        versions=run.versions or {},
        regrets=regrets,
        wrong=wrong,
        hits=hits,
    )


def stale(stored: Stored, names: list[str]) -> str:
    """Why a stored run is not the one that its experiment now describes; empty if it is."""
    plan = experiment(stored.id)
    policies = plan.policies("all")
    now = {
        "id": plan.id,
        "bandit": repr(plan.bandit),
        "policies": {name: repr(policies[name]) for name in names},
        "horizon": plan.horizon,
        "trials": plan.verdict_trials,
        "seed": plan.verdict_seed,
        "coupling": "arm",
        "order": "random",
        "rounds": rounds_of(plan).tolist(),
    }
    found = stored.identity
    return "; ".join(
        f"{key} is {found[key]!r}, not {now[key]!r}" for key in now if found[key] != now[key]
    )


def one_trial(id: str, name: str, trial: int) -> tuple[np.ndarray, bool, np.ndarray]:
    """Play one trial of a verdict run alone.

    Parameters
    ----------
    id, name : str
        Experiment and policy.
    trial : int
        Its number in the stored run.

    Returns
    -------
    regret : ndarray, shape (2,)
    wrong : bool
    hits : ndarray, shape (targets,)

    Examples
    --------
    >>> from hbucb.replay import load
    >>> regret, wrong, _ = one_trial("F4R@4", "SGD-UCB", 17)
    >>> run = load("F4R@4")
    >>> bool((regret == run["SGD-UCB"].regret[17]).all()), bool(wrong == run.wrong["SGD-UCB"][17])
    (True, True)
    """
    plan = experiment(id)
    policy, at = plan.policies("all")[name], _recorded(plan)
    seed = plan.verdict_seed
    task = Task(plan.bandit, policy, plan.horizon, trial, 1, seed, "arm", "random", at, False)
    part = engine_play(task)
    result = Result(
        plan.bandit, {name: policy}, plan.horizon, 1, seed, "arm", "random", at,
        {name: PolicyResult(part.regret, part.pulls)},
    )  # fmt: skip
    regret, wrong, hits = _digest(plan, name, result)
    return regret[0], bool(wrong[0]), hits[0]
