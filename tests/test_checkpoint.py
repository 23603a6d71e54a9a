"""Checkpoints: the same bytes after any kill, another run's or a damaged folder refused."""

import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import hbucb as hb
from hbucb import engine, jobs

ROOT = Path(__file__).resolve().parents[1]
BANDIT = hb.Bandit([0.0, 0.5, 1.0], hb.noise.Cauchy())
POLICIES = {"UCB": hb.UCB(), "SGD": hb.ClippedSGDUCB(m=1, n=2), "fair": hb.RobustUCB(preset="fair")}
CALL = dict(horizon=120, trials=23, seed=3, chunk=5, actions=True)
CHUNKS = 15


def run(path=None, **changed):
    return hb.simulate(BANDIT, POLICIES, checkpoint=path, **{**CALL, **changed})


def digest(result):
    sha = hashlib.sha256()
    for name in result:
        for array in (result[name].regret, result[name].pulls, result[name].actions):
            sha.update(array.tobytes())
    return sha.hexdigest()


@pytest.fixture(scope="module")
def plain():
    return digest(run())


@pytest.fixture
def played(monkeypatch):
    """Counts the chunks that are really played."""
    count = []
    monkeypatch.setattr(jobs, "play", lambda task: count.append(task) or engine.play(task))
    return count


def test_a_checkpoint_changes_nothing_and_is_read_again(tmp_path, plain, played):
    assert digest(run(tmp_path / "c")) == plain
    assert len(played) == CHUNKS
    names = {path.name for path in (tmp_path / "c").iterdir()}
    assert len(names) == CHUNKS + 1 and "000-20-3.npz" in names
    assert digest(run(tmp_path / "c")) == plain
    assert len(played) == CHUNKS  # the second time nothing was played
    (tmp_path / "c" / "001-5-5.npz").unlink()
    assert digest(run(tmp_path / "c")) == plain
    assert [(task.first, task.trials) for task in played[CHUNKS:]] == [(5, 5)]


def test_an_interrupt_keeps_what_is_finished(tmp_path, plain, monkeypatch):
    left = iter(range(7))

    def play(task):
        if next(left, None) is None:
            raise KeyboardInterrupt
        return engine.play(task)

    monkeypatch.setattr(jobs, "play", play)
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "c")
    assert len(list((tmp_path / "c").glob("*.npz"))) == 7
    monkeypatch.undo()
    assert digest(run(tmp_path / "c")) == plain


def test_the_cut_into_chunks_is_taken_from_the_folder(tmp_path, played):
    run(tmp_path / "c")
    run(tmp_path / "c", chunk=None)
    assert len(played) == CHUNKS


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"seed": 4}, "its seed is 3, this run's 4"),
        ({"horizon": 121}, "its horizon is 120, this run's 121"),
        ({"trials": 24}, "its trials is 23"),
        ({"chunk": 6}, "its chunks is"),
        ({"actions": False}, "its actions is True"),
        ({"coupling": "arm"}, "its coupling is 'time'"),
        ({"rounds": [7, 120]}, "its rounds is"),
    ],
)
def test_a_checkpoint_of_another_run_is_refused(tmp_path, changed, said):
    run(tmp_path / "c")
    before = {path.name: path.read_bytes() for path in (tmp_path / "c").iterdir()}
    with pytest.raises(ValueError, match="is of another run") as error:
        run(tmp_path / "c", **changed)
    assert said in str(error.value)
    assert before == {path.name: path.read_bytes() for path in (tmp_path / "c").iterdir()}


