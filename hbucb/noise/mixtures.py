"""Finite mixtures and Huber's contamination."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from hbucb.noise.base import FloatArray, Noise
from hbucb.noise.discrete import PointMass, kearns_saul
from hbucb.noise.floats import sum_or_inf
from hbucb.noise.shape import refutes_symmetry, refutes_unimodality
from hbucb.noise.validate import finite, store


class _MixtureLaw(Noise):
    """A law that picks one of finitely many parts at random. Parts of weight 0 carry no fact."""

    @property
    @abstractmethod
    def parts(self) -> tuple[tuple[float, Noise], ...]:
        """Pairs (weight, law); the weights sum to 1."""

    @property
    def _active(self) -> list[tuple[float, Noise]]:
        return [(w, law) for w, law in self.parts if w > 0]

    @property
    def generators(self) -> int:
        """One Generator for the choice of the part and then those of each part."""
        return 1 + sum(law.generators for _, law in self.parts)

    def fill(self, rngs: Sequence[Generator], out: FloatArray) -> None:
        choice = rngs[0].random(out.size)
        start, lower = 1, 0.0
        last = len(self.parts) - 1
        for i, (weight, law) in enumerate(self.parts):
            upper = lower + weight if i < last else math.inf
            where = np.flatnonzero((choice >= lower) & (choice < upper))
            # Only the draws that are needed are taken from a part: its stream then depends on how
            # often it was chosen and not on the lengths of the blocks.
            draws = np.empty(where.size)
            law.fill(rngs[start : start + law.generators], draws)
            out[where] = draws
            start, lower = start + law.generators, upper

    def _pdf(self, x: FloatArray) -> FloatArray:
        return np.sum([w * law._pdf(x) for w, law in self._active], axis=0)

    def _cdf(self, x: FloatArray) -> FloatArray:
        return np.sum([w * law._cdf(x) for w, law in self._active], axis=0)

    def _mass(self, r: FloatArray) -> FloatArray:
        return np.sum([w * law._mass(r) for w, law in self._active], axis=0)

    def atom(self, x: ArrayLike) -> FloatArray:
        return np.sum([w * law.atom(x) for w, law in self._active], axis=0)

    def _ppf(self, q: FloatArray) -> FloatArray:
        # The quantile of a mixture lies between the smallest and the largest of its parts'.
        ends = np.array([law._ppf(q) for _, law in self._active])
        low, high = ends.min(axis=0), ends.max(axis=0)
        done = self._cdf(low) >= q
        high = np.where(done, low, high)
        inside = (q > 0) & (q < 1) & ~done
        a, b, target = low[inside], high[inside], q[inside]
        for _ in range(300):
            middle = 0.5 * a + 0.5 * b
            if np.all((middle <= a) | (middle >= b)):
                break
            right = self._cdf(middle) < target
            a, b = np.where(right, middle, a), np.where(right, b, middle)
        high[inside] = b
        return np.where(q == 0, low, np.where(q == 1, ends.max(axis=0), high))

    @property
    def pmf(self) -> dict[float, float]:
        atoms: dict[float, float] = defaultdict(float)
        for w, law in self._active:
            for x, p in law.pmf.items():
                atoms[x] += w * p
        return dict(atoms)

    @property
    def has_atoms(self) -> bool:
        return any(law.has_atoms for _, law in self._active)

    @property
    def symmetric(self) -> bool | None:
        """True or False where it follows from the parts or from the CDF; None otherwise."""
        excess: dict[Noise, float] = defaultdict(float)
        for w, law in self._active:
            mirror = law._mirror()
            if mirror is None:
                break
            excess[law] += w
            excess[mirror] -= w
        else:
            if all(abs(w) < 1e-12 for w in excess.values()):
                return True
        return False if refutes_symmetry(self) else None

    @property
    def centre(self) -> float:
        """The parts' common centre if they share one; else 0.0 (the midpoint if symmetric)."""
        centres = {law.centre for _, law in self._active}
        return centres.pop() if len(centres) == 1 else 0.0

    @property
    def _symmetric_about_centre(self) -> bool | None:
        centres = {law.centre for _, law in self._active}
        if len(centres) == 1 and all(law._symmetric_about_centre for _, law in self._active):
            return True
        return self.symmetric if self.centre == 0.0 else None

    @property
    def tail_index(self) -> float:
        """The heaviest part's."""
        return min(law.tail_index for _, law in self._active)

    @property
    def support(self) -> tuple[float, float]:
        ends = [law.support for _, law in self._active]
        return min(low for low, _ in ends), max(high for _, high in ends)

    @property
    def mean(self) -> float:
        return sum(w * law.mean for w, law in self._active)

    @property
    def variance(self) -> float:
        mean = self.mean
        if not math.isfinite(mean):
            return math.nan
        return sum_or_inf(
            w * law.variance + w * (law.mean - mean) * (law.mean - mean) for w, law in self._active
        )

    @property
    def unimodal(self) -> bool | None:
        """True for parts unimodal and symmetric about one point, False where a dip is proved."""
        parts = [law for _, law in self._active]
        if len({law.centre for law in parts}) == 1 and all(
            law.unimodal and law._symmetric_about_centre for law in parts
        ):
            return True
        return False if refutes_unimodality(self) else None

    @property
    def subgaussian(self) -> float | None:
        """inf if a part is not sub-Gaussian; else a proven, not always the smallest, constant.

        The moment generating function is at most exp(s^2 sigma^2 / 2), sigma the largest of the
        parts, times that of the law of the parts' means: the squared constants add. A bounded
        support gives half its width (Hoeffding's lemma).
        """
        sigmas = [law.subgaussian for _, law in self._active]
        if any(s == math.inf for s in sigmas):
            return math.inf
        low, high = self.support
        bound = (high - low) / 2
        known = [s for s in sigmas if s is not None]
        if len(known) == len(sigmas):
            bound = min(bound, math.hypot(max(known), self._sigma_of_means()))
        return bound if bound < math.inf else None

    def _sigma_of_means(self) -> float:
        means: dict[float, float] = defaultdict(float)
        for w, law in self._active:
            means[law.mean] += w
        width = max(means) - min(means)
        return width * (kearns_saul(means[max(means)]) if len(means) == 2 else 0.5)

    def _moment(self, order: float, about: float) -> float:
        return sum_or_inf(w * law.moment(order, about) for w, law in self._active)

    def _mirror(self) -> Noise | None:
        if self.symmetric:
            return self
        mirrors = [(w, law._mirror()) for w, law in self.parts]
        laws = [law for _, law in mirrors if law is not None]
        return Mixture(laws, [w for w, _ in mirrors]) if len(laws) == len(mirrors) else None


