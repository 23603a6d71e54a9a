"""How far the constants of order statistics and of sign SGD are from the lower bound."""

from __future__ import annotations

from collections.abc import Callable

from hbucb.arguments import positive
from hbucb.assumptions import AssumptionError
from hbucb.divergences import kl_location
from hbucb.noise import Noise

__all__ = ["median_ratio"]


def median_ratio(law: Noise, gap: float, kl: Callable[[float], float] | None = None) -> float:
    """KL(gap) / (2 q^2), q = P(0 < xi < gap): the regret constant of medians over Lai-Robbins'.

    A policy built on order statistics has limsup E n / ln T <= 1/(2 q^2) for an arm of that gap;
    no consistent policy for this location family has liminf E n / ln T < 1/KL(gap). So the ratio
    is at least 1, and one that tends to 1 shows that the constant cannot be improved on any
    class that holds the law: for Laplace noise it does as gap -> 0.

    Parameters
    ----------
    law : Noise
        Symmetric, without atoms.
    gap : float
        Reward units.
    kl : callable, optional
        Divergence (nats) of the law from itself moved up by a gap; by quadrature if not given.

    Raises
    ------
    AssumptionError
        For a law that is not symmetric or has atoms.
    ValueError
        If `gap` is not above 0, or q = 0 (a hole as wide as the gap).

    References
    ----------
    Lai and Robbins (1985); proof in the book's chapter on order statistics.

    Examples
    --------
    >>> from hbucb.noise import Cauchy, Laplace
    >>> [round(median_ratio(Laplace(), gap), 4) for gap in (0.05, 0.5)]
    [1.0338, 1.3762]
    >>> round(median_ratio(Cauchy(), 0.1), 4)
    1.2404
    """
    positive("gap", gap)
    if not law.symmetric or law.has_atoms:
        raise AssumptionError(f"the ratio needs symmetric noise without atoms, not {law!r}")
    q = float(law.cdf(gap)) - 0.5
    if not q > 0:
        raise ValueError(f"gap is {gap!r}; {law!r} has no mass within it")
    told = kl_location(law, gap) if kl is None else float(kl(gap))
    return told / (2 * q * q)
