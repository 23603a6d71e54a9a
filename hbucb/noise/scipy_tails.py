"""Tail indices of common scipy laws by their names, and closed moments of the stable laws."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from hbucb.noise.floats import power_or_inf

# Tail indices that follow from the shape parameters. scipy reports moments that do not exist as
# nan, inf or even a finite number, depending on the law: none of them is believed.
LIGHT = (
    "norm uniform laplace logistic expon gamma beta lognorm weibull_min weibull_max rayleigh chi2 "
    "gumbel_r gumbel_l triang truncnorm erlang hypsecant halfnorm exponnorm gennorm "
    "bernoulli binom poisson geom nbinom randint hypergeom"
).split()
POWER: dict[str, Callable[[dict[str, float]], float]] = {
    "t": lambda p: p["df"],
    "cauchy": lambda p: 1.0,
    "halfcauchy": lambda p: 1.0,
    "skewcauchy": lambda p: 1.0,
    "levy": lambda p: 0.5,
    "levy_l": lambda p: 0.5,
    "levy_stable": lambda p: p["alpha"] if p["alpha"] < 2 else math.inf,
    "pareto": lambda p: p["b"],
    "lomax": lambda p: p["c"],
    "invweibull": lambda p: p["c"],
    "invgamma": lambda p: p["a"],
    "burr12": lambda p: p["c"] * p["d"],
    "fisk": lambda p: p["c"],
    "loggamma": lambda p: math.inf,
    "loglaplace": lambda p: p["c"],
    "genpareto": lambda p: 1.0 / p["c"] if p["c"] > 0 else math.inf,
    "f": lambda p: p["dfd"] / 2,
    "betaprime": lambda p: p["b"],
}


def _stable_loc(parameters: Mapping[str, float]) -> float:
    """Location of a stable law in the form S1 (of which it is the mean, if there is one)."""
    from scipy import stats

    alpha, beta = parameters["alpha"], parameters["beta"]
    # scipy reads loc in the form that this switch of the distribution says.
    if getattr(stats.levy_stable, "parameterization", "S1") == "S1" or alpha == 1:
        return parameters["loc"]
    return parameters["loc"] - beta * parameters["scale"] * math.tan(math.pi * alpha / 2)


def stable_mean(parameters: Mapping[str, float]) -> float:
    """Mean of a stable law with alpha > 1: its location.

    Examples
    --------
    >>> stable_mean({"alpha": 1.5, "beta": 0.5, "loc": 2.0, "scale": 3.0})
    2.0
    """
    return _stable_loc(parameters)


def stable_moment(parameters: Mapping[str, float], order: float, about: float) -> float:
    """E|X - about|^order of a stable law for 0 < order < alpha, or order 2 at alpha = 2.

    In closed form about the location (for alpha = 1 if beta = 0 as well) and for the variance of
    the normal case; nan elsewhere, where scipy's density is too slow for a quadrature.

    References
    ----------
    Samorodnitsky and Taqqu (1994), Property 1.2.17.

    Examples
    --------
    >>> cauchy = {"alpha": 1.0, "beta": 0.0, "loc": 0.0, "scale": 3.0}
    >>> round(stable_moment(cauchy, 0.5, 0.0) ** 2, 12)
    6.0
    """
    alpha, beta, scale = (parameters[k] for k in ("alpha", "beta", "scale"))
    if alpha == 2:
        from hbucb.noise.light import Gaussian

        return Gaussian(math.sqrt(2) * scale).moment(order, about - parameters["loc"])
    if about != _stable_loc(parameters) or (alpha == 1 and beta != 0):
        return math.nan
    skew = 0.0 if beta == 0 else beta * math.tan(math.pi * alpha / 2)
    # 2^p Gamma((1+p)/2) / (Gamma(1 - p/2) sqrt(pi)) is finite for every p < 2, also at p = 1.
    log_moment = (
        order * math.log(2)
        + math.lgamma((1 + order) / 2)
        - math.lgamma(1 - order / 2)
        - 0.5 * math.log(math.pi)
        + math.lgamma(1 - order / alpha)
        + order / (2 * alpha) * math.log1p(skew**2)
    )
    return (
        power_or_inf(scale, order)
        * math.exp(log_moment)
        * math.cos(order / alpha * math.atan(skew))
    )
