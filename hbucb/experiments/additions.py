"""Experiments that the paper has not: long runs, fair baselines, asymmetric noise."""

from __future__ import annotations

from typing import Any

from hbucb.experiments import curves
from hbucb.experiments.panels import largest_location, law_of
from hbucb.experiments.pilots import chosen
from hbucb.experiments.plan import Experiment


def ours(id: str, **more: Any) -> Experiment:
    """An experiment of this replay."""
    return Experiment(
        id=id,
        **{"source": "none: an addition of this replay", "note": "", "reading": "ours", **more},
    )


def long(id: str, loc: tuple[float, ...]) -> Experiment:
    """Cauchy noise for a million pulls: the constant step against the decreasing one."""
    from hbucb.policies.clipped_sgd_ucb import ClippedSGDUCB

    largest = max(loc)
    grids: curves.Grids = [
        ("SGD-UCB", "authors", (ClippedSGDUCB(rho=largest, c=0.1),)),
        ("SGD-UCB, c = 1", "authors", (ClippedSGDUCB(rho=largest, c=1.0),)),
        (
            "Clipped SGD 1/k",
            "fair",
            (ClippedSGDUCB(preset="decreasing", kappa=0.705, clip=2.0, c=2.0),),
        ),
    ]
    return ours(
        id,
        title=f"A million pulls, {len(loc)} arms with gaps of {min(x for x in loc if x):g}",
        environment=f"{len(loc)} arms up to {largest:g}",
        loc=loc,
        noise=law_of("C1"),
        horizon=1_000_000,
        trials=60,
        verdict_trials=60,
        rounds=tuple(round(10 ** (3 + k / 10)) for k in range(31)),
        stuck=max(loc) / 4,
        entries=curves.entries(grids, {}),
    )


def baselines(id: str, environment: str) -> Experiment:
    """Figure 1 with policies that explore, at two constants each."""
    from hbucb.policies.clipped_sgd_ucb import ClippedSGDUCB
    from hbucb.policies.robust_ucb import RobustUCB

    largest = largest_location(environment)
    grids: curves.Grids = []
    for c in (1.0, 2.0):
        grids += [
            (f"Median, c = {c:g}", "fair", (RobustUCB(preset="fair", group=1, c=c),)),
            (f"Pairs, c = {c:g}", "fair", (RobustUCB(preset="fair", group=2, c=c),)),
            (
                f"Clipped SGD 1/k, c = {c:g}",
                "fair",
                (ClippedSGDUCB(preset="decreasing", kappa=0.705, clip=2.0, c=c),),
            ),
            (f"SGD-UCB, c = {c:g}", "fair", (ClippedSGDUCB(rho=largest, c=c),)),
        ]
    return ours(
        id,
        title=f"Fair baselines, {environment}: Cauchy noise, 10000 pulls",
        environment=environment,
        noise=law_of("C1"),
        horizon=10_000,
        trials=300,
        entries=curves.entries(grids, {}),
    )


def asymmetric(id: str, loc: tuple[float, ...], tails: tuple[float, ...]) -> Experiment:
    """Arms with centred Pareto noise (mean 0, no variance for an index below 2)."""
    from hbucb.noise import LocationScale, Pareto

    laws = tuple(LocationScale(Pareto(a), -a / (a - 1)) for a in tails)
    largest = max(loc)
    grids = [*curves.authors(largest), *curves.fair()]
    return ours(
        id,
        title=f"{len(loc)} arms with asymmetric noise of mean 0, tail indices "
        + ", ".join(f"{a:g}" for a in tails),
        environment=f"{len(loc)} arms up to {largest:g}",
        loc=loc,
        noise=laws,
        horizon=10_000,
        entries=curves.entries(grids, chosen("F1b")),
    )


def provable(id: str, environment: str) -> Experiment:
    """Indices with a proof under Cauchy noise, and what each knows about it."""
    from hbucb.noise import Cauchy
    from hbucb.optimizers import KnownLaw
    from hbucb.policies import OrderStatisticUCB, SignSGDUCB

    grids: curves.Grids = [
        ("Order statistics", "proved", (OrderStatisticUCB(),)),
        ("Order statistics, fixed", "proved", (OrderStatisticUCB(kind="fixed"),)),
        ("Sign SGD", "proved", (SignSGDUCB(KnownLaw(Cauchy()), half=1.0),)),
    ]
    return ours(
        id,
        title=f"Proved indices, {environment}: Cauchy noise, 10000 pulls",
        environment=environment,
        noise=law_of("C1"),
        horizon=10_000,
        trials=100,
        entries=curves.entries(grids, {}),
        note="Order statistics know that the location is a median; sign SGD knows the law.",
    )
