"""Chapters 21 and 22."""

from __future__ import annotations

import math

from hbucb.checks.questions.kinds import number, right, wrong
from hbucb.checks.sealing import Anchor


@number(
    "ex-21-1",
    "xi = {xi}, sigma = {sigma}: v*?",
    given={"xi": 0.4, "sigma": 0.5},
    vary={"xi": (0.3, 0.35, 0.45), "sigma": (1.0, 2.0)},
)
def price(xi: float, sigma: float) -> list[Anchor]:
    noise = 2 * sigma**2
    return [
        right(noise / xi, "Beyond a quarter the near arm is the cheaper teacher."),
        wrong(
            4 * noise, "this is arm 2's price; compare what arm 3 asks for the same information."
        ),
        wrong(noise * (1 + 1 / xi), "this is the price of separate arms: the parameter is shared."),
        wrong(noise / xi**2, "these are pulls; each costs xi."),
    ]


@number(
    "ex-21-2",
    "Gap {gap}, sigma = {sigma}: z_lower?",
    given={"gap": 0.4, "sigma": 0.5},
    vary={"gap": (0.3, 0.5, 0.8), "sigma": (1.0, 2.0)},
)
def rounds(gap: float, sigma: float) -> list[Anchor]:
    pulls = 2 * sigma**2 / gap**2
    return [
        right(4 * pulls, "Half of the rounds on each arm; the pulls of (P) are a quarter of them."),
        wrong(pulls, "these are the pulls of the bad arm if the good one is known."),
        wrong(2 * pulls, "both arms must be pulled, and both estimates are uncertain."),
        wrong(2 * sigma**2 / gap, "this is v*, in reward units."),
    ]


@number(
    "ex-22-1",
    "z = {z}, k = {k}: the least number of steps from price 0 to {price}?",
    given={"z": 23.0, "k": 100_000, "price": 5.0},
    vary={"z": (12.0, 40.0), "k": (10_000, 1_000_000), "price": (2.5, 4.0)},
)
def climb(z: float, k: int, price: float) -> list[Anchor]:
    return [
        right(
            price * z * math.sqrt(k), "More than a third of the run, with no information at all."
        ),
        wrong(price * z, "the step is 1/sqrt(k), not 1."),
        wrong(price * math.sqrt(k), "a step raises the price by gamma/z, not by gamma."),
        wrong(price / z * math.sqrt(k), "z is on the wrong side of the fraction line."),
    ]


@number(
    "ex-22-3",
    "z = {z}: the price at the saddle point?",
    given={"z": 50.0},
    vary={"z": (40.0, 80.0, 100.0)},
)
def saddle_price(z: float) -> list[Anchor]:
    root = math.sqrt(1 - 32 / z)
    return [
        right(4 / root, "Above u*(z), as every price is."),
        wrong(4.0, "this is v*, the limit for large z."),
        wrong(z * (1 - root) / 4, "this is u*(z), the cost; the price is larger."),
        wrong(4 / root**2, "1 - 2 omega is the root, not its square."),
    ]
