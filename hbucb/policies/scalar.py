"""scalar(): a policy written for one trial runs beside the built-in ones."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hbucb.policies.base import Policy
from hbucb.streams import Run

_OFFERED = ("arms", "horizon", "rng", "features")


@dataclass(frozen=True)
class Scalar(Policy):
    """One object a trial, made by ``factory``; see :func:`scalar`."""

    factory: Callable[..., Any]
    name: str
    parameters: tuple[tuple[str, Any], ...] = ()
    contextual: bool = field(default=False)  # type: ignore[assignment]
    draws_as: Policy | None = None

    def start(self, run: Run) -> ScalarState:
        return ScalarState(self, run)

    def bytes_per_trial(self, arms: int, horizon: int) -> int:
        # The objects are the user's; a full history of Python floats is assumed.
        return 1000 + 200 * arms + 40 * horizon

    def __repr__(self) -> str:
        arguments = "".join(f", {name}={value!r}" for name, value in self.parameters)
        like = "" if self.draws_as is None else f", draws_as={self.draws_as!r}"
        return f"scalar({self.name}{arguments}{like})"


class ScalarState:
    """The objects of all trials."""

    def __init__(self, policy: Scalar, run: Run) -> None:
        self._name, self._arms, self._first = policy.name, run.arms, run.first
        accepted = inspect.signature(policy.factory).parameters
        anything = any(p.kind is p.VAR_KEYWORD for p in accepted.values())
        wanted = [name for name in _OFFERED if anything or name in accepted]
        offered: dict[str, Any] = {"arms": run.arms, "horizon": run.horizon}
        if run.features is not None:
            offered["features"] = run.features
        generators: list[Any] = [None] * run.trials
        if "rng" in wanted:
            generators = run.generators()
        self._policies = []
        for rng in generators:
            given = offered | {"rng": rng}
            given = {name: given[name] for name in wanted if name in given}
            # A parameter that a trial changes must not reach the next trial.
            given |= deepcopy(dict(policy.parameters))
            try:
                made = policy.factory(**given)
            except TypeError as error:
                error.add_note(
                    f"{self._name} was called with {', '.join(given) or 'nothing'}; it may name "
                    f"{', '.join(_OFFERED)} and the parameters given to hb.scalar"
                )
                raise
            self._policies.append(made)
        first = self._policies[0]
        if not callable(getattr(first, "select", None)) or not callable(
            getattr(first, "update", None)
        ):
            raise ValueError(
                f"{self._name} made {first!r}; it needs select(t) and update(t, arm, reward)"
            )
        if len({id(made) for made in self._policies}) < len(self._policies):
            raise ValueError(f"{self._name} made the same object for two trials; make new ones")

    def select(self, t: int, context: np.ndarray | None = None) -> np.ndarray:
        arms = np.empty(len(self._policies), np.int64)
        for i, policy in enumerate(self._policies):
            try:
                arm = policy.select(t) if context is None else policy.select(t, int(context[i]))
            except Exception as error:
                self._tell(error, "select", i, t)
                raise
            if not isinstance(arm, int | np.integer) or isinstance(arm, bool):
                raise ValueError(f"{self._name}.select({t}) gave {arm!r}; it must be an integer")
            if not 0 <= arm < self._arms:
                raise ValueError(
                    f"{self._name}.select({t}) gave arm {int(arm)}; "
                    f"it must be in 0..{self._arms - 1}"
                )
            arms[i] = arm
        return arms

    def update(self, t: int, *seen: np.ndarray) -> None:
        *context, arm, reward = seen
        for i, policy in enumerate(self._policies):
            try:
                policy.update(t, *(int(c[i]) for c in context), int(arm[i]), float(reward[i]))
            except Exception as error:
                self._tell(error, "update", i, t)
                raise

    def _tell(self, error: Exception, verb: str, i: int, t: int) -> None:
        error.add_note(f"in {self._name}.{verb}, trial {self._first + i}, round {t}")


def scalar(
    factory: Callable[..., Any],
    *,
    name: str | None = None,
    contextual: bool = False,
    draws_as: Policy | None = None,
    **parameters: Any,
) -> Scalar:
    """Run a policy that is written for one trial.

    Parameters
    ----------
    factory : class or callable
        Makes an object with ``select(t) -> int`` and ``update(t, arm, reward)``, t counted from 0;
        for contextual bandits ``select(t, context)`` and ``update(t, context, arm, reward)``. It
        is called once a trial with those of ``arms``, ``horizon``, ``rng`` (the trial's own
        Generator) and ``features`` that it names, and with a copy of ``parameters``. What it keeps
        on the class, or in global variables, is shared by the trials: keep it on the object.
    name : str, optional
        Name of the policy; that of the factory if it has one of its own.
    contextual : bool
        Whether its verbs take the context.
    draws_as : Policy, optional
        ``rng`` of a trial is keyed by the text (``repr``) of the policy, so that no two policies
        share their luck. Here: by the text of this other one, the same policy written for all
        trials at once, whose first ``run.generators()`` then give the same numbers.
    **parameters
        Passed to ``factory``.

    Returns
    -------
    Scalar
        A policy for :func:`simulate`. Its speed is that of Python loops.

    Raises
    ------
    ValueError
        For a factory that cannot be called or lacks a verb or a name, and for parameters that it
        does not take. In a run, errors of your code carry the trial and the round as a note.

    Examples
    --------
    >>> import hbucb as hb
    >>> class Alternate:
    ...     def __init__(self, arms):
    ...         self.arms = arms
    ...     def select(self, t):
    ...         return t % self.arms
    ...     def update(self, t, arm, reward):
    ...         pass
    >>> bandit = hb.Bandit([0.0, 1.0], hb.noise.Cauchy())
    >>> result = hb.simulate(bandit, hb.scalar(Alternate), horizon=10, trials=3, seed=1)
    >>> result["Alternate"].regret[:, -1].tolist()
    [5.0, 5.0, 5.0]
    """
    if not callable(factory):
        raise ValueError(f"factory = {factory!r} must be a class or callable that makes a policy")
    if name is None:
        name = getattr(factory, "__qualname__", "").split(".")[-1]
        if not name.isidentifier():
            raise ValueError(f"factory = {factory!r} has no name of its own; give one with name=")
    for verb in ("select", "update"):
        if inspect.isclass(factory) and not callable(getattr(factory, verb, None)):
            raise ValueError(
                f"{name} has no method {verb}; it needs select(t) and update(t, arm, reward)"
            )
    accepted = inspect.signature(factory).parameters
    unknown = set(parameters) - set(accepted)
    if unknown and not any(p.kind is p.VAR_KEYWORD for p in accepted.values()):
        own = ", ".join(p for p in accepted if p not in _OFFERED) or "no parameters"
        raise ValueError(f"{name} does not take {', '.join(sorted(unknown))}; it takes {own}")
    if draws_as is not None and not isinstance(draws_as, Policy):
        raise ValueError(f"draws_as = {draws_as!r} must be a policy object")
    given = set(parameters) & set(_OFFERED)
    if given:
        raise ValueError(f"{', '.join(sorted(given))} is given to {name} by simulate")
    kept = tuple(sorted(deepcopy(parameters).items()))
    return Scalar(factory, name, kept, contextual, draws_as)
