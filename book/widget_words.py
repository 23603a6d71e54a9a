"""The words beside the widgets: alternative text, caption, finding and table, from the numbers.

`statics()` gives them all; widget_pictures.py writes them to book/_static/widgets/statics.json.
"""

import numpy as np
import widget_numbers as numbers

ESTIMATES = {
    "mean": "mean",
    "blocks": "median of means",
    "catoni": "Catoni",
    "clipped": "clipped SGD",
    "median": "median",
}
PLAYERS = {"mean": "mean-UCB", "clipped": "clipped SGD", "order": "order statistic"}


def _power(exponent):
    return "10" + "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(c)] for c in str(exponent))


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
        "head": ["law", *(ESTIMATES[n] for n in numbers.NAMES)],
        "rows": rows,
    }


def race_words():
    cases = [
        ("the tenth reward of the best arm is −4000", {}),
        ("no planted reward, c = 1", {"plant": 0}),
        ("no planted reward, c = 0", {"plant": 0, "c": 0.0}),
        ("no planted reward, c = 4", {"plant": 0, "c": 4.0}),
    ]
    rows, regret, stuck = [], {}, {}
    for title, state in cases:
        for name, player in PLAYERS.items():
            actions, _ = numbers.race(name, state)
            counts = np.array([(actions == arm).sum(axis=0) for arm in range(3)])
            r = numbers.RACE["gap"] * actions.sum(axis=0).mean()
            bad = int((counts[0] < counts[1:].max(axis=0)).sum())
            regret[title, name], stuck[title, name] = r, bad
            rows.append([title, player, f"{r:.0f}", f"{bad} of {numbers.RACES}"])
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


def statics():
    """Words and numbers of all widgets."""
    return {
        "race": race_words(),
        "landing": landing_words(),
        "guarantee": guarantee_words(),
        "twopoint": twopoint_words(),
        "walk": walk_words(),
    }
