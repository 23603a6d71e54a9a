"""sweep and grid: every cell is simulate's run; the table by hand; resumed cell by cell."""

import numpy as np
import pytest

import hbucb as hb
from hbucb import engine, jobs

BANDITS = {
    "Cauchy": hb.Bandit([0.0, 1.0], hb.noise.Cauchy()),
    "wide / Cauchy": hb.Bandit([0.0, 1.0, 5.0], hb.noise.Cauchy()),
    "coins": hb.BernoulliBandit([0.2, 0.7]),
}
POLICIES = {**hb.grid(hb.UCB, sigma=[0.5, 1.0]), "SGD": hb.ClippedSGDUCB()}


def test_every_cell_is_the_run_of_simulate():
    horizon = {"Cauchy": 60, "wide / Cauchy": 80, "coins": 100}
    swept = hb.sweep(BANDITS, POLICIES, horizon, 11, seed=2, coupling="arm", chunk=4)
    assert list(swept) == list(BANDITS) and len(swept) == 3
    for name, bandit in BANDITS.items():
        alone = hb.simulate(bandit, POLICIES, horizon[name], 11, seed=2, coupling="arm")
        for policy in POLICIES:
            assert np.array_equal(swept[name][policy].regret, alone[policy].regret)
    with pytest.raises(KeyError, match="'Cauchy'"):
        swept["none"]


def test_policies_may_depend_on_the_bandit():
    swept = hb.sweep(BANDITS, lambda bandit: {"UCB": hb.UCB(float(bandit.arms))}, 50, 3, seed=1)
    assert swept["wide / Cauchy"].policies["UCB"] == hb.UCB(3.0)
    assert swept["coins"].policies["UCB"] == hb.UCB(2.0)


def test_the_table_by_hand():
    swept = hb.sweep(BANDITS, POLICIES, 60, 5, seed=2)
    table = swept.table()
    assert table.dtype.names == (
        "bandit", "policy", "horizon", "trials", "mean", "standard_error", "median",
        "quantile_90", "stuck",
    )  # fmt: skip
    assert table["bandit"].tolist() == [name for name in BANDITS for _ in POLICIES]
    row = table[4]
    last = swept["wide / Cauchy"]["UCB(sigma=1.0)"].regret[:, -1]
    assert (row["policy"], row["trials"], row["horizon"]) == ("UCB(sigma=1.0)", 5, 60)
    assert row["mean"] == pytest.approx(last.mean())
    assert row["standard_error"] == pytest.approx(last.std(ddof=1) / np.sqrt(5))
    assert row["median"] == np.sort(last)[2]
    each = swept.table(trials=True)
    assert len(each) == 3 * 3 * 5
    chosen = each[(each["bandit"] == "wide / Cauchy") & (each["policy"] == "UCB(sigma=1.0)")]
    assert chosen["regret"].tolist() == last.tolist()
    assert chosen["trial"].tolist() == [0, 1, 2, 3, 4]
    assert chosen["stuck"].mean() == pytest.approx(row["stuck"])


def test_one_checkpoint_serves_the_whole_sweep(tmp_path, monkeypatch):
    left = iter(range(20))

    def play(task):
        if next(left, None) is None:
            raise KeyboardInterrupt
        return engine.play(task)

    call = dict(horizon=50, trials=12, seed=3, chunk=4)
    monkeypatch.setattr(jobs, "play", play)
    with pytest.raises(KeyboardInterrupt):
        hb.sweep(BANDITS, POLICIES, checkpoint=tmp_path / "c", **call)
    monkeypatch.undo()
    assert sorted(p.name for p in (tmp_path / "c").iterdir()) == [
        "000-Cauchy", "001-wide-Cauchy", "002-coins",
    ]  # fmt: skip
    played = []
    monkeypatch.setattr(jobs, "play", lambda task: played.append(task) or engine.play(task))
    resumed = hb.sweep(BANDITS, POLICIES, checkpoint=tmp_path / "c", **call)
    assert len(played) == 27 - 20
    monkeypatch.undo()
    assert (resumed.table() == hb.sweep(BANDITS, POLICIES, **call).table()).all()
    with pytest.raises(ValueError, match=r"bandits\['Cauchy'\]: checkpoint .* its seed is 3"):
        hb.sweep(BANDITS, POLICIES, checkpoint=tmp_path / "c", **{**call, "seed": 4})


def test_grid_takes_all_combinations_and_names_them():
    made = hb.grid(hb.UCB, sigma=(0.5, 1.0), kind=["fixed", "anytime"])
    assert list(made) == [
        "UCB(sigma=0.5, kind=fixed)", "UCB(sigma=0.5, kind=anytime)",
        "UCB(sigma=1.0, kind=fixed)", "UCB(sigma=1.0, kind=anytime)",
    ]  # fmt: skip
    assert made["UCB(sigma=0.5, kind=anytime)"] == hb.UCB(0.5, kind="anytime")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: hb.grid(hb.UCB), "at least one keyword"),
        (lambda: hb.grid(hb.UCB, sigma=1.0), "sigma = 1.0 must be a list"),
        (lambda: hb.grid(hb.UCB, kind="fixed"), "kind = 'fixed' must be a list"),
        (lambda: hb.grid(hb.UCB, sigma=[]), "sigma has no values"),
        (lambda: hb.grid(hb.UCB, sigma=[1.0, 1.0]), "twice"),
        (lambda: hb.sweep({}, POLICIES, 10, 1, seed=1), "bandits = {} must be a dict"),
        (lambda: hb.sweep({1: BANDITS["coins"]}, POLICIES, 10, 1, seed=1), "has the name 1"),
        (lambda: hb.sweep(BANDITS, POLICIES, {"coins": 3}, 1, seed=1), "horizon has the names"),
        (lambda: hb.sweep(BANDITS, POLICIES, 0, 1, seed=1), r"bandits\['Cauchy'\]: horizon = 0"),
        (lambda: hb.sweep({"x": 3}, POLICIES, 9, 1, seed=1), r"bandits\['x'\]: bandit = 3"),
    ],
)  # fmt: skip
def test_bad_input_is_named(call, said):
    with pytest.raises(ValueError, match=said):
        call()
