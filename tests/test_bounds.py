"""The catalogue is complete, and every bound in it keeps the common conventions."""

import importlib
import inspect
import math
import pkgutil

import numpy as np
import pytest

import hbucb
from hbucb import bounds
from hbucb.assumptions import STATUSES, BoundInfo
from hbucb.divergences import kl_gauss
from hbucb.noise import Cauchy
from hbucb.optimizers import SelfLocalisingSGD

PARAMETERS = {
    "asgn_regret": {"laws": Cauchy(), "sgd": SelfLocalisingSGD(warm=40, delta=1e-3, miss=1e-3)},
    "order_statistic_fixed_regret": {"laws": Cauchy()},
    "order_statistic_closed_regret": {"laws": Cauchy()},
    "order_statistic_uniform_regret": {"laws": Cauchy()},
    "order_statistic_anytime_regret": {"laws": Cauchy()},
    "wilcoxon_regret": {"laws": Cauchy()},
    "order_statistic_binned_regret": {"laws": Cauchy(), "edges": [-0.3, -0.1, 0.2]},
    "lin_ucb_regret": {"dim": 3},
    "lin_ts_bayes_regret": {"dim": 3},
    "crt_regret": {"dim": 3},
    "tofu_regret": {"dim": 3},
    "menu_regret": {"dim": 3},
    "two_worlds_lower": {"kl": 0.01},
    "lai_robbins": {"kl": kl_gauss},
    "ucbv_regret": {"variances": 0.1},
    "kl_ucb_regret": {"best": 0.9},
    "lai_robbins_bernoulli": {"best": 0.9},
    "robust_ucb_mom_regret": {"eps": 0.5, "v": 2.0},
    "robust_ucb_mom_anytime_regret": {"eps": 0.5, "v": 2.0},
    "robust_ucb_truncated_regret": {"eps": 0.5, "u": 2.0},
    "robust_ucb_truncated_anytime_regret": {"eps": 0.5, "u": 2.0},
    "robust_ucb_catoni_regret": {"v": 2.0},
    "robust_ucb_catoni_anytime_regret": {"v": 2.0},
    "robust_ucb_printed": {"eps": 0.5, "v": 2.0, "c": 4.0},
    "robust_ucb_truncated_printed": {"eps": 0.5, "u": 2.0},
    "thm10_corrected_instance": {"rho": 1.0, "sigma": 0.3},
    "thm10_corrected_worst": {"rho": 1.0, "sigma": 0.3},
    "fo_regret": {"g": lambda k, d: math.log(1 / d) / k},
    "zo_regret": {"g": lambda k, d: math.sqrt(math.log(1 / d) / k)},
    "batch_regret": {"g": lambda k, d: math.log(1 / d) / k, "batch": 3, "initial": 2},
}


def test_every_registered_function_is_in_the_catalogue():
    found = set()
    for module in pkgutil.walk_packages(hbucb.__path__, "hbucb."):
        for value in vars(importlib.import_module(module.name)).values():
            if inspect.isfunction(value) and isinstance(getattr(value, "bound", None), BoundInfo):
                found.add(value)
    assert found == set(bounds.BOUNDS)
    names = [function.__name__ for function in bounds.BOUNDS]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("function", bounds.BOUNDS, ids=lambda f: f.__name__)
def test_conventions(function):
    info = function.bound
    assert info.name == function.__name__ and info.status in STATUSES
    assert info.needs and all(info.needs) and info.rate and info.source and info.algorithm
    signature = list(inspect.signature(function).parameters.values())
    assert [p.name for p in signature[:2]] == ["gaps", "horizon"]
    assert all(p.kind is p.KEYWORD_ONLY for p in signature[2:])
    gaps, horizons = [0.0, 0.5], np.array([[10, 100], [1000, 10_000]])
    extra = PARAMETERS.get(function.__name__, {})
    many = function(gaps, horizons, **extra)
    assert many.shape == (2, 2) and (many >= 0).all()
    one = function(gaps, 1000, **extra)
    assert isinstance(one, float) and one == pytest.approx(many[1, 0])
    if function.__name__ != "two_worlds_lower":
        assert function([0.0], 1000, **extra) >= 0.0
    with pytest.raises(ValueError, match="horizon is 0"):
        function(gaps, 0, **extra)


def test_lower_bounds_stay_below_upper_bounds():
    horizons = np.array([10, 100, 1000, 10**5])
    by_name = {function.__name__: function for function in bounds.BOUNDS}
    worst_gap = np.sqrt(1 / (4 * horizons))
    upper = [by_name["ucb_regret"]([0.0, g], t) for g, t in zip(worst_gap, horizons, strict=True)]
    assert (by_name["gaussian_minimax_lower"]([0.0, 0.0], horizons) <= upper).all()


def test_catalogue_by_status():
    everything = bounds.catalogue()
    assert len(everything) == len(bounds.BOUNDS)
    assert sum(len(bounds.catalogue(status)) for status in STATUSES) == len(everything)
    with pytest.raises(ValueError, match="status is 'true'"):
        bounds.catalogue("true")
