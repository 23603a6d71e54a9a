"""scalar(): a policy written for one trial runs beside the built-in ones."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hbucb.policies.base import Policy
from hbucb.streams import Run


@dataclass(frozen=True)
class Scalar(Policy):
    """One object a trial, made by ``factory``; see :func:`scalar`."""

    factory: Callable[..., Any]
    name: str
    parameters: tuple[tuple[str, Any], ...] = ()
    contextual: bool = field(default=False)  # type: ignore[assignment]

    def start(self, run: Run) -> ScalarState:
        return ScalarState(self, run)

    def bytes_per_trial(self, arms: int, horizon: int) -> int:
        # The objects are the user's; a full history of Python floats is assumed.
        return 1000 + 200 * arms + 40 * horizon

    def __repr__(self) -> str:
        arguments = "".join(f", {name}={value!r}" for name, value in self.parameters)
        return f"scalar({self.name}{arguments})"


class ScalarState:
    """The objects of all trials."""

    def __init__(self, policy: Scalar, run: Run) -> None:
        self._name, self._arms = policy.name, run.arms
        offered: dict[str, Any] = {"arms": run.arms, "horizon": run.horizon}
        if run.features is not None:
            offered["features"] = run.features
        accepted = inspect.signature(policy.factory).parameters
        wants_rng = "rng" in accepted
        generators = run.generators() if wants_rng else [None] * run.trials
        given = {k: v for k, v in offered.items() if k in accepted} | dict(policy.parameters)
        self._policies = [
            policy.factory(**given, **({"rng": rng} if wants_rng else {})) for rng in generators
        ]

    def select(self, t: int, context: np.ndarray | None = None) -> np.ndarray:
        arms = np.empty(len(self._policies), np.int64)
        for i, policy in enumerate(self._policies):
            arm = policy.select(t) if context is None else policy.select(t, int(context[i]))
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
            policy.update(t, *(int(c[i]) for c in context), int(arm[i]), float(reward[i]))


def scalar(factory: Callable[..., Any], *, contextual: bool = False, **parameters: Any) -> Scalar:
    """Run a policy that is written for one trial.

    Parameters
    ----------
    factory : class or callable
        Makes an object with ``select(t) -> int`` and ``update(t, arm, reward)``; for contextual
        bandits ``select(t, context)`` and ``update(t, context, arm, reward)``. It is called once a
        trial with those of ``arms``, ``horizon``, ``rng`` (the trial's own Generator) and
        ``features`` that it names, and with ``parameters``.
    contextual : bool
        Whether its verbs take the context.
    **parameters
        Passed to ``factory``.

    Returns
    -------
    Scalar
        A policy for :func:`simulate`. Its speed is that of Python loops.

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
    name = getattr(factory, "__qualname__", type(factory).__name__)
    for verb in ("select", "update"):
        if inspect.isclass(factory) and not callable(getattr(factory, verb, None)):
            raise ValueError(
                f"{name} has no method {verb}; it needs select(t) and update(t, arm, reward)"
            )
    accepted = inspect.signature(factory).parameters
    unknown = set(parameters) - set(accepted)
    if unknown and not any(p.kind is p.VAR_KEYWORD for p in accepted.values()):
        raise ValueError(f"{name} does not take {', '.join(sorted(unknown))}")
    return Scalar(factory, name, tuple(sorted(parameters.items())), contextual)
