"""The last-iterate theorem of clipped SGD: step, clip levels and what they promise at the end.

A run of N updates whose step is tuned to N ends near the location, and its whole path stays in a
funnel; its iterates before the end carry no useful guarantee.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hbucb.optimizers.clipped_sgd import Schedule
from hbucb.validate import open_probability, positive, store, whole_number

#: c_gamma, c_lambda and c_noise as printed, and smaller ones that the same proof allows.
PRINTED = (400.0, 120.0, 5400.0)
SHARPER = (18.0, 6.0, 42.0)

_LN2 = math.log(2.0)


def constants_hold(c_gamma: float, c_lambda: float, c_noise: float) -> bool:
    """Whether the proof of the last-iterate theorem goes through with these constants.

    With w = exp(2 / (c_gamma ln 4)) it asks for c_gamma >= 2 sqrt(2 w) c_lambda, which keeps the
    mean gradient off the clip, and for c = sqrt(2) - 1 - w c_lambda / (3 c_noise ln 2) > 0, what
    the bias leaves for the noise, with c^2 >= w / (c_noise ln 2) + 4 c / (3 c_lambda).

    Examples
    --------
    >>> constants_hold(400, 120, 5400), constants_hold(18, 6, 42), constants_hold(1, 1, 1)
    (True, True, False)
    """
    w = math.exp(2 / (c_gamma * math.log(4.0)))
    left = math.sqrt(2) - 1 - w * c_lambda / (3 * c_noise * _LN2)
    return (
        c_gamma >= 2 * math.sqrt(2 * w) * c_lambda
        and left > 0
        and left**2 >= w / (c_noise * _LN2) + 4 * left / (3 * c_lambda)
    )


@dataclass(frozen=True)
class LastIterateSchedule(Schedule):
    """Step and clip levels of the last-iterate theorem for one run of clipped SGD.

    With A = ln(4 N / delta), N updates, and z ln^2 z = N rho^2 / (c_noise sigma^2 A):
    gamma = min(1 / (c_gamma A), ln(z) / N), lam_k = exp(-gamma (1 + k/2)) rho / (c_lambda gamma A).
    If |x_0 - mu| <= rho and the gradients have mean x - mu and variance at most sigma^2, then with
    probability at least 1 - delta the iterates satisfy |x_k - mu| <= sqrt(2) rho exp(-gamma k / 2)
    for all k <= N.

    Parameters
    ----------
    updates : int
        N, the length of the run; the K + 1 of the paper.
    delta : float
        Failure probability of the whole path.
    rho : float
        Bound on |x_0 - mu|, reward units.
    sigma : float
        Standard deviation bound of a gradient, reward units.
    c_gamma, c_lambda, c_noise : float
        400, 120 and 5400 as printed; :func:`constants_hold` says which others are proved.

    Raises
    ------
    ValueError
        For a parameter out of range, or constants for which there is no proof.

    Notes
    -----
    The paper takes the larger of 2 and z; where z would be below 2 the statement is false, and
    :attr:`applies` is False.

    References
    ----------
    Puchkin, Gorbunov, Kutuzov and Gasnikov (2023), as quoted in Dorn et al. (2024), appendix C,
    Theorem 9. Proof for one dimension in the book, chapter "Clipped SGD".

    Examples
    --------
    >>> run = LastIterateSchedule(updates=10**6, delta=0.01, rho=1.0, sigma=0.01)
    >>> round(run.factor), float(f"{run.gamma:.3g}"), float(f"{run.g:.3g}")
    (1692, 7.43e-06, 0.000591)
    >>> LastIterateSchedule(updates=100, delta=0.01, rho=1.0, sigma=1.0).g
    inf
    """

    updates: int
    delta: float
    rho: float
    sigma: float
    c_gamma: float = PRINTED[0]
    c_lambda: float = PRINTED[1]
    c_noise: float = PRINTED[2]

    def __post_init__(self) -> None:
        store(self, updates=whole_number(self.updates, "updates", 1))
        store(self, delta=open_probability("delta", self.delta))
        for name in ("rho", "sigma", "c_gamma", "c_lambda", "c_noise"):
            store(self, **{name: positive(name, getattr(self, name))})
        if not constants_hold(self.c_gamma, self.c_lambda, self.c_noise):
            raise ValueError(
                f"c_gamma = {self.c_gamma!r}, c_lambda = {self.c_lambda!r}, c_noise = "
                f"{self.c_noise!r}: the proof does not hold with these; (400, 120, 5400) and "
                "(18, 6, 42) are allowed"
            )

    @property
    def level(self) -> float:
        """ln(4 N / delta)."""
        return math.log(4 * self.updates / self.delta)

    @property
    def _size(self) -> float:
        """z ln^2 z."""
        return self.updates * self.rho**2 / (self.c_noise * self.sigma**2 * self.level)

    @property
    def applies(self) -> bool:
        """Whether the run is long enough for the theorem: z >= 2."""
        return self._size >= 2 * _LN2**2

    @property
    def factor(self) -> float:
        """max(2, z), by which the squared error falls in a run that the noise limits."""
        if not self.applies:
            return 2.0
        # y + 2 ln y = ln(z ln^2 z) for y = ln z: concave, so Newton climbs to it from the left.
        goal, y = math.log(self._size), _LN2
        for _ in range(60):
            change = (goal - y - 2 * math.log(y)) / (1 + 2 / y)
            y += change
            if change <= 1e-15 * y:
                break
        return math.exp(y)

    @property
    def gamma(self) -> float:
        """The constant step."""
        return min(1 / (self.c_gamma * self.level), math.log(self.factor) / self.updates)

    @property
    def g(self) -> float:
        """Bound on (x_N - mu)^2 / 2 after all N updates, squared reward units; inf if none."""
        return self.rho**2 * math.exp(-self.gamma * self.updates) if self.applies else math.inf

    def path(self, k: ArrayLike) -> np.ndarray:
        """Bound on |x_k - mu| (reward units) for all k <= N at once; inf where there is none."""
        count = np.asarray(k, dtype=float)
        if not ((count >= 0).all() and (count <= self.updates).all()):
            raise ValueError(f"k is {k!r}; 0 <= k <= updates = {self.updates} is allowed")
        half = math.sqrt(2) * self.rho * np.exp(-self.gamma * count / 2)
        return half if self.applies else np.full_like(half, np.inf)

    def at(self, k: np.ndarray) -> tuple[Any, Any]:
        """gamma and lam of the updates ``k`` = 0, 1, ...; gamma is one number."""
        gamma = self.gamma
        lam = np.exp(-gamma * (1 + k / 2)) * self.rho
        return gamma, lam / (self.c_lambda * gamma * self.level)
