"""Claims that need runs beyond the figures: convergence, and the picture of the public code."""

from __future__ import annotations

from hbucb.claims.claim import Claim
from hbucb.claims.figure_1 import ASSUMPTION, PAPER
from hbucb.claims.vocabulary import Verdict

CHAPTER = "R3-beyond-the-paper"
_PICTURE = {
    "UCB": 0.405,
    "SGD-UCB": 0.197,
    "SGD-UCB-Median": 0.24,
    "SGD-UCB-SMoM": 0.322,
    "RUCB-Median": 0.31,
}  # read off by eye


def beyond() -> list[Claim]:
    """The rows of chapter R3, without their verdicts."""
    claims = [
        Claim(
            id=f"X1/value: {name}",
            statement=f"the picture ends near {value:g} for {name}",
            source="read-me picture of the public code (Env2, Cauchy noise of scale 3)",
            kind="magnitude",
            assumptions=ASSUMPTION,
            verdict=Verdict.NOT_ATTEMPTED,
            reading="authors; heights read off by eye; ratio of the mean at T within 1.25",
            numbers="not run yet",
            chapter=CHAPTER,
            experiment="X1",
            better=name,
            worse=name,
            metric=f"value {value:g}",
            group="Heights of the curves in the picture of the public code",
        )
        for name, value in _PICTURE.items()
    ]
    for experiment, bandit in (
        ("X2a", "Env2"),
        ("X2b", "two arms with gap 0.1"),
        ("X2c", "two arms with gap 0.05"),
    ):
        claims.append(
            Claim(
                id=f"{experiment}/halves: SGD-UCB",
                statement=f"SGD-UCB converges under Cauchy noise ({bandit})",
                source=f"{PAPER}, section 4",
                kind="qualitative",
                assumptions=ASSUMPTION,
                verdict=Verdict.NOT_ATTEMPTED,
                reading="authors; regret per pull at a million pulls is less than half of that at "
                "ten thousand (a limit is beyond any run)",
                numbers="not run yet",
                chapter=CHAPTER,
                experiment=experiment,
                better="SGD-UCB",
                worse="SGD-UCB",
                metric="halves",
                group="The SGD family converges although the noise has no expectation",
            )
        )
    return claims
