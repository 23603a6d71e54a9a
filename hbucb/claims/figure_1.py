"""The claims of Figure 1 of Dorn et al. (arXiv 2402.07062): statements in our words."""

from __future__ import annotations

from hbucb.claims.claim import Claim
from hbucb.claims.vocabulary import Verdict

OURS = ("SGD-UCB", "SGD-UCB-Median", "SGD-UCB-SMoM")
PAPER = "Dorn et al., arXiv 2402.07062"
ASSUMPTION = (
    "Assumption 1 (symmetry, a moment of some order) holds; Assumption 6 (finite variance of the "
    "gradient) fails for all three variants: a median of three Cauchy draws has none"
)
HANDICAP = "RUCB-Median is run with eps = 0, so that its bonus is one constant: it is greedy"


def figure_1() -> list[Claim]:
    """The rows of chapter R1, without their verdicts."""
    claims = []
    chapter = "R1-figure-1"

    def add(experiment: str, better: str, worse: str, statement: str, **other: str) -> None:
        claims.append(
            Claim(
                id=f"{experiment}/{better}<{worse}",
                statement=statement,
                group=other.pop("group"),
                source=f"{PAPER}, section 3.1, text on Figure 1",
                kind="comparison",
                assumptions=ASSUMPTION,
                verdict=Verdict.NOT_ATTEMPTED,
                reading=other.pop("reading", "authors"),
                numbers="not run yet",
                chapter=chapter,
                experiment=experiment,
                better=better,
                worse=worse,
                note=other.pop("note", ""),
            )
        )

    for experiment, environment in (("F1a", "Env1"), ("F1b", "Env2")):
        for ours in OURS:
            for rival in ("UCB", "RUCB-Median"):
                add(
                    experiment,
                    ours,
                    rival,
                    f"{ours} outperforms {rival} in {environment} under Cauchy noise",
                    group=f"{environment}: the SGD family outperforms {rival}",
                    note=HANDICAP if rival == "RUCB-Median" else "",
                )
        for rival in ("UCB", "RUCB-Median"):
            add(
                experiment,
                "SGD-UCB (theory)",
                rival,
                f"SGD-UCB with the constants that Theorem 10 prints outperforms {rival} in "
                f"{environment}",
                reading="theory",
                group="Env1 and Env2: SGD-UCB as the theorem has it outperforms both rivals",
                note="Cauchy noise has no standard deviation; sigma = 1 is a choice of this replay",
            )
    for ours in OURS:
        add(
            "F1c",
            "RUCB-Median",
            ours,
            f"in Env3 RUCB-Median needs fewer steps than {ours} to the same mean regret",
            group="Env3: RUCB-Median converges faster per step",
        )
    for ours in OURS:
        claims.append(
            Claim(
                id=f"F1c/size:{ours}",
                statement=f"in Env3 RUCB-Median is only slightly ahead of {ours}",
                source=f"{PAPER}, section 3.1, text on Figure 1",
                kind="magnitude",
                assumptions=ASSUMPTION,
                verdict=Verdict.NOT_ATTEMPTED,
                reading='authors; "slightly" = ratio of the means at T within 1.25',
                numbers="not run yet",
                chapter=chapter,
                experiment="F1c",
                better="RUCB-Median",
                worse=ours,
                group="Env3: only slightly faster",
            )
        )
    claims.append(
        Claim(
            id="F1/values",
            group="The heights of the curves",
            statement="the heights of the curves of Figure 1",
            source=f"{PAPER}, Figure 1",
            kind="magnitude",
            assumptions=ASSUMPTION,
            verdict=Verdict.NOT_ENOUGH_INFORMATION,
            reading="none",
            numbers="the text states no value of any curve",
            chapter=chapter,
            note="missing: the data behind the picture, the constants of each curve, the seeds",
        )
    )
    claims.append(
        Claim(
            id="F1/convergence",
            group="The SGD family converges without expectation",
            statement="the mean regret of the SGD family goes to zero, noise without expectation",
            source=f"{PAPER}, section 4",
            kind="qualitative",
            assumptions=ASSUMPTION,
            verdict=Verdict.NOT_ATTEMPTED,
            reading="authors",
            numbers="needs horizons beyond the figure's",
            chapter=chapter,
            note="1e4 pulls cannot tell a slow decay from a floor",
        )
    )
    return claims
