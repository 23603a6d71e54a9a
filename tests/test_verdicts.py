"""The rule that gives verdicts: each branch, and its false-alarm rate on equal policies."""

import math

import numpy as np
import pytest
from scipy.stats import binom

from hbucb.claims import Verdict, count_verdict, decide, size_settle, size_verdict, two_sided
from hbucb.statistics import compare

N = 400
CALM = np.full(N, 0.02)
STUCK = np.where(np.arange(N) < 120, 2.0, 0.01)  # 30 % stuck, the rest better than CALM
WORSE = np.full(N, 0.5)


def only(a, b, **options):
    return decide({"claim": compare(a, b, 9.0)}, **options)["claim"]


def test_each_branch_of_the_rule():
    assert only(CALM, WORSE).verdict is Verdict.CONFIRMED
    assert only(WORSE, CALM).verdict is Verdict.REFUTED
    open_case = only(CALM, CALM + np.where(np.arange(N) % 2, 1e-3, -1e-3))
    assert open_case.verdict is Verdict.OPEN and open_case.settle == math.inf
    # Lower in mean and less often stuck, but behind in 70 % of the pairs.
    split = only(CALM, STUCK)
    assert split.verdict is Verdict.DEPENDS
    assert split.sides == {"mean": 1, "stuck": 1, "pair": -1}
    assert only(STUCK, CALM).sides == {"mean": -1, "stuck": -1, "pair": 1}


def test_a_fair_rival_takes_the_plain_word_away():
    family = {
        "ours<greedy": compare(CALM, WORSE, 9.0),
        "ours<fair": compare(CALM, np.full(N, 0.01), 9.0),
        "ours<weak": compare(CALM, np.full(N, 0.4), 9.0),
    }
    rule = decide(family, fair={"ours<greedy": "ours<fair"})
    assert rule["ours<greedy"].verdict is Verdict.NOT_AGAINST_FAIR
    rule = decide(family, fair={"ours<greedy": "ours<weak"})
    assert rule["ours<greedy"].verdict is Verdict.CONFIRMED


def test_numbers_of_a_comparison_by_hand():
    asked = compare(CALM, STUCK, 9.0)
    assert (asked.stuck.first, asked.stuck.second, asked.stuck.neither) == (120, 0, 280)
    assert (asked.pair.first, asked.pair.second) == (120, 280)
    assert asked.difference.mean == pytest.approx(0.02 - (0.3 * 2 + 0.7 * 0.01))
    assert asked.pvalues["pair"] == (asked.pair.p_first, asked.pair.p_second)
    assert asked.settle("pair") < N < math.inf


def test_adjustment_is_over_the_whole_family():
    # 23 of 32 pairs: two-sided p = .02, shown alone at 95 % and not among twenty.
    a = np.zeros(32)
    b = np.where(np.arange(32) < 23, 1e-6, -1e-6) + 1e-6
    asked = compare(a + 1e-6, b, 9.0)
    single = decide({"x": asked}, level=0.9)["x"]
    many = decide({str(i): asked for i in range(20)}, level=0.9)["7"]
    assert single.sides["pair"] == 1 and many.sides["pair"] == 0
    assert many.adjusted["pair"] > single.adjusted["pair"]
    # By hand: mean and stuck show nothing, so Holm multiplies the two-sided p by three.
    two_sided = 2 * sum(math.comb(32, k) for k in range(23, 33)) / 2**32
    assert single.adjusted["pair"] == pytest.approx(3 * two_sided)


def test_tests_judged_elsewhere_count():
    asked = compare(CALM, WORSE, 9.0)
    p = two_sided(asked.pvalues)
    assert p["mean"] == 2 * min(asked.pvalues["mean"])
    alone = decide({"x": asked})["x"]
    among = decide({"x": asked}, others=[1e-9] * 97)["x"]
    # pair and stuck have the same tiny p; the mean is the largest of the three: Holm's last factor.
    assert among.adjusted["pair"] == pytest.approx(100 * p["pair"], rel=1e-12)
    assert alone.adjusted["pair"] == pytest.approx(3 * p["pair"], rel=1e-12)
    assert decide({"x": asked}, others=[1.0] * 97)["x"].adjusted["pair"] >= 100 * p["pair"] * 0.999


