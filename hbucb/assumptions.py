"""What a theorem asks of a bandit, and what happens when the bandit does not comply.

A *predicate* is a small object that looks at the facts which the arms' laws carry (is it
symmetric, which moments exist, ...) and answers yes, no or unknown. :func:`check` turns the first
"no" or "unknown" into an :class:`AssumptionError` that names the assumption and the law.
:func:`bound` marks a pure function as a regret bound and records where it comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from hbucb.predicates import (
    Predicate,
    bernoulli,
    bounded,
    central_moment,
    common_mean,
    locations_within,
    mass_within,
    mean_is_loc,
    noise_moment,
    raw_moment,
    subgaussian,
    symmetric,
    unimodal,
)

__all__ = [
    "STATUSES",
    "AssumptionError",
    "BoundInfo",
    "Predicate",
    "bernoulli",
    "bound",
    "bounded",
    "central_moment",
    "check",
    "common_mean",
    "locations_within",
    "mass_within",
    "mean_is_loc",
    "noise_moment",
    "raw_moment",
    "subgaussian",
    "symmetric",
    "unimodal",
]

STATUSES = ("proved", "corrected", "stated", "refuted")


class AssumptionError(ValueError):
    """A theorem's assumption fails, or is not known to hold, for the bandit at hand."""


@dataclass(frozen=True)
class BoundInfo:
    """Where a bound comes from and what it needs: one row of :func:`hbucb.bounds.catalogue`.

    Attributes
    ----------
    name : str
        Name of the function.
    algorithm : str
        The policy it speaks about, or ``"any policy"`` for a lower bound.
    source : str
        Paper and theorem number.
    status : str
        ``"proved"`` (full proof in the book), ``"corrected"`` (a printed statement repaired, with
        proof), ``"stated"`` (as printed, not examined) or ``"refuted"`` (kept to show).
    needs : tuple of str
        The assumptions, in words.
    rate : str
        The order in the gaps and the horizon.
    """

    name: str
    algorithm: str
    source: str
    status: str
    needs: tuple[str, ...]
    rate: str


F = TypeVar("F", bound=Callable[..., Any])


def bound(
    *, source: str, status: str, needs: Sequence[str], rate: str, algorithm: str
) -> Callable[[F], F]:
    """Register a pure function ``name(gaps, horizon, *, parameters)`` as a bound.

    Parameters
    ----------
    source, status, needs, rate, algorithm
        See :class:`BoundInfo`.

    Returns
    -------
    decorator
        Returns the function itself with the attribute ``bound`` (a :class:`BoundInfo`).

    Raises
    ------
    ValueError
        If `status` is not one of :data:`STATUSES`, or `needs` is a single string.

    Examples
    --------
    >>> @bound(source="Example 1", status="proved", needs=(), rate="T", algorithm="any policy")
    ... def trivial(gaps, horizon):
    ...     return max(gaps) * horizon
    >>> trivial.bound.status, trivial([0, 0.5], 10)
    ('proved', 5.0)
    """
    if status not in STATUSES:
        raise ValueError(f"status is {status!r}; allowed: {', '.join(STATUSES)}")
    if isinstance(needs, str):
        raise ValueError(f"needs is the string {needs!r}; give a sequence of strings")

    def mark(function: F) -> F:
        name = str(function.__name__)
        info = BoundInfo(name, algorithm, source, status, tuple(needs), rate)
        function.bound = info  # type: ignore[attr-defined]
        return function

    return mark


def check(
    bandit: Any, predicates: Iterable[Predicate], of: str, declare: Iterable[str] = ()
) -> None:
    """Raise unless every predicate is known to hold for `bandit`.

    Parameters
    ----------
    bandit : Bandit
        Anything with ``laws`` (one law an arm) and ``loc`` (arms,).
    predicates : iterable of Predicate
        What the theorem needs.
    of : str
        The theorem's name; starts the message.
    declare : iterable of str
        Names of predicates the user vouches for. It helps where a fact is unknown, never where
        it is false.

    Raises
    ------
    AssumptionError
        If an assumption is false, or is unknown and not declared. All of them are listed. Also
        for a bandit with contexts.
    ValueError
        If `bandit` has no laws, or `declare` is not a sequence of names that the theorem uses.

    Examples
    --------
    >>> import hbucb as hb
    >>> bandit = hb.Bandit([0.0, 1.0], hb.noise.Cauchy())
    >>> check(bandit, [symmetric()], of="Theorem 10")
    >>> try:
    ...     check(bandit, [mean_is_loc()], of="Theorem 7")
    ... except AssumptionError as error:
    ...     print(error)
    Theorem 7 needs noise of mean 0; Cauchy(scale=1.0) has no finite mean
    """
    if isinstance(declare, str):
        raise ValueError(f"declare is the string {declare!r}; give a sequence of names")
    if not isinstance(declare, list | tuple | set | frozenset):
        raise ValueError(f"declare is {declare!r}; give a sequence of names")
    asked = list(predicates)
    if not all(isinstance(name, str) for name in declare):
        raise ValueError(f"declare is {declare!r}; give a sequence of names")
    declared = set(declare)
    if getattr(bandit, "features", None) is not None:
        raise AssumptionError(f"{of} is about bandits without contexts")
    if not hasattr(bandit, "laws"):
        raise ValueError(f"bandit is {bandit!r}; give a Bandit")
    names = {predicate.name for predicate in asked}
    if not declared <= names:
        wrong = ", ".join(sorted(declared - names))
        raise ValueError(
            f"declare holds {wrong}; {of} uses only: {', '.join(sorted(names)) or 'nothing'}"
        )
    problems = []
    for predicate in asked:
        holds, sentence = predicate.examine(bandit)
        if holds is True or (holds is None and predicate.name in declared):
            continue
        if holds is None:
            sentence = f"{sentence} (declare={predicate.name!r} if you know it)"
        elif predicate.name in declared:
            sentence = f"{sentence}; a false fact cannot be declared"
        problems.append(f"needs {predicate.text}; {sentence}")
    if problems:
        raise AssumptionError(f"{of} " + "; it also ".join(problems))
