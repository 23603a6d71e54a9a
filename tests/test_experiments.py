"""Experiments as data: what they hold, what they refuse, and that a run is what the data say."""

import json
import subprocess
import sys
from dataclasses import replace
from datetime import date

import numpy as np
import pytest

import hbucb as hb
from hbucb.experiments import (
    PRESETS,
    GapSweep,
    experiment,
    experiment_ids,
    hitting_times,
    pilots,
    second_runs,
    time_per_success,
)
from hbucb.experiments.sensitivity import ConstantStepUCB, grid_means
from hbucb.replay import needed
from hbucb.replay.__main__ import main


@pytest.mark.parametrize(
    "name, horizon, arms, largest",
    [
        ("F1a", 10_000, 10, 9.0),
        ("F1b", 10_000, 10, 0.9),
        ("F1c", 15_000, 100, 1.98),
    ],
)
def test_figure_1_as_the_text_and_the_code_have_it(name, horizon, arms, largest):
    plan = experiment(name)
    assert (plan.horizon, plan.trials, plan.verdict_trials) == (horizon, 120, 600)
    assert plan.bandit.arms == arms and plan.bandit.gaps.max() == pytest.approx(largest)
    assert plan.bandit.laws[0] == hb.noise.Cauchy(1.0)
    grids = {entry.name: entry.candidates for entry in plan.entries}
    assert {p.sigma for p in grids["UCB"]} == {0.1, 1.0}
    assert {p.kind for p in grids["UCB"]} == {"log"}
    for policy_name, size in (
        ("SGD-UCB", (0, 1)),
        ("SGD-UCB-Median", (1, 1)),
        ("SGD-UCB-SMoM", (1, 2)),
    ):
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


def every_plan():
    for name in experiment_ids():
        plan = experiment(name)
        yield plan.first if isinstance(plan, GapSweep) else plan


def test_chosen_constants_are_inside_the_wide_grids():
    for plan in every_plan():
        for entry in plan.entries:
            assert 0 <= entry.chosen < len(entry.candidates)
            if entry.preset == "fair" and plan.id.startswith("F1"):
                assert entry.policy.c not in (0.25, 8.0)


def test_every_experiment_of_the_paper_is_there():
    ids = set(experiment_ids())
    assert {"F1a", "F1b", "F1c", "T1", "F2a", "F2b", "F2c"} <= ids
    for law in ("F1", "CE", "CP", "F1.1", "C3"):
        assert {f"AE-{law}-Env{k}" for k in (1, 2, 3)} <= ids
    for id in ("F3a", "F3b", "F3c", "F4L", "F4R"):
        assert {id, f"{id}-code"} <= ids
    assert {"X1", "X2a", "X2b", "X2c", "X3a", "X3b", "X4a", "X4b", "X5a", "X5b", "X5c"} <= ids


@pytest.mark.parametrize(
    "id, law, horizon, trials, reading",
    [
        ("F2b", hb.noise.Frechet(1.25), 10_000, 120, "text"),
        ("AE-F1-Env3", hb.noise.Frechet(1.0), 15_000, 120, "text"),
        ("AE-F1.1-Env1", hb.noise.Frechet(1.1), 10_000, 120, "code"),
        ("AE-CE-Env2", hb.noise.cauchy_exponential(), 10_000, 120, "text"),
        ("AE-CP-Env2", hb.noise.cauchy_pareto(), 10_000, 120, "text"),
        ("F3b", hb.noise.Gaussian(1.0), 3000, 150, "text"),
        ("F3b-code", hb.noise.Uniform(0.0, 1.0), 3000, 150, "code"),
        ("F4L@0.2", hb.noise.Gaussian(1.0), 2000, 300, "text"),
        ("F4R@4", hb.noise.Cauchy(1.0), 2000, 300, "text"),
        ("F4R-code@10", hb.noise.Cauchy(2.0), 2000, 300, "code"),
        ("X1", hb.noise.Cauchy(3.0), 10_000, 120, "code"),
        ("X2b", hb.noise.Cauchy(1.0), 1_000_000, 60, "ours"),
    ],
)
def test_sizes_and_noise(id, law, horizon, trials, reading):
    plan = experiment(id)
    assert plan.id == id and plan.bandit.laws[0] == law
    assert (plan.horizon, plan.trials, plan.reading) == (horizon, trials, reading)
    assert plan.verdict_trials >= (60 if id.startswith("X2") else 600)
    assert 0 < plan.stuck < plan.bandit.max_gap


