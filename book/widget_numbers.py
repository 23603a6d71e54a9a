"""The numbers of the book's widgets, computed with hbucb.

Each function takes a state as the widget's `compute` does and gives what the widget must show: the
static pictures are drawn from it (widget_pictures.py), and the tests compare it with the widgets in
a browser. Only the noise is made here, by the same integer hash, and turned into rewards by the
quantile functions of `hbucb.noise`.
"""

import math

import numpy as np

import hbucb as hb
from hbucb import noise
from hbucb.estimators import Catoni, MedianOfMeans, SampleMean, SampleMedian
from hbucb.optimizers import (
    Clip,
    DriftCondition,
    KnownLaw,
    LastIterateG,
    LastIterateUniformG,
    MedianOfMeansG,
    ScoreSGD,
    Sign,
    SubGaussianG,
    g_paper,
    two_point,
    two_point_literal,
)
from hbucb.statistics import clopper_pearson
from hbucb.streams import Run
from hbucb.theory import BELOW, fo_regret, g_inverse, uniform_pull_bound, zo_regret


def _mix(x):
    """The finaliser of MurmurHash3 on unsigned 32-bit integers."""
    x = (x ^ (x >> np.uint32(16))) * np.uint32(0x85EBCA6B)
    x = (x ^ (x >> np.uint32(13))) * np.uint32(0xC2B2AE35)
    return x ^ (x >> np.uint32(16))


def uniforms(seed, n):
    """n uniform numbers of (0, 1) from a hash of the seed and the place, as in widget.js."""
    with np.errstate(over="ignore"):
        base = _mix(np.array([seed], np.uint32) ^ np.uint32(0x9E3779B9))
        words = _mix(_mix(np.arange(1, n + 1, dtype=np.uint32)) + base)
    return (words + 0.5) / 2**32


# ---- k times the error as a random walk ------------------------------------------------------

WALK = {"law": "cauchy", "rule": "falling", "claim": 0.5, "start": 1.0, "delta": 0.01, "seed": 1}
WALK_LAWS = {"uniform": noise.Uniform(), "cauchy": noise.Cauchy(), "hole": noise.ParetoHole(0.5)}
RUNS, LENGTH = 200, 1000
GRID = np.unique([math.floor(10 ** (i / 16) + 0.5) for i in range(49)])


def walk(state):
    """Quantiles, mean and failures of 200 runs of sign SGD after the counts of `GRID`."""
    s = WALK | state
    law, claim = WALK_LAWS[s["law"]], s["claim"]
    draws = law.ppf(uniforms(s["seed"], RUNS * LENGTH)).reshape(LENGTH, RUNS)
    factor = 2.0 if s["rule"] == "half" else 1.0
    # a claim may be false, and even impossible for reach 1: the step only takes its slope
    sgd = ScoreSGD(DriftCondition(Sign(), 1 / (2 * factor * claim), factor * claim), pulls=1)
    x, kept = np.full(RUNS, s["start"]), []
    for k in range(LENGTH):
        if s["rule"] == "constant":
            x = np.clip(x - 0.05 / claim * Sign()(x, draws[k]), -1, 1)
        else:
            x = sgd.step(x, draws[k], k, -1.0, 1.0)
        if k + 1 in GRID:
            kept.append(x)
    kept = np.array(kept)
    tau_claimed = DriftCondition(Sign(), 1 / (2 * claim), claim)
    radius = np.sqrt(2 * LastIterateG(tau_claimed)(GRID, s["delta"]))
    low, middle, high = np.quantile(kept, [0.05, 0.5, 0.95], axis=1)
    outside = (np.abs(kept) > radius[:, None]).sum(axis=1)
    limits = clopper_pearson(int(outside[-1]), RUNS)
    return {
        "k": GRID,
        "low": low,
        "middle": middle,
        "high": high,
        "mean": kept.mean(axis=1),
        "radius": radius,
        "outside": outside,
        "paths": kept[:, :3].T,
        "limits": np.array([float(v) for v in limits]),
    }


# ---- two values of one reward ----------------------------------------------------------------

