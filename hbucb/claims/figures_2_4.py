"""The claims of Table 1, Figures 2 to 4 and Appendix E of Dorn et al. (arXiv 2402.07062)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hbucb.claims.claim import Claim
from hbucb.claims.figure_1 import ASSUMPTION as CAUCHY
from hbucb.claims.figure_1 import HANDICAP, OURS, PAPER
from hbucb.claims.vocabulary import Verdict

CHAPTER = "R2-table-1-figures-2-4"
_FRECHET = (
    "Assumption 1 fails: the noise is not symmetric. All arms share it, so a common shift cancels "
    "in the choice of an arm; no theorem of the paper says so"
)
_MIXTURE = "Assumption 1 fails (the mixture is not symmetric), Assumption 6 too (no variance)"
_NORMAL = "Assumptions 1 and 6 hold"
_UNIFORM = "the noise is symmetric about 1/2; all arms share the shift"
_PRINTED = {  # Table 1: failures of 100 trials at the targets 0.1 and 0.05
    "SGD-UCB": (7, 17),
    "SGD-UCB-Median": (17, 18),
    "SGD-UCB-SMoM": (12, 30),
    "RUCB-Median": (37, 37),
}


def _claim(id: str, statement: str, group: str, where: str, assumptions: str, **more: Any) -> Claim:
    values: dict[str, Any] = {
        "kind": "comparison",
        "verdict": Verdict.NOT_ATTEMPTED,
        "reading": "authors",
        "numbers": "not run yet",
        "chapter": CHAPTER,
        "source": f"{PAPER}, {where}",
    }
    return Claim(id, statement=statement, group=group, assumptions=assumptions, **(values | more))


def _pair(
    experiment: str,
    better: str,
    worse: str,
    what: str,
    group: str,
    where: str,
    law: str,
    **more: Any,
) -> Claim:
    return _claim(
        f"{experiment}/{better}<{worse}",
        f"{better} has less regret than {worse} in {what}",
        group,
        where,
        law,
        experiment=experiment,
        better=better,
        worse=worse,
        note=HANDICAP if worse == "RUCB-Median" else "",
        **more,
    )


def _size(
    experiment: str, of: str, than: str, what: str, group: str, where: str, law: str, **more: Any
) -> Claim:
    reading = more.pop("reading", "authors") + "; ratio of the means at T within 1.25"
    return _claim(
        f"{experiment}/size:{of}",
        f"{of} is close to {than} in {what}",
        group,
        where,
        law,
        kind="magnitude",
        experiment=experiment,
        better=than,
        worse=of,
        reading=reading,
        **more,
    )


def _table_1() -> Iterator[Claim]:
    where = "section 3.1, Table 1"
    for column, target in enumerate((0.1, 0.05)):
        for ours in OURS:
            yield _claim(
                f"T1/fail {target:g}: {ours}<RUCB-Median",
                f"{ours} misses the target {target:g} less often than RUCB-Median",
                f"Table 1: the SGD family reaches {target:g} more often than RUCB-Median",
                where,
                CAUCHY,
                experiment="T1",
                better=ours,
                worse="RUCB-Median",
                metric=f"fail {target:g}",
                note=HANDICAP,
            )
        for name, counts in _PRINTED.items():
            yield _claim(
                f"T1/count {target:g}: {name}",
                f"{name} misses the target {target:g} in {counts[column]} of 100 trials",
                f"Table 1: failures of 100 at the target {target:g}",
                where,
                CAUCHY,
                kind="magnitude",
                experiment="T1",
                better=name,
                worse=name,
                metric=f"count {counts[column]} fail {target:g}",
                reading="authors; SAME: Fisher's exact test does not tell the two counts apart",
            )
    for ours in OURS:
        yield _claim(
            f"T1/speed: {ours}",
            f"a step of {ours} is significantly cheaper than one of RUCB-Median",
            "Table 1: a step of the SGD family is significantly cheaper than one of RUCB-Median",
            where,
            CAUCHY,
            kind="speed",
            better=ours,
            worse="RUCB-Median",
            reading="processor time of a pull in this package, all trials together; cheaper = by "
            "more than a quarter",
            note="the seconds in print belong to code that computes every block mean anew",
        )


def _figure_2() -> Iterator[Claim]:
    where = "section 3.2, text on Figure 2"
    for ours in OURS:
        yield _pair(
            "F2a", "RUCB-Median", ours, "Env1, Frechet noise of index 1.25",
            "Figure 2, Env1: RUCB-Median outperforms the SGD family", where, _FRECHET,
        )  # fmt: skip
    yield _size(
        "F2a", "SGD-UCB", "RUCB-Median", "Env1, Frechet noise of index 1.25",
        "Figure 2, Env1: SGD-UCB is almost the same as RUCB-Median", where, _FRECHET,
    )  # fmt: skip
    for ours in OURS[:2]:
        for rival in ("UCB", "RUCB-Median"):
            yield _pair(
                "F2b", ours, rival, "Env2, Frechet noise of index 1.25",
                f"Figure 2, Env2: SGD-UCB and SGD-UCB-Median outperform {rival}", where, _FRECHET,
            )  # fmt: skip
    for ours in OURS[:2]:
        yield _pair(
            "F2c", "RUCB-Median", ours, "Env3, Frechet noise of index 1.25, in 15 000 pulls",
            "Figure 2, Env3: RUCB-Median has the smaller regret in the window", where, _FRECHET,
        )  # fmt: skip
        yield _claim(
            f"F2c/late: {ours}<RUCB-Median",
            f"{ours} gains on RUCB-Median: it has less regret per pull in the second half",
            "Figure 2, Env3: SGD-UCB and SGD-UCB-Median are asymptotically faster",
            where,
            _FRECHET,
            kind="comparison",
            experiment="F2c",
            better=ours,
            worse="RUCB-Median",
            metric="late",
            reading="authors; faster = less regret per pull from T/2 to T (no run shows a limit)",
        )


def _appendix_e() -> Iterator[Claim]:
    where = "section 3.1, text on Appendix E"
    for law, name, assumption in (
        ("F1", "Frechet noise of index 1", _FRECHET),
        ("CE", "Cauchy-exponential noise", _MIXTURE),
        ("CP", "Cauchy-Pareto noise", _MIXTURE),
    ):
        for environment in ("Env1", "Env2"):
            for ours in OURS:
                for rival in ("UCB", "RUCB-Median"):
                    yield _pair(
                        f"AE-{law}-{environment}", ours, rival, f"{environment}, {name}",
                        f"Appendix E, {name}, {environment}: as in Figure 1, the SGD family "
                        f"outperforms {rival}", where, assumption,
                        reading='authors; "similar plots" = the claims of Figure 1',
                    )  # fmt: skip
        for ours in OURS:
            yield _pair(
                f"AE-{law}-Env3", "RUCB-Median", ours, f"Env3, {name}",
                f"Appendix E, {name}, Env3: as in Figure 1, RUCB-Median is ahead",
                where, assumption,
                reading='authors; "similar plots" = the claims of Figure 1',
            )  # fmt: skip


def _figure_3() -> Iterator[Claim]:
    where = "section 3.3, text on Figure 3"
    for suffix, law, assumption, reading in (
        ("", "normal noise", _NORMAL, "text (normal noise)"),
        ("-code", "uniform noise", _UNIFORM, "code (uniform noise)"),
    ):
        for letter, environment in zip("abc", ("G1", "G2", "G3"), strict=True):
            experiment = f"F3{letter}{suffix}"
            for rival in (*OURS, "RUCB-Median"):
                yield _pair(
                    experiment, "UCB", rival, f"{environment}, {law}",
                    f"Figure 3, {law}: UCB has the smallest regret in all environments",
                    where, assumption, reading=reading,
                )  # fmt: skip
            for ours in OURS:
                yield _size(
                    experiment, ours, "UCB", f"{environment}, {law}",
                    f"Figure 3, {law}: the SGD family is almost the same as UCB",
                    where, assumption, reading=reading,
                )  # fmt: skip


def _figure_4() -> Iterator[Claim]:
    where = "section 3.4, text on Figure 4"
    for suffix, law, assumption, reading, steps in (
        ("", "normal noise", _NORMAL, "text (normal noise)", (1, 2, 5, 10, 25)),
        ("-code", "uniform noise", _UNIFORM, "code (uniform noise)", (1, 2, 5, 10, 24)),
    ):
        gaps = [f"{k / steps[-1]:g}" for k in steps]
        for gap in gaps:
            for rival in (*OURS, "RUCB-Median"):
                yield _pair(
                    f"F4L{suffix}@{gap}", "UCB", rival, f"two arms with gap {gap}, {law}",
                    f"Figure 4 left, {law}: UCB is optimal", where, assumption, reading=reading,
                )  # fmt: skip
        for gap in gaps[:2]:
            for ours in OURS:
                yield _size(
                    f"F4L{suffix}@{gap}", ours, "RUCB-Median", f"two arms with gap {gap}, {law}",
                    f"Figure 4 left, {law}: for close arms the SGD family is close to RUCB-Median",
                    where, assumption, reading=reading,
                )  # fmt: skip
    for suffix, law, reading, points in (
        ("", "Cauchy noise of scale 1", "text (scale 1)", ("2", "4", "10")),
        ("-code", "Cauchy noise of scale 2", "code (scale 2)", ("2.08333", "4.16667", "10")),
    ):
        for gap in points:
            for ours in OURS:
                yield _pair(
                    f"F4R{suffix}@{gap}", ours, "RUCB-Median", f"five arms with gap {gap}, {law}",
                    f"Figure 4 right, {law}: for distinct arms the SGD family is below RUCB-Median",
                    where, CAUCHY, reading=reading,
                )  # fmt: skip
        for other in (*OURS, "RUCB-Median"):
            yield _pair(
                f"F4R{suffix}@10", other, "UCB", f"five arms with gap 10, {law}",
                f"Figure 4 right, {law}: UCB is far above all others",
                where, CAUCHY, reading=reading,
            )  # fmt: skip


def figures_2_4() -> list[Claim]:
    """The rows of chapter R2, without their verdicts."""
    return [*_table_1(), *_figure_2(), *_appendix_e(), *_figure_3(), *_figure_4()]