def test_light_tails_start_from_one_pull_and_have_their_own_constants():
    grids = {entry.name: entry.candidates for entry in experiment("F3a").entries}
    assert {policy.sigma for policy in grids["UCB"]} == {0.2, 0.5, 1.0}
    assert {policy.c for policy in grids["SGD-UCB"]} == {0.07, 0.1, 0.12}
    assert all(policy.rule(3000).estimator.initial == 1 for policy in grids["SGD-UCB-Median"])
    # "delta_light" of the public code starts from three pulls
    assert experiment("F4L@0.2").policies()["SGD-UCB"].rule(2000).estimator.initial == 3


def test_the_grids_of_figure_4_are_those_of_text_and_code():
    for side, top in (("F4L", 1.0), ("F4R", 10.0)):
        text, code = experiment(side), experiment(f"{side}-code")
        np.testing.assert_allclose(text.gaps, np.arange(1, 26) * top / 25, rtol=1e-12)
        np.testing.assert_allclose(code.gaps, np.linspace(0, top, 25)[1:], rtol=1e-9)
        for gap in text.gaps:
            plan = text.at(gap)
            assert plan.bandit.max_gap == gap and plan.policies()["SGD-UCB"].rho == gap
    assert experiment("F4R").first.bandit.arms == 5 and experiment("F4L").first.bandit.arms == 2


def test_a_sweep_runs_its_experiments():
    sweep = experiment("F4R")
    run = sweep.run(4, gaps=[0.4, 4.0], names=["SGD-UCB", "UCB"])
    assert run.names == ["UCB", "SGD-UCB"] or run.names == ["SGD-UCB", "UCB"]
    assert run.final("SGD-UCB").shape == (2, 4)
    alone = experiment("F4R@4").run(4, names=["SGD-UCB"])
    np.testing.assert_array_equal(run.final("SGD-UCB")[1], alone["SGD-UCB"].regret[:, -1])
    with pytest.raises(ValueError, match="gap must be one of"):
        sweep.run(2, gaps=[0.5])


def test_asymmetric_noise_has_mean_zero_and_reorders_the_medians():
    for id, robust_best in (("X5a", 0), ("X5b", 2), ("X5c", 4)):
        bandit = experiment(id).bandit
        assert all(abs(law.mean) < 1e-12 for law in bandit.laws)
        medians = bandit.loc + np.array([float(law.ppf(0.5)) for law in bandit.laws])
        assert int(np.argmax(medians)) == robust_best
        assert int(np.argmax(bandit.loc)) == bandit.arms - 1


def test_the_second_part_of_the_codes_mixture():
    # The code samples -1 + V^(1/3): its CDF on (-1, 0) is (1 + x)^3.
    law = experiment("AE-CP-code-Env1").bandit.laws[0]
    second = law.components[1]
    np.testing.assert_allclose(second.cdf([-0.9, -0.5, -0.1]), [0.001, 0.125, 0.729], atol=1e-12)
    assert law.weights == (0.7, 0.3)


def test_the_sensitivity_grid_holds_the_public_code():
    for m, n in ((0, 1), (1, 1), (1, 2)):
        code = hb.ClippedSGDUCB(m=m, n=n, rho=0.9, c=0.2).rule(10_000)
        free = ConstantStepUCB(m=m, n=n, clip=0.9, c=0.2).rule(10_000)
        assert free.estimator == code.estimator and free.radius == code.radius
    slow = ConstantStepUCB(step=0.5, p=1).rule(10_000)
    assert slow.estimator != ConstantStepUCB(p=1).rule(10_000).estimator
    assert slow.estimator.initial == 1
    for change in ({"step": 0.0}, {"clip": -1.0}, {"p": 0}, {"m": -1}, {"c": -0.1}):
        with pytest.raises(ValueError, match=next(iter(change))):
            ConstantStepUCB(**change)


def test_means_over_a_grid():
    bandit = experiment("F1b").bandit
    base, how = ConstantStepUCB(clip=0.9), {"horizon": 300, "trials": 6, "seed": 3}
    means = grid_means(bandit, base, step=[0.5, 2.0], c=[0.1, 1.0, 2.0], **how)
    policy = replace(base, step=2.0, c=1.0)
    run = hb.simulate(bandit, policy, 300, 6, seed=3)
    assert means.shape == (2, 3)
    assert means[1, 1] == pytest.approx(run["ConstantStepUCB"].regret[:, -1].mean() / 300)


class Paths(dict):
    rounds = np.arange(1, 6)


class Path:
    def __init__(self, regret):
        self.regret = np.array(regret, dtype=float)


