"""Bandit policies, one algorithm a file: the rule, its parameters, its regret bound.

A file is imported when its class is first asked for (PEP 562): few sessions need all of them.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from hbucb.policies.base import Policy, State
from hbucb.policies.scalar import Scalar, scalar  # a name of its module too: not asked for later
from hbucb.streams import Draws as Draws  # what Run.stream gives: read, not made, by users
from hbucb.streams import Run

if TYPE_CHECKING:
    from hbucb.policies.ape import APE
    from hbucb.policies.arm_index import ArmIndexPolicy
    from hbucb.policies.asgn_ucb import ASGNUCB
    from hbucb.policies.bayes_ucb import BayesUCB
    from hbucb.policies.ccb import CCB
    from hbucb.policies.centre_ucb import HuberUCB, MedianUCB
    from hbucb.policies.clipped_sgd_ucb import ClippedSGDUCB
    from hbucb.policies.crt import CRT
    from hbucb.policies.dmed import DMED, IMED
    from hbucb.policies.eucbv import EUCBV
    from hbucb.policies.fo_zo import FOUCB, ZOUCB
    from hbucb.policies.index import (
        FixedRadius,
        FormulaRadius,
        IndexPolicy,
        NoRadius,
        RootRadius,
        Rule,
    )
    from hbucb.policies.kl_ucb import KLUCB, KLUCBPlus
    from hbucb.policies.lin_ts import LinTS
    from hbucb.policies.lin_ucb import LinUCB
    from hbucb.policies.linear_index import LinearIndexPolicy
    from hbucb.policies.median_elimination import MedianElimination
    from hbucb.policies.menu import MENU
    from hbucb.policies.moss import MOSS
    from hbucb.policies.oam import OAM
    from hbucb.policies.ocucb import OCUCB
    from hbucb.policies.ocucb_n import OCUCBn
    from hbucb.policies.order_statistic_ucb import OrderStatisticUCB
    from hbucb.policies.ossb import OSSB
    from hbucb.policies.robust_ucb import RobustUCB
    from hbucb.policies.score_ucb import ClipSGDUCB, SignSGDUCB, TwoPointUCB
    from hbucb.policies.solid import SOLID
    from hbucb.policies.spl import SPL
    from hbucb.policies.thompson import ThompsonSampling
    from hbucb.policies.thompson_gaussian import GaussianThompsonSampling
    from hbucb.policies.tofu import TOFU
    from hbucb.policies.ucb import UCB
    from hbucb.policies.ucb1 import UCB1
    from hbucb.policies.ucb_improved import UCBImproved
    from hbucb.policies.ucb_v import UCBV, UCBTuned
    from hbucb.policies.wilcoxon_ucb import WilcoxonUCB

#: Class -> the file of this package in which it is written.
FILES = {
    "APE": "ape",
    "ASGNUCB": "asgn_ucb",
    "ArmIndexPolicy": "arm_index",
    "BayesUCB": "bayes_ucb",
    "CCB": "ccb",
    "CRT": "crt",
    "ClipSGDUCB": "score_ucb",
    "ClippedSGDUCB": "clipped_sgd_ucb",
    "DMED": "dmed",
    "EUCBV": "eucbv",
    "FOUCB": "fo_zo",
    "FixedRadius": "index",
    "FormulaRadius": "index",
    "GaussianThompsonSampling": "thompson_gaussian",
    "HuberUCB": "centre_ucb",
    "IMED": "dmed",
    "IndexPolicy": "index",
    "KLUCB": "kl_ucb",
    "KLUCBPlus": "kl_ucb",
    "LinTS": "lin_ts",
    "LinUCB": "lin_ucb",
    "LinearIndexPolicy": "linear_index",
    "MENU": "menu",
    "MOSS": "moss",
    "MedianElimination": "median_elimination",
    "MedianUCB": "centre_ucb",
    "NoRadius": "index",
    "OAM": "oam",
    "OCUCB": "ocucb",
    "OCUCBn": "ocucb_n",
    "OSSB": "ossb",
    "OrderStatisticUCB": "order_statistic_ucb",
    "RobustUCB": "robust_ucb",
    "RootRadius": "index",
    "Rule": "index",
    "SOLID": "solid",
    "SPL": "spl",
    "SignSGDUCB": "score_ucb",
    "TOFU": "tofu",
    "ThompsonSampling": "thompson",
    "TwoPointUCB": "score_ucb",
    "UCB": "ucb",
    "UCB1": "ucb1",
    "UCBImproved": "ucb_improved",
    "UCBTuned": "ucb_v",
    "UCBV": "ucb_v",
    "WilcoxonUCB": "wilcoxon_ucb",
    "ZOUCB": "fo_zo",
}

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
    "ArmIndexPolicy",
    "BayesUCB",
    "ClipSGDUCB",
    "ClippedSGDUCB",
    "FixedRadius",
    "FormulaRadius",
    "GaussianThompsonSampling",
    "HuberUCB",
    "IndexPolicy",
    "KLUCBPlus",
    "LinTS",
    "LinUCB",
    "LinearIndexPolicy",
    "MedianElimination",
    "MedianUCB",
    "NoRadius",
    "OCUCBn",
    "OrderStatisticUCB",
    "Policy",
    "RobustUCB",
    "RootRadius",
    "Rule",
    "Run",
    "Scalar",
    "SignSGDUCB",
    "State",
    "ThompsonSampling",
    "TwoPointUCB",
    "UCBImproved",
    "UCBTuned",
    "WilcoxonUCB",
    "scalar",
]


def __getattr__(name: str) -> Any:
    if name in FILES:
        value = getattr(import_module(f"{__name__}.{FILES[name]}"), name)
    elif not name.startswith("_") and find_spec(f"{__name__}.{name}"):
        value = import_module(f"{__name__}.{name}")
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value  # asked for once
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
