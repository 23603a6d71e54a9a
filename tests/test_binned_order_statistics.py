"""Order statistics on a grid: streaming against the definition, coverage, the certificate."""

import math

import numpy as np
import pytest
from scipy import stats

import hbucb as hb
from hbucb.binned_bounds import as_edges, order_statistic_binned_regret
from hbucb.estimators import OrderStatistic, uniform_rank, upper_rank
from hbucb.estimators.binned import BinnedOrderStatistic
from hbucb.estimators.ranks import FixedRanks, UniformRanks
from hbucb.noise import Cauchy, TwoPoint

GRID = tuple((np.arange(-12, 13) / 3).tolist())


def test_by_hand_with_rewards_on_the_edges_and_beyond():
    # Rank 4 of 5 at delta = 0.2: the fourth smallest is 5, rounded up.
    x = [5.0, 1.0, 2.0, 9.0, 3.0]
    for edges, expected in (((0, 4, 8), 8.0), ((5.0,), 5.0), ((4.9, 5.1), 5.1), ((1, 4), math.inf)):
        assert BinnedOrderStatistic(FixedRanks(0.2), edges).estimate(x) == expected
    assert BinnedOrderStatistic(FixedRanks(0.2), (0.0,)).estimate([-1.0, -math.inf]) == math.inf


@pytest.mark.parametrize("kind", ["fixed", "time-uniform"])
@pytest.mark.parametrize("law", [Cauchy(), TwoPoint()])
def test_batch_plays_what_explain_plays_in_any_chunk(kind, law):
    bandit = hb.Bandit([0.0, 1 / 3, 1.0], law)
    policy = hb.OrderStatisticUCB(kind, delta=0.05, edges=GRID)
    runs = [
        hb.simulate(bandit, {"it": policy}, 300, 5, seed=3, actions=True, chunk=chunk)["it"].actions
        for chunk in (1, 3, 100)
    ]
    assert np.array_equal(runs[0], runs[1]) and np.array_equal(runs[0], runs[2])
    for trial in range(5):
        steps = hb.explain(policy, bandit, 300, seed=3, trial=trial)
        assert steps.actions == runs[0][trial].tolist()


def test_the_grid_limit_is_the_order_statistic_rounded_up():
    rng = np.random.default_rng(51)
    for n in (7, 40, 200):
        x = rng.standard_cauchy(n)
        exact = OrderStatistic().estimate(x, 0.05)
        limit = BinnedOrderStatistic(FixedRanks(0.05), GRID).estimate(x)
        assert limit >= exact and limit == next((g for g in GRID if g >= exact), math.inf)


@pytest.mark.parametrize(("kind", "table"), [("fixed", upper_rank), ("time-uniform", uniform_rank)])
def test_certificate_from_its_definition(kind, table):
    total, gap, best = 400, 1.0, 2.5
    edges = [1.0, 2.2, 2.5, 4.0]  # an edge at mu* itself is not below it
    level = 1 / total if kind == "time-uniform" else 1 / total**2
    n = np.arange(1, total)
    below = stats.cauchy.cdf(2.2 - 1.5)
    pulls = 1 + total * level * (1 if kind == "time-uniform" else total - 1)
    pulls += stats.binom.cdf(table(n, level) - 1, n, below).sum()
    got = order_statistic_binned_regret(
        [gap, 0.0], total, laws=Cauchy(), edges=edges, best=best, kind=kind
    )
    assert got == pytest.approx(min(pulls, total))
    policy = hb.OrderStatisticUCB(kind, edges=edges)
    assert policy.regret_bound(hb.Bandit([1.5, 2.5], Cauchy()), total) == pytest.approx(got)
    assert policy.tuned(total).regret_bound(hb.Bandit([1.5, 2.5], Cauchy()), total) == got


def test_a_grid_without_an_edge_between_the_arms_has_no_certificate_and_loses_for_ever():
    bandit = hb.Bandit([0.0, 0.5], Cauchy())
    coarse = hb.OrderStatisticUCB(edges=[-1.0, 2.0])
    fine = hb.OrderStatisticUCB(edges=np.arange(-20, 21) / 10 + 0.05)
    assert coarse.regret_bound(bandit, 4000) > 0.9 * 2000
    assert fine.regret_bound(bandit, 4000) < 300
    runs = hb.simulate(bandit, {"coarse": coarse, "fine": fine}, 4000, 40, seed=4)
    final = {name: runs[name].regret[:, -1] for name in runs.names}
    assert final["fine"].mean() + 5 * final["fine"].std(ddof=1) / 40**0.5 < 300
    assert final["coarse"].mean() > 3 * final["fine"].mean()
    # No edge below the best location at all.
    assert hb.OrderStatisticUCB(edges=[3.0]).regret_bound(bandit, 4000) == 2000.0


def test_wrong_grids_are_named():
    for edges in ([], [1.0, 1.0], [2.0, 1.0], [0.0, math.inf], [[0.0, 1.0]]):
        with pytest.raises(ValueError, match="edges is"):
            as_edges(edges)
    with pytest.raises(ValueError, match="not used by kind='anytime'"):
        hb.OrderStatisticUCB("anytime", edges=[0.0])
    with pytest.raises(ValueError, match="kind is 'anytime'"):
        order_statistic_binned_regret([0.0, 1.0], 10, laws=Cauchy(), edges=[0.0], kind="anytime")
    with pytest.raises(ValueError, match="best is"):
        order_statistic_binned_regret([0.0, 1.0], 10, laws=Cauchy(), edges=[0.0], best=math.inf)


def test_ranks_of_the_grid_are_those_of_the_kind():
    policy = hb.OrderStatisticUCB(edges=[0.0, 1.0], a=1.0)
    assert policy.edges == (0.0, 1.0)
    assert policy.rule(100).estimator.ranks == UniformRanks(0.01, 1.0)