def test_hitting_times_by_hand():
    paths = Paths(A=Path([[0, 0, 0, 9, 9], [5, 5, 5, 5, 5], [9, 9, 9, 9, 9.0]]))
    # R_t / t < 1.5: at once; 5/4 at t = 4; never.
    np.testing.assert_array_equal(hitting_times(paths, "A", 1.5), [1, 4, np.inf])
    np.testing.assert_array_equal(hitting_times(paths, "A", 1.5, after=1), [2, 4, np.inf])
    np.testing.assert_array_equal(hitting_times(paths, "A", 1.8, after=4), [np.inf, 5, np.inf])
    with pytest.raises(ValueError, match="after = 5"):
        hitting_times(paths, "A", 1.0, after=5)
    with pytest.raises(ValueError, match="target"):
        hitting_times(paths, "A", 0.0)


def test_time_per_success_does_not_saturate():
    assert time_per_success([10, 20], 100) == 15
    assert time_per_success([10, np.inf], 100) == 110
    assert time_per_success([10, np.inf, np.inf, np.inf], 100) == 310
    assert time_per_success([np.inf], 100) == np.inf
    with pytest.raises(ValueError, match="budget"):
        time_per_success([101.0], 100)
    with pytest.raises(ValueError, match="times"):
        time_per_success([], 100)


def test_an_experiment_without_curves_of_the_public_code_plays_all():
    plan = replace(experiment("X4a"), horizon=60)
    assert plan.run(2).names == list(plan.policies("proved"))


def test_chosen_curves_only():
    plan = small("F1b", 100)
    both, one = plan.run(3), plan.run(3, names=["UCB"])
    assert one.names == ["UCB"]
    np.testing.assert_array_equal(one["UCB"].regret, both["UCB"].regret)
    for names in (["UCBB"], []):
        with pytest.raises(ValueError, match="names must be"):
            plan.run(3, names=names)


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
    for id, word in (("F9", "F9"), ("F1a@2", "F1a"), ("F4R@3", "gap must be"), ("F4R@x", "F4R@x")):
        with pytest.raises(ValueError, match=word):
            experiment(id)
    with pytest.raises(ValueError, match="printed"):
        experiment("F1a").policies("printed")


# ---- pilots and second runs -------------------------------------------------------------------


def panels_of(id):
    plan = experiment(id)
    return [plan.at(gap) for gap in plan.gaps] if isinstance(plan, GapSweep) else [plan]


@pytest.mark.parametrize("id", pilots.IDS)
def test_constants_are_the_best_of_the_stored_pilot(id):
    stored = pilots.stored()[id]
    for plan in panels_of(id):
        # Tuned on noise that no replayed curve and no verdict shows.
        assert stored["seed"] == plan.pilot_seed not in (plan.seed, plan.verdict_seed)
        assert stored["trials"] == plan.pilot_trials == 120
        grids = {entry.name: entry for entry in plan.entries if len(entry.candidates) > 1}
        assert set(grids) == set(stored["curves"])
        for name, entry in grids.items():
            curve = dict(stored["curves"][name])
            means = curve.pop("mean")
            assert curve == pilots.grid_of(entry.candidates)
            best = int(np.argmin(means))
            assert means[best] == min(means) and len(means) == len(entry.candidates)
            playing = plan.policies("all")[name]
            assert {key: getattr(playing, key) for key in curve} == {
                key: values[best] for key, values in curve.items()
            }


def test_every_panel_with_a_grid_has_its_own_pilot_or_says_whose():
    grids = {
        name
        for name, plan in zip(experiment_ids(), every_plan(), strict=True)
        if any(len(entry.candidates) > 1 for entry in plan.entries)
    }
    borrow = {id: "F1b" for id in ("X1", "X5a", "X5b", "X5c")}
    for letter, name in zip("abc", ("Env1", "Env2", "Env3"), strict=True):
        borrow |= {f"AE-C3-{name}": f"F1{letter}"}
        borrow |= {f"AE-{law}-{name}": f"AE-{law[:2]}-{name}" for law in ("CP-code", "F1.1")}
    assert grids == set(pilots.IDS) | set(borrow)
    for id, lender in borrow.items():
        mine, theirs = (
            {e.name: e.chosen for e in experiment(x).entries if len(e.candidates) > 1}
            for x in (id, lender)
        )
        assert mine == theirs
        assert not any(claim.experiment == id for claim in hb.ledger()) or id == "X1"
    assert "pilot of Figure 1" in experiment("X1").note


