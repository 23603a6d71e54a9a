"""Functions for the sealed formulas: two that pass, and wrong ones with words of their message."""

import math
from fractions import Fraction

import numpy as np


def eucbv_q(K, T):
    rounds = math.floor(math.log2(T / math.e) / 2) + 1
    level = math.log((T / K) ** 2) - rounds * math.log(2)
    if level <= 0:
        return 1.0
    c = 1 + 2 / level
    blocks = math.floor(math.log(T, c)) + 1
    return min(1.0, 2 * K * blocks * math.exp(-level / (2 * c)))


def _q(K, T, sides=2, more=1, half=2):
    level = 2 * math.log(T / K) - (math.floor(math.log2(T / math.e) / 2) + more) * math.log(2)
    if level <= 0:
        return 1.0
    c = 1 + 2 / level
    blocks = math.floor(math.log(T) / math.log(c)) + 1
    return min(1.0, sides * K * blocks * math.exp(-level / (half * c)))


RIGHT = {
    "ex-06-5": [
        lambda k, delta: np.log(1 / delta) / (4 * np.asarray(k)),
        lambda k, delta: -math.log(delta) * float(Fraction(1, 4)) / k,
    ],
    "ex-13-3": [
        lambda w, alpha: (2 - 1 / (1 - w)) ** (-1 / alpha) - 1,
        lambda w, alpha: np.exp(-np.log((1 - 2 * w) / (1 - w)) / alpha) - 1,
    ],
    "ex-17-5": [
        lambda n, t: 1 - t ** (-1 / (n + 1)),
        lambda n, t: -math.expm1(-math.log(t) / (1 + n)),
    ],
    "ex-18-5": [eucbv_q, _q],
}
WRONG = {
    "ex-06-5": [
        (lambda k, delta: math.sqrt(math.log(1 / delta) / (2 * k)), "this is the radius"),
        (lambda k, delta: math.log(1 / delta) / (2 * k), "g is half of it"),
        (lambda k, delta: math.log(2 / delta) / (4 * k), "one given side"),
        (lambda k, delta: math.log(1 / delta) / (8 * k), "1/2 times the expected"),
        (lambda k, delta: -math.log10(delta) / (4 * k), "1/ln 10 times the expected"),
        (lambda k, delta: math.log(1 / delta) / (4 * k) if k < 200 else 0.01, "at 8 of 12 points"),
        (lambda k, delta: print(k), "is there a return"),
        (lambda k: 1 / k, "raises TypeError"),
        (0.5, "do not call it"),
    ],
    "ex-13-3": [
        (lambda w, alpha: (2 - 1 / (1 - w)) ** (-1 / alpha), "1 subtracted"),
        (lambda w, alpha: (1 - 1 / (2 * (1 - w))) ** (-1 / alpha) - 1, "half of the law"),
        (lambda w, alpha: (1 - 2 * w) ** (-1 / alpha) - 1, "share 1 - w"),
        (lambda w, alpha: 1 - (2 - 1 / (1 - w)) ** (-1 / alpha), "-1 times the expected"),
    ],
    "ex-17-5": [
        (lambda n, t: 1 - t ** (-1 / n), "KL-UCB"),
        (lambda n, t: t ** (-1 / (n + 1)), "this is 1 - q"),
        (lambda n, t: 1 - t ** (-1 / (n + 2)), "exponent is"),
        (lambda n, t: str(1 - t ** (-1 / (n + 1))), "is text"),
    ],
    "ex-18-5": [
        (lambda K, T: _q(K, T, sides=1), "both sides"),
        (lambda K, T: _q(K, T, more=0), "one halving more"),
        (lambda K, T: _q(K, T, half=1), "half of the level"),
        (lambda K, T: _q(K, T) if K < 50 else 2.0, "at 11 of 12 points"),
    ],
}
