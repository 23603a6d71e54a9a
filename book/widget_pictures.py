"""Make the static pictures and words of the widgets (book/_static/widgets) from hbucb.

    python book/widget_pictures.py            write NAME.png and statics.json
    python book/widget_pictures.py --check    compare statics.json; write nothing

The widgets show the same numbers: they are drawn from widget_numbers.py, with which the tests
compare every widget in a browser; the words are those of widget_words.py.
"""

import argparse
import json
import math
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from hbucb import plotting
from hbucb.palette import BLACK, BLUE, BROWN, ROSE, VERMILION, VIOLET

sys.path.insert(0, str(Path(__file__).resolve().parent))
import widget_numbers as numbers
import widget_words

FOLDER = Path(__file__).resolve().parent / "_static" / "widgets"
GOAL = FOLDER / "statics.json"


def _two(width=7.6, height=3.3):
    return plt.subplots(1, 2, figsize=(width, height), layout="constrained")


# ---- the walk --------------------------------------------------------------------------------


def walk_picture():
    r = numbers.walk({})
    k = r["k"]
    figure, panels = _two()
    for axes, scale, label in zip(
        panels, (k, np.ones(k.size)), ("k · error", "error"), strict=True
    ):
        axes.fill_between(k, scale * r["low"], scale * r["high"], color=BLUE, alpha=0.22)
        axes.plot(k, (scale * r["paths"]).T, color=BLUE, linewidth=0.7)
        axes.plot(k, scale * r["mean"], color=BLACK, linestyle="--", linewidth=1.5)
        for sign in (-1, 1):
            axes.plot(k, sign * scale * r["radius"], color=VERMILION)
        axes.set_xscale("log")
        axes.set_xlabel("rewards k")
        axes.set_ylabel(f"{label} (reward units)")
    panels[1].set_ylim(-1.05, 1.05)
    return figure


# ---- two values, one clip --------------------------------------------------------------------


def twopoint_picture():
    lam, place = 1.7, np.linspace(-6, 6, 601)
    r = [numbers.twopoint({"place": float(x)}) for x in place]
    figure, (left, right) = _two(height=3.1)
    left.plot(place, [v["above"] for v in r], color=BLUE, label="|x + λ − X|")
    left.plot(place, [v["below"] for v in r], color=VERMILION, dashes=(5, 2), label="|x − λ − X|")
    one = numbers.twopoint({})
    left.plot([1, 1], [one["above"], one["below"]], color=BLACK, linewidth=3)
    left.plot(1, one["above"], "o", color=BLUE)
    left.plot(1, one["below"], "s", color=VERMILION)
    left.set_ylabel("value (reward units)")
    left.legend(loc="upper center")
    right.plot(place, [v["clip"] for v in r], color=BLACK)
    right.plot(1, one["literal"], "D", color=VERMILION)
    right.set_ylabel("half the difference (reward units)")
    right.set_ylim(-2 * lam, 2 * lam)
    for axes in (left, right):
        axes.set_xlabel("reward X (reward units)")
    return figure


# ---- a guarantee -----------------------------------------------------------------------------


def guarantee_picture():
    r = numbers.guarantee({})
    figure, (left, right) = _two()
    left.loglog(r["counts"], r["radii"], color=BLUE)
    left.axhline(0.5, color=VERMILION, dashes=(5, 2))
    left.plot([r["n"], r["n"]], [1e-3, 0.5], color=BLACK, linestyle=":")
    left.plot(r["n"], 0.5, "o", color=BLACK)
    left.annotate(f"n = {r['n']:.0f}", (r["n"], 2e-3), (6, 0), textcoords="offset points")
    left.set_xlim(1, 1e6)
    left.set_ylim(1e-3, 1e4)
    left.set_xlabel("pulls n")
    left.set_ylabel("radius (reward units)")
    ends = np.array([10.0, 1e8])
    right.fill_between(ends, ends, 1e8, hatch="//", facecolor="none", edgecolor="#bbbbbb")
    right.loglog(ends, ends, color=BLACK, dashes=(5, 2), linewidth=1.2, label="T · gap")
    right.loglog(r["horizons"], r["curve"], color=BLUE, label="bound, δ = 1/T²")
    right.plot(r["T"], r["bound"], "o", color=BLACK)
    right.set_xlim(10, 1e8)
    right.set_ylim(1, 1e8)
    right.set_xlabel("horizon T")
    right.set_ylabel("regret bound (reward units)")
    right.legend(loc="lower right")
    return figure


# ---- where estimates land --------------------------------------------------------------------

