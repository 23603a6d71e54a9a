"""Optimisation methods as streaming estimators, each with the g(k, delta) claimed for it."""

from hbucb.optimizers.clipped_sgd import (
    ClippedSGD,
    ConstantSchedule,
    DecreasingSchedule,
    TheorySchedule,
    g_paper,
)
from hbucb.optimizers.guarantee import Distance, Guarantee, HalfSquare
from hbucb.optimizers.mean_sgd import MeanSGD, SubGaussianG, SubGaussianUniformG
from hbucb.optimizers.median_g import MedianOfMeansG

__all__ = [
    "ClippedSGD",
    "ConstantSchedule",
    "DecreasingSchedule",
    "Distance",
    "Guarantee",
    "HalfSquare",
    "MeanSGD",
    "MedianOfMeansG",
    "SubGaussianG",
    "SubGaussianUniformG",
    "TheorySchedule",
    "g_paper",
]
