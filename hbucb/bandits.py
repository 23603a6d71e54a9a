"""Bandits: locations and noise, gaps, and the environments of the papers by name."""

from __future__ import annotations

from typing import Any

import numpy as np

from hbucb.arguments import as_numbers
from hbucb.noise import Noise, TwoPoint, Uniform, as_noise

#: Actions are stored as 16-bit integers.
MAX_ARMS = 32_767


def _vector(value: Any, name: str) -> np.ndarray:
    try:
        array = np.array(as_numbers(name, value, "numbers"))
    except ValueError as error:
        raise ValueError(f"{name} = {value!r} must be a sequence of finite numbers") from error
    if array.ndim != 1 or not array.size:
        raise ValueError(f"{name} has shape {array.shape}; it must be (K,) with K >= 1 arms")
    if array.size > MAX_ARMS:
        raise ValueError(f"{name} has {array.size} arms; at most {MAX_ARMS} are allowed")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} = {value!r} must be finite in every arm")
    with np.errstate(over="ignore"):
        if not np.isfinite(array.max() - array.min()):
            raise ValueError(f"{name} = {value!r} spans more than the range of floats")
    array.setflags(write=False)
    return array


class Bound:
    """A bandit as the engine plays it: arms permuted to slots, one row a trial.

    ``cells`` = contexts x arms (contexts = 1 without them); a flat index is trial * cells +
    context * arms + slot.
    """

    def __init__(
        self,
        loc: np.ndarray,
        gaps: np.ndarray,
        source: np.ndarray | None = None,
        scale: np.ndarray | None = None,
        binary: bool = False,
    ) -> None:
        self.gaps = gaps
        self._loc = np.ascontiguousarray(loc).ravel()
        self._scale = None if scale is None else np.ascontiguousarray(scale).ravel()
        self._source = None if source is None else np.ascontiguousarray(source).ravel()
        self._row = np.arange(len(loc))
        self._binary = binary

    def reward(self, flat: np.ndarray, noise: np.ndarray) -> np.ndarray:
        """Rewards (trials,) of the cells ``flat``; noise is (trials,) or (trials, laws)."""
        if self._source is not None and noise.ndim == 2:
            noise = noise[self._row, self._source[flat]]
        loc = self._loc[flat]
        if self._binary:
            return (noise < loc).astype(float)
        if self._scale is None:
            loc += noise
        else:
            loc += self._scale[flat] * noise
        return loc


