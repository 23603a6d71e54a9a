"""simulate(): all trials of a bandit advance together, in chunks that bound memory."""

from __future__ import annotations

import os
from collections.abc import Mapping
from concurrent.futures import Executor
from typing import Any

import numpy as np

from hbucb import jobs, streams
from hbucb.bandits import Bandit
from hbucb.policies.base import Policy
from hbucb.results import Result
from hbucb.validate import whole_number


def simulate(
    bandit: Bandit,
    policies: Policy | Mapping[str, Policy],
    horizon: int,
    trials: int,
    *,
    seed: int,
    coupling: str = "time",
    order: str | None = None,
    rounds: Any = None,
    actions: bool = False,
    chunk: int | None = None,
    executor: Executor | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: bool = False,
) -> Result:
    """Play policies on a bandit, many independent trials at once.

    Parameters
    ----------
    bandit : Bandit
    policies : Policy or mapping of str to Policy
        One policy is named after its class.
    horizon, trials : int
        T pulls in each of ``trials`` independent runs, both >= 1.
    seed : int
        >= 0. Trial i plays the same in any chunk, on any executor and in any company.
    coupling : {"time", "arm"}
        "time": all policies see the noise of round t, whatever they play. "arm": each arm has a
        reward tape and its k-th pull reads entry k in all policies, so differences are paired.
    order : {"random", "given"}, optional
        Ties go to the first slot; arms are put into slots in a random order, drawn once a trial
        (the default), or as given (the default and the only choice of contextual bandits).
    rounds : int or array_like of int, optional
        Pulls t after which regret is recorded, increasing, in 1..T; T is added if it is missing.
        100 log-spaced ones by default, fewer where they coincide.
    actions : bool
        Record every action too, (trials, T) 16-bit integers.
    chunk : int, optional
        Trials that advance together; chosen to bound memory by default. Never changes a result.
    executor : concurrent.futures.Executor, optional
        Where chunks run; here and now by default. Any will do: a process pool, dask's
        ``client.get_executor()``, mpi4py's ``MPIPoolExecutor()``.
    checkpoint : path of a folder, optional
        Keep each finished chunk there, and play only those that are not there yet: the same call
        after a kill gives the same bytes. The folder is yours to delete.
    progress : bool
        Show a progress bar over chunks.

    Returns
    -------
    Result

    Raises
    ------
    ValueError
        For arguments out of range, named with their value; for a reward that is nan, or +-inf
        where the policy cannot bear it, with trial, round and policy.

    Examples
    --------
    >>> import hbucb as hb
    >>> bandit = hb.Bandit(loc=[0.0, 1.0], noise=hb.noise.Gaussian())
    >>> result = hb.simulate(bandit, hb.UCB(sigma=1.0), horizon=1000, trials=50, seed=7)
    >>> result["UCB"].regret.shape, result["UCB"].pulls.sum(axis=1)[:3].tolist()
    ((50, 75), [1000, 1000, 1000])
    """
    plan = prepare(
        bandit,
        policies,
        horizon,
        trials,
        seed=seed,
        coupling=coupling,
        order=order,
        rounds=rounds,
        actions=actions,
        chunk=chunk,
        executor=executor,
        checkpoint=checkpoint,
    )
    return jobs.run([plan], executor, _flag(progress, "progress"))[0]


def prepare(
    bandit: Bandit,
    policies: Policy | Mapping[str, Policy],
    horizon: int,
    trials: int,
    *,
    seed: int,
    coupling: str,
    order: str | None,
    rounds: Any,
    actions: bool,
    chunk: int | None,
    executor: Executor | None,
    checkpoint: str | os.PathLike[str] | None,
) -> jobs.Plan:
    """A run, its arguments checked and its trials cut into chunks; see :func:`simulate`."""
    if not isinstance(bandit, Bandit):
        raise ValueError(f"bandit = {bandit!r} must be a Bandit")
    named = _named(policies, bandit)
    horizon = whole_number(horizon, "horizon", 1)
    trials = whole_number(trials, "trials", 1)
    seed = whole_number(seed, "seed", 0)
    if coupling not in ("time", "arm"):
        raise ValueError(f"coupling = {coupling!r} must be 'time' or 'arm'")
    contextual = bandit.features is not None
    if order is None:
        order = "given" if contextual else "random"
    if order not in ("random", "given"):
        raise ValueError(f"order = {order!r} must be 'random' or 'given'")
    if contextual and (order == "random" or coupling == "arm"):
        raise ValueError(
            f"order = {order!r}, coupling = {coupling!r}: contextual bandits take order='given' "
            "and coupling='time' only"
        )
    actions = _flag(actions, "actions")
    if executor is not None and (isinstance(executor, type) or not hasattr(executor, "submit")):
        raise ValueError(
            f"executor = {executor!r} must be an executor with submit, such as "
            "concurrent.futures.ProcessPoolExecutor(2)"
        )
    at = _rounds(rounds, horizon)
    plan = jobs.Plan(bandit, named, horizon, trials, seed, coupling, order, at, actions)
    return jobs.cut(plan, chunk, executor, checkpoint)


def _flag(value: bool, name: str) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{name} = {value!r} must be True or False")
    return value


def _not_a_policy(given: Any) -> str:
    """What is wrong, and what would make a policy of it."""
    if hasattr(given, "start"):
        return "has start but is no policy: let its class inherit from hbucb.policies.Policy"
    return "must be a policy object; wrap a class with select and update by hb.scalar"


def _named(policies: Any, bandit: Bandit) -> dict[str, Policy]:
    if isinstance(policies, Mapping):
        named = dict(policies)
    elif isinstance(policies, Policy):
        named = {getattr(policies, "name", type(policies).__name__): policies}
    else:
        raise ValueError(
            f"policies = {policies!r} {_not_a_policy(policies)}; or give a dict of names and "
            "policies"
        )
    if not named:
        raise ValueError("policies is empty; give at least one policy")
    for name, policy in named.items():
        if not isinstance(name, str) or not name:
            raise ValueError(f"policies has the name {name!r}; names must be non-empty strings")
        if isinstance(policy, type) and issubclass(policy, Policy):
            raise ValueError(f"policies[{name!r}] is a class; call it: {policy.__name__}(...)")
        if not isinstance(policy, Policy):
            raise ValueError(f"policies[{name!r}] = {policy!r} {_not_a_policy(policy)}")
        if policy.contextual and bandit.features is None:
            raise ValueError(f"policies[{name!r}] is contextual, the bandit has no contexts")
        streams.policy_stream(policy)
    return named


def _rounds(rounds: Any, horizon: int) -> np.ndarray:
    if rounds is None:
        return np.unique(np.geomspace(1, horizon, min(100, horizon)).round().astype(np.int64))
    at = np.atleast_1d(np.asarray(rounds))
    if at.ndim != 1 or not at.size or not np.issubdtype(at.dtype, np.integer):
        raise ValueError(f"rounds = {rounds!r} must be an integer or a sequence of integers")
    at = at.astype(np.int64)  # differences of unsigned numbers would wrap around
    if (np.diff(at) <= 0).any() or at[0] < 1 or at[-1] > horizon:
        raise ValueError(f"rounds = {rounds!r} must increase within 1..{horizon}")
    return at.astype(np.int64) if at[-1] == horizon else np.append(at, horizon).astype(np.int64)
