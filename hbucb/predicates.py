"""The named assumptions of theorems, as small objects that look at the facts of laws."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hbucb.arguments import positive

__all__ = [
    "Predicate",
    "bernoulli",
    "bounded",
    "central_moment",
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

# Facts are computed in floating point: a moment that equals its bound exactly must pass.
_SLACK = 1e-12


@dataclass(frozen=True)
class Predicate:
    """One assumption: its name, its words and its test.

    Attributes
    ----------
    name : str
        Short name, the one used in ``declare``.
    text : str
        Completes "the theorem needs ...".
    test : callable
        ``test(bandit, arm) -> (holds, sentence)``; ``holds`` is True, False or None (unknown),
        ``sentence`` says what is wrong when it is not True and starts with the law.
    """

    name: str
    text: str
    test: Callable[[Any, int], tuple[bool | None, str]]

    def examine(self, bandit: Any) -> tuple[bool | None, str | None]:
        """Verdict over all arms: (True, None), or False / None with a sentence on the law.

        A fact that is false on one arm outweighs one that is unknown on another.
        """
        unknown: str | None = None
        laws = list(bandit.laws)
        # One law shared by all arms is named without an arm number.
        several = any(law != laws[0] for law in laws)
        for arm in range(len(laws)):
            holds, sentence = self.test(bandit, arm)
            if holds is True:
                continue
            words = f"arm {arm}: {sentence}" if several else sentence
            if holds is False:
                return False, words
            unknown = unknown or words
        return (True, None) if unknown is None else (None, unknown)

    def failure(self, bandit: Any) -> str | None:
        """None if the assumption is known to hold on every arm, else a sentence on the law."""
        return self.examine(bandit)[1]


def _fact(value: bool | None, law: Any, words: str) -> tuple[bool | None, str]:
    if value is None:
        return None, f"whether {law!r} is {words} is not known"
    return bool(value), f"{law!r} is not {words}"


def _scipy_hint(law: Any, fact: str) -> str:
    """How to tell a fact about a wrapped scipy law; empty for other laws."""
    # Imported here: a predicate is made without any law, and few users wrap one.
    from hbucb.noise.scipy_law import Scipy

    if not isinstance(law, Scipy):
        return ""
    return f": use the law of hb.noise, or tell it by hb.noise.Scipy(law, {fact}=...)"


def _no_mean(law: Any) -> tuple[bool | None, str]:
    """The verdict on a law without a finite mean: unknown unless its tail excludes one."""
    if math.isnan(law.mean) and not getattr(law, "tail_index", 1.0) <= 1:
        return None, f"whether {law!r} has a finite mean is not known{_scipy_hint(law, 'mean')}"
    return False, f"{law!r} has no finite mean"


def symmetric() -> Predicate:
    """The noise of every arm is symmetric about 0."""
    return Predicate(
        "symmetric",
        "symmetric noise",
        lambda bandit, arm: _fact(bandit.laws[arm].symmetric, bandit.laws[arm], "symmetric"),
    )


def unimodal() -> Predicate:
    """The noise of every arm is unimodal."""
    return Predicate(
        "unimodal",
        "unimodal noise",
        lambda bandit, arm: _fact(bandit.laws[arm].unimodal, bandit.laws[arm], "unimodal"),
    )


def subgaussian(sigma: float) -> Predicate:
    """Centred noise is `sigma` sub-Gaussian: E exp(s(xi - E xi)) <= exp(s^2 sigma^2 / 2).

    A law that carries a proved parameter above `sigma` is refuted only if its variance exceeds
    sigma^2 (which no sigma-sub-Gaussian law's does); otherwise the smallest parameter is unknown.
    """
    positive("sigma", sigma)

    def test(bandit: Any, arm: int) -> tuple[bool | None, str]:
        law = bandit.laws[arm]
        known = law.subgaussian
        if known is not None and known <= sigma * (1 + _SLACK):
            return True, ""
        if known == math.inf:
            return False, f"{law!r} is not sub-Gaussian for any sigma"
        square = sigma * sigma  # inf, and no error, beyond the range of floats
        if law.variance > square * (1 + _SLACK):
            return False, f"{law!r} has variance {law.variance:.6g} > {square:.6g}"
        if known is None:
            words = f"whether {law!r} is {sigma:g}-sub-Gaussian is not known"
            return None, words + _scipy_hint(law, "subgaussian")
        return None, f"{law!r} is known to be sub-Gaussian only with sigma = {known:.6g}"

    return Predicate("subgaussian", f"{sigma:g}-sub-Gaussian noise", test)


def mean_is_loc() -> Predicate:
    """Every arm's mean reward exists and is its location: the noise has mean 0."""

    def test(bandit: Any, arm: int) -> tuple[bool | None, str]:
        mean = bandit.laws[arm].mean
        if not math.isfinite(mean):
            return _no_mean(bandit.laws[arm])
        return abs(mean) <= _SLACK, f"{bandit.laws[arm]!r} has mean {mean:.6g}"

    return Predicate("mean_is_loc", "noise of mean 0", test)


def common_mean() -> Predicate:
    """The noise of all arms has one and the same finite mean, so that gaps are gaps of means."""

    def test(bandit: Any, arm: int) -> tuple[bool | None, str]:
        law, first = bandit.laws[arm], bandit.laws[0].mean
        if not math.isfinite(law.mean):
            return _no_mean(law)
        if not math.isfinite(first):
            return _no_mean(bandit.laws[0])
        same = math.isclose(law.mean, first, rel_tol=_SLACK, abs_tol=_SLACK)
        return same, f"{law!r} has mean {law.mean:.6g}, the noise of arm 0 has {first:.6g}"

    return Predicate("common_mean", "noise with the same finite mean on every arm", test)


def _moment_test(value: float, limit: float, words: str) -> tuple[bool | None, str]:
    if math.isnan(value):
        return None, f"{words} is not known"
    return value <= limit * (1 + _SLACK), f"{words} is {value:.6g} > {limit:.6g}"


def central_moment(order: float, bound: float) -> Predicate:
    """E|X - E X|^order <= bound on every arm (reward units to the power `order`)."""
    positive("order", order)
    positive("bound", bound)

    def test(bandit: Any, arm: int) -> tuple[bool | None, str]:
        law = bandit.laws[arm]
        if not math.isfinite(law.mean):
            return _no_mean(law)
        value = law.moment(order, about=law.mean)
        return _moment_test(value, bound, f"{law!r}: E|X - EX|^{order:g}")

    return Predicate("central_moment", f"E|X - EX|^{order:g} <= {bound:g}", test)


def raw_moment(order: float, bound: float) -> Predicate:
    """E|X|^order <= bound on every arm, X the *reward*: location and noise together."""
    positive("order", order)
    positive("bound", bound)

    def test(bandit: Any, arm: int) -> tuple[bool | None, str]:
        law, loc = bandit.laws[arm], float(bandit.loc[arm])
        value = law.moment(order, about=-loc)
        return _moment_test(value, bound, f"{law!r} at location {loc:g}: E|X|^{order:g}")

    return Predicate("raw_moment", f"E|X|^{order:g} <= {bound:g}", test)


def noise_moment(order: float, bound: float) -> Predicate:
    """E|xi|^order <= bound on every arm, xi the noise about its location (any order > 0)."""
    positive("order", order)
    positive("bound", bound)

    def test(bandit: Any, arm: int) -> tuple[bool | None, str]:
        law = bandit.laws[arm]
        return _moment_test(law.moment(order), bound, f"{law!r}: E|noise|^{order:g}")

    return Predicate("noise_moment", f"E|noise|^{order:g} <= {bound:g}", test)


def mass_within(radius: float, probability: float) -> Predicate:
    """P(|xi| < radius) >= probability on every arm: a condition on a quantile, not a moment."""
    positive("radius", radius)
    if not 0 <= probability <= 1:
        raise ValueError(f"probability is {probability!r}; it must lie in [0, 1]")

    def test(bandit: Any, arm: int) -> tuple[bool | None, str]:
        law = bandit.laws[arm]
        mass = float(law.mass(radius))
        words = f"{law!r} has P(|noise| < {radius:g}) = {mass:.6g}"
        return mass >= probability * (1 - _SLACK), words

    return Predicate("mass_within", f"P(|noise| < {radius:g}) >= {probability:g}", test)


def _ordered(lo: float, hi: float) -> None:
    if not lo <= hi:
        raise ValueError(f"lo is {lo!r}, hi is {hi!r}; lo <= hi is required")


def locations_within(lo: float, hi: float) -> Predicate:
    """Every location lies in [lo, hi] (reward units)."""
    _ordered(lo, hi)

    def test(bandit: Any, arm: int) -> tuple[bool | None, str]:
        loc = float(bandit.loc[arm])
        return lo <= loc <= hi, f"arm {arm} has location {loc:g}"

    return Predicate("locations_within", f"locations in [{lo:g}, {hi:g}]", test)


def bounded(lo: float, hi: float) -> Predicate:
    """Every reward lies in [lo, hi] (reward units)."""
    _ordered(lo, hi)

    def test(bandit: Any, arm: int) -> tuple[bool | None, str]:
        law, loc = bandit.laws[arm], float(bandit.loc[arm])
        low, high = (loc + edge for edge in law.support)
        slack = _SLACK * max(1.0, abs(lo), abs(hi))
        words = f"{law!r} at location {loc:g} gives rewards in [{low:.6g}, {high:.6g}]"
        return lo - slack <= low and high <= hi + slack, words

    return Predicate("bounded", f"rewards in [{lo:g}, {hi:g}]", test)


def bernoulli() -> Predicate:
    """Every reward is 0 or 1: the bandit is a :class:`hbucb.BernoulliBandit`."""

    def test(bandit: Any, arm: int) -> tuple[bool | None, str]:
        # Imported here: bandits may not import assumptions, and this way neither needs the other.
        from hbucb.bandits import BernoulliBandit

        yes = isinstance(bandit, BernoulliBandit)
        return yes, f"{bandit.laws[arm]!r} comes from a {type(bandit).__name__}"

    return Predicate("bernoulli", "a BernoulliBandit (rewards 0 or 1)", test)
