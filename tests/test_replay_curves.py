"""Curves in processes of their own: order, what they took, and where it is written."""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from hbucb.replay import curves
from hbucb.replay.curves import Curve


def one(id, name):
    regret = np.array([[1.0, len(id)], [2.0, len(name)]])
    return Curve(regret, regret[:, 1] > 1, {"numpy": "1"}, 2.0 * len(name), 30.0 * len(id))


def test_experiments_come_whole_and_in_order(capsys):
    with ThreadPoolExecutor(2) as pool:
        found = list(curves.play_all(pool, one, {"E1": ["b", "aa"], "E11": ["c"]}))
    assert [(id, list(played)) for id, played in found] == [("E1", ["b", "aa"]), ("E11", ["c"])]
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "E1 b: mean regret 1.5, 2 s, 60 MB" and len(said) == 3
    regrets, wrong, versions = curves.gather(found[0][1])
    assert regrets["aa"].tolist() == [[1.0, 2.0], [2.0, 2.0]]
    assert wrong["b"].tolist() == [True, False] and versions == {"numpy": "1"}


def test_every_curve_has_a_fresh_process():
    with curves.workers() as pool:
        numbers = [pool.submit(os.getpid) for _ in range(3)]
        assert len({number.result() for number in numbers} | {os.getpid()}) == 4


def test_workers_keep_to_one_thread():
    with curves.workers() as pool:
        assert pool.submit(os.getenv, "OPENBLAS_NUM_THREADS").result() == "1"


def test_measured_sees_work_and_memory():
    def work():
        return np.ones(8_000_000).sum()  # 64 MB

    done, seconds, memory = curves.measured(work)
    assert done == 8e6 and 0 < seconds < 60 and memory > 64


class Written:
    def __init__(self, id):
        self.id = id

    def save(self, folder):
        (folder / f"{self.id}.npz").touch()


def test_costs_are_kept_beside_those_of_the_others(tmp_path):
    names = {"E1": ["b", "aa"], "E11": ["b", "aa"]}
    assert curves.costs(tmp_path) == {} and curves.total(tmp_path, names) == "no stored costs"
    for id in ("E1", "E11", "E1"):
        curves.save(Written(id), {name: one(id, name) for name in ("b", "aa")}, tmp_path)
    assert curves.costs(tmp_path) == {
        "E1": {"b": [2.0, 60.0], "aa": [4.0, 60.0]},
        "E11": {"b": [2.0, 90.0], "aa": [4.0, 90.0]},
    }
    assert curves.total(tmp_path, names) == (
        "all 4 stored curves: 12 s of processor time, at most 90 MB a process"
    )
    # A curve whose cost is not known is not passed over in silence, one that is gone not counted.
    assert curves.total(tmp_path, {"E1": ["b", "c"], "E2": ["d"]}) == (
        "1 of 3 stored curves: 2 s of processor time, at most 60 MB a process"
    )


def test_a_fault_in_a_curve_is_not_swallowed():
    def faulty(id, name):
        raise ValueError(f"no {name} in {id}")

    with ThreadPoolExecutor(1) as pool, pytest.raises(ValueError, match="no b in E1"):
        list(curves.play_all(pool, faulty, {"E1": ["b"]}))