TWOPOINT = {"place": 1.0, "exponent": 0, "x": 0.0, "lam": 1.7, "form": "literal"}


def twopoint(state):
    """The two values, their half difference as written, and the clip that it equals."""
    s = TWOPOINT | state
    reward = s["place"] * float(f"1e{s['exponent']}")
    return {
        "reward": reward,
        "above": abs(s["x"] + s["lam"] - reward),
        "below": abs(s["x"] - s["lam"] - reward),
        "clip": float(two_point(s["x"], reward, s["lam"])),
        "literal": float(two_point_literal(s["x"], reward, s["lam"])),
    }


# ---- a guarantee and its inverse -------------------------------------------------------------

GUARANTEE = {"method": "each", "law": "cauchy", "gap": 1.0, "e": 8, "logT": 4.0, "zoom": 0}
GUARANTEE_LAWS = {
    "normal": noise.Gaussian(),
    "cauchy": noise.Cauchy(),
    "lomax": noise.SymmetricLomax(0.5),
}


def guarantee_of(method, law, horizon):
    """g of the method under the law as (g, order), or None where it promises nothing."""
    known = GUARANTEE_LAWS[law]
    if method in ("mean", "blocks") and known.subgaussian == math.inf:
        return None
    if method == "each":
        return LastIterateG(KnownLaw(known).at(1.0)), "first"
    if method == "all":
        return LastIterateUniformG(KnownLaw(known).at(1.0)), "first"
    if method == "mean":
        return SubGaussianG(sigma=1.0, sides=1), "first"
    if method == "blocks":
        return MedianOfMeansG(MedianOfMeans(eps=1.0, v=1.0)), "zero"
    return (lambda k, delta: g_paper(k, delta, horizon=horizon, rho=1.0)), "first"


def bound_at(method, law, gap, horizon, delta=None):
    """Regret bound of two arms at one horizon; delta None is the level of the policies."""
    found = guarantee_of(method, law, horizon)
    if found is None:
        return math.inf
    g, order = found
    if method == "all":
        delta = 1 / max(horizon, 2) if delta is None else delta
        enough = g_inverse(g, BELOW * gap**2 / 8, delta)
        return gap * float(uniform_pull_bound(enough, horizon, delta))
    regret = fo_regret if order == "first" else zo_regret
    return float(regret([0.0, gap], horizon, g=g, delta=delta))


def _counts(low, high, count):
    places = [low + (high - low) * i / (count - 1) for i in range(count)]
    return np.array([math.floor(10**place + 0.5) for place in places])


def guarantee(state, *, curve=True):
    """Radii, inverse counts and bounds of the state."""
    s = GUARANTEE | state
    horizon, delta = math.floor(10 ** s["logT"] + 0.5), 10.0 ** -s["e"]
    far = 6 if s["zoom"] else 0
    found = guarantee_of(s["method"], s["law"], horizon)

    def first(gap, level):
        if found is None:
            return math.inf
        g, order = found
        goal = gap**2 / 8 if order == "first" else gap / 2
        return g_inverse(g, BELOW * goal, level)

    counts, horizons = _counts(0, 6 + far, 80), _counts(1, 8 + far, 40)
    radii = np.full(80, np.inf)
    if found is not None:
        values = np.asarray(found[0](counts, delta), dtype=float)
        radii = np.sqrt(2 * values) if found[1] == "first" else values
    ask = (s["method"], s["law"], s["gap"])
    result = {
        "T": horizon,
        "counts": counts,
        "horizons": horizons,
        "radii": radii,
        "n": first(s["gap"], delta),
        "half": first(s["gap"] / 2, delta),
        "loose": first(s["gap"], 1e-2),
        "bound": bound_at(*ask, horizon, delta),
    }
    if curve:
        result["curve"] = np.array([bound_at(*ask, int(t)) for t in horizons])
    return result


def speaks(state):
    """A horizon from which the bound is below T times the gap, and one before not; inf if none."""
    s = GUARANTEE | state

    def below(horizon):
        return bound_at(s["method"], s["law"], s["gap"], horizon) < s["gap"] * horizon

    low, high = 1, 2
    while not below(high):
        if high >= 10**15:
            return math.inf
        low, high = high, min(4 * high, 10**15)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if below(middle) else (middle, high)
    return high


