"""Reward-noise laws: what can be drawn from them and what is known about them."""

from hbucb.noise.base import Noise
from hbucb.noise.discrete import PointMass, TwoPoint, kearns_saul
from hbucb.noise.gallery import gallery
from hbucb.noise.heavy import Cauchy, StudentT
from hbucb.noise.light import Gaussian, Laplace, Uniform
from hbucb.noise.mixtures import Contaminated, Mixture
from hbucb.noise.named import bimodal, cauchy_exponential, cauchy_pareto
from hbucb.noise.onesided import Exponential, Frechet, Pareto
from hbucb.noise.pareto import ParetoHole, SymmetricLomax
from hbucb.noise.scipy_law import Scipy, as_noise
from hbucb.noise.transform import LocationScale

__all__ = [
    "Cauchy",
    "Contaminated",
    "Exponential",
    "Frechet",
    "Gaussian",
    "Laplace",
    "LocationScale",
    "Mixture",
    "Noise",
    "Pareto",
    "ParetoHole",
    "PointMass",
    "Scipy",
    "StudentT",
    "SymmetricLomax",
    "TwoPoint",
    "Uniform",
    "as_noise",
    "bimodal",
    "cauchy_exponential",
    "cauchy_pareto",
    "gallery",
    "kearns_saul",
]
