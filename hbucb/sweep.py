"""sweep(): many bandits and many policies as one job, and a tidy table of what came out."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from itertools import product
from typing import Any

import numpy as np

from hbucb import jobs
from hbucb.bandits import Bandit
from hbucb.checkpoint import folder
from hbucb.policies.base import Policy
from hbucb.results import Result
from hbucb.simulation import prepare


def grid(make: Callable[..., Policy], **values: Any) -> dict[str, Policy]:
    """Policies over a grid of parameters, named after them.

    Parameters
    ----------
    make : callable
        A policy's class, or a function that makes one from keywords.
    **values : iterable
        For each keyword the values to take; all combinations, the last keyword fastest.

    Returns
    -------
    dict of str to Policy

    Raises
    ------
    ValueError
        If no keyword is given, or one has no values.

    Examples
    --------
    >>> import hbucb as hb
    >>> list(hb.grid(hb.UCB, sigma=[0.5, 1.0], kind=["anytime"]))
    ['UCB(sigma=0.5, kind=anytime)', 'UCB(sigma=1.0, kind=anytime)']
    """
    if not values:
        raise ValueError("grid needs at least one keyword with its values, such as sigma=[0.5, 1]")
    axes = {}
    for name, along in values.items():
        if isinstance(along, str) or not np.iterable(along):
            raise ValueError(f"{name} = {along!r} must be a list of values")
        axes[name] = list(along)
        if not axes[name]:
            raise ValueError(f"{name} has no values")
    made: dict[str, Policy] = {}
    kind = getattr(make, "__name__", "policy")
    for combination in product(*axes.values()):
        chosen = dict(zip(axes, combination, strict=True))
        text = ", ".join(f"{name}={value}" for name, value in chosen.items())
        if f"{kind}({text})" in made:
            raise ValueError(f"the grid holds {kind}({text}) twice")
        made[f"{kind}({text})"] = make(**chosen)
    return made


class Sweep(Mapping[str, Result]):
    """Results of a sweep by the bandit's name.

    Examples
    --------
    >>> import hbucb as hb
    >>> bandits = {f"gap {gap}": hb.Bandit([0.0, gap], hb.noise.Cauchy()) for gap in (0.5, 2.0)}
    >>> done = hb.sweep(bandits, hb.grid(hb.UCB, sigma=[0.5, 1.0]), 200, 20, seed=1)
    >>> done["gap 2.0"]["UCB(sigma=1.0)"].regret.shape[0]
    20
    >>> table = done.table()
    >>> table.dtype.names[:4], len(table)
    (('bandit', 'policy', 'horizon', 'trials'), 4)
    """

    def __init__(self, results: Mapping[str, Result]) -> None:
        self._results = dict(results)

    def __getitem__(self, name: str) -> Result:
        if name not in self._results:
            raise KeyError(f"{name!r}; the bandits are {', '.join(map(repr, self._results))}")
        return self._results[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)

    def table(self, trials: bool = False) -> np.ndarray:
        """What came out, a row for each bandit and policy.

        Parameters
        ----------
        trials : bool
            A row for each trial too, instead of statistics over trials.

        Returns
        -------
        structured ndarray
            Columns ``bandit``, ``policy`` (their names), ``horizon`` (T) and ``trials``; then
            ``mean``, ``standard_error``, ``median``, ``quantile_90`` of the final pseudo-regret R_T
            in reward units and ``stuck``, the share of trials whose most played arm is not a best
            one (nan for contextual bandits). With ``trials=True`` instead ``trial`` (its number),
            ``regret`` (R_T) and ``stuck`` (0 or 1, nan for contextual bandits).
        """
        rows: list[tuple[Any, ...]] = []
        for name, result in self._results.items():
            for row in result.summary():
                key = (name, row.policy, result.horizon, result.trials)
                if not trials:
                    rows.append((*key, *_statistics(row)))
                    continue
                last = result[row.policy].regret[:, -1]
                known = not np.isnan(row.stuck)
                stuck = result.stuck(row.policy) if known else np.full(len(last), np.nan)
                rows += [
                    (*key, i, regret, float(flag))
                    for i, (regret, flag) in enumerate(zip(last, stuck, strict=True))
                ]
        names = ("trial", "regret", "stuck") if trials else _COLUMNS
        width = max(len(str(row[column])) for row in rows for column in (0, 1))
        types = [("bandit", f"U{width}"), ("policy", f"U{width}"), ("horizon", int)]
        types += [("trials", int), *((n, int if n == "trial" else float) for n in names)]
        return np.array(rows, dtype=types)

    def frame(self, trials: bool = False) -> Any:
        """:meth:`table` as a pandas DataFrame.

        Raises
        ------
        ImportError
            If pandas is not installed; the table itself does not need it.
        """
        import pandas as pd  # type: ignore[import-untyped, unused-ignore]

        return pd.DataFrame(self.table(trials))


_COLUMNS = ("mean", "standard_error", "median", "quantile_90", "stuck")


def _statistics(row: Any) -> tuple[float, ...]:
    return tuple(getattr(row, name) for name in _COLUMNS)


def sweep(
    bandits: Mapping[str, Bandit],
    policies: Mapping[str, Policy] | Callable[[Bandit], Mapping[str, Policy]],
    horizon: int | Mapping[str, int],
    trials: int,
    *,
    seed: int,
    coupling: str = "time",
    order: str | None = None,
    rounds: Any = None,
    chunk: int | None = None,
    executor: Executor | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: bool = False,
) -> Sweep:
    """Play many policies on many bandits as one job.

    Every cell is the run that :func:`hbucb.simulate` gives with the same seed: trial i sees the
    same noise in all bandits with the same law, so rows can be compared pair by pair.

    Parameters
    ----------
    bandits : mapping of str to Bandit
    policies : mapping of str to Policy, or callable
        The same for all bandits (see :func:`grid`), or a function of the bandit.
    horizon : int or mapping of str to int
        T, the same for all bandits or one for each name.
    trials, seed, coupling, order, rounds, chunk, executor, progress
        As in :func:`hbucb.simulate`; the executor gets the chunks of all cells at once.
    checkpoint : path of a folder, optional
        Holds one checkpoint a bandit; a sweep that was killed goes on where it stopped.

    Returns
    -------
    Sweep

    Raises
    ------
    ValueError
        As :func:`hbucb.simulate`, with the bandit's name in front.
    """
    if not isinstance(bandits, Mapping) or not bandits:
        raise ValueError(f"bandits = {bandits!r} must be a dict of names and bandits, not empty")
    for name in bandits:
        if not isinstance(name, str) or not name:
            raise ValueError(f"bandits has the name {name!r}; names must be non-empty strings")
    if isinstance(horizon, Mapping) and set(horizon) != set(bandits):
        raise ValueError(f"horizon has the names {sorted(horizon)}, bandits {sorted(bandits)}")
    where = folder(checkpoint) if checkpoint is not None else None
    plans = []
    for number, (name, bandit) in enumerate(bandits.items()):
        slug = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")[:40]
        try:
            chosen = policies(bandit) if callable(policies) else policies
            plan = prepare(
                bandit,
                chosen,
                horizon[name] if isinstance(horizon, Mapping) else horizon,
                trials,
                seed=seed,
                coupling=coupling,
                order=order,
                rounds=rounds,
                actions=False,
                chunk=chunk,
                executor=executor,
                checkpoint=None if where is None else where / f"{number:03d}-{slug}",
            )
        except ValueError as error:
            raise ValueError(f"bandits[{name!r}]: {error}") from error
        plans.append(plan)
    done = jobs.run(plans, executor, progress)
    return Sweep(dict(zip(bandits, done, strict=True)))
