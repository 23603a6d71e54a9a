"""Streams keyed by trial: prefix property, no collisions, tapes that equal their definition."""

import numpy as np
import pytest

import hbucb as hb
from hbucb import streams
from hbucb.history import History
from hbucb.noise import Cauchy, Gaussian, cauchy_pareto


@pytest.mark.parametrize("width", [0, 1, 3])
@pytest.mark.parametrize("law", [Cauchy(), cauchy_pareto()], ids=repr)
def test_blocks_are_prefixes_of_each_other(law, width):
    keys = [(7, trial, streams.NOISE, 0) for trial in range(4)]
    whole = streams.Draws(law, keys, width).block(90)
    split = streams.Draws(law, keys, width)
    assert np.array_equal(whole, np.concatenate([split.block(k) for k in (1, 64, 25)]))
    stepwise = streams.Draws(law, keys, width)
    assert np.array_equal(whole, np.stack([stepwise.next() for _ in range(90)]))


@pytest.mark.parametrize("trials", [1, 3])
@pytest.mark.parametrize("width", [0, 1, 40])
def test_steps_go_on_from_block_to_block(width, trials):
    keys = [(7, trial, streams.NOISE, 0) for trial in range(trials)]
    whole = streams.Draws(Gaussian(), keys, width).block(3 * streams.BLOCK)
    stepwise = streams.Draws(Gaussian(), keys, width)
    assert all(np.array_equal(step, stepwise.next()) for step in whole)


def test_streams_differ_by_trial_stream_and_key():
    first = {
        streams.generator(7, trial, stream, *key).integers(2**63)
        for trial in range(20)
        for stream in range(5)
        for key in ((), (1,), (1, 2), (2,))
    }
    assert len(first) == 20 * 5 * 4
    assert streams.generator(7, 0, 0).random() != streams.generator(8, 0, 0).random()


def test_policy_streams_follow_the_text_of_the_policy():
    one = streams.policy_stream(hb.UCB(sigma=1.0))
    assert one == streams.policy_stream(hb.UCB(1.0))
    assert one != streams.policy_stream(hb.UCB(sigma=2.0))
    assert one >= streams.OWN
    # The value is fixed for ever: it decides random numbers of published runs.
    assert one == 10801924484977790


def test_tapes_give_the_kth_entry_to_the_kth_read():
    rng = np.random.default_rng(1)
    trials, arms = 3, 4
    laws = [Cauchy(), Gaussian(), cauchy_pareto(), Cauchy(2.0)]
    order = np.array([rng.permutation(arms) for _ in range(trials)])
    tapes = streams.Tapes(laws, order, seed=5, first=10)
    whole = {
        (i, arm): streams.Draws(laws[arm], [(5, 10 + i, streams.NOISE, arm)]).block(1000)[:, 0]
        for i in range(trials)
        for arm in range(arms)
    }
    read = np.zeros((trials, arms), np.int64)
    for t in range(1000):
        if t % streams.TAPE_BLOCK == 0:
            tapes.refill()
        slot = rng.choice(arms, p=[0.9, 0.05, 0.03, 0.02], size=trials)
        got = tapes.read(np.arange(trials) * arms + slot)
        for i in range(trials):
            arm = order[i, slot[i]]
            assert got[i] == whole[i, arm][read[i, arm]]
            read[i, arm] += 1


def test_history_gathers_in_the_order_of_time():
    rng = np.random.default_rng(2)
    rewards, slots = rng.normal(size=(200, 5)), rng.integers(0, 3, (200, 5))
    history = History(5, 200)
    for t in range(200):
        history.append(slots[t], rewards[t])
    values, lengths = history.gather(np.array([4, 0, 4]), np.array([1, 2, 0]))
    expected = [rewards[:, i][slots[:, i] == s] for i, s in ((4, 1), (0, 2), (4, 0))]
    assert lengths.tolist() == [len(part) for part in expected]
    assert np.array_equal(values, np.concatenate(expected))
