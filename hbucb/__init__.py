"""Bandits with heavy tails (no variance) and super-heavy tails (no mean).

Every estimator and algorithm stands beside its regret bound as a callable function.
"""

from typing import Any

from hbucb import (
    bandits,
    bounds,
    certify,
    estimators,
    linear,
    noise,
    optimizers,
    plotting,
    policies,
    theory,
)
from hbucb.assumptions import AssumptionError
from hbucb.bandits import Bandit, BernoulliBandit, LinearContextualBandit
from hbucb.checks import check
from hbucb.explain import explain
from hbucb.policies import (
    APE,
    ASGNUCB,
    CCB,
    CRT,
    DMED,
    EUCBV,
    FOUCB,
    IMED,
    KLUCB,
    MENU,
    MOSS,
    OAM,
    OCUCB,
    OSSB,
    SOLID,
    SPL,
    TOFU,
    UCB,
    UCB1,
    UCBV,
    ZOUCB,
    BayesUCB,
    ClippedSGDUCB,
    ClipSGDUCB,
    GaussianThompsonSampling,
    HuberUCB,
    KLUCBPlus,
    LinTS,
    LinUCB,
    MedianElimination,
    MedianUCB,
    OCUCBn,
    OrderStatisticUCB,
    RobustUCB,
    SignSGDUCB,
    ThompsonSampling,
    TwoPointUCB,
    UCBImproved,
    UCBTuned,
    WilcoxonUCB,
    scalar,
)
from hbucb.results import Result, load
from hbucb.simulation import simulate
from hbucb.sweep import Sweep, grid, sweep

__version__ = "0.1.0"

__all__ = [
    "APE",
    "ASGNUCB",
    "CCB",
    "CRT",
    "DMED",
    "EUCBV",
    "FOUCB",
    "IMED",
    "KLUCB",
    "MENU",
    "MOSS",
    "OAM",
    "OCUCB",
    "OSSB",
    "SOLID",
    "SPL",
    "TOFU",
    "UCB",
    "UCB1",
    "UCBV",
    "ZOUCB",
    "AssumptionError",
    "Bandit",
    "BayesUCB",
    "BernoulliBandit",
    "ClipSGDUCB",
    "ClippedSGDUCB",
    "GaussianThompsonSampling",
    "HuberUCB",
    "KLUCBPlus",
    "LinTS",
    "LinUCB",
    "LinearContextualBandit",
    "MedianElimination",
    "MedianUCB",
    "OCUCBn",
    "OrderStatisticUCB",
    "Result",
    "RobustUCB",
    "SignSGDUCB",
    "Sweep",
    "ThompsonSampling",
    "TwoPointUCB",
    "UCBImproved",
    "UCBTuned",
    "WilcoxonUCB",
    "bandits",
    "bounds",
    "certify",
    "check",
    "estimators",
    "experiment",
    "experiment_ids",
    "explain",
    "grid",
    "ledger",
    "linear",
    "load",
    "noise",
    "optimizers",
    "plotting",
    "policies",
    "scalar",
    "simulate",
    "sweep",
    "theory",
]


def experiment(identifier: str) -> Any:
    """An experiment of a paper by its id, ready to run; see :func:`experiment_ids`.

    Examples
    --------
    >>> import hbucb as hb
    >>> hb.experiment("F1a").horizon
    10000
    """
    from hbucb import experiments

    return experiments.experiment(identifier)


def experiment_ids() -> list[str]:
    """The ids of all experiments.

    Examples
    --------
    >>> import hbucb as hb
    >>> "F1a" in hb.experiment_ids()
    True
    """
    from hbucb import experiments

    return experiments.experiment_ids()


def ledger() -> Any:
    """The claims of the papers, each with id, statement, source, verdict and chapter.

    Examples
    --------
    >>> import hbucb as hb
    >>> all(claim.chapter for claim in hb.ledger())
    True
    """
    from hbucb import claims

    return claims.ledger()