def test_a_cell_of_a_pilot_is_played_again_bit_for_bit():
    # Another cell every day; today's panel, curve and candidate.
    rng = np.random.default_rng(date.today().toordinal())
    id = str(rng.choice(pilots.IDS))
    stored = pilots.stored()[id]
    name = str(rng.choice(sorted(stored["curves"])))
    means = stored["curves"][name]["mean"]
    candidate = int(rng.integers(len(means)))
    assert played(id, name, candidate, stored) == means[candidate], (id, name, candidate)


def played(id, name, candidate, stored):
    plan = experiment(id)
    gaps = stored.get("gaps")
    values = []
    for part in [plan] if gaps is None else map(plan.at, gaps):
        policy = next(e for e in part.entries if e.name == name).candidates[candidate]
        run = hb.simulate(part.bandit, {"it": policy}, part.horizon, stored["trials"],
                          seed=stored["seed"], coupling=stored["coupling"],
                          rounds=[part.horizon])  # fmt: skip
        mean = float(np.mean(run["it"].regret[:, -1]) / part.horizon)
        values.append(mean if gaps is None else mean / part.bandit.max_gap)
    return float(np.mean(values)) if gaps is not None else values[0]


def test_the_means_of_a_sweep_and_of_a_panel_come_back():
    for id, name, candidate in (("F4R", "UCB", 0), ("F3a", "Clipped SGD 1/k", 4)):
        stored = pilots.stored()[id]
        assert played(id, name, candidate, stored) == stored["curves"][name]["mean"][candidate]
        # The control: on the noise of the figures the number is another one.
        other = played(id, name, candidate, stored | {"seed": 1})
        assert other != stored["curves"][name]["mean"][candidate]


def test_a_pilot_is_measured_and_written(tmp_path, monkeypatch):
    kept = pilots.stored()
    assert kept is pilots.stored()  # read once
    monkeypatch.setattr(pilots, "FILE", tmp_path / "pilots.json")
    pilots.stored.cache_clear()
    try:
        assert pilots.stored() == {} and pilots.chosen("F3b") == {}
        assert main(["--pilots", "F3b"]) == 0
        assert json.loads(pilots.FILE.read_text()) == {"F3b": kept["F3b"]}
        assert pilots.chosen("F3b")["SGD-UCB"] == int(
            np.argmin(kept["F3b"]["curves"]["SGD-UCB"]["mean"])
        )
    finally:
        pilots.stored.cache_clear()
    with pytest.raises(ValueError, match="id = 'T1' must be one of"):
        pilots.measure("T1")


def test_second_runs_have_the_size_that_the_first_ones_asked_for():
    asked: dict[str, list[int]] = {}
    for row, need in second_runs.OPEN_AT_FIRST.items():
        asked.setdefault(row.split("/")[0], []).append(need)
    seen = 0
    for id in needed():
        plan = experiment(id)
        reach = [n for n in asked.get(id, []) if n <= 15_000 and n * plan.horizon <= 5e7]
        again = bool(reach) or id in second_runs.RETUNED
        assert plan.verdict_seed == (4 if again else 2), id
        if again:
            sizes = [n for n in range(1200, 15_601, 600) if n >= max(reach, default=0)]
            assert plan.verdict_trials == sizes[0], id
        elif id[0] != "X":
            assert plan.verdict_trials == 600, id
        seen += again
    assert seen == 20 and set(asked) <= set(needed())


def test_panels_are_played_again_where_a_claimed_curve_has_another_constant():
    home = {"Env1": "F1a", "Env2": "F1b", "Env3": "F1c"}
    changed = set()
    for id, names in needed().items():
        if id.startswith(("F2", "AE-")):
            own, borrowed = pilots.chosen(id), pilots.chosen(home[experiment(id).environment])
            if any(own.get(name) != borrowed.get(name) for name in names):
                changed.add(id)
    assert changed == set(second_runs.RETUNED)


def test_first_verdicts_are_kept_for_all_rows_of_their_chapter():
    rows = {c.id: c for c in hb.ledger() if c.chapter.startswith("R2") and c.experiment}
    assert set(second_runs.FIRST) == set(rows) and len(second_runs.OPEN_AT_FIRST) == 49
    for row, (word, need) in second_runs.FIRST.items():
        assert rows[row].experiment == row.split("/")[0]
        assert (word == "OPEN") == (need is not None) and (need is None or need > 600)
        if experiment(rows[row].experiment).verdict_seed == 2:  # not played again
            assert word == str(rows[row].verdict) or need is not None
