"""Bandits with heavy tails (no variance) and super-heavy tails (no mean).

Every estimator and algorithm stands beside its regret bound as a callable function.

Most parts are imported when they are first asked for (PEP 562), so that a session pays only for
those that it uses.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from hbucb import bandits, noise, policies
from hbucb.assumptions import AssumptionError
from hbucb.bandits import Bandit, BernoulliBandit, LinearContextualBandit
from hbucb.explain import explain  # a name of its module too, as sweep: not asked for later
from hbucb.policies import scalar
from hbucb.results import Result, load
from hbucb.simulation import simulate
from hbucb.sweep import Sweep, grid, sweep

if TYPE_CHECKING:
    from hbucb import bounds, certify, estimators, linear, optimizers, plotting, theory
    from hbucb.checks import check
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
    )

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


def __getattr__(name: str) -> Any:
    if name in policies.FILES:
        value = getattr(policies, name)
    elif name == "check":
        value = import_module("hbucb.checks").check
    elif not name.startswith("_") and find_spec(f"hbucb.{name}"):
        value = import_module(f"hbucb.{name}")
    else:
        raise AttributeError(f"module 'hbucb' has no attribute {name!r}")
    globals()[name] = value  # asked for once
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


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
