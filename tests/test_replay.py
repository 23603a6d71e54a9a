"""Stored runs: whole trials played again bit for bit, verdicts recomputed, numbers compared."""

import math
from dataclasses import replace
from datetime import date

import matplotlib.pyplot as plt
import numpy as np
import pytest
from oracles import public_code
from scipy.stats import ks_2samp

import hbucb as hb
from hbucb.claims import ledger
from hbucb.experiments import experiment, hitting_times
from hbucb.replay import cost, figures, load, needed, one_trial, play, run, stale, stored_ids
from hbucb.replay.__main__ import check, main
from hbucb.replay.stored import FOLDER, Stored, path
from hbucb.replay.verdicts import verdicts

NEEDED = needed()
# A trial of a million pulls takes a while: one of the three files is played again, in turn.
MILLION = ("X2a", "X2b", "X2c")[date.today().toordinal() % 3]


def test_every_experiment_of_the_ledger_has_its_run_and_no_other():
    assert set(stored_ids()) == set(NEEDED)
    assert sum(file.stat().st_size for file in FOLDER.glob("*.npz")) < 3e6


@pytest.mark.parametrize("id", sorted(NEEDED))
def test_whole_trials_are_played_again_bit_for_bit(id):
    stored = load(id)
    assert not stale(stored, NEEDED[id])
    assert stored.trials >= (60 if id.startswith("X2") else 600) and stored.coupling == "arm"
    if id.startswith("X2") and id != MILLION:
        return
    rng = np.random.default_rng([11, sorted(NEEDED).index(id)])
    name, trial = str(rng.choice(stored.names)), int(rng.integers(stored.trials))
    regret, wrong, hits = one_trial(id, name, trial)
    np.testing.assert_array_equal(regret, stored[name].regret[trial])
    assert wrong == stored.wrong[name][trial]
    if name in stored.hits:
        np.testing.assert_array_equal(hits, stored.hits[name][trial])


def test_the_ledger_shows_what_the_rule_makes_of_the_stored_runs():
    found = verdicts()
    rows = {claim.id: claim for claim in ledger()}
    asked = {id for id, claim in rows.items() if claim.experiment or claim.kind == "speed"}
    assert set(found) == asked
    for id, (verdict, short, numbers) in found.items():
        claim = rows[id]
        assert [str(claim.verdict), claim.short, claim.numbers] == [verdict, short, numbers]


def test_open_rows_say_how_many_trials_would_settle():
    for claim in ledger():
        if claim.experiment and str(claim.verdict) == "OPEN":
            assert "would settle" in claim.numbers, claim.id


def small(monkeypatch, trials=5, horizon=300, **changes):
    plan = replace(experiment("F2b"), horizon=horizon, verdict_trials=trials, **changes)
    monkeypatch.setattr(run, "experiment", lambda id: plan)
    return plan


def test_a_run_is_stored_and_comes_back(tmp_path, monkeypatch):
    plan = small(monkeypatch)
    made = play("F2b", ["UCB", "SGD-UCB"], tell=lambda line: None)
    assert made.save(tmp_path) == path("F2b", tmp_path)
    again = load("F2b", tmp_path)
    assert again.identity == made.identity and not stale(again, ["UCB", "SGD-UCB"])
    whole = plan.verdict_run(rounds=[150])
    for name in made.names:
        np.testing.assert_array_equal(again[name].regret, whole[name].regret)
        np.testing.assert_array_equal(again.wrong[name], whole.stuck(name))
    for trial in range(5):
        regret, wrong, hits = one_trial("F2b", "SGD-UCB", trial)
        np.testing.assert_array_equal(regret, again["SGD-UCB"].regret[trial])
        assert wrong == again.wrong["SGD-UCB"][trial] and hits.size == 0


def test_times_to_targets_are_stored(tmp_path, monkeypatch):
    plan = small(
        monkeypatch, rounds=tuple(range(7, 301)), targets=(0.1, 0.05), noise=hb.noise.Gaussian(0.01)
    )
    play("F2b", ["SGD-UCB"], tell=lambda line: None).save(tmp_path)
    hits = load("F2b", tmp_path).hits["SGD-UCB"]
    whole = plan.verdict_run(names=["SGD-UCB"], rounds=range(7, 301))
    for column, target in enumerate(plan.targets):
        expected = hitting_times(whole, "SGD-UCB", target, after=6)
        np.testing.assert_array_equal(hits[:, column], expected)
    assert np.isfinite(hits).any()
    np.testing.assert_array_equal(one_trial("F2b", "SGD-UCB", 3)[2], hits[3])


