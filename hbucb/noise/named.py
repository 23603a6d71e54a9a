"""Mixtures that have a name: the two of the papers and the bimodal law."""

from __future__ import annotations

from hbucb.noise.heavy import Cauchy
from hbucb.noise.light import Gaussian
from hbucb.noise.mixtures import Mixture
from hbucb.noise.onesided import Exponential, Pareto
from hbucb.noise.transform import LocationScale
from hbucb.noise.validate import positive


def bimodal(scale: float = 0.05) -> Mixture:
    """Return the law of +-1 (fair) plus a normal variable of standard deviation ``scale``.

    Symmetric with all moments, yet without mass around its centre: the sample median does not
    settle (unimodal for scale >= 1).

    Parameters
    ----------
    scale : float
        Reward units, > 0; ValueError otherwise.

    Examples
    --------
    >>> law = bimodal()
    >>> law.symmetric, law.unimodal, float(law.mass(0.5)) < 1e-20
    (True, False, True)
    """
    part = Gaussian(positive("scale", scale))
    return Mixture((LocationScale(part, -1.0), LocationScale(part, 1.0)), (0.5, 0.5))


def cauchy_exponential() -> Mixture:
    """Return 0.7 Cauchy(1) + 0.3 Exponential(1) shifted to start at -1 (part mean 0).

    Source: Dorn, Katrutsa, Latypov and Pudovikov, arXiv 2402.07062, experiments. Not symmetric;
    tail index 1.

    Examples
    --------
    >>> round(float(cauchy_exponential().cdf(0.0)), 6)      # 0.35 + 0.3 (1 - 1/e)
    0.539636
    """
    return Mixture((Cauchy(), LocationScale(Exponential(), -1.0)), (0.7, 0.3))


def cauchy_pareto() -> Mixture:
    """Return 0.7 Cauchy(1) + 0.3 Pareto(3) shifted to start at -0.5 (part mean 0).

    Source: Dorn, Katrutsa, Latypov and Pudovikov, arXiv 2402.07062, experiments, with the support
    corrected: the printed density 3 (x + 1.5)^-4 integrates to 1 on x >= -0.5 and not on the
    printed x >= -1.5. Not symmetric; tail index 1.

    Examples
    --------
    >>> law = cauchy_pareto()
    >>> law.components[1].support, law.components[1].mean
    ((-0.5, inf), 0.0)
    """
    return Mixture((Cauchy(), LocationScale(Pareto(3.0), -1.5)), (0.7, 0.3))
