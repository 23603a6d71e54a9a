"""Chapters 20 to 23."""

from __future__ import annotations

import math

from hbucb.checks.questions.kinds import number, right, wrong
from hbucb.checks.sealing import Anchor


@number(
    "ex-20-1",
    "Features (1, 0), (1, 1), (0, 1) gave 2, 3 and {y}: the second weight of the estimate?",
    given={"y": 1.0},
    vary={"y": (2.0, 4.0, 5.0)},
    tolerance=0.004,
)
def third_reward(y: float) -> list[Anchor]:
    first, second = (3 * 5 - (3 + y)) / 8, (3 * (3 + y) - 5) / 8
    return [
        right(second, "The reward is not what 0.8 predicted, so both weights move, in turn."),
        wrong(first, "this is the first weight."),
        wrong(0.8, "this is the estimate before the third reward."),
        wrong(8 * second, "the determinant of V is missing; the inverse divides by it."),
        wrong((2 * (3 + y) - 5) / 3, "V starts with the identity: the weight 1 is missing."),
    ]


@number(
    "ex-20-2",
    "sigma = {sigma}, delta = {delta}, V as in the text: the half-width of the second weight?",
    given={"sigma": 0.5, "delta": 0.01},
    vary={"sigma": (0.25, 1.0, 2.0), "delta": (0.1, 0.001)},
    tolerance=0.004,
)
def half_width(sigma: float, delta: float) -> list[Anchor]:
    noise = sigma * math.sqrt(2 * math.log(1 / delta) + math.log(5))
    return [
        right(
            (noise + 1) * math.sqrt(0.6),
            "Most of it is the price of all directions and all rounds.",
        ),
        wrong(noise + 1, "this is r; it is multiplied by the length of (0, 1) in V inverse."),
        wrong(
            (noise + 1) / math.sqrt(2),
            "this is 1 / V_22: the first weight is unknown too, take the entry of the inverse.",
        ),
        wrong(noise * math.sqrt(0.6), "the part of the parameter's own length is missing."),
        wrong(
            (sigma * math.sqrt(2 * math.log(1 / delta)) + 1) * math.sqrt(0.6),
            "the determinant is missing under the root.",
        ),
    ]
