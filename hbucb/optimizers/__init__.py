"""Optimisation methods as streaming estimators, each with the g(k, delta) claimed for it."""

from hbucb.optimizers.clipped_sgd import (
    ClippedSGD,
    ConstantSchedule,
    DecreasingSchedule,
    TheorySchedule,
    g_paper,
)
from hbucb.optimizers.drift import DriftCondition
from hbucb.optimizers.gradient_variance import median_variance
from hbucb.optimizers.guarantee import Distance, Guarantee, HalfSquare
from hbucb.optimizers.knowledge import (
    DensityFloor,
    Knowledge,
    KnownLaw,
    MassWithin,
    UnimodalMoment,
)
from hbucb.optimizers.last_iterate import LastIterateSchedule, constants_hold
from hbucb.optimizers.localisation import median_misses, median_pulls
from hbucb.optimizers.mean_sgd import MeanSGD, SubGaussianG, SubGaussianUniformG
from hbucb.optimizers.median_g import MedianOfMeansG
from hbucb.optimizers.restarted import RestartedClippedSGD, RestartedG
from hbucb.optimizers.score_g import BernsteinG, BiasedG, LastIterateG, LastIterateUniformG
from hbucb.optimizers.score_sgd import ScoreSGD
from hbucb.optimizers.scores import Clip, OneBit, Sign, huber_point
from hbucb.optimizers.self_localising import SelfLocalisingSGD
from hbucb.optimizers.zero_order import (
    TwoPoint,
    excess_loss,
    two_point,
    two_point_literal,
)

__all__ = [
    "BernsteinG",
    "BiasedG",
    "Clip",
    "ClippedSGD",
    "ConstantSchedule",
    "DecreasingSchedule",
    "DensityFloor",
    "Distance",
    "DriftCondition",
    "Guarantee",
    "HalfSquare",
    "Knowledge",
    "KnownLaw",
    "LastIterateG",
    "LastIterateSchedule",
    "LastIterateUniformG",
    "MassWithin",
    "MeanSGD",
    "MedianOfMeansG",
    "OneBit",
    "RestartedClippedSGD",
    "RestartedG",
    "ScoreSGD",
    "SelfLocalisingSGD",
    "Sign",
    "SubGaussianG",
    "SubGaussianUniformG",
    "TheorySchedule",
    "TwoPoint",
    "UnimodalMoment",
    "constants_hold",
    "excess_loss",
    "g_paper",
    "huber_point",
    "median_misses",
    "median_pulls",
    "median_variance",
    "two_point",
    "two_point_literal",
]
