"""The second paper's experiments as data, and the deterministic replay of its scripts."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

import hbucb as hb
from hbucb.claims.second_paper import eucbv_experiments
from hbucb.claims.vocabulary import Verdict
from hbucb.experiments import experiment
from hbucb.experiments.second_paper import groups
from hbucb.replay import curves, second, second_cost
from hbucb.replay.stored import stored_ids
from hbucb.statistics import paired_wins


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
        assert len(curves) == (18 if id == "E1" else 21) and twins <= set(curves)
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


@pytest.mark.parametrize(("id", "name", "trial"), [("E2", "UCB1", 3), ("E3", "MOSS", 17)])
def test_a_stored_trial_is_played_again_bit_for_bit(id, name, trial):
    run = second.load(id)
    regret, wrong = second.one_trial(id, name, trial)
    np.testing.assert_array_equal(regret, run[name].regret[trial])
    assert wrong == run.wrong[name][trial]


def test_stored_runs_are_those_of_the_experiments():
    assert stored_ids(second.FOLDER) == sorted(second.TRIALS)
    for id, trials in second.TRIALS.items():
        run = second.load(id)
        assert run.names == list(experiment(id).policies("all"))
        assert not second.stale(run) and run.trials == trials
        for name in run.names:
            assert run[name].regret.shape == (trials, 10)
            assert (np.diff(run[name].regret, axis=1) >= 0).all()
        assert set(second.costs()[id]) == set(run.names)
    # A run of something else is noticed.
    other = second.load("E2")
    assert "seed" in second.stale(type(other)(**{**vars(other), "seed": 5}))


def test_claims_of_stored_runs_count_what_is_stored():
    for claim in eucbv_experiments():
        id, _, rival = claim.id.partition("/EUCBV<")
        if not rival:
            continue
        run, counts = second.load(id), []
        for form in ("EUCBV", "EUCBV (released)"):
            test = paired_wins(run[form].regret[:, -1], run[rival].regret[:, -1])
            counts.append(test.first)
            if claim.verdict is Verdict.CONFIRMED:
                assert test.p_first < 1e-4
        ahead = f"printed ahead in {counts[0]} of {run.trials} runs, released in {counts[1]}"
        assert claim.numbers == ahead


def test_the_command_makes_and_checks(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(second, "FOLDER", tmp_path)
    monkeypatch.setattr(second, "TRIALS", {"E3": 2})
    monkeypatch.setattr(curves, "workers", lambda: ThreadPoolExecutor(1))
    whole = experiment("E3")
    moss = tuple(entry for entry in whole.entries if entry.name == "MOSS")
    short = replace(whole, horizon=1000, entries=moss)
    monkeypatch.setattr(second, "experiment", lambda id: short)
    assert second.main([]) == 0 and stored_ids(tmp_path) == ["E3"]
    assert "at most" in capsys.readouterr().out and second.costs()["E3"]["MOSS"][1] > 10
    assert second.main(["--check", "2"]) == 0
    assert "as stored" in capsys.readouterr().out
    broken = second.load("E3")
    broken.regrets["MOSS"][:, -1] += 1
    broken.save(tmp_path)
    assert second.main(["--check", "1"]) == 1


#: Processor time of a pull over that of UCB1; 5 for every other player.
DEAR = {"KL-UCB": 20, "KL-UCB+": 20, "BU": 400, "BU-G": 8, "BU-G (released)": 8, "TS": 100,
        "TS-G": 100, "TS-G (released)": 100}  # fmt: skip


def test_stored_costs_are_of_all_players_and_within_their_limits():
    stored = second_cost.stored()
    assert {name: set(row) for name, row in stored.items()} == {
        name: set(players) for name, (_, players) in second_cost.settings().items()
    }
    for row in stored.values():
        assert row["UCB1"] == 1
        assert all(ratio <= DEAR.get(name, 5) for name, ratio in row.items())


def test_costs_are_measured_in_the_same_order(monkeypatch):
    """What differs by a factor of seven or more, on a short run; nothing else is timed."""
    whole = second_cost.settings()
    names = ("UCB1", "BU", "TS")
    few = {
        key: (bandit, {name: players[name] for name in names if name in players})
        for key, (bandit, players) in whole.items()
    }
    monkeypatch.setattr(second_cost, "settings", lambda: {"20 coins": few["20 coins"]})
    now = second_cost.measure(trials=50, horizon=300, repeats=2)["20 coins"]
    assert list(now) == ["UCB1", "BU", "TS"] and now["UCB1"] == 1
    assert now["TS"] > 3 and now["BU"] > 3