def test_counts_in_print():
    # Fisher by hand for 2 x 2 with margins (3, 3), (3, 3): P(3, 0 | 0, 3) = 1/20 on each side.
    assert count_verdict(3, 3, np.zeros(3, bool), alpha=0.11)[0] is Verdict.OTHER_SIZE
    assert count_verdict(3, 3, np.zeros(3, bool), alpha=0.09)[0] is Verdict.SAME
    verdict, share = count_verdict(7, 100, np.arange(600) < 42, alpha=0.01)
    assert verdict is Verdict.SAME and share == pytest.approx(0.07)
    assert count_verdict(37, 100, np.arange(600) < 42, alpha=1e-6)[0] is Verdict.OTHER_SIZE


def test_equal_policies_are_rarely_told_apart():
    # Both columns from one law: anything shown is false. Level .8 in all, so at most 20 % of
    # families err; false alarm of this test below 1e-6 by the binomial limit.
    rng = np.random.default_rng(8)
    wrong = 0
    for _ in range(100):
        family = {}
        for claim in range(3):
            x = np.where(rng.random((2, 60)) < 0.1, 3.0, rng.exponential(0.03, (2, 60)))
            family[str(claim)] = compare(*np.minimum(x, 9.0), 9.0)
        rule = decide(family, level=0.8)
        wrong += any(side for d in rule.values() for side in d.sides.values())
    assert wrong <= binom.isf(1e-6, 100, 0.2)


def test_size_verdicts():
    rng = np.random.default_rng(9)
    base = rng.uniform(0.1, 0.2, 2000)
    assert size_verdict(base, 1.02 * base, 0.9)[0] is Verdict.SAME
    verdict, ratio = size_verdict(2 * base, base, 0.9)
    assert verdict is Verdict.OTHER_SIZE and ratio == pytest.approx(2.0)
    assert size_verdict(base, 2 * base, 0.9)[0] is Verdict.OTHER_SIZE
    # A ratio of 1.15 is inside a margin of 1.25 and outside one of 1.05, on either side.
    for a, b in ((1.15 * base, base), (base, 1.15 * base)):
        assert size_verdict(a, b, 0.9)[0] is Verdict.SAME
        assert size_verdict(a, b, 0.9, margin=1.05)[0] is Verdict.OTHER_SIZE
    assert size_verdict(base[:9], 1.02 * base[:9], 0.9)[0] is Verdict.OPEN


def test_trials_that_settle_a_size():
    rng = np.random.default_rng(10)
    base = rng.uniform(0.1, 0.2, 4000)
    for other, word in ((1.02 * base, Verdict.SAME), (1.6 * base, Verdict.OTHER_SIZE)):
        need = int(size_settle(other[:200], base[:200], 0.9))
        assert size_verdict(other[: need // 2], base[: need // 2], 0.9)[0] is Verdict.OPEN
        assert size_verdict(other[: 2 * need], base[: 2 * need], 0.9)[0] is word


def test_words_are_the_closed_list():
    assert len({str(v) for v in Verdict}) == len(Verdict) == 14
    assert all(v.icon for v in Verdict)
    assert Verdict.CONFIRMED.colour != Verdict.REFUTED.colour != Verdict.OPEN.colour
    with pytest.raises(ValueError):
        Verdict("MOSTLY SUPPORTED")


@pytest.mark.parametrize(
    "call, word",
    [
        (lambda: compare(CALM, WORSE[:5], 9.0), "shapes"),
        (lambda: compare(CALM, WORSE, 0.3), "lie in"),
        (lambda: compare(CALM, WORSE, 9.0, stuck=9.0), "stuck"),
        (lambda: decide({"a": compare(CALM, WORSE, 9.0)}, fair={"a": "b"}), "unknown"),
        (lambda: decide({"a": compare(CALM, WORSE, 9.0)}, level=1.0), "level"),
        (lambda: size_verdict(CALM, WORSE, 9.0, margin=1.0), "margin"),
    ],
)
def test_bad_input_is_named(call, word):
    with pytest.raises(ValueError, match=word):
        call()
