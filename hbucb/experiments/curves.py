"""The curves of the first paper's figures: grids of candidates in three presets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hbucb.experiments.plan import Entry

SGD = {"SGD-UCB": (0, 1), "SGD-UCB-Median": (1, 1), "SGD-UCB-SMoM": (1, 2)}
WIDE = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)  # wide enough that the best constant is inside

HEAVY = {"UCB": (0.1, 1.0), "SGD": (0.1, 0.2)}
"""Constants c that the public code lists for heavy tails."""
LIGHT = {"UCB": (0.2, 0.5, 1.0), "SGD": (0.07, 0.1, 0.12)}
"""Constants c that the public code lists for light tails."""

Grids = list[tuple[str, str, tuple[Any, ...]]]


def authors(
    largest: float, *, constants: Mapping[str, tuple[float, ...]] = HEAVY, p: int | None = None
) -> Grids:
    """The five curves of the public code; the clip level is the largest location.

    Parameters
    ----------
    largest : float
        max |mu|, in reward units.
    constants : mapping
        Candidates for the constant of UCB and of the SGD family.
    p : int, optional
        First pulls of each arm (the SGD family); 3 if not given.

    Returns
    -------
    list of (name, preset, candidates)
    """
    from hbucb.estimators import MedianOfMeans
    from hbucb.policies.clipped_sgd_ucb import ClippedSGDUCB
    from hbucb.policies.robust_ucb import RobustUCB
    from hbucb.policies.ucb import UCB

    grids: Grids = [("UCB", "authors", tuple(UCB(sigma=c, kind="log") for c in constants["UCB"]))]
    for name, (m, n) in SGD.items():
        candidates = tuple(
            ClippedSGDUCB(m=m, n=n, preset="authors", rho=largest, c=c, p=p)
            for c in constants["SGD"]
        )
        grids.append((name, "authors", candidates))
    baseline = RobustUCB(MedianOfMeans(eps=1.0, v=largest), preset="authors")
    return [*grids, ("RUCB-Median", "authors", (baseline,))]


def ape() -> Grids:
    """APE as the public code sets it up: c = 1, a bonus of twice a chi-square variable.

    The code also has p = 1, for which there is no p-robust mean, and an influence with the wrong
    sign for negative rewards; this is the paper's influence. Estimates are renewed at counts that
    grow by a factor of 1.05.
    """
    from scipy.stats import chi2

    from hbucb.estimators import PRobustMean
    from hbucb.noise import as_noise
    from hbucb.policies.ape import APE

    bonus = as_noise(chi2(1, scale=2))
    return [
        (f"APE, p = {p:g}", "authors", (APE(PRobustMean(p, c=1.0), bonus, growth=1.05),))
        for p in (1.25, 2.0)
    ]


def theory(largest: float) -> Grids:
    """The same with the constants that the theorems print, at sigma = 1."""
    from hbucb.estimators import MedianOfMeans
    from hbucb.policies.clipped_sgd_ucb import ClippedSGDUCB
    from hbucb.policies.robust_ucb import RobustUCB

    grids: Grids = [
        (
            f"{name} (theory)",
            "theory",
            (ClippedSGDUCB(m=m, n=n, preset="theory", rho=largest, sigma=1.0),),
        )
        for name, (m, n) in SGD.items()
    ]
    by_moment = RobustUCB(MedianOfMeans(eps=1.0, v=largest))
    return [*grids, ("RUCB-Median (theory)", "theory", (by_moment,))]


def fair(groups: tuple[int, ...] = (1, 2), constants: tuple[float, ...] = WIDE) -> Grids:
    """A median of means that explores, and clipped SGD with a decreasing step."""
    from hbucb.policies.clipped_sgd_ucb import ClippedSGDUCB
    from hbucb.policies.robust_ucb import RobustUCB

    return [
        (
            "Median of means (fair)",
            "fair",
            tuple(
                RobustUCB(preset="fair", group=group, c=c) for group in groups for c in constants
            ),
        ),
        (
            "Clipped SGD 1/k",
            "fair",
            tuple(
                ClippedSGDUCB(preset="decreasing", kappa=0.705, clip=2.0, c=c) for c in constants
            ),
        ),
    ]


def entries(grids: Grids, chosen: Mapping[str, int]) -> tuple[Entry, ...]:
    """Grids with the pilot's choices: name -> position (the first candidate by default)."""
    return tuple(
        Entry(name, preset, candidates, chosen.get(name, 0)) for name, preset, candidates in grids
    )
