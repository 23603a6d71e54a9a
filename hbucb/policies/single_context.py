"""Algorithms for linear bandits without contexts."""

from __future__ import annotations

import numpy as np

from hbucb.streams import Run


def single_context(name: str, run: Run) -> np.ndarray:
    """The features (1, arms, d) of a run, or a ValueError if there is not exactly one context."""
    if run.features is None:
        raise ValueError(f"features are missing: {name} plays a LinearContextualBandit")
    if len(run.features) != 1:
        raise ValueError(f"features has {len(run.features)} contexts; {name} plays with one only")
    return run.features
