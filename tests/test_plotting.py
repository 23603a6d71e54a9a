"""What figures say of themselves, and colours measured as four kinds of eyes see them."""

from types import SimpleNamespace

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pytest

from hbucb import plotting
from hbucb.palette import _BOOK, COLOURS, MARKERS, LineStyle, register, style


class Fake(dict):
    """The interface of a result, without an engine."""

    def __init__(self, names, trials=40, horizon=100):
        rng = np.random.default_rng(1)
        rounds = np.unique(np.geomspace(1, horizon, 30).astype(int))
        super().__init__(
            {
                name: SimpleNamespace(
                    regret=np.cumsum(rng.random((trials, rounds.size)), axis=1) * (i + 1)
                )
                for i, name in enumerate(names)
            }
        )
        self.names, self.trials, self.horizon, self.rounds = list(names), trials, horizon, rounds
        self.seed, self.coupling, self.bandit = 7, "arm", None
        self.policies = {name: SimpleNamespace() for name in names}


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def text(axes):
    legend = axes.get_legend()
    return legend.get_title().get_text() + "\n" + "\n".join(t.get_text() for t in legend.texts)


def test_regret_says_what_it_shows():
    axes = plotting.regret(Fake(["UCB", "SGD-UCB"]))
    assert axes.get_xlabel() == "round t (pulls)"
    assert axes.get_ylabel() == "regret $R_t$ (reward units)"
    parts = ("40 trials", "seed 7", "common noise", "line: mean", "10 to 90 % of trials", "UCB")
    assert all(part in text(axes) for part in parts)
    assert axes.get_xscale() == "log" and axes.get_ylim()[0] == 0


def test_lines_and_bands_are_the_mean_and_the_quantiles():
    result = Fake(["UCB"])
    axes = plotting.regret(result, per_round=True, band=(0.2, 0.6), scale="linear")
    values = result["UCB"].regret / result.rounds
    np.testing.assert_allclose(axes.lines[0].get_ydata(), values.mean(axis=0))
    path = axes.collections[0].get_paths()[0].vertices
    x = result.rounds[7]
    seen = sorted({round(float(y), 9) for px, y in path if px == x})
    expected = np.quantile(values, [0.2, 0.6], axis=0)[:, 7]
    np.testing.assert_allclose([seen[0], seen[-1]], expected, atol=1e-8)
    assert "$R_t/t$ (reward units)" in axes.get_ylabel()
    assert "± 0.5 standard deviation" in text(plotting.regret(result, band=0.5))


def test_bounds_are_drawn_where_they_hold_and_named_where_they_do_not():
    result = Fake(["UCB", "SGD-UCB"])
    known = SimpleNamespace(regret_bound=lambda bandit, t: 3.0 * np.sqrt(t))
    result.policies["UCB"] = SimpleNamespace(tuned=lambda horizon: known)
    axes = plotting.regret(result, bounds=True)
    bound = [line for line in axes.lines if line.get_label() == "UCB: proved bound"]
    np.testing.assert_allclose(bound[0].get_ydata(), 3 * np.sqrt(result.rounds))
    assert "no proved bound here: SGD-UCB" in text(axes)


def test_ecdf_tells_the_stuck_share_with_its_limits():
    result = Fake(["UCB", "SGD-UCB"])
    final = result["UCB"].regret[:, -1] / 100
    threshold = float(np.quantile(final, 0.75))
    axes = plotting.ecdf(result, stuck=threshold)
    assert "UCB: stuck 25.0 %" in text(axes) and "99 % Wilson" in text(axes)
    assert axes.get_xlabel() == "regret per pull at the end, $R_T/T$ (reward units)"
    assert axes.get_ylabel() == "share of trials at or below"
    np.testing.assert_allclose(axes.lines[0].get_xdata(), np.sort(final))
    assert axes.lines[0].get_ydata()[-1] == 1.0


def test_direct_labels_do_not_overlap():
    result = Fake(["UCB", "SGD-UCB", "RUCB-Median"])
    for name in result.names:  # all lines end at the same height
        result[name] = result["UCB"]
    axes = plotting.regret(result, direct=True)
    heights = sorted(t.get_position()[1] for t in axes.texts)
    assert len(heights) == 3
    low, high = axes.get_ylim()
    assert (np.diff(heights) >= 0.05 * (high - low)).all()


