"""Tail indices of common scipy laws, by the name of the distribution."""

from __future__ import annotations

import math
from collections.abc import Callable

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
