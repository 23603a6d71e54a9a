"""Result: summary by hand, files that are atomic, hold no pickle and say what they are."""

import json

import numpy as np
import pytest

import hbucb as hb
from hbucb.results import PolicyResult, Result

BANDIT = hb.Bandit([0.0, 0.5, 1.0], hb.noise.Cauchy())


@pytest.fixture
def result():
    policies = {"UCB": hb.UCB(), "SGD": hb.ClippedSGDUCB()}
    return hb.simulate(BANDIT, policies, 200, 9, seed=3, actions=True)


def test_summary_by_hand():
    regret = np.array([[0.0, 10.0], [1.0, 20.0], [2.0, 90.0]])
    pulls = np.array([[1, 1, 98], [2, 2, 96], [90, 5, 5]])
    made = Result(
        BANDIT, {"it": hb.UCB()}, 100, 3, 0, "time", "random", np.array([1, 100]),
        {"it": PolicyResult(regret, pulls)},
    )  # fmt: skip
    (row,) = made.summary()
    assert (row.policy, row.mean, row.median) == ("it", 40.0, 20.0)
    assert row.standard_error == pytest.approx(np.sqrt((900 + 400 + 2500) / 2 / 3))
    assert row.quantile_90 == pytest.approx(20 + 0.8 * 70)
    assert row.stuck == pytest.approx(1 / 3)
    assert made.summary(stuck=0.15)[0].stuck == pytest.approx(2 / 3)
    assert "33.3%" in str(made.summary())
    assert made.names == ["it"]
    with pytest.raises(KeyError, match="it"):
        made["other"]


def test_one_trial_has_no_standard_error():
    (row,) = hb.simulate(BANDIT, hb.UCB(), 50, 1, seed=1).summary()
    assert np.isnan(row.standard_error)


def test_a_file_gives_back_the_result(result, tmp_path):
    path = tmp_path / "run.npz"
    result.save(path)
    again = hb.load(path)
    for name in result:
        for field in ("regret", "pulls", "actions"):
            assert np.array_equal(getattr(result[name], field), getattr(again[name], field))
    for field in ("horizon", "trials", "seed", "coupling", "order", "versions"):
        assert getattr(result, field) == getattr(again, field)
    assert repr(again.bandit) == repr(result.bandit)
    assert repr(again.policies["SGD"]) == repr(result.policies["SGD"])
    assert again.summary() == result.summary()
    assert {"python", "numpy", "scipy", "hbucb"} <= set(again.versions)
    assert [p.name for p in tmp_path.iterdir()] == ["run.npz"]


def test_saving_replaces_a_file_only_by_a_whole_one(result, tmp_path, monkeypatch):
    path = tmp_path / "run.npz"
    result.save(path)
    before = path.read_bytes()

    def fail(file, **arrays):
        file.write(b"half")
        raise OSError("disk full")

    monkeypatch.setattr(np, "savez_compressed", fail)
    with pytest.raises(OSError, match="disk full"):
        result.save(path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["run.npz"]


def test_damaged_foreign_later_and_pickled_files_are_refused(result, tmp_path):
    path = tmp_path / "run.npz"
    result.save(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match=r"run\.npz is not a readable"):
        hb.load(path)
    np.savez(path, x=np.zeros(3))
    with pytest.raises(ValueError, match="not a readable"):
        hb.load(path)
    np.savez(path, meta=np.array(json.dumps({"format": 99})))
    with pytest.raises(ValueError, match="format 99"):
        hb.load(path)
    np.savez(path, meta=np.array([object()], dtype=object))
    with pytest.raises(ValueError, match="pickle"):
        hb.load(path)
    path.write_text("text")
    with pytest.raises(ValueError, match=r"no \.npz file"):
        hb.load(path)
    with pytest.raises(FileNotFoundError, match=r"none\.npz"):
        hb.load(tmp_path / "none.npz")
    with pytest.raises(FileNotFoundError, match="no folder"):
        result.save(tmp_path / "nowhere" / "run.npz")


def test_others_may_read_a_saved_file(result, tmp_path):
    result.save(tmp_path / "run.npz")
    (tmp_path / "plain").write_text("x")
    assert (tmp_path / "run.npz").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_loaded_result_draws_curves_but_no_bounds(result, tmp_path):
    import matplotlib

    matplotlib.use("Agg")
    result.save(tmp_path / "run.npz")
    again = hb.load(tmp_path / "run.npz")
    assert again.plot().get_xlabel()
    with pytest.raises(ValueError, match="loaded result"):
        again.plot(bounds=True)
