"""The ladders of the exercises that ask for code."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from hbucb.checks import estimates, players
from hbucb.checks.calls import Fault
from hbucb.checks.ladders import Ladder, Step, is_function_of, value
from hbucb.checks.radii import RUNS, Radius

# ---- ex-09-5: the radius of score SGD ----------------------------------------------------------


def _walk_bound(r: float, k: float, delta: float, tau: float) -> float:
    """Theorem "the last iterate is sub-Gaussian", solved for the probability."""
    return 2 * math.exp(-k * r**2 / (2 * tau**2))


def _walk_errors(rng: np.random.Generator, point: Sequence[float]) -> np.ndarray:
    """Errors of the sign recursion with uniform noise (slope 1, tau = 1) from the far end."""
    x = np.full(RUNS, 1.0)
    for k in range(int(point[0])):
        x = np.clip(x - np.sign(x - rng.uniform(-1, 1, RUNS)) / (k + 1), -1.0, 1.0)
    return x


_WALK = Radius(("k", "delta", "tau"), (200, 0.1, 1.0))
_WALK_POINTS = [(200, 0.1, 1.0), (50, 0.01, 2.0), (1000, 1e-3, 0.5), (7, 0.3, 4.0)]
WALK_RADIUS = Ladder(
    steps=(
        is_function_of("k", "delta", "tau"),
        _WALK.positive(),
        _WALK.scales_with("tau"),
        _WALK.falls_with_k(root=True),
        _WALK.grows_as_delta_falls(),
        _WALK.round_trip(_walk_bound, exact=True, points=_WALK_POINTS),
        _WALK.covers(_walk_errors, (200, 0.001, 1.0), "uniform noise"),
        _WALK.not_too_wide(_walk_bound, (200, 0.001, 1.0), 1.2),
    ),
    right="It gives delta back when it is put into the bound; no run can show that at delta = 0.1.",
)

# ---- ex-05-3: a start that is not forgotten ----------------------------------------------------


def _start_bound(r: float, k: float, delta: float, sigma: float, c: float) -> float:
    """c / (k + 1) is the most that the start adds, the rest is noise."""
    rest = (k + 1) * r - c
    return 1.0 if rest <= 0 else min(1.0, 2 * math.exp(-(rest**2) / (2 * sigma**2 * k)))


def _start_errors(rng: np.random.Generator, point: Sequence[float]) -> np.ndarray:
    """Errors of the recursion with step 1/(k+2) and normal noise, started c away."""
    k, _, sigma, c = point
    x = np.full(RUNS, c)
    for j in range(int(k)):
        x -= (x - sigma * rng.standard_normal(RUNS)) / (j + 2)
    return x


_START = Radius(("k", "delta", "sigma", "c"), (20, 0.1, 1.0, 4.0))
_START_POINTS = [(20, 0.1, 1.0, 4.0), (5, 0.01, 2.0, 0.0), (100, 1e-3, 0.5, 10.0)]


def _remembers_start(radius: Any) -> None:
    at = (20, 0.1, 1.0)
    far, near = (_START.of(radius, (*at, c)) for c in (8.0, 4.0))
    if far <= near:
        raise Fault(
            "a start that may be 8 away gives no longer radius than one that may be 4 away: where "
            "does c enter?"
        )


START_RADIUS = Ladder(
    steps=(
        is_function_of("k", "delta", "sigma", "c"),
        _START.positive(),
        _START.scales_with("sigma", "c"),
        _remembers_start,
        _START.falls_with_k(root=False),
        _START.grows_as_delta_falls(),
        _START.round_trip(_start_bound, exact=False, points=_START_POINTS),
        _START.covers(_start_errors, (20, 0.001, 1.0, 4.0), "normal noise"),
        _START.not_too_wide(_start_bound, (20, 0.001, 1.0, 4.0), 1.25),
    ),
    right="For a small c and few rewards it is shorter than the radius of the average.",
)

# ---- ex-03-5: Huber's estimate ----------------------------------------------------------------


def _clipped_sum(x: np.ndarray, level: float, at: float) -> float:
    return float(np.clip(at - x, -level, level).sum())


HUBER = Ladder(
    steps=(
        is_function_of("x", "lam"),
        estimates.takes_rewards(2.0),
        estimates.equivariant(2.0),
        estimates.near_median(2.0),
        estimates.solves(_clipped_sum, "the sum of the clipped differences"),
    ),
    right="The root lies within the level of the median, so sixty halvings are more than enough.",
)

# ---- ex-15-5: the upper end of a KL interval --------------------------------------------------


def _kl(p: float, q: float) -> float:
    first = p * math.log(p / q) if p > 0 else 0.0
    return first + ((1 - p) * math.log((1 - p) / (1 - q)) if p < 1 else 0.0)


_KL_POINTS = [(0.5, 100, 5.0), (0.001, 10_000, 11.5), (0.0, 50, 7.0), (0.97, 30, 4.0)]
_KL_NAMES = ("mean", "n", "level")


def _inside(upper: Any) -> None:
    for point in _KL_POINTS:
        got = value(upper, *point, names=_KL_NAMES)
        if not point[0] <= got <= 1:
            raise Fault(
                f"at mean = {point[0]:g} the index is {got:.6g}; it lies between mean and 1."
            )
    if abs(value(upper, 1.0, 20, 3.0, names=_KL_NAMES) - 1) > 1e-9:
        raise Fault("at mean = 1 nothing is above the mean: the index is 1.")


def _monotone(upper: Any) -> None:
    base, more, less = (value(upper, 0.3, n, 5.0, names=_KL_NAMES) for n in (50, 500, 5))
    if not more < base < less:
        raise Fault("more pulls must bring the index down: n multiplies the divergence.")
    if value(upper, 0.3, 50, 9.0, names=_KL_NAMES) <= base:
        raise Fault("a higher level must bring the index up.")


def _never_low(upper: Any) -> None:
    for mean, n, level in _KL_POINTS:
        got = value(upper, mean, n, level, names=_KL_NAMES)
        spent = n * _kl(mean, got) if got < 1 else math.inf
        if spent < level * (1 - 1e-12):
            raise Fault(
                f"at mean = {mean:g}, n = {n}, level = {level:g} your index is too low: n "
                f"times the divergence is {spent:.6g}, below the level. Which end of the bracket "
                "is never too low?"
            )


def _sharp(upper: Any) -> None:
    for mean, n, level in _KL_POINTS:
        got = value(upper, mean, n, level, names=_KL_NAMES)
        shorter = mean + (got - mean) * (1 - 1e-3)
        if n * _kl(mean, shorter) >= level:
            raise Fault(
                f"at mean = {mean:g}, n = {n}, level = {level:g} your radius is more than a "
                "thousandth too long: halve until the bracket is short against the radius."
            )


KL_UPPER = Ladder(
    steps=(is_function_of(*_KL_NAMES), _inside, _monotone, _never_low, _sharp),
    right="The upper end of the bracket is never too low, and more halvings cost little.",
)

# ---- ex-01-5: explore, then commit --------------------------------------------------------------

_TABLE = ((1.0, 0.0, 5.0, 5.0), (2.0, 3.0, -10.0, -10.0), (0.5, 0.5, 9.0, 9.0))


def _tape(pull: int, arm: int) -> float:
    """Two tries show averages 0.5, 2.5, 0.5; later rewards tell another story."""
    return _TABLE[arm][min(pull, 3)]


def _commit_hint(t: int, yours: int, expected: int) -> str:
    if t < 6:
        return "Each of the three arms is to be tried twice, in turn: 0, 1, 2, 0, 1, 2."
    if t == 6:
        return "The averages of the two tries are 0.5, 2.5 and 0.5: which is the best?"
    return "It had committed to arm 1, and now leaves it: the decision is made once and for ever."


COMMIT = Ladder(
    steps=(
        players.is_policy(tries=2),
        players.plays([0, 1, 2] * 2, _tape, 3, _commit_hint, horizon=12, tries=2),
        players.plays([0, 1, 2] * 2 + [1], _tape, 3, _commit_hint, horizon=12, tries=2),
        players.plays([0, 1, 2] * 2 + [1] * 6, _tape, 3, _commit_hint, horizon=12, tries=2),
        players.moves_with_rewards(_tape, 3, 12, tries=2),
    ),
    right="Twelve rounds worked out by hand agree, and a shift of all rewards changes nothing.",
    open=players.is_open,
)

# ---- ex-16-5: successive elimination ------------------------------------------------------------


def _drop_count(arms: int, horizon: int, delta: float, gap: float) -> int:
    """The common count at which an arm that is always `gap` worse is dropped: 2 r < gap."""
    level = math.log(2 * arms * horizon / delta)
    return math.floor(2 * level / gap**2) + 1


def _last_pull(arms: int, horizon: int, gap: float) -> Step:
    def step(policy: Any) -> None:
        expected = _drop_count(arms, horizon, 0.01, gap)
        best = arms - 1
        got = players.play(policy, lambda pull, arm: gap * (arm == best), arms, horizon, delta=0.01)
        worse = got.count(0)
        if worse > expected:
            raise Fault(
                f"arm 0 always pays 0 and arm {best} always {gap:g}; you pull arm 0 {worse} times, "
                "also when its upper end is already below the other's lower end. When are arms "
                "dropped, and with which width?"
            )
        if worse < expected:
            raise Fault(
                f"arm 0 always pays 0 and arm {best} always {gap:g}; you drop arm 0 after {worse} "
                "pulls, when the two intervals still overlap. Is the width right, and does it "
                "count on both sides?"
            )

    return step


def _in_turn(policy: Any) -> None:
    got = players.play(policy, lambda pull, arm: 0.5, 3, 60, delta=0.01)
    counts = [[got[:t].count(arm) for arm in range(3)] for t in range(len(got))]
    if any(max(row) - min(row) > 1 for row in counts):
        t = next(t for t, row in enumerate(counts) if max(row) - min(row) > 1)
        raise Fault(
            f"three arms that pay the same all survive, yet after {t} rounds they have "
            f"{counts[t]} pulls: survivors are pulled in turn."
        )


def _never_back(policy: Any) -> None:
    horizon = 400
    enough = _drop_count(2, horizon, 0.01, 1.0)

    def rewards(pull: int, arm: int) -> float:
        """The second arm is better until the first is dropped, then pays nothing any more."""
        return float(arm == 1 and pull < enough)

    got = players.play(policy, rewards, 2, horizon, delta=0.01)
    late = got[2 * enough + 2 :]
    if 0 in late:
        raise Fault("an arm that was dropped is pulled again later: dropped is dropped.")


SUCCESSIVE = Ladder(
    steps=(
        players.is_policy(delta=0.01),
        _in_turn,
        _last_pull(2, 400, 1.0),
        _last_pull(3, 1200, 0.5),
        _never_back,
    ),
    right="Arms go exactly when the intervals part, and never come back.",
    open=players.is_open,
)

LADDERS = {
    "ex-01-5": COMMIT,
    "ex-03-5": HUBER,
    "ex-05-3": START_RADIUS,
    "ex-09-5": WALK_RADIUS,
    "ex-15-5": KL_UPPER,
    "ex-16-5": SUCCESSIVE,
}