def test_a_changed_plan_makes_a_run_stale(monkeypatch):
    small(monkeypatch)
    made = play("F2b", ["UCB"], tell=lambda line: None)
    small(monkeypatch, verdict_seed=9)
    assert "seed is 4, not 9" in stale(made, ["UCB"])
    small(monkeypatch, horizon=299)
    assert "horizon" in stale(made, ["UCB"])
    assert "policies" in stale(made, ["UCB", "SGD-UCB"])


def test_the_check_finds_a_number_that_was_changed(tmp_path, monkeypatch, capsys):
    from hbucb.replay import __main__ as command

    small(monkeypatch, trials=2)
    made = play("F2b", ["UCB"], tell=lambda line: None)
    monkeypatch.setattr(command, "stored_ids", lambda: ["F2b"])
    monkeypatch.setattr(command, "load", lambda id: made)
    assert check(3, 1) == [] and main(["--check", "3"]) == 0
    assert "as stored" in capsys.readouterr().out
    made.regrets["UCB"][:, 1] = np.nextafter(made.regrets["UCB"][:, 1], np.inf)
    assert len(check(3, 1)) == 3 and main(["--check", "1"]) == 1


def test_damaged_and_missing_files_are_named(tmp_path):
    with pytest.raises(ValueError, match="F9"):
        load("F9")
    path("bad", tmp_path).write_bytes(b"no file")
    with pytest.raises(ValueError, match=r"bad\.npz"):
        load("bad", tmp_path)
    assert isinstance(load("F2b"), Stored)


def test_the_order_of_the_costs_of_a_pull():
    stored = cost.stored()
    now = cost.measure(trials=50, horizon=1500, repeats=3)
    assert set(stored) == set(now) == {"SGD-UCB", "SGD-UCB-Median", "SGD-UCB-SMoM", "RUCB-Median"}
    for ratios in (stored, now):
        others = [ratios[name] for name in ratios if name != "RUCB-Median"]
        assert ratios["RUCB-Median"] > 1.2 * max(others) and ratios["SGD-UCB"] == 1.0
        assert ratios["SGD-UCB-SMoM"] < 1.0


def test_figures_show_mean_median_band_and_stuck_share():
    plans = {"one": experiment("F2b"), "two": experiment("F2a")}
    runs = {t: replace(p, horizon=200).run(6, names=["UCB", "SGD-UCB"]) for t, p in plans.items()}
    figure, upper, lower = figures.curves(runs, stuck={"one": 0.1, "two": 0.3})
    for axes, run_ in zip(upper, runs.values(), strict=True):
        mean, median = axes.lines[0], axes.lines[2]
        np.testing.assert_allclose(
            mean.get_ydata(), (run_["UCB"].regret / run_.rounds).mean(axis=0), rtol=1e-12
        )
        np.testing.assert_allclose(
            median.get_ydata(), np.median(run_["UCB"].regret / run_.rounds, axis=0), rtol=1e-12
        )
        assert len(axes.collections) == 2 and axes.get_xlabel()
    share = 100 * (runs["two"]["SGD-UCB"].regret[:, -1] / 200 > 0.3).mean()
    assert lower[1].lines[3].get_xdata()[0] == pytest.approx(share)
    assert "0.3" in lower[1].get_xlabel() and upper[0].get_ylabel() and not upper[1].get_ylabel()
    assert "median" in figure.legends[0].get_title().get_text()
    plt.close(figure)
    with pytest.raises(ValueError, match="at least one"):
        figures.curves({})


def test_regret_against_the_gap():
    sweep = experiment("F4L").run(3, gaps=[0.2, 0.4], names=["UCB", "SGD-UCB"])
    axes = plt.subplots()[1]
    figures.against_gap(sweep, ax=axes, names=["UCB"])
    np.testing.assert_allclose(axes.lines[0].get_ydata(), sweep.final("UCB").mean(axis=1))
    np.testing.assert_array_equal(axes.lines[0].get_xdata(), [0.2, 0.4])
    assert "gap" in axes.get_xlabel() and "reward units" in axes.get_ylabel()
    plt.close(axes.figure)


# ---- against independent numbers --------------------------------------------------------------

