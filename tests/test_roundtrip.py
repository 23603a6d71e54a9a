"""Every public object survives pickle and copy, and plays the same afterwards."""

import copy
import inspect
import pickle

import numpy as np
import pytest

import hbucb as hb
from hbucb import estimators, noise, optimizers
from tests import roster


def _copies(thing):
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        yield pickle.loads(pickle.dumps(thing, protocol))
    yield copy.copy(thing)
    yield copy.deepcopy(thing)


@pytest.mark.parametrize("name", roster.policies())
def test_policies(name):
    policy = roster.policies()[name]
    bandit = roster.bandit_for(policy)
    for again in _copies(policy):
        assert again == policy and repr(again) == repr(policy) and hash(again) == hash(policy)
    last = list(_copies(policy))[-1]
    one, other = (hb.simulate(bandit, p, 60, 3, seed=1, actions=True) for p in (policy, last))
    (key,) = one
    assert np.array_equal(one[key].actions, other[key].actions)


@pytest.mark.parametrize("law", noise.gallery().values(), ids=repr)
def test_laws(law):
    for again in _copies(law):
        assert again == law and repr(again) == repr(law)
        one, other = (x.sample(20, seed=3) for x in (law, again))
        assert np.array_equal(one, other)


@pytest.mark.parametrize("bandit", [roster.CAUCHY, roster.COINS, roster.LINEAR], ids=repr)
def test_bandits(bandit):
    for again in _copies(bandit):
        assert repr(again) == repr(bandit)
        assert np.array_equal(again.gaps, bandit.gaps)


def _made(module):
    for name in sorted(dir(module)):
        kind = getattr(module, name)
        if isinstance(kind, type) and hasattr(kind, "stream") and not inspect.isabstract(kind):
            try:
                yield pytest.param(kind(), id=name)
            except TypeError:  # needs arguments: tested where it stands
                continue


@pytest.mark.parametrize("thing", [*_made(estimators), *_made(optimizers)])
def test_estimators_and_optimizers(thing):
    for again in _copies(thing):
        assert again == thing and repr(again) == repr(thing)


def test_results_and_rows_of_the_catalogue_and_the_ledger():
    result = hb.simulate(roster.CAUCHY, hb.UCB(), 50, 3, seed=1)
    for again in _copies(result):
        assert np.array_equal(again["UCB"].regret, result["UCB"].regret)
        assert again.summary() == result.summary()
    for row in [*hb.bounds.catalogue(), *hb.ledger()]:
        assert pickle.loads(pickle.dumps(row)) == row
