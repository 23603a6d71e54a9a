"""One-parameter exponential families: divergence between two means and its upper inverse.

Each family has ``kl(p, q)`` (nats) between its laws of means p and q, and ``upper(p, d)``, the
largest mean q >= p with kl(p, q) <= d. Where there is no closed form, ``upper`` is Newton's method
on a convex function from a point above the root: it comes down to the root and never passes it, so
an iteration that stopped early would still give an upper confidence bound.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from hbucb.arguments import FloatArray
from hbucb.validate import positive, store

__all__ = [
    "Bernoulli",
    "Exponential",
    "Family",
    "Gaussian",
    "Poisson",
    "check_family",
    "family_of",
    "refuse_outside",
]

#: Newton steps: after them a grid of means and levels is at rounding error (a test).
STEPS = 5
#: Stands for -ln 0, so that 0 times it is 0 and not nan.
_INFINITE = 1e290


def _log(x: FloatArray) -> FloatArray:
    """ln x with a huge number in place of -inf."""
    with np.errstate(divide="ignore"):
        return np.maximum(np.log(x), -_INFINITE)


class Family(Protocol):
    """What the policies ask of a family; all methods take and give arrays."""

    @property
    def support(self) -> tuple[float, float]:
        """Smallest interval that holds all rewards."""

    def self_term(self, p: FloatArray) -> FloatArray:
        """The part of kl(p, q) that depends on p alone."""

    def kl_from(self, term: FloatArray, p: FloatArray, q: FloatArray) -> FloatArray:
        """kl(p, q) where ``term`` is :meth:`self_term` of p; huge where it is infinite."""

    def upper(self, p: FloatArray, d: FloatArray) -> FloatArray:
        """The largest q >= p with kl(p, q) <= d, d >= 0."""

    def slope(self, p: FloatArray, q: FloatArray) -> tuple[FloatArray, Any]:
        """Derivative of :meth:`upper` by d at q = upper(p, d), and whether it increases there."""


@dataclass(frozen=True)
class Bernoulli:
    """Coins: kl(p, q) = p ln(p/q) + (1-p) ln((1-p)/(1-q)); also used for any rewards in [0, 1]."""

    support = (0.0, 1.0)

    def self_term(self, p: FloatArray) -> FloatArray:
        return p * _log(p) + (1 - p) * _log(1 - p)

    def kl_from(self, term: FloatArray, p: FloatArray, q: FloatArray) -> FloatArray:
        return np.maximum(term - (p * _log(q) + (1 - p) * _log(1 - q)), 0.0)

    def upper(self, p: FloatArray, d: FloatArray) -> FloatArray:
        rest = 1 - p
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            # kl(p, q) >= (q-p)^2 / (2 q (1-p)) and kl(p, q) >= -h(p) - (1-p) ln(1-q).
            near = d * rest + np.sqrt(d * rest * (2 * p + d * rest))
            far = rest - np.exp((self.self_term(p) - d) / rest)
            x = np.minimum(near, far)
            up, down = 1 / p, -1 / rest
            for _ in range(STEPS):
                # d - kl(p, p + x), in place: this loop is most of the cost of a round.
                excess = x * up
                np.log1p(excess, out=excess)
                excess *= p
                other = x * down
                np.log1p(other, out=other)
                other *= rest
                excess += other
                excess += d
                np.add(p, x, out=other)
                other *= rest - x
                other /= x
                excess *= other
                # At rounding level, and at the last float below 1 where it is nan: stay.
                x += np.fmin(excess, 0.0, out=excess)
        q = np.where(p == 0, -np.expm1(-d), np.minimum(p + x, 1.0))
        return np.where((p >= 1) | (d <= 0), p, q)

    def slope(self, p: FloatArray, q: FloatArray) -> tuple[FloatArray, Any]:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(p >= 1, 0.0, q * (1 - q) / (q - p)), False


@dataclass(frozen=True)
class Gaussian:
    """Normal laws of one standard deviation: kl(p, q) = (p - q)^2 / (2 sigma^2)."""

    sigma: float = 1.0
    support = (-np.inf, np.inf)

    def __post_init__(self) -> None:
        store(self, sigma=positive("sigma", self.sigma))

    def self_term(self, p: FloatArray) -> FloatArray:
        return np.zeros_like(p)

    def kl_from(self, term: FloatArray, p: FloatArray, q: FloatArray) -> FloatArray:
        return ((p - q) / self.sigma) ** 2 / 2

    def upper(self, p: FloatArray, d: FloatArray) -> FloatArray:
        return p + self.sigma * np.sqrt(2 * d)

    def slope(self, p: FloatArray, q: FloatArray) -> tuple[FloatArray, Any]:
        with np.errstate(divide="ignore"):
            return self.sigma**2 / (q - p), False


@dataclass(frozen=True)
class Poisson:
    """Poisson laws: kl(p, q) = q - p + p ln(p/q)."""

    support = (0.0, np.inf)

    def self_term(self, p: FloatArray) -> FloatArray:
        return p * _log(p) - p

    def kl_from(self, term: FloatArray, p: FloatArray, q: FloatArray) -> FloatArray:
        return np.maximum(term + (q - p * _log(q)), 0.0)

    def upper(self, p: FloatArray, d: FloatArray) -> FloatArray:
        # e^s >= 1 + s + s^2/2 with s = sqrt(2 d / p) says that the start is above the root.
        x = d + np.sqrt(2 * p * d)
        with np.errstate(divide="ignore", invalid="ignore"):
            for _ in range(STEPS):
                step = (x - p * np.log1p(x / p) - d) * (p + x) / x
                x -= np.where(step > 0, step, 0.0)
        return np.where(d <= 0, p, p + x)

    def slope(self, p: FloatArray, q: FloatArray) -> tuple[FloatArray, Any]:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(p == 0, 1.0, q / (q - p)), False


@dataclass(frozen=True)
class Exponential:
    """Exponential laws, with means above 0: kl(p, q) = p/q - 1 + ln(q/p)."""

    support = (0.0, np.inf)

    def self_term(self, p: FloatArray) -> FloatArray:
        return -1 - _log(p)

    def kl_from(self, term: FloatArray, p: FloatArray, q: FloatArray) -> FloatArray:
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(q > 0, p / q, 1.0)
        return np.maximum(term + (ratio + _log(q)), 0.0)

    def upper(self, p: FloatArray, d: FloatArray) -> FloatArray:
        # Convex in z = ln(q/p): e^-z - 1 + z = d; ln(1-s) <= -s - s^2/2 with s = sqrt(2 d).
        z = d + np.sqrt(2 * d)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            for _ in range(STEPS):
                fall = -np.expm1(-z)
                step = (z - fall - d) / fall
                z -= np.where(step > 0, step, 0.0)
            return p * np.exp(z)

    def slope(self, p: FloatArray, q: FloatArray) -> tuple[FloatArray, Any]:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(p == 0, 0.0, q * q / (q - p)), q > 2 * p


_NAMES: dict[str, Callable[[], Family]] = {
    "bernoulli": Bernoulli,
    "poisson": Poisson,
    "exponential": Exponential,
}


def family_of(name: str, sigma: float) -> Family:
    """The family by its name; ``sigma`` is the standard deviation of "gaussian".

    Raises
    ------
    ValueError
        For another name.
    """
    if not isinstance(name, str):
        raise ValueError(f"family = {name!r} must be the name of a family")
    if name == "gaussian":
        return Gaussian(sigma)
    if name not in _NAMES:
        allowed = ", ".join(("gaussian", *_NAMES))
        raise ValueError(f"family = {name!r} must be one of {allowed}")
    return _NAMES[name]()


def check_family(policy: Any) -> None:
    """Check the fields ``family`` and ``sigma`` of a policy, and keep sigma as a float.

    Raises
    ------
    ValueError
        For an unknown family, or a sigma that is not positive and finite.
    """
    store(policy, sigma=positive("sigma", policy.sigma))
    family_of(policy.family, policy.sigma)


def refuse_outside(family: Family, name: str, reward: Any, t: int) -> None:
    """ValueError for rewards outside the support of the family, naming the first of them."""
    low, high = family.support
    bad = ~((reward >= low) & (reward <= high))
    if bad.any():
        trial = int(np.flatnonzero(bad)[0])
        raise ValueError(
            f"reward = {float(reward[trial])!r} in round {t}: {name} is for rewards in "
            f"[{low:g}, {high:g}]"
        )