# Means of R_T/T of an earlier, compiled implementation of ours with other random numbers: value,
# trials. Errors are the spread of our own trials at that many.
EARLIER = {
    ("X1", "UCB"): (0.411, 120), ("X1", "SGD-UCB"): (0.209, 120),
    ("X1", "SGD-UCB-Median"): (0.257, 120), ("X1", "SGD-UCB-SMoM"): (0.325, 120),
    ("X1", "RUCB-Median"): (0.320, 120),
    ("X2b", "SGD-UCB"): (0.0419, 60), ("X2b", "SGD-UCB, c = 1"): (0.0338, 60),
    ("X2b", "Clipped SGD 1/k"): (0.0021, 60),
    ("X2a", "SGD-UCB"): (0.044, 60), ("X2a", "Clipped SGD 1/k"): (0.008, 60),
    ("F1a", "UCB"): (1.012, 600), ("F1a", "SGD-UCB"): (0.0803, 600),
    ("F1a", "SGD-UCB-Median"): (0.1014, 600), ("F1a", "SGD-UCB-SMoM"): (0.1174, 600),
    ("F1a", "RUCB-Median"): (0.374, 600),
    ("F1b", "UCB"): (0.341, 600), ("F1b", "SGD-UCB"): (0.0848, 600),
    ("F1b", "SGD-UCB-Median"): (0.0977, 600), ("F1b", "SGD-UCB-SMoM"): (0.1302, 600),
    ("F1b", "RUCB-Median"): (0.1655, 600),
    ("F1c", "SGD-UCB"): (0.193, 120), ("F1c", "SGD-UCB-Median"): (0.227, 120),
    ("F1c", "SGD-UCB-SMoM"): (0.324, 120), ("F1c", "RUCB-Median"): (0.107, 60),
    ("F2a", "SGD-UCB"): (0.0225, 120), ("F2a", "SGD-UCB-Median"): (0.0249, 120),
    ("F2a", "SGD-UCB-SMoM"): (0.0578, 120), ("F2a", "RUCB-Median"): (0.0192, 120),
    ("F2b", "SGD-UCB"): (0.069, 120), ("F2b", "SGD-UCB-Median"): (0.095, 120),
    ("F2b", "RUCB-Median"): (0.181, 120),
    ("F2c", "SGD-UCB"): (0.151, 120), ("F2c", "SGD-UCB-Median"): (0.240, 120),
    ("F2c", "RUCB-Median"): (0.129, 120),
    ("AE-F1-Env1", "SGD-UCB"): (0.089, 120), ("AE-F1-Env1", "SGD-UCB-Median"): (0.062, 120),
    ("AE-F1-Env1", "SGD-UCB-SMoM"): (0.208, 120), ("AE-F1-Env1", "RUCB-Median"): (0.080, 120),
    ("AE-CE-Env1", "SGD-UCB"): (0.071, 120), ("AE-CE-Env1", "SGD-UCB-Median"): (0.090, 120),
    ("AE-CE-Env1", "SGD-UCB-SMoM"): (0.094, 120), ("AE-CE-Env1", "RUCB-Median"): (0.319, 120),
    ("AE-F1-Env2", "SGD-UCB"): (0.098, 120), ("AE-F1-Env2", "SGD-UCB-Median"): (0.137, 120),
    ("AE-F1-Env2", "SGD-UCB-SMoM"): (0.236, 120), ("AE-F1-Env2", "RUCB-Median"): (0.219, 120),
    ("AE-CE-Env2", "SGD-UCB"): (0.071, 120), ("AE-CE-Env2", "SGD-UCB-Median"): (0.087, 120),
    ("AE-CE-Env2", "SGD-UCB-SMoM"): (0.113, 120), ("AE-CE-Env2", "RUCB-Median"): (0.139, 120),
    ("AE-F1-Env3", "SGD-UCB"): (0.237, 120), ("AE-F1-Env3", "SGD-UCB-Median"): (0.411, 120),
    ("AE-F1-Env3", "SGD-UCB-SMoM"): (0.606, 120), ("AE-F1-Env3", "RUCB-Median"): (0.216, 120),
    ("AE-CE-Env3", "SGD-UCB"): (0.145, 120), ("AE-CE-Env3", "SGD-UCB-Median"): (0.170, 120),
    ("AE-CE-Env3", "SGD-UCB-SMoM"): (0.238, 120), ("AE-CE-Env3", "RUCB-Median"): (0.096, 120),
    ("F3a", "UCB"): (0.0384, 150), ("F3a", "SGD-UCB"): (0.0957, 150),
    ("F3a", "SGD-UCB-Median"): (0.118, 150), ("F3a", "SGD-UCB-SMoM"): (0.146, 150),
    ("F3a", "RUCB-Median"): (0.080, 150),
    ("F3b", "SGD-UCB"): (0.0701, 150), ("F3b", "SGD-UCB-Median"): (0.0782, 150),
    ("F3b", "SGD-UCB-SMoM"): (0.0829, 150), ("F3b", "RUCB-Median"): (0.0558, 150),
    ("F3c", "UCB"): (0.103, 150), ("F3c", "SGD-UCB"): (0.233, 150),
    ("F3c", "SGD-UCB-Median"): (0.312, 150), ("F3c", "SGD-UCB-SMoM"): (0.364, 150),
    ("F3c", "RUCB-Median"): (0.126, 150),
    ("F3a-code", "UCB"): (0.0060, 150), ("F3a-code", "SGD-UCB"): (0.0194, 150),
    ("F3a-code", "SGD-UCB-Median"): (0.0333, 150), ("F3a-code", "SGD-UCB-SMoM"): (0.0446, 150),
    ("F3b-code", "UCB"): (0.0150, 150), ("F3b-code", "SGD-UCB"): (0.0342, 150),
    ("F3b-code", "SGD-UCB-Median"): (0.0434, 150), ("F3b-code", "SGD-UCB-SMoM"): (0.0468, 150),
    ("F3c-code", "UCB"): (0.0629, 150), ("F3c-code", "SGD-UCB"): (0.0738, 150),
    ("F3c-code", "SGD-UCB-Median"): (0.0906, 150), ("F3c-code", "SGD-UCB-SMoM"): (0.1034, 150),
    ("F4R@2", "SGD-UCB"): (167 / 2000, 300), ("F4R@2", "SGD-UCB-Median"): (250 / 2000, 300),
    ("F4R@2", "SGD-UCB-SMoM"): (342 / 2000, 300), ("F4R@2", "RUCB-Median"): (706 / 2000, 300),
    ("F4R@4", "SGD-UCB"): (95 / 2000, 300), ("F4R@4", "SGD-UCB-Median"): (127 / 2000, 300),
    ("F4R@4", "SGD-UCB-SMoM"): (176 / 2000, 300), ("F4R@4", "RUCB-Median"): (848 / 2000, 300),
    ("F4R@10", "UCB"): (3812 / 2000, 300), ("F4R@10", "SGD-UCB"): (192 / 2000, 300),
    ("F4R@10", "SGD-UCB-Median"): (201 / 2000, 300), ("F4R@10", "SGD-UCB-SMoM"): (216 / 2000, 300),
    ("F4R@10", "RUCB-Median"): (1041 / 2000, 300),
}  # fmt: skip


