"""Optimisation methods as streaming estimators, each with the g(k, delta) claimed for it."""

from hbucb.optimizers.clipped_sgd import (
    ClippedSGD,
    ConstantSchedule,
    DecreasingSchedule,
    TheorySchedule,
    g_paper,
)

__all__ = ["ClippedSGD", "ConstantSchedule", "DecreasingSchedule", "TheorySchedule", "g_paper"]