LANDING_LOOK = {
    "mean": ("mean", BLACK, "o"),
    "blocks": ("median of means", ROSE, "s"),
    "catoni": ("Catoni", BROWN, "^"),
    "clipped": ("clipped SGD", BLUE, "D"),
    "median": ("median", VIOLET, "p"),
}


def landing_picture():
    values = numbers.landing({})
    figure, axes = plt.subplots(figsize=(7.6, 3.4), layout="constrained")
    for row, name in enumerate(reversed(numbers.NAMES)):
        _, colour, marker = LANDING_LOOK[name]
        axes.plot(values[name], np.full(numbers.REPEATS, row), "|", color=colour, alpha=0.3)
        low, middle, high = np.quantile(values[name], [0.05, 0.5, 0.95])
        axes.plot([low, high], [row, row], color=colour, linewidth=3)
        axes.plot(middle, row, marker, color=colour, markersize=8)
    axes.axvline(0, color=BLACK, linewidth=0.8)
    axes.set_xscale("asinh", linear_width=0.2)
    axes.set_xlim(-1500, 1500)
    axes.set_xticks([-1000, -100, -10, -1, 0, 1, 10, 100, 1000])
    axes.set_xticklabels(["−1000", "−100", "−10", "−1", "0", "1", "10", "100", "1000"])
    axes.set_yticks(range(5), [LANDING_LOOK[n][0] for n in reversed(numbers.NAMES)])
    axes.set_xlabel("estimate (reward units)")
    return figure


# ---- the race --------------------------------------------------------------------------------

RACE_LOOK = {
    "mean": ("mean-UCB", BLACK, "-", "o"),
    "clipped": ("clipped SGD", BLUE, "--", "s"),
    "order": ("order statistic", VERMILION, ":", "D"),
}
SHOWN_GAP = 0.5


def race_picture():
    t, size = numbers.RACE["t"], 2.0
    figure = plt.figure(figsize=(7.6, 4.6), layout="constrained")
    grid = figure.add_gridspec(2, 3)
    below = figure.add_subplot(grid[1, :])
    for column, (name, (label, colour, dash, marker)) in enumerate(RACE_LOOK.items()):
        actions, indices = numbers.race(name, {}, runs=1)
        axes = figure.add_subplot(grid[0, column])
        counts = np.bincount(actions[:t, 0], minlength=3)
        rewards = [numbers.race_tapes({})[0, arm, : counts[arm]] for arm in range(3)]
        rule = numbers.race_policy(name, numbers.RACE["c"]).rule(numbers.PULLS)
        for arm in range(3):
            axes.plot([arm - 0.35, arm + 0.35], [-SHOWN_GAP * arm] * 2, "k:", linewidth=1.2)
            shown = np.median(rewards[arm]) if name == "order" else None
            middle = rule.estimator.estimate(rewards[arm].tolist()) if shown is None else shown
            top = min(float(indices[t, 0, arm]), 9.0)
            axes.plot([arm, arm], [max(middle, -9), top], color=colour, linewidth=3)
            if abs(middle) <= size:
                axes.plot(arm, middle, marker, color=colour, markersize=7)
            else:
                axes.text(arm, -size, "▼", color=colour, ha="center", va="bottom")
        axes.set_ylim(-size, size)
        axes.set_xlim(-0.6, 2.6)
        axes.set_xticks(range(3), [str(c) for c in counts])
        axes.set_title(label)
        axes.set_xlabel("pulls of each arm")
        if column == 0:
            axes.set_ylabel("index (reward units)")
        regret = SHOWN_GAP * np.cumsum(actions[:t, 0])
        below.plot(np.arange(1, t + 1), regret, dash, color=colour, label=label)
    below.set_xlabel("pulls of all arms")
    below.set_ylabel("regret (reward units)")
    below.legend()
    return figure


PICTURES = {
    "race": race_picture,
    "landing": landing_picture,
    "guarantee": guarantee_picture,
    "twopoint": twopoint_picture,
    "walk": walk_picture,
}


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare only; write nothing")
    options = parser.parse_args(arguments)
    text = json.dumps(widget_words.statics(), indent=1, ensure_ascii=False) + "\n"
    if options.check:
        same = GOAL.exists() and GOAL.read_text(encoding="utf-8") == text
        print("statics.json", "is as computed" if same else "differs: run widget_pictures.py")
        return int(not same)
    GOAL.write_text(text, encoding="utf-8")
    for name, picture in PICTURES.items():
        with plotting.book_style():
            figure = picture()
            figure.savefig(FOLDER / f"{name}.png", dpi=130, metadata={"Software": None})
            plt.close(figure)
        print(f"{name}.png", math.ceil((FOLDER / f"{name}.png").stat().st_size / 1024), "kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
