"""Experiments as data: what they hold, what they refuse, and that a run is what the data say."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

import hbucb as hb
from hbucb.experiments import PRESETS, experiment, experiment_ids


@pytest.mark.parametrize("name, horizon, arms, largest", [
    ("F1a", 10_000, 10, 9.0), ("F1b", 10_000, 10, 0.9), ("F1c", 15_000, 100, 1.98),
])
def test_figure_1_as_the_text_and_the_code_have_it(name, horizon, arms, largest):
    plan = experiment(name)
    assert (plan.horizon, plan.trials, plan.verdict_trials) == (horizon, 120, 600)
    assert plan.bandit.arms == arms and plan.bandit.gaps.max() == pytest.approx(largest)
    assert plan.bandit.laws[0] == hb.noise.Cauchy(1.0)
    grids = {entry.name: entry.candidates for entry in plan.entries}
    assert {p.sigma for p in grids["UCB"]} == {0.1, 1.0}
    assert {p.kind for p in grids["UCB"]} == {"log"}
    for policy_name, size in (("SGD-UCB", (0, 1)), ("SGD-UCB-Median", (1, 1)),
                              ("SGD-UCB-SMoM", (1, 2))):
        assert {p.c for p in grids[policy_name]} == {0.1, 0.2}
        for policy in grids[policy_name]:
            assert (policy.m, policy.n) == size
            assert policy.rho == pytest.approx(largest) and policy.preset == "authors"
    assert {p.group for p in grids["Median of means (fair)"]} == {1, 2}
    assert len({plan.seed, plan.verdict_seed, plan.pilot_seed}) == 3


def test_presets_are_disjoint_and_together_all():
    plan = experiment("F1b")
    parts = [set(plan.policies(preset)) for preset in PRESETS]
    assert set().union(*parts) == set(plan.policies("all"))
    assert sum(map(len, parts)) == len(plan.policies("all")) == 11
    assert set(plan.policies(["authors", "fair"])) == parts[0] | parts[2]


def test_chosen_constants_are_inside_the_wide_grids():
    for name in experiment_ids():
        for entry in experiment(name).entries:
            assert 0 <= entry.chosen < len(entry.candidates)
            if entry.preset == "fair":
                assert entry.policy.c not in (0.25, 8.0)


def small(name, horizon=400):
    return replace(experiment(name), horizon=horizon)


def test_a_run_is_what_the_data_say():
    plan = small("F1a")
    result = plan.run(5, preset="authors")
    assert (result.trials, result.horizon, result.seed) == (5, 400, plan.seed)
    assert result.coupling == "time" and result.names == list(plan.policies("authors"))
    again = hb.simulate(plan.bandit, {"SGD-UCB": plan.policies()["SGD-UCB"]}, 400, 5, seed=1)
    np.testing.assert_array_equal(again["SGD-UCB"].regret, result["SGD-UCB"].regret)


def test_the_run_for_verdicts_is_paired_and_prefixes_agree():
    plan = small("F1b")
    few, more = plan.verdict_run(3), plan.verdict_run(7)
    assert more.coupling == "arm" and more.seed == plan.verdict_seed
    assert set(more.names) == set(plan.policies("all"))
    for name in few.names:
        np.testing.assert_array_equal(few[name].regret, more[name].regret[:3])


def test_the_pilot_plays_every_candidate_with_another_seed():
    plan = small("F1b", 200)
    means = plan.pilot(6)
    assert {name: len(values) for name, values in means.items()} == {
        entry.name: len(entry.candidates) for entry in plan.entries if len(entry.candidates) > 1
    }
    policy = plan.entries[0].candidates[1]
    direct = hb.simulate(plan.bandit, policy, 200, 6, seed=plan.pilot_seed, coupling="arm")
    (only,) = direct.names
    assert means["UCB"][1] == pytest.approx(direct[only].regret[:, -1].mean() / 200)


def test_the_printed_constants_play_uniformly():
    # Radius 76 against a largest gap of 9: 1000 pulls cannot tell the arms apart.
    result = small("F1a", 1000).run(2, preset="theory")
    pulls = result["SGD-UCB (theory)"].pulls
    assert pulls.min() >= 95 and pulls.max() <= 105


def test_import_does_not_load_the_experiments():
    names = "('hbucb.experiments', 'hbucb.claims')"
    code = f"import sys, hbucb; print(*(n in sys.modules for n in {names}))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.split() == ["False", "False"]
    assert list(hb.experiment_ids()) == experiment_ids()
    assert hb.experiment("F1c") == experiment("F1c")


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="F9"):
        experiment("F9")
    with pytest.raises(ValueError, match="printed"):
        experiment("F1a").policies("printed")
