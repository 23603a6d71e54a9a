"""Optimisation methods as streaming estimators, each with the g(k, delta) claimed for it."""

from hbucb.optimizers.clipped_sgd import (
    ClippedSGD,
    ConstantSchedule,
    DecreasingSchedule,
    TheorySchedule,
    g_paper,
)
from hbucb.optimizers.gradient_variance import median_variance
from hbucb.optimizers.guarantee import Distance, Guarantee, HalfSquare
from hbucb.optimizers.last_iterate import LastIterateSchedule, constants_hold
from hbucb.optimizers.mean_sgd import MeanSGD, SubGaussianG, SubGaussianUniformG
from hbucb.optimizers.median_g import MedianOfMeansG
from hbucb.optimizers.restarted import RestartedClippedSGD, RestartedG

__all__ = [
    "ClippedSGD",
    "ConstantSchedule",
    "DecreasingSchedule",
    "Distance",
    "Guarantee",
    "HalfSquare",
    "LastIterateSchedule",
    "MeanSGD",
    "MedianOfMeansG",
    "RestartedClippedSGD",
    "RestartedG",
    "SubGaussianG",
    "SubGaussianUniformG",
    "TheorySchedule",
    "constants_hold",
    "g_paper",
    "median_variance",
]
