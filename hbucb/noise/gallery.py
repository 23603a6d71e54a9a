"""Representative laws by name, for tables and tests that go through all kinds of noise."""

from __future__ import annotations

from hbucb.noise.base import Noise
from hbucb.noise.discrete import TwoPoint
from hbucb.noise.heavy import Cauchy, StudentT
from hbucb.noise.light import Gaussian, Laplace, Uniform
from hbucb.noise.mixtures import Contaminated
from hbucb.noise.named import bimodal, cauchy_exponential, cauchy_pareto
from hbucb.noise.onesided import Frechet
from hbucb.noise.pareto import ParetoHole, SymmetricLomax


def gallery() -> dict[str, Noise]:
    """Return the representative laws of the book, from the tamest to the wildest.

    Returns
    -------
    dict of str to Noise
        A new dictionary at each call.

    Examples
    --------
    >>> list(gallery())[:3]
    ['two points', 'uniform', 'normal']
    >>> [name for name, law in gallery().items() if law.tail_index < 1]
    ['symmetric Lomax 1/2', 'Pareto 1/2 with a hole']
    """
    return {
        "two points": TwoPoint(),
        "uniform": Uniform(),
        "normal": Gaussian(),
        "bimodal": bimodal(),
        "Laplace": Laplace(),
        "Student t, 3 d.f.": StudentT(3.0),
        "Student t, 1.5 d.f.": StudentT(1.5),
        "normal, 10 % Cauchy(10)": Contaminated(Gaussian(), 0.1, Cauchy(10.0)),
        "Cauchy": Cauchy(),
        "Frechet 1.25": Frechet(1.25),
        "Frechet 1": Frechet(1.0),
        "Cauchy + exponential": cauchy_exponential(),
        "Cauchy + Pareto": cauchy_pareto(),
        "symmetric Lomax 1/2": SymmetricLomax(0.5),
        "Pareto 1/2 with a hole": ParetoHole(0.5),
    }