@dataclass(frozen=True)
class Mixture(_MixtureLaw):
    """Finite mixture: xi is drawn from ``components[i]`` with probability ``weights[i]``.

    Parameters
    ----------
    components : sequence of Noise
        At least one law.
    weights : sequence of floats
        As many, each >= 0, with sum 1 (to 1e-12).

    Raises
    ------
    ValueError
        If a component is no Noise, the lengths differ or the weights are no probabilities.

    Examples
    --------
    >>> from hbucb.noise import Cauchy, Gaussian
    >>> law = Mixture((Gaussian(), Cauchy()), (0.75, 0.25))
    >>> law.symmetric, law.unimodal, law.tail_index, float(law.ppf(0.5))
    (True, True, 1.0, 0.0)
    """

    components: Sequence[Noise]
    weights: Sequence[float]

    def __post_init__(self) -> None:
        for name in ("components", "weights"):
            value = getattr(self, name)
            if not isinstance(value, list | tuple | np.ndarray) or getattr(value, "ndim", 1) != 1:
                raise ValueError(f"{name} must be a sequence, got {value!r}")
        components = tuple(self.components)
        for law in components:
            if not isinstance(law, Noise):
                raise ValueError(f"components must be Noise laws, got {law!r}")
        weights = tuple(finite("weights", w) for w in self.weights)
        if not components or len(components) != len(weights):
            raise ValueError(
                "components and weights must have equal length >= 1, got "
                f"{len(components)} and {len(weights)}"
            )
        if min(weights) < 0 or abs(math.fsum(weights) - 1) > 1e-12:
            raise ValueError(f"weights must be >= 0 and sum to 1, got {weights!r}")
        store(self, components=components, weights=weights)

    @property
    def parts(self) -> tuple[tuple[float, Noise], ...]:
        return tuple(zip(self.weights, self.components, strict=True))


@dataclass(frozen=True)
class Contaminated(_MixtureLaw):
    """Huber's eps-contamination: ``law`` with probability 1 - eps, else ``contamination``.

    Parameters
    ----------
    law : Noise
        The law of the clean draws; ``centre`` is its centre, whatever the contamination.
    eps : float
        Share of contaminated draws, in [0, 1).
    contamination : Noise
        The law of the others, such as ``PointMass(100.0)``.

    Raises
    ------
    ValueError
        If ``law`` or ``contamination`` is no Noise or eps is outside [0, 1).

    Examples
    --------
    >>> from hbucb.noise import Gaussian, PointMass
    >>> law = Contaminated(Gaussian(), 0.25, PointMass(8.0))
    >>> law.mean, law.centre, law.symmetric
    (2.0, 0.0, False)
    """

    law: Noise
    eps: float
    contamination: Noise = PointMass(100.0)  # noqa: RUF009 (an immutable law)

    def __post_init__(self) -> None:
        for name in ("law", "contamination"):
            if not isinstance(getattr(self, name), Noise):
                raise ValueError(f"{name} must be a Noise, got {getattr(self, name)!r}")
        store(self, eps=finite("eps", self.eps))
        if not 0 <= self.eps < 1:
            raise ValueError(f"eps must lie in [0, 1), got {self.eps!r}")

    @property
    def parts(self) -> tuple[tuple[float, Noise], ...]:
        return (1.0 - self.eps, self.law), (self.eps, self.contamination)

    @property
    def centre(self) -> float:
        """The centre of the clean law (0.0 where the whole law is symmetric)."""
        return 0.0 if self.law.centre and self.symmetric else self.law.centre