@pytest.mark.parametrize("id, name", EARLIER, ids=lambda x: x)
def test_means_agree_with_an_earlier_implementation(id, name):
    # Five standard errors of the difference; the normal limit of one comparison is 6e-7.
    run_ = load(id)
    x = run_[name].regret[:, -1] / run_.horizon
    value, trials = EARLIER[id, name]
    error = x.std(ddof=1) * math.sqrt(1 / x.size + 1 / trials)
    assert abs(x.mean() - value) < 5 * error, (x.mean(), value, error)


@pytest.mark.parametrize("name, shares, trials", [
    ("SGD-UCB", (0.067, 0.213), 2000), ("SGD-UCB-Median", (0.094, 0.152), 2000),
    ("SGD-UCB-SMoM", (0.129, 0.261), 2000), ("RUCB-Median", (0.287, 0.287), 400),
])  # fmt: skip
def test_failures_of_table_1_agree_with_an_earlier_implementation(name, shares, trials):
    stored = load("T1")
    failed = np.isinf(stored.hits[name]).mean(axis=0)
    for ours, share in zip(failed, shares, strict=True):
        error = math.sqrt(share * (1 - share) * (1 / stored.trials + 1 / trials))
        assert abs(ours - share) < 5 * error


@pytest.mark.parametrize("name, m, n, mean", [
    ("SGD-UCB", 0, 1, 261.5), ("SGD-UCB-Median", 1, 1, 338.0), ("SGD-UCB-SMoM", 1, 2, 411.0),
])  # fmt: skip
def test_final_regret_has_the_law_of_the_public_code(name, m, n, mean):
    # 600 trials each; false alarm 1e-6 by the p-value of the two-sample test.
    horizon, c = 1500, 0.1
    slow = public_code.trials(600, 5, [i / 10 for i in range(10)], horizon, m, n, c, 0.9)
    policy = hb.ClippedSGDUCB(m=m, n=n, rho=0.9, c=c)
    bandit = experiment("F1b").bandit
    fast = hb.simulate(bandit, policy, horizon, 600, seed=12, rounds=[horizon])
    regret = fast["ClippedSGDUCB"].regret[:, -1]
    assert ks_2samp(slow, regret).pvalue > 1e-6
    for sample in (np.array(slow), regret):  # and both agree with the earlier implementation
        assert abs(sample.mean() - mean) < 5 * sample.std() * math.sqrt(2 / 600)
    # The control: with more exploration the law is another one.
    wrong = public_code.trials(100, 5, [i / 10 for i in range(10)], horizon, m, n, 3.0, 0.9)
    assert ks_2samp(wrong, regret).pvalue < 1e-6