# ---- where five estimates land ---------------------------------------------------------------

LANDING = {"alpha": 2.5, "asym": 0.0, "hole": 0.0, "n": 100, "seed": 1}
REPEATS, LANDING_DELTA = 400, 0.05
NAMES = ("mean", "blocks", "catoni", "clipped", "median")


def landing_rewards(state):
    """Rewards (repeats, n): symmetric Lomax noise, its halves pushed apart and scaled."""
    s = LANDING | state
    base = noise.SymmetricLomax(s["alpha"]).ppf(uniforms(s["seed"], REPEATS * s["n"]))
    side = np.where(base < 0, -1.0, 1.0)
    return ((1 + side * s["asym"]) * (base + side * s["hole"])).reshape(REPEATS, s["n"])


def landing_mean(state):
    """The true mean from the moments of the Pareto law; nan where there is none."""
    s = LANDING | state
    if s["alpha"] <= 1:
        return math.nan
    half = s["hole"] - 1 + noise.Pareto(s["alpha"]).mean
    return (1 + s["asym"]) / 2 * half - (1 - s["asym"]) / 2 * half


def landing(state, repeats=None):
    """Estimates of the repeats, name -> array, by the package's own estimators."""
    rewards = landing_rewards(state)
    rewards = rewards if repeats is None else rewards[repeats]
    sgd = ScoreSGD(DriftCondition(Clip(2.0), 4.0, 0.5), (-2.0, 2.0), x0=1.0)
    x = np.full(len(rewards), 1.0)
    for k, row in enumerate(rewards.T):
        x = sgd.step(x, row, k, -2.0, 2.0)
    blocks, catoni, delta = MedianOfMeans(eps=1.0, v=1.0), Catoni(v=1.0), LANDING_DELTA
    return {
        "mean": np.array([SampleMean().estimate(row) for row in rewards.tolist()]),
        "blocks": np.array([blocks.estimate(row, delta) for row in rewards.tolist()]),
        "catoni": np.array([catoni.estimate(row, delta) for row in rewards]),
        "clipped": x,
        "median": np.array([SampleMedian().estimate(row) for row in rewards]),
    }


# ---- three indices race ----------------------------------------------------------------------

RACE = {"t": 60, "gap": 0.5, "scale": 0.5, "c": 1.0, "seed": 1, "plant": 1}
PLAYERS, ARMS, PULLS, RACES = ("mean", "clipped", "order"), 3, 600, 40


def race_tapes(state):
    """Reward tapes (runs, arms, pulls)."""
    s = RACE | state
    draws = noise.Cauchy(s["scale"]).ppf(uniforms(s["seed"], RACES * ARMS * PULLS))
    tapes = draws.reshape(RACES, ARMS, PULLS) - s["gap"] * np.arange(ARMS)[:, None]
    if s["plant"]:
        tapes[:, 0, 9] = -4000.0
    return tapes


def race_policy(name, c):
    """The players; the order statistic has no constant."""
    if name == "mean":
        return hb.UCB(sigma=c / math.sqrt(2), kind="log")
    if name == "clipped":
        return hb.ClippedSGDUCB(preset="decreasing", c=c, kappa=0.7, clip=2.0, p=3)
    return hb.OrderStatisticUCB(kind="anytime")


def race(name, state, runs=RACES):
    """Actions (pulls, runs) and the indices (pulls, runs, arms) that each choice compared."""
    s = RACE | state
    tapes = race_tapes(s)[:runs]
    play = race_policy(name, s["c"]).start(Run(runs, ARMS, PULLS))
    row, counts = np.arange(runs), np.zeros((runs, ARMS), np.int64)
    actions, indices = [], []
    for t in range(PULLS):
        arm = play.select(t).copy()
        indices.append(play.indices().copy())
        actions.append(arm)
        play.update(t, arm, tapes[row, arm, counts[row, arm]])
        counts[row, arm] += 1
    return np.array(actions), np.array(indices)
