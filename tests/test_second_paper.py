"""The second paper's experiments as data, and the deterministic replay of its scripts."""

import numpy as np
import pytest

import hbucb as hb
from hbucb.experiments import experiment
from hbucb.experiments.second_paper import groups


@pytest.mark.parametrize(
    ("id", "arms", "horizon", "uniform"),
    [("E1", 20, 60_000, 1710), ("E2", 100, 300_000, 11_880), ("E3", 100, 400_000, 3760),
     ("E4", 100, 400_000, 3960)],
)  # fmt: skip
def test_sizes_and_uniform_play(id, arms, horizon, uniform):
    plan = experiment(id)
    assert (plan.bandit.arms, plan.horizon, plan.trials) == (arms, horizon, 100)
    assert plan.bandit.gaps.mean() * horizon == pytest.approx(uniform)
    assert plan.stuck * horizon == pytest.approx(uniform)
    assert int(plan.bandit.gaps.argmin()) == arms - 1
    assert plan.rounds[-1] == horizon and len(plan.rounds) == 100


def test_variances_are_those_of_the_text():
    laws = experiment("E2").bandit.laws
    assert [round(law.variance, 9) for law in (laws[0], laws[65], laws[66], laws[99])] == [
        0.01, 0.01, 0.25, 0.25,
    ]  # fmt: skip
    three = np.array([law.variance for law in experiment("E3").bandit.laws])
    assert three[:10] == pytest.approx([0.01] * 10) and three[99] == pytest.approx(0.25)
    assert ((three[10:99] > 0.20) & (three[10:99] < 0.24)).all()
    four = np.array([law.variance for law in experiment("E4").bandit.laws])
    assert ((four[:49] > 0) & (four[:49] < 0.05)).all()
    assert ((four[49:99] > 0.19) & (four[49:99] < 0.24)).all() and four[99] == pytest.approx(0.25)
    # Each draw stands once and serves both readings.
    for id in ("E2", "E3", "E4"):
        variances = groups(id)[1]
        sd = [law.variance**0.5 for law in experiment(f"{id}-sd").bandit.laws]
        assert sd == pytest.approx(variances)
    assert groups("E3")[1].tolist() == groups("E3")[1].tolist()
    with pytest.raises(ValueError, match="E9"):
        groups("E9")


def test_curves_play_and_differ():
    for id, twins in (("E1", {"UCB-V", "UCB-V (c = 1/3)"}), ("E2", {"TS-G", "TS-G (released)"})):
        plan = experiment(id)
        curves = plan.policies("all")
        assert len(curves) == (18 if id == "E1" else 19) and twins <= set(curves)
        result = hb.simulate(plan.bandit, curves, 1500, 2, seed=1, actions=True)
        played = {result[name].actions.tobytes() for name in curves}
        # UCB-Improved and Median Elimination are both in their first turns here.
        assert len(played) >= len(curves) - 1
        assert not np.array_equal(result["OCUCB"].actions, result["UCB1"].actions)
        assert not np.array_equal(result["KL-UCB+" if id == "E1" else "KLUCB-G+"].actions,
                                  result["UCB1"].actions)  # fmt: skip


def test_the_noise_free_replay_has_the_layout_of_the_scripts():
    two, three = experiment("E2-zero"), experiment("E3-zero")
    assert two.bandit.loc[[0, 32, 33, 97, 98, 99]].tolist() == [0.01, 0.01, 0.07, 0.07, 0.09, 0.07]
    assert three.bandit.loc[[0, 9, 10, 98, 99]].tolist() == [0.045, 0.045, 0.04, 0.05, 0.04]
    assert list(two.policies("all")) == ["EUCBV (released)"]
    # The whole curves are replayed in tests/test_elimination.py and in the audit.
    run = hb.simulate(two.bandit, two.policies("authors"), 2000, 1, seed=0, order="given")
    assert (run["EUCBV (released)"].regret[0] > 0).any()


def test_means_of_experiment_1_at_a_reduced_size():
    """The ordering that holds at full size, at T = 20 000: 20 runs, seed 4."""
    plan = experiment("E1")
    names = [
        "EUCBV",
        "EUCBV (released)",
        "UCB1",
        "UCB-Improved",
        "MOSS",
        "OCUCB",
        "UCB-V (c = 1/3)",
    ]
    curves = {name: plan.policies("all")[name] for name in names}
    run = hb.simulate(plan.bandit, curves, 20_000, 20, seed=4, coupling="arm")
    mean = {name: run[name].regret[:, -1].mean() for name in names}
    worst = sorted(mean, key=mean.__getitem__)[-2:]
    assert set(worst) == {"UCB1", "UCB-Improved"}
    assert min(mean, key=mean.__getitem__) == "EUCBV (released)"
    assert mean["EUCBV"] < mean["UCB1"]
