"""Make the static pictures and words of the widgets (book/_static/widgets) from hbucb.

    python book/widget_pictures.py            write NAME.png and statics.json
    python book/widget_pictures.py --check    compare statics.json; write nothing

The widgets show the same numbers: they are drawn from widget_numbers.py, with which the tests
compare every widget in a browser.
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

FOLDER = Path(__file__).resolve().parent / "_static" / "widgets"
GOAL = FOLDER / "statics.json"


def _two(width=7.6, height=3.3):
    return plt.subplots(1, 2, figsize=(width, height), layout="constrained")


def _power(exponent):
    return "10" + "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(c)] for c in str(exponent))


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


def walk_words():
    cases = [
        ("Cauchy noise, claimed 0.5 (true)", {}),
        ("Cauchy noise, claimed 1.6", {"claim": 1.6}),
        ("uniform noise, claimed 1 (true)", {"law": "uniform", "claim": 1.0}),
        ("noise with a hole, claimed 0.5", {"law": "hole"}),
        ("Cauchy noise, constant step 0.1", {"rule": "constant"}),
    ]
    rows, results = [], {}
    for name, state in cases:
        r = results[name] = numbers.walk(state)
        at = [f"{r['low'][-1]:.3f} to {r['high'][-1]:.3f}", f"{r['mean'][-1]:+.3f}"]
        rows.append([name, *at, f"{r['radius'][-1]:.3f}", f"{r['outside'][-1]} of {numbers.RUNS}"])
    true, false = results[cases[0][0]], results[cases[1][0]]
    return {
        "alt": "Left, k times the error of 200 runs fans out inside a sideways parabola; right, "
        "the error itself closes onto zero inside a funnel.",
        "caption": "With a true slope the walk stays inside its curves and the start is "
        f"forgotten: {true['outside'][-1]} of {numbers.RUNS} runs are outside the radius at "
        f"k = {numbers.LENGTH}, where δ = 0.01 allows 1 %. Cauchy noise, claimed slope 0.5, "
        "start 1; shaded 90 % of 200 runs, dashed their average, solid the radius; seed 1.",
        "finding": "Claim the slope 1.6 in the place of 0.5 and the steps become too small: the "
        f"fan stops being centred, the runs are {false['mean'][-1]:.3f} off on average after "
        f"{numbers.LENGTH} rewards, and {false['outside'][-1]} of {numbers.RUNS} are outside the "
        f"radius. In the hole no slope is true, and {rows[3][-1]} are outside.",
        "title": f"After {numbers.LENGTH} rewards, δ = 0.01, seed 1",
        "head": ["run", "90 % of the errors", "average error", "radius", "outside"],
        "rows": rows,
    }


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


def twopoint_words():
    cases = [(1.0, 0), (1.0, 1), (1.0, 6), (1.0, 15), (1.0, 16), (1.0, 17)]
    rows = []
    for place, exponent in cases:
        r = numbers.twopoint({"place": place, "exponent": exponent})
        name = _power(exponent) if exponent > 1 else f"{r['reward']:g}"
        rows.append([name, f"{r['literal']:.6g}", f"{r['clip']:.6g}"])
    return {
        "alt": "Left, two shifted V curves with a bar between them at the reward 1; right, a line "
        "that falls from 1.7 to -1.7 between two flat parts, with a mark at -1.",
        "caption": "Half the difference of two values is the clip of x − X: at the reward 1 it is "
        "−1, and beyond the two points it is ±λ however far the reward is. x = 0, λ = 1.7; "
        "deterministic.",
        "finding": "In 64-bit floating point the difference as it is written gives "
        f"{rows[4][1].replace('-', '−')} in the place of −1.7 at a reward of 10¹⁶, and "
        f"{rows[5][1].replace('-', '−')} at 10¹⁷: both values are rounded before they are "
        "subtracted. The clip that it equals is right at every reward.",
        "title": "x = 0, λ = 1.7",
        "head": ["reward X", "half difference as written", "clip(x − X, λ)"],
        "rows": rows,
    }


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


def guarantee_words():
    cases = [
        ("sign SGD at each k, gap 1, δ = 10⁻⁸", {}),
        ("the same, gap 0.5", {"gap": 0.5}),
        ("the same, gap 1, δ = 10⁻²", {"e": 2}),
        ("all k at once, gap 1, δ = 10⁻⁴", {"method": "all", "e": 4}),
        ("printed constants, gap 1, δ = 10⁻⁸", {"method": "printed"}),
    ]
    rows, counts = [], []
    for name, state in cases:
        r = numbers.guarantee(state, curve=False)
        counts.append(r["n"])
        speaks = numbers.speaks(state)
        rows.append([name, f"{r['n']:.4g}", f"{r['bound']:.4g}", f"{speaks:.4g}"])
    return {
        "alt": "Left, the radius falls below half the gap at 612 pulls; right, the regret bound "
        "leaves the hatched region above the line T times gap near T = 400.",
        "caption": f"After {counts[0]:.0f} pulls the interval is shorter than the gap, and that "
        f"number is all of the regret bound. Radius of the last iterate of sign SGD, Cauchy "
        "noise, gap 1, δ = 10⁻⁸ (left); bound for two arms against T with δ = 1/T², the dot at "
        "T = 10 000, hatched where it says nothing (right). Deterministic.",
        "finding": f"Half the gap takes {counts[1] / counts[0]:.1f} times as many pulls. δ = 10⁻² "
        f"in the place of 10⁻⁸ takes {counts[0] / counts[2]:.1f} times fewer, since δ stands in "
        f"a logarithm. The printed constants of clipped SGD take {counts[4]:.1e} pulls.".replace(
            "e+08", " · 10⁸"
        ),
        "title": "Cauchy noise, two arms, T = 10 000",
        "head": ["guarantee", "pulls n", "regret bound", "below T · gap from T"],
        "rows": rows,
    }


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


def landing_words():
    cases = [
        ("α = 2.5", {}),
        ("α = 1", {"alpha": 1.0}),
        ("α = 0.6", {"alpha": 0.6}),
        ("α = 2.5, asymmetry 0.6", {"asym": 0.6}),
        ("α = 0.6, hole 1", {"alpha": 0.6, "hole": 1.0}),
    ]
    rows, bars, within = [], {}, {}
    for name, state in cases:
        values = numbers.landing(state)
        bars[name] = {n: np.quantile(v, [0.05, 0.5, 0.95]) for n, v in values.items()}
        within[name] = {n: int((np.abs(v) <= 0.5).sum()) for n, v in values.items()}
        cells = [f"{b[0]:.3g} to {b[2]:.3g}".replace("-", "−") for b in bars[name].values()]
        rows.append([name, *cells])
    wild, skew = bars["α = 0.6"], bars["α = 2.5, asymmetry 0.6"]
    span = {n: b[2] - b[0] for n, b in wild.items()}
    return {
        "alt": "Five rows of 400 estimates on an axis from -1000 to 1000: all five bars are short "
        "and lie at zero.",
        "caption": "With two and a half moments all five estimates land near the centre: within "
        f"0.5 in {min(within['α = 2.5'].values())} or more of {numbers.REPEATS} repeats. Bars from "
        "5 to 95 %, dots the medians, of 400 repeats of 100 rewards; symmetric Lomax noise, "
        "α = 2.5, seed 1. Median of means and Catoni for the variance 1 and δ = 0.05; clip at 2.",
        "finding": f"At α = 0.6 no mean exists: 90 % of the means span {span['mean']:.0f}, of the "
        f"medians of means {span['blocks']:.1f}, of Catoni's estimates {span['catoni']:.1f}, of "
        f"the clipped recursion {span['clipped']:.1f} and of the medians {span['median']:.1f}. "
        "With asymmetry the bars stay short and move apart: the median stays at "
        f"{skew['median'][1]:.2f}, Catoni is at {skew['catoni'][1]:.2f}, and the true mean is "
        f"{numbers.landing_mean({'asym': 0.6}):.2f}.".replace("-0.00", "0.00"),
        "title": "From 5 to 95 % of 400 repeats of 100 rewards, seed 1",
        "head": ["law", *(LANDING_LOOK[n][0] for n in numbers.NAMES)],
        "rows": rows,
    }


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


def race_words():
    cases = [
        ("the tenth reward of the best arm is −4000", {}),
        ("no planted reward, c = 1", {"plant": 0}),
        ("no planted reward, c = 0", {"plant": 0, "c": 0.0}),
        ("no planted reward, c = 4", {"plant": 0, "c": 4.0}),
    ]
    rows, regret, stuck = [], {}, {}
    for title, state in cases:
        for name, look in RACE_LOOK.items():
            actions, _ = numbers.race(name, state)
            counts = np.array([(actions == arm).sum(axis=0) for arm in range(3)])
            r = SHOWN_GAP * actions.sum(axis=0).mean()
            bad = int((counts[0] < counts[1:].max(axis=0)).sum())
            regret[title, name], stuck[title, name] = r, bad
            rows.append([title, look[0], f"{r:.0f}", f"{bad} of {numbers.RACES}"])
    actions, _ = numbers.race("mean", {}, runs=1)
    best = np.flatnonzero(actions[:, 0] == 0)
    assert best.size == 10, "mean-UCB never comes back in the run that is shown"
    t, last = numbers.RACE["t"], [title for title, _ in cases]
    clip = [regret[title, "clipped"] for title in (last[2], last[1], last[3])]
    lost = [stuck[title, "clipped"] for title in (last[2], last[1], last[3])]
    return {
        "alt": "Three small panels of index bars for three arms: the left bar of mean-UCB has "
        "fallen off the scale, those of the others stand at the top. Below, its regret climbs "
        "fastest.",
        "caption": f"One reward of −4000 and mean-UCB has left the best arm: it has {best.size} of "
        f"{t} pulls. Marks are estimates, bars reach up to the indices, dots are the true values; "
        "three arms with gap 0.5, Cauchy noise of scale 0.5, exploration c = 1, the same tapes for "
        "all three players, one run, seed 1.",
        "finding": "In this run mean-UCB does not come back in 600 pulls. Over 40 runs with that "
        f"reward its mean regret is {regret[last[0], 'mean']:.0f}, that of clipped SGD "
        f"{regret[last[0], 'clipped']:.0f} and of the order statistic "
        f"{regret[last[0], 'order']:.0f}. Without it, clipped SGD with c = 0, 1 and 4 has "
        f"{clip[0]:.0f}, {clip[1]:.0f} and {clip[2]:.0f}, and {lost[0]}, {lost[1]} and {lost[2]} "
        "stuck runs of 40: regret is lowest in between, stuck runs only fall.",
        "title": "Mean regret after 600 pulls and stuck runs, 40 runs, seed 1",
        "head": ["tapes", "player", "mean regret", "stuck runs"],
        "rows": rows,
    }


PICTURES = {
    "race": (race_picture, race_words),
    "landing": (landing_picture, landing_words),
    "guarantee": (guarantee_picture, guarantee_words),
    "twopoint": (twopoint_picture, twopoint_words),
    "walk": (walk_picture, walk_words),
}


def statics():
    """Words and numbers of all widgets."""
    return {name: words() for name, (_, words) in PICTURES.items()}


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare only; write nothing")
    options = parser.parse_args(arguments)
    text = json.dumps(statics(), indent=1, ensure_ascii=False) + "\n"
    if options.check:
        same = GOAL.exists() and GOAL.read_text(encoding="utf-8") == text
        print("statics.json", "is as computed" if same else "differs: run widget_pictures.py")
        return int(not same)
    GOAL.write_text(text, encoding="utf-8")
    for name, (picture, _) in PICTURES.items():
        with plotting.book_style():
            figure = picture()
            figure.savefig(FOLDER / f"{name}.png", dpi=130, metadata={"Software": None})
            plt.close(figure)
        print(f"{name}.png", math.ceil((FOLDER / f"{name}.png").stat().st_size / 1024), "kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
