"""The panels of the first paper: figures, table and appendix, each as a function of its id."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from hbucb.experiments import curves
from hbucb.experiments.pilots import chosen
from hbucb.experiments.plan import Experiment
from hbucb.experiments.second_runs import second_run
from hbucb.experiments.sweep import GapSweep

DORN = "Dorn et al., arXiv 2402.07062"
NOTE = (
    "Not in the text: the constants (the code lists c in {0.1, 0.2} for the SGD family and "
    "{0.1, 1} for UCB), the clip level (the code takes max |mu|), the bonus of RUCB-Median (the "
    "code sets eps = 0), the band (half a standard deviation), seeds (none), pairing (none)."
)
HORIZON = MappingProxyType({"Env1": 10_000, "Env2": 10_000, "Env3": 15_000})


def law_of(name: str) -> Any:
    """The noise laws by the short names that the ids use."""
    from hbucb import noise

    if name == "CP-code":
        # The code samples -1 + V^(1/3) for the second part: bounded, and not the printed density.
        from scipy.stats import beta

        second = noise.as_noise(beta(3, 1, loc=-1))
        return noise.Mixture((noise.Cauchy(), second), (0.7, 0.3))
    return {
        "C1": lambda: noise.Cauchy(1.0),
        "C2": lambda: noise.Cauchy(2.0),
        "C3": lambda: noise.Cauchy(3.0),
        "F1": lambda: noise.Frechet(1.0),
        "F1.1": lambda: noise.Frechet(1.1),
        "F1.25": lambda: noise.Frechet(1.25),
        "CE": noise.cauchy_exponential,
        "CP": noise.cauchy_pareto,
        "N01": lambda: noise.Gaussian(1.0),
        "U01": lambda: noise.Uniform(0.0, 1.0),
    }[name]()


def largest_location(environment: str) -> float:
    """max |mu|, the clip level of the public code, in reward units."""
    from hbucb.bandits import ENVIRONMENTS

    return float(np.max(np.abs(ENVIRONMENTS[environment])))


def heavy(
    id: str, environment: str, law: str, title: str, source: str, *, pilot: str = "", **more: Any
) -> Experiment:
    """A panel with the environments of Figure 1 and any noise; `pilot` if it borrows constants."""
    largest = largest_location(environment)
    grids = [*curves.authors(largest), *curves.theory(largest), *curves.fair()]
    return Experiment(
        id=id,
        title=f"{title}, {environment}, {HORIZON[environment]} pulls",
        environment=environment,
        noise=law_of(law),
        horizon=HORIZON[environment],
        entries=curves.entries(grids, chosen(pilot or id)),
        source=f"{DORN}, {source}",
        **{"note": NOTE, **second_run(id, HORIZON[environment]), **more},
    )


def table_1(id: str, rival: bool = False) -> Experiment:
    """Table 1: recorded in every round that may reach a target; with APE, which the code has."""
    grids = curves.authors(10.0, constants={"UCB": (1.0,), "SGD": (0.1,)})
    if rival:
        grids += curves.ape()
    return Experiment(
        id=id,
        reading="code" if rival else "text",
        title="Table 1, Env1: pulls until R_t / t is below 0.1 and below 0.05",
        environment="Env1",
        noise=law_of("C1"),
        horizon=10_000,
        entries=curves.entries(grids[1:], {}),
        source=f"{DORN}, section 3.1, Table 1",
        note=(
            "Not in the text: the clip level (the code has 10), the constant (0.1), that rounds "
            "up to T/50 do not count (the code). The code has another algorithm in the table as "
            "well, which the text has not."
        ),
        trials=100,
        metric="pulls until R_t / t is below a target; failures",
        rounds=tuple(range(201, 10_001)),
        targets=(0.1, 0.05),
        **second_run(id, 10_000),
    )


def light(id: str, environment: str, law: str, reading: str) -> Experiment:
    """A panel of Figure 3."""
    largest = largest_location(environment)
    grids = [*curves.authors(largest, constants=curves.LIGHT, p=1), *curves.fair((1, 2), _SMALL)]
    return Experiment(
        id=id,
        title=f"Figure 3, {environment}: {law}, 3000 pulls",
        environment=environment,
        noise=law_of(law),
        horizon=3000,
        entries=curves.entries(grids, chosen(id)),
        source=f"{DORN}, section 3.3, Figure 3",
        note=(
            "The text has normal noise, the code draws uniform numbers from [0, 1). Not in the "
            "text: the constants (the code lists c in {0.2, 0.5, 1} for UCB and {0.07, 0.1, 0.12} "
            "for the SGD family)."
        ),
        trials=150,
        reading=reading,
        **second_run(id, 3000),
    )


_SMALL = (0.125, 0.25, 0.5, 1.0, 2.0)


def one_gap(id: str, law: str, others: int, gap: float, reading: str) -> Experiment:
    """One gap of a half of Figure 4."""
    constants = _SMALL if others == 1 else curves.WIDE
    grids = [*curves.authors(gap), *curves.fair((1, 2), constants)]
    return Experiment(
        id=f"{id}@{gap:g}",
        title=f"Figure 4, {others + 1} arms with gap {gap:g}: {law}, 2000 pulls",
        environment=f"{others} arms at 0, one at {gap:g}",
        noise=law_of(law),
        horizon=2000,
        entries=curves.entries(grids, chosen(id)),
        source=f"{DORN}, section 3.4, Figure 4",
        note=(
            "Not in the text: the constants (the code lists 0.1 and 1 for UCB, 0.1 and 0.2 for "
            "the SGD family), three first pulls, the clip level (the code takes the gap). The "
            "grids differ: 25 steps in the text, 24 in the code; right, the code has Cauchy "
            "noise of scale 2, the text of scale 1; left, the code draws uniform numbers."
        ),
        trials=300,
        loc=(*[0.0] * others, gap),
        stuck=gap / 4,
        metric="R_T, reward units",
        reading=reading,
        **second_run(f"{id}@{gap:g}", 2000),
    )


def sweep(id: str, law: str, others: int, grid: tuple[float, ...], reading: str) -> GapSweep:
    """A half of Figure 4."""
    return GapSweep(
        id,
        f"Figure 4, {others + 1} arms: regret against the gap, {law}",
        grid,
        lambda gap: one_gap(id, law, others, gap, reading),
    )