def test_other_policies_bandits_and_versions_are_another_run(tmp_path, monkeypatch):
    run(tmp_path / "c")
    with pytest.raises(ValueError, match="its policies is"):
        hb.simulate(BANDIT, {**POLICIES, "UCB": hb.UCB(2.0)}, checkpoint=tmp_path / "c", **CALL)
    other = hb.Bandit([0.0, 0.5, 1.0], hb.noise.Cauchy(2.0))
    with pytest.raises(ValueError, match="its bandit is"):
        hb.simulate(other, POLICIES, checkpoint=tmp_path / "c", **CALL)
    monkeypatch.setattr(jobs, "versions", lambda: {"hbucb": "9", "numpy": "9", "scipy": "9"})
    with pytest.raises(ValueError, match="its hbucb is"):
        run(tmp_path / "c")


def _cut(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _empty(path):
    path.write_bytes(b"")


def _flip(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes(content))


def _rewrite(path):
    """A valid file with another number in it."""
    with np.load(path) as file:
        arrays = dict(file)
    arrays["regret"][0, 0] += 1
    np.savez(path, **arrays)


def _shift(path):
    """A chunk of other trials: same run, same shape."""
    shutil.copy(path.with_name("000-5-5.npz"), path)


def _foreign(path):
    other = path.parent.parent / "other"
    hb.simulate(BANDIT, POLICIES, checkpoint=other, **{**CALL, "seed": 99})
    shutil.copy(other / path.name, path)


@pytest.mark.parametrize("damage", [_cut, _empty, _flip, _rewrite, _foreign, _shift])
def test_a_damaged_file_is_refused_and_left_alone(tmp_path, damage):
    run(tmp_path / "c")
    path = tmp_path / "c" / "000-10-5.npz"
    damage(path)
    content = path.read_bytes()
    with pytest.raises(ValueError, match=r"000-10-5.npz' is damaged: .*delete it"):
        run(tmp_path / "c")
    assert path.read_bytes() == content


@pytest.mark.parametrize("text", ["", "{", "[]", json.dumps({"format": 99})])
def test_a_damaged_identity_is_refused(tmp_path, text):
    run(tmp_path / "c")
    (tmp_path / "c" / "run.json").write_text(text)
    with pytest.raises(ValueError, match=r"run\.json' cannot be read"):
        run(tmp_path / "c")


def test_other_places_are_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ValueError, match=r"'notes\.txt' and no run\.json"):
        run(tmp_path)
    with pytest.raises(ValueError, match="is a file"):
        run(tmp_path / "notes.txt")
    with pytest.raises(ValueError, match="there is no folder"):
        run(tmp_path / "no" / "such")
    with pytest.raises(ValueError, match="checkpoint = 3 must be the path"):
        run(3)
    assert (tmp_path / "notes.txt").read_text() == "mine"


SCRIPT = """
import sys
import hbucb as hb
bandit = hb.Bandit([0.0, 0.5, 1.0], hb.noise.Cauchy())
print("ready", flush=True)
hb.simulate(bandit, {"UCB": hb.UCB(), "SGD": hb.ClippedSGDUCB()}, 4000, 60, seed=8, chunk=2,
            checkpoint=sys.argv[1])
"""


def test_twenty_kills_at_random_moments_change_nothing(tmp_path):
    policies = {"UCB": hb.UCB(), "SGD": hb.ClippedSGDUCB()}
    whole = hb.simulate(BANDIT, policies, 4000, 60, seed=8)
    moments = random.Random(12)
    kills = 0
    for _ in range(20):
        child = subprocess.Popen(
            [sys.executable, "-c", SCRIPT, str(tmp_path / "c")],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        child.stdout.readline()
        time.sleep(moments.uniform(0.0, 0.3))
        child.send_signal(signal.SIGKILL)
        kills += child.wait() == -signal.SIGKILL
        child.stdout.close()
        if child.returncode == 0:  # it was done before the kill: begin again
            shutil.rmtree(tmp_path / "c")
    assert kills >= 15
    resumed = hb.simulate(BANDIT, policies, 4000, 60, seed=8, chunk=2, checkpoint=tmp_path / "c")
    for name in policies:
        assert np.array_equal(whole[name].regret, resumed[name].regret)
        assert np.array_equal(whole[name].pulls, resumed[name].pulls)