class Bandit:
    """K arms: the reward of a pull of arm i is ``loc[i]`` plus fresh noise.

    Parameters
    ----------
    loc : array_like (K,)
        The arms' values, in reward units: centre of symmetry or location parameter. Regret is
        measured by them, so it exists also when the rewards have no mean.
    noise : Noise, frozen scipy.stats law, or a sequence of K of them
        One law for all arms, or one for each.

    Raises
    ------
    ValueError
        No arms, more than 32 767 arms, a location that is not finite, or as many laws as neither
        1 nor K.

    Examples
    --------
    >>> from hbucb import Bandit
    >>> from hbucb.noise import Cauchy
    >>> bandit = Bandit(loc=[0.0, 0.5, 0.5], noise=Cauchy())
    >>> bandit.gaps.tolist()
    [0.5, 0.0, 0.0]
    """

    #: Contexts of a contextual bandit; 1 here.
    contexts = 1
    features: np.ndarray | None = None
    loc: np.ndarray
    noise: Noise | tuple[Noise, ...]
    _binary = False

    def __init__(self, loc: Any, noise: Any) -> None:
        self._set(loc=_vector(loc, "loc"))
        if isinstance(noise, list | tuple):
            laws = tuple(as_noise(law) for law in noise)
            if len(laws) != self.loc.size:
                raise ValueError(
                    f"noise has {len(laws)} laws for {self.loc.size} arms; give one law or one "
                    "for each arm"
                )
            self._set(noise=laws)
        else:
            self._set(noise=as_noise(noise))

    def _set(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        # Results keep the bandit they were played on, so it must not change afterwards.
        raise AttributeError(f"a bandit does not change; make a new one with another {name}")

    def __reduce__(self) -> Any:
        return type(self), (self.loc, self.noise)

    @property
    def arms(self) -> int:
        """K, the number of arms."""
        return self.loc.size

    @property
    def gaps(self) -> np.ndarray:
        """Delta (K,): how far each arm's value is below the best one, in reward units."""
        return self.loc.max() - self.loc

    @property
    def laws(self) -> tuple[Noise, ...]:
        """The noise law of each arm."""
        return self.noise if isinstance(self.noise, tuple) else (self.noise,) * self.arms

    @property
    def max_gap(self) -> float:
        """The largest loss of one pull, in reward units."""
        return float(self.gaps.max())

    def primitive(self) -> tuple[tuple[Noise, ...], np.ndarray | None, np.ndarray | None]:
        """The distinct laws to draw, and for each arm which one and times what.

        Returns
        -------
        laws : tuple of Noise
            Arms of one location-scale family share a law and so a draw.
        source, scale : ndarray (K,) or None
            None when all arms use the one law as it is.
        """
        if not isinstance(self.noise, tuple):
            return (self.noise,), None, None
        standard = [law.standard() for law in self.noise]
        laws: list[Noise] = []
        for law, _ in standard:
            if law not in laws:
                laws.append(law)
        source = np.array([laws.index(law) for law, _ in standard])
        return tuple(laws), source, np.array([scale for _, scale in standard])

    def bind(self, order: np.ndarray) -> Bound:
        """The bandit with arm ``order[i, j]`` in slot j of trial i."""
        _, source, scale = self.primitive()
        return Bound(
            self.loc[order],
            self.gaps[order],
            None if source is None else source[order],
            None if scale is None else scale[order],
            self._binary,
        )

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}(loc={self.loc.tolist()}, noise={self.noise!r})"


class BernoulliBandit(Bandit):
    """K arms with rewards 0 and 1: a pull of arm i gives 1 with probability ``p[i]``.

    Examples
    --------
    >>> from hbucb import BernoulliBandit
    >>> BernoulliBandit([0.2, 0.8]).gaps.round(3).tolist()
    [0.6, 0.0]
    """

    _binary = True

    def __init__(self, p: Any) -> None:
        self._set(loc=_vector(p, "p"))
        if not ((self.loc >= 0) & (self.loc <= 1)).all():
            raise ValueError(f"p = {p!r} must be probabilities, in [0, 1]")
        self._set(noise=tuple(TwoPoint(-q, 1 - q, q) for q in self.loc.tolist()))

    def __reduce__(self) -> Any:
        return type(self), (self.loc,)

    def primitive(self) -> tuple[tuple[Noise, ...], np.ndarray | None, np.ndarray | None]:
        """One uniform draw U serves every arm: the reward is 1 when U < p."""
        return (Uniform(0.0, 1.0),), None, None

    def __repr__(self) -> str:
        return f"BernoulliBandit(p={self.loc.tolist()})"


