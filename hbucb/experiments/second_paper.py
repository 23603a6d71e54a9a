"""Experiments 1 to 4 of the second paper (EUCBV), and the settings that its scripts ran.

The curves of the preset ``theory`` are the algorithms as the papers define them, those of
``authors`` are the forms that the public scripts ran instead.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hbucb.experiments.plan import Entry, Experiment

MUKHERJEE = "Mukherjee et al., arXiv 1711.03591"
SPREAD_SEED = 1711_03591
_NOTE = (
    "Not in the text: seeds (none), pairing (none), the order of ties (the scripts take the lowest "
    "arm), the drawn variances of Experiments 3 and 4 (here from seed 171103591), constants of the "
    "rivals (the scripts have alpha = 2.1 for OCUCB, c = 1/3 for UCB-V, c = 0 for KL-UCB)."
)


def groups(experiment: str) -> tuple[np.ndarray, np.ndarray, int]:
    """Locations, printed variances and horizon of E1 to E4; the best arm is the last.

    Examples
    --------
    >>> loc, variances, horizon = groups("E2")
    >>> loc[[0, 66, 99]].tolist(), variances[[0, 66, 99]].tolist(), horizon
    ([0.07, 0.01, 0.09], [0.01, 0.25, 0.25], 300000)
    """
    draw = np.random.Generator(np.random.SFC64(SPREAD_SEED)).uniform
    if experiment == "E1":
        loc = np.repeat([0.07, 0.1], [19, 1])
        return loc, loc * (1 - loc), 60_000
    if experiment == "E2":
        sizes = [66, 33, 1]
        return np.repeat([0.07, 0.01, 0.09], sizes), np.repeat([0.01, 0.25, 0.25], sizes), 300_000
    if experiment == "E3":
        wide = draw(0.20, 0.24, 89)
        variances = np.concatenate([np.full(10, 0.01), wide, [0.25]])
        return np.repeat([0.045, 0.04, 0.05], [10, 89, 1]), variances, 400_000
    if experiment == "E4":
        low, high = draw(0.0, 0.05, 49), draw(0.19, 0.24, 50)
        return np.repeat([0.09, 0.1], [99, 1]), np.concatenate([low, high, [0.25]]), 400_000
    raise ValueError(f"experiment is {experiment!r}; allowed: E1, E2, E3, E4")


def eucbv_forms() -> list[tuple[str, str, Any]]:
    """EUCBV as printed, as released, and with the released radius alone."""
    from hbucb.policies.eucbv import EUCBV

    return [
        ("EUCBV", "theory", EUCBV()),
        ("EUCBV (released)", "authors", EUCBV(variant="released")),
        ("EUCBV (released radius)", "authors", EUCBV(radius="released")),
    ]


def rivals() -> list[tuple[str, str, Any]]:
    """The rivals that play any rewards."""
    from hbucb.policies.ccb import CCB
    from hbucb.policies.median_elimination import MedianElimination
    from hbucb.policies.moss import MOSS
    from hbucb.policies.ocucb import OCUCB
    from hbucb.policies.ucb1 import UCB1
    from hbucb.policies.ucb_improved import UCBImproved
    from hbucb.policies.ucb_v import UCBV

    return [
        ("UCB1", "theory", UCB1()),
        ("UCB-V", "theory", UCBV(zeta=1.0, c=1.0)),
        ("UCB-V (c = 1/3)", "authors", UCBV(zeta=1.0, c=1 / 3)),
        ("MOSS", "theory", MOSS()),
        ("MOSS (anytime)", "authors", MOSS(kind="anytime")),
        ("OCUCB", "theory", OCUCB()),
        ("UCB-Improved", "theory", UCBImproved()),
        ("Median Elimination", "theory", MedianElimination()),
        ("CCB", "theory", CCB()),
    ]


def coin_rivals() -> list[tuple[str, str, Any]]:
    """The rivals of Experiment 1 that are for rewards 0 and 1."""
    from hbucb.policies.bayes_ucb import BayesUCB
    from hbucb.policies.dmed import DMED
    from hbucb.policies.kl_ucb import KLUCB, KLUCBPlus
    from hbucb.policies.thompson import ThompsonSampling

    return [
        ("KL-UCB+", "theory", KLUCBPlus()),
        ("KL-UCB", "authors", KLUCB()),
        ("DMED", "theory", DMED()),
        ("DMED (log t)", "authors", DMED(level="t")),
        ("TS", "theory", ThompsonSampling()),
        ("BU", "theory", BayesUCB()),
    ]


def normal_rivals() -> list[tuple[str, str, Any]]:
    """The rivals of Experiments 2 to 4 that are for normal rewards."""
    from hbucb.policies.bayes_ucb import BayesUCB
    from hbucb.policies.dmed import DMED
    from hbucb.policies.kl_ucb import KLUCB, KLUCBPlus
    from hbucb.policies.thompson_gaussian import GaussianThompsonSampling

    return [
        ("KLUCB-G+", "theory", KLUCBPlus(family="gaussian", sigma=1.0)),
        ("KLUCB-G+ (1/4)", "authors", KLUCBPlus(family="gaussian", sigma=0.5)),
        ("KLUCB-G (1/4)", "authors", KLUCB(family="gaussian", sigma=0.5)),
        ("DMED-G", "theory", DMED(family="gaussian", sigma=0.5)),
        ("DMED-G (log t)", "authors", DMED(level="t", family="gaussian", sigma=0.5)),
        ("TS-G", "theory", GaussianThompsonSampling(kind="shrunk")),
        ("TS-G (released)", "authors", GaussianThompsonSampling(kind="released")),
        ("BU-G", "theory", BayesUCB(family="gaussian")),
        ("BU-G (released)", "authors", BayesUCB(family="gaussian released")),
    ]


def second_paper(id: str) -> Experiment:
    """E1 to E4 as printed; "-sd" where the listed variance is used as standard deviation.

    "-zero" is what EUCBV's scripts of Experiments 2 and 3 ran: no noise, the best arm last but one
    and the other arms in rising or falling groups; replay it with ``order="given"``.
    """
    from hbucb.noise import Gaussian, PointMass

    name, _, reading = id.partition("-")
    loc, variances, horizon = groups(name)
    noise: Any = None
    curves = [*eucbv_forms(), *rivals(), *(coin_rivals() if name == "E1" else normal_rivals())]
    if reading == "zero":
        rest = np.sort(loc[:-1]) if name == "E2" else loc[:-1]
        loc, noise = np.concatenate([rest[:98], loc[-1:], rest[98:]]), PointMass(0.0)
        curves = [eucbv_forms()[1]]
    elif name != "E1":
        scale = variances if reading == "sd" else np.sqrt(variances)
        noise = tuple(Gaussian(s) for s in scale.tolist())
    title = {"": "as printed", "sd": "spread as standard deviation", "zero": "no noise"}[reading]
    gaps = loc.max() - loc
    return Experiment(
        id=id,
        title=f"Experiment {name[1]}, {title}: {loc.size} arms, {horizon} pulls",
        environment=f"Experiment {name[1]}",
        noise=noise,
        horizon=horizon,
        entries=tuple(Entry(label, preset, (policy,)) for label, preset, policy in curves),
        source=f"{MUKHERJEE}, Experiment {name[1]}",
        note=_NOTE,
        trials=1 if reading == "zero" else 100,
        verdict_trials=100,
        loc=tuple(loc.tolist()),
        # Worse than pulling all arms equally often.
        stuck=float(gaps.mean()),
        metric="R_T, reward units",
        reading="text" if not reading else "code",
        rounds=tuple(horizon // 100 * k for k in range(1, 101)),
    )
