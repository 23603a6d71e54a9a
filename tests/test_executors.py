"""Executors: the same bytes as serial, a dead worker is reported, nothing is left running."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import numpy as np
import psutil
import pytest

import hbucb as hb

ROOT = Path(__file__).resolve().parents[1]
BANDIT = hb.Bandit([0.0, 0.5, 1.0], hb.noise.Cauchy())
POLICIES = {"UCB": hb.UCB(), "SMoM": hb.ClippedSGDUCB(m=1, n=2)}
CALL = dict(horizon=150, trials=40, seed=5, chunk=7)
SPAWN = multiprocessing.get_context("spawn")


def assert_same(one, other):
    for name in one:
        assert one[name].regret.tobytes() == other[name].regret.tobytes()
        assert one[name].pulls.tobytes() == other[name].pulls.tobytes()


@pytest.fixture(scope="module")
def serial():
    return hb.simulate(BANDIT, POLICIES, **CALL)


def test_a_pool_of_fresh_processes_gives_the_same_bytes(serial):
    with ProcessPoolExecutor(2, mp_context=SPAWN) as pool:
        assert_same(hb.simulate(BANDIT, POLICIES, executor=pool, **CALL), serial)


def test_dask_gives_the_same_bytes(serial):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        assert len(client.scheduler_info()["workers"]) == 2
        done = hb.simulate(BANDIT, POLICIES, executor=client.get_executor(), **CALL)
    assert_same(done, serial)


class Killer:
    """Ends its own process in one trial, as the system does to one that takes too much memory."""

    def __init__(self, arms, flag):
        self.flag = flag

    def select(self, t):
        if t == 100:
            try:
                os.unlink(self.flag)  # one of two workers at this round has it, the other plays on
            except FileNotFoundError:
                return 0
            os.kill(os.getpid(), signal.SIGKILL)
        return 0

    def update(self, t, arm, reward):
        pass


def test_a_killed_worker_is_reported_and_nothing_finished_is_lost(tmp_path):
    flag = tmp_path / "flag"
    policy = hb.scalar(Killer, flag=str(flag))
    call = dict(horizon=150, trials=10, seed=5, chunk=1)
    whole = hb.simulate(BANDIT, policy, **call)
    flag.touch()
    with (
        pytest.raises(RuntimeError, match=r"a worker process died .* of 10 chunks") as error,
        ProcessPoolExecutor(2) as pool,
    ):
        hb.simulate(BANDIT, policy, executor=pool, checkpoint=tmp_path / "c", **call)
    assert isinstance(error.value.__cause__, BrokenProcessPool)
    kept = list((tmp_path / "c").glob("*.npz"))
    assert len(kept) < 10
    with ProcessPoolExecutor(2) as pool:
        again = hb.simulate(BANDIT, policy, executor=pool, checkpoint=tmp_path / "c", **call)
    assert_same(again, whole)


def test_an_error_in_a_worker_arrives_as_it_is():
    bandit = hb.Bandit([0.0, 1.0], hb.noise.Cauchy(1e308))  # draws beyond the largest float
    with (
        ProcessPoolExecutor(2) as pool,
        pytest.raises(ValueError, match="UCB needs finite rewards"),
    ):
        hb.simulate(bandit, hb.UCB(), 400, 40, seed=1, chunk=5, executor=pool)


SCRIPT = """
import signal
from concurrent.futures import ProcessPoolExecutor
import hbucb as hb
bandit = hb.Bandit([0.0, 0.5], hb.noise.Cauchy())
if __name__ == "__main__":
    # A shell's background job ignores Ctrl-C, and so would this script if the tests ran in one.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with ProcessPoolExecutor(2) as pool:
        print("ready", flush=True)
        hb.simulate(bandit, hb.UCB(), 20_000, 4000, seed=1, chunk=2, executor=pool)
"""


def test_an_interrupt_leaves_no_process(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    child = subprocess.Popen(
        [sys.executable, str(tmp_path / "script.py")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )
    child.stdout.readline()
    deadline = time.monotonic() + 60
    family = psutil.Process(child.pid)
    while len(family.children()) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    workers = family.children()
    assert len(workers) == 2
    time.sleep(2)  # both have begun a chunk
    os.killpg(child.pid, signal.SIGINT)  # what Ctrl-C does: the whole group gets it
    try:
        _, said = child.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)  # a failing test leaves nothing behind either
        raise
    assert child.returncode != 0 and "KeyboardInterrupt" in said
    gone, alive = psutil.wait_procs(workers, timeout=30)
    assert not alive and len(gone) == 2


def test_progress_counts_every_step_once(tmp_path, capsys):
    for _ in range(2):  # the second time from the checkpoint
        hb.simulate(BANDIT, hb.UCB(), 100, 30, seed=1, chunk=4, checkpoint=tmp_path / "c",
                    progress=True)  # fmt: skip
        assert "3.00k/3.00k" in capsys.readouterr().err


def test_memory_of_one_trial_is_limited_by_name():
    long = hb.RobustUCB(preset="fair")
    with pytest.raises(ValueError, match=r"horizon = 200000000: RobustUCB.* GB for one trial"):
        hb.simulate(BANDIT, long, 200_000_000, 1, seed=1)


def test_results_do_not_depend_on_the_order_of_finishing(serial):
    class Backwards:
        """Runs the tasks it got from the last to the first."""

        def __init__(self):
            from concurrent.futures import Future

            self.make, self.jobs = Future, []

        def submit(self, function, task):
            future = self.make()
            self.jobs.append((future, function, task))
            if len(self.jobs) == 12:
                for future_, function_, task_ in reversed(self.jobs):
                    future_.set_result(function_(task_))
            return future

    done = hb.simulate(BANDIT, POLICIES, executor=Backwards(), **CALL)
    assert_same(done, serial)
    assert np.isfinite(done["UCB"].regret).all()