class LinearContextualBandit(Bandit):
    """In context x, arm a has the value ``features[x, a] @ theta``.

    Parameters
    ----------
    features : array_like (contexts, K, d)
    theta : array_like (d,)
    contexts : array_like (contexts,)
        Probability of each context; a fresh one is drawn every round.
    noise : Noise
        One law for all contexts and arms.

    Examples
    --------
    >>> from hbucb.noise import Gaussian
    >>> features = [[[1.0, 0.0], [0.0, 1.0]], [[0.0, 2.0], [1.0, 0.0]]]
    >>> bandit = LinearContextualBandit(features, [1.0, 0.25], [0.5, 0.5], Gaussian())
    >>> bandit.gaps.tolist()
    [[0.0, 0.75], [0.5, 0.0]]
    """

    theta: np.ndarray
    context_law: np.ndarray

    def __init__(self, features: Any, theta: Any, contexts: Any, noise: Any) -> None:
        try:
            self._set(features=np.array(features, dtype=float))
        except (TypeError, ValueError) as error:
            raise ValueError("features must be numbers of shape (contexts, K, d)") from error
        assert self.features is not None
        self._set(theta=_vector(theta, "theta"), context_law=_vector(contexts, "contexts"))
        if self.features.ndim != 3 or not self.features.size:
            raise ValueError(
                f"features has shape {self.features.shape}; it must be (contexts, K, d), all >= 1"
            )
        if not np.isfinite(self.features).all():
            raise ValueError("features must be finite everywhere")
        if self.features.shape[2] != self.theta.size:
            raise ValueError(
                f"features has d = {self.features.shape[2]} and theta has {self.theta.size} entries"
            )
        if self.features.shape[0] != self.context_law.size:
            raise ValueError(
                f"contexts has {self.context_law.size} probabilities for "
                f"{self.features.shape[0]} contexts of features"
            )
        if (self.context_law < 0).any() or abs(self.context_law.sum() - 1) > 1e-9:
            raise ValueError(f"contexts = {contexts!r} must be probabilities with sum 1")
        if self.features.shape[1] > MAX_ARMS:
            raise ValueError(f"features has {self.features.shape[1]} arms; at most {MAX_ARMS}")
        self.features.setflags(write=False)
        self._set(noise=as_noise(noise))
        self._set(loc=np.einsum("xad,d->xa", self.features, self.theta))
        self.loc.setflags(write=False)

    def __reduce__(self) -> Any:
        return type(self), (self.features, self.theta, self.context_law, self.noise)

    @property
    def contexts(self) -> int:  # type: ignore[override]
        """Number of contexts."""
        return self.features.shape[0]  # type: ignore[union-attr]

    @property
    def arms(self) -> int:
        """K, the number of arms in each context."""
        return self.loc.shape[1]

    @property
    def gaps(self) -> np.ndarray:
        """Delta (contexts, K): loss of each arm against the best one of its context."""
        return self.loc.max(axis=1, keepdims=True) - self.loc

    def bind(self, order: np.ndarray) -> Bound:
        """The bandit for ``len(order)`` trials; the order of arms is always as given."""
        trials = len(order)
        return Bound(
            np.broadcast_to(self.loc.ravel(), (trials, self.loc.size)),
            np.broadcast_to(self.gaps.ravel(), (trials, self.loc.size)),
        )

    def __repr__(self) -> str:
        return (
            f"LinearContextualBandit(features={self.features.tolist()}, "  # type: ignore[union-attr]
            f"theta={self.theta.tolist()}, contexts={self.context_law.tolist()}, "
            f"noise={self.noise!r})"
        )


#: Locations of the first paper's environments, section 3 there.
ENVIRONMENTS = {
    "Env1": np.arange(10) / 1,
    "Env2": np.arange(10) / 10,
    "Env3": np.arange(100) / 50,
    "G1": np.arange(10) / 10,
    "G2": np.arange(10) / 50,
    "G3": np.arange(100) / 50,
}
for _locations in ENVIRONMENTS.values():
    _locations.setflags(write=False)


def environment(name: str, noise: Any) -> Bandit:
    """An environment of Dorn et al. (arXiv 2402.07062, sections 3.1 and 3.3) by its name.

    Parameters
    ----------
    name : {"Env1", "Env2", "Env3", "G1", "G2", "G3"}
    noise : Noise or frozen scipy.stats law

    Examples
    --------
    >>> from hbucb.noise import Cauchy
    >>> environment("Env2", Cauchy()).arms
    10
    """
    if name not in ENVIRONMENTS:
        raise ValueError(f"name = {name!r} must be one of {', '.join(ENVIRONMENTS)}")
    return Bandit(ENVIRONMENTS[name], noise)
