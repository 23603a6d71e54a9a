"""Arguments of bounds: numbers are taken in any container, everything else is refused by name."""

import numpy as np
import pytest

from hbucb import arguments


@pytest.mark.parametrize(
    "bad",
    [True, "10", None, 1.5, 0, 1j, [True, 10], ["10"], [[1], [1, 2]], np.array([True]), 10**400],
    ids=repr,
)
def test_horizons_that_are_no_whole_numbers_of_pulls(bad):
    with pytest.raises(ValueError, match=r"horizon is .*; whole numbers of pulls, 1 to"):
        arguments.as_horizon(bad)


def test_horizons_that_are():
    for good in (3, 3.0, np.int64(3), np.float32(3), np.array(3)):
        assert arguments.as_horizon(good) == 3.0 and arguments.as_horizon(good).shape == ()
    assert arguments.as_horizon([np.array(3), 4]).tolist() == [3.0, 4.0]
    assert arguments.as_horizon([[1, 2], [3, 4]]).shape == (2, 2)
    assert arguments.as_horizon(10**30) == 1e30


@pytest.mark.parametrize("bad", [["0", "1"], [False, True], [0.0, None], "01", [0.0, [1.0]]])
def test_gaps_that_are_no_numbers(bad):
    with pytest.raises(ValueError, match="gaps is"):
        arguments.as_gaps(bad)


@pytest.mark.parametrize("bad", [True, "0.1", [0.1, "0.1"], 0.0, 1.0])
def test_levels_that_are_no_probabilities(bad):
    with pytest.raises(ValueError, match="delta is"):
        arguments.as_delta(bad, np.ones(2))


@pytest.mark.parametrize("bad", [True, "1", None, [1.0]])
def test_single_numbers(bad):
    with pytest.raises(ValueError, match="sigma is"):
        arguments.positive("sigma", bad)
    if bad is not None:
        with pytest.raises(ValueError, match="eps is"):
            arguments.moment_order(bad)
