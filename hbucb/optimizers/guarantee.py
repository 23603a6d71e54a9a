"""A guarantee g(k, delta) of an optimisation method, and its two units.

A first-order guarantee bounds f(x_k) - f(mu) = (x_k - mu)^2 / 2, a zero-order one |x_k - mu|. With
r = sqrt(2 g) both say |x_k - mu| <= r: :class:`Distance` and :class:`HalfSquare` go from one to
the other and back.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hbucb.predicates import Predicate


class Guarantee:
    """A claim P(error of x_k > g(k, delta)) <= delta on each side, as a frozen dataclass.

    A subclass is a frozen dataclass of parameters that defines ``__call__``; one whose claim is
    proved also defines :meth:`needs` and :meth:`proved_for`.

    Attributes
    ----------
    kind : {"fixed-k", "uniform"}
        Whether the claim holds at each k by itself, or at all k at once.
    order : {"first", "zero"}
        Whether g bounds (x_k - mu)^2 / 2 (squared reward units) or |x_k - mu| (reward units).

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Claimed(Guarantee):
    ...     c: float
    ...     def __call__(self, k, delta):
    ...         return self.c / np.asarray(k)
    >>> float(Claimed(2.0)(4, 0.1)), Claimed(2.0).proved_for("any method", 0.1)
    (0.5, 'no proof of it is known here')
    """

    kind = "fixed-k"
    order = "first"

    def __call__(self, k: Any, delta: Any) -> Any:
        """The guarantee after k >= 1 updates; +inf where it says nothing."""
        raise NotImplementedError

    def needs(self) -> tuple[Predicate, ...]:
        """The assumptions of its proof."""
        return ()

    def proved_for(self, optimizer: Any, delta: float | None) -> str:
        """Why no theorem gives this g to the method at `delta`; empty if one does."""
        return "no proof of it is known here"


def check_guarantee(g: Any, order: str) -> None:
    """ValueError unless `g` can be a parameter of a policy with guarantees of that order."""
    # A class that is not frozen has no hash, one without the base has no proved_for.
    frozen = dataclasses.is_dataclass(g) and g.__dataclass_params__.frozen  # type: ignore[union-attr]
    if not (frozen and isinstance(g, Guarantee)):
        raise ValueError(
            f"g = {g!r} must be a Guarantee: a frozen dataclass that is called as g(k, delta)"
        )
    if " at 0x" in repr(g):
        raise ValueError(f"g = {g!r} must have a repr without an address")
    kind, own = getattr(g, "kind", None), getattr(g, "order", None)
    if kind not in ("fixed-k", "uniform"):
        raise ValueError(f"g.kind = {kind!r} must be 'fixed-k' or 'uniform'")
    if own != order:
        other = "Distance(g)" if order == "zero" else "HalfSquare(g)"
        raise ValueError(f"g.order = {own!r} must be {order!r}; {other} converts it")


def values_of(g: Guarantee, k: np.ndarray, delta: float) -> np.ndarray:
    """g after each number of updates in ``k`` (n,), +inf at 0; ValueError for values that are none.

    Examples
    --------
    >>> from hbucb.optimizers import SubGaussianG
    >>> values_of(SubGaussianG(), np.array([0, 1, 100]), 0.05).round(4).tolist()
    [inf, 3.6889, 0.0369]
    """
    some = np.maximum(k, 1)
    values = np.asarray(g(some, delta), dtype=float)
    if values.shape != some.shape:
        raise ValueError(f"g(k, delta) has shape {values.shape} for k of shape {some.shape}")
    good = values >= 0
    if not good.all():
        bad = np.flatnonzero(~good)[0]
        raise ValueError(f"g({some[bad]}, {delta:g}) = {values[bad]!r} must be >= 0, or inf")
    return np.where(np.equal(k, 0), np.inf, values)


@dataclass(frozen=True)
class _Converted(Guarantee):
    """Another guarantee in the other unit; kind, assumptions and methods are the same."""

    g: Guarantee

    def __post_init__(self) -> None:
        check_guarantee(self.g, "first" if self.order == "zero" else "zero")

    @property
    def kind(self) -> str:  # type: ignore[override]
        """The kind of the guarantee that was converted."""
        return self.g.kind

    def needs(self) -> tuple[Predicate, ...]:
        return self.g.needs()

    def proved_for(self, optimizer: Any, delta: float | None) -> str:
        return self.g.proved_for(optimizer, delta)


@dataclass(frozen=True)
class Distance(_Converted):
    """sqrt(2 g): a first-order guarantee as one on the distance |x_k - mu|.

    Parameters
    ----------
    g : Guarantee
        Of order "first".

    Examples
    --------
    >>> from hbucb.optimizers import Distance, SubGaussianG
    >>> round(float(Distance(SubGaussianG())(100, 0.05)), 4)
    0.2716
    """

    order = "zero"

    def __call__(self, k: ArrayLike, delta: ArrayLike) -> Any:
        return np.sqrt(2 * np.asarray(self.g(k, delta), dtype=float))


@dataclass(frozen=True)
class HalfSquare(_Converted):
    """g^2 / 2: a zero-order guarantee as one on the half squared distance.

    Parameters
    ----------
    g : Guarantee
        Of order "zero".

    Examples
    --------
    >>> from hbucb.optimizers import Distance, HalfSquare, SubGaussianG
    >>> g = SubGaussianG()
    >>> bool(np.isclose(HalfSquare(Distance(g))(7, 0.1), g(7, 0.1)))
    True
    """

    order = "first"

    def __call__(self, k: ArrayLike, delta: ArrayLike) -> Any:
        return np.asarray(self.g(k, delta), dtype=float) ** 2 / 2