def test_small_multiples():
    _, panels = plotting.multiples(["a", "b", "c", "d"], columns=3, sharey=True)
    assert [axes.get_title() for axes in panels] == ["a", "b", "c", "d"]


def test_a_shared_legend_says_the_same_and_stands_once():
    figure, (left, right) = plotting.multiples(["a", "b"])
    result = Fake(["UCB", "SGD-UCB"])
    plotting.regret(result, ax=left)
    plotting.regret(result, ax=right, legend=False)
    legend = plotting.shared_legend(figure, left)
    assert [t.get_text() for t in legend.texts] == ["UCB", "SGD-UCB"]
    assert "40 trials" in legend.get_title().get_text()
    assert left.get_legend() is None
    with pytest.raises(ValueError, match="legend"):
        plotting.shared_legend(figure, right)


@pytest.mark.parametrize(
    "call, word",
    [
        (lambda: plotting.regret(Fake(["UCB"]), names=["MOSS"]), "MOSS"),
        (lambda: plotting.regret(Fake([f"p{i}" for i in range(7)])), "at most 6"),
        (lambda: plotting.regret(Fake(["UCB"]), band=(0.9, 0.1)), "band"),
        (lambda: plotting.regret(Fake(["UCB"]), band=0.0), "band"),
        (lambda: plotting.regret(Fake(["UCB"]), scale="cube"), "cube"),
        (lambda: plotting.ecdf(Fake(["UCB"]), stuck=0.0), "stuck"),
        (lambda: plotting.multiples([]), "titles"),
        (lambda: style(""), "name"),
        (lambda: register("x", LineStyle("#123456", "-", "o")), "#123456"),
        (lambda: register("UCB", LineStyle(COLOURS[0], "-", "o")), "already"),
    ],
)
def test_bad_input_is_named(call, word):
    with pytest.raises(ValueError, match=word):
        call()


def test_one_look_for_one_policy():
    looks = list(_BOOK.values())
    assert len({(k.colour, str(k.dash), k.marker) for k in looks}) == len(looks)
    assert all(look.colour in COLOURS and look.marker in MARKERS for look in looks)
    assert style("a reader's own policy") == style("a reader's own policy")
    # The curves of Figure 1 are told apart by colour alone, by dash alone and by marker alone.
    figure = [
        "UCB",
        "SGD-UCB",
        "SGD-UCB-Median",
        "SGD-UCB-SMoM",
        "RUCB-Median",
        "Median of means (fair)",
    ]
    assert len({style(n).colour for n in figure}) == 6
    assert len({style(n).marker for n in figure}) == 6
    assert len({str(style(n).dash) for n in figure}) >= 4


# Machado, Oliveira and Fernandes (2009), severity 1, for linear RGB.
VISION = {
    "normal": np.eye(3),
    "protan": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deutan": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritan": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)


def linear(colour):
    rgb = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def cielab(rgb):
    xyz = TO_XYZ @ np.clip(rgb, 0, 1) / (TO_XYZ @ np.ones(3))
    f = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def smallest_distance(colours, matrix):
    points = [cielab(matrix @ linear(c)) for c in colours]
    return min(np.linalg.norm(a - b) for i, a in enumerate(points) for b in points[:i])


@pytest.mark.parametrize("vision", VISION)
def test_colours_are_far_apart_for_every_kind_of_eye(vision):
    assert smallest_distance(COLOURS, VISION[vision]) > 34.5


def test_the_distance_test_can_fail():
    default = [f"#{c}" for c in "1f77b4 ff7f0e 2ca02c d62728 9467bd 8c564b e377c2 7f7f7f".split()]
    assert smallest_distance(default, VISION["protan"]) < 5


def test_contrast_on_white():
    for colour in COLOURS:
        luminance = TO_XYZ[1] @ linear(colour)
        assert 1.05 / (luminance + 0.05) >= 3.0
    assert 1.05 / (TO_XYZ[1] @ linear("#56B4E9") + 0.05) < 3.0  # a sky blue would fail
