"""The comparisons of the third paper's experiments, as questions to stored runs."""

from __future__ import annotations

from typing import NamedTuple


class Side(NamedTuple):
    """One curve: the experiment, its name there, and what of it counts.

    ``part`` is "end", the regret at the horizon, or "late", the regret of the second half.
    """

    experiment: str
    curve: str
    part: str = "end"


class Question(NamedTuple):
    """Does the first side of each reading have less regret than the second?

    Attributes
    ----------
    id : str
    statement : str
        The claim in our words.
    readings : tuple of (Side, Side)
        What the claim may mean; different answers give DEPENDS ON READING.
    fair : tuple of (Side, Side)
        Against the rival with SOLID's own width; empty if there is none.
    group : str
        The sentence of the paper.
    """

    id: str
    statement: str
    readings: tuple[tuple[Side, Side], ...]
    fair: tuple[tuple[Side, Side], ...] = ()
    group: str = ""


FORMS = ("SOLID", "SOLID (practical)")
"""SOLID with the printed schedule, and with the constants of public code of the same group."""
TOY = {"S1-.5": "contexts even", "S1-.9": "rho(x1) = .9", "S1-.99": "rho(x1) = .99"}


def _against(experiment: str, rivals: tuple[str, ...], part: str = "end") -> tuple:
    return tuple(
        (Side(experiment, form, part), Side(experiment, rival, part))
        for form in FORMS
        for rival in rivals
    )


def _toy() -> list[Question]:
    rows = []
    for id, title in TOY.items():
        rows += [
            Question(
                f"{id}/SOLID<LinUCB", f"toy, {title}: SOLID has less regret than LinUCB",
                _against(id, ("LinUCB",)), _against(id, ("LinUCB (same width)",)),
                "on the toy SOLID has less regret than LinUCB, whatever the law of the contexts",
            ),
            Question(
                f"{id}/SOLID<LinTS", f"toy, {title}: SOLID has less regret than LinTS",
                _against(id, ("LinTS", "LinTS (radius)")),
                group="on the toy SOLID has less regret than LinTS, whatever the contexts' law",
            ),
            Question(
                f"{id}/SOLID<OAM", f"toy, {title}: SOLID has less regret than OAM",
                _against(id, ("OAM (0)", "OAM (.01)")),
                group="on the toy SOLID has less regret than OAM, whatever the law of the contexts",
            ),
        ]  # fmt: skip
    return rows


def _toy_details() -> list[Question]:
    late = "toy, contexts even: in the second half SOLID loses less than {}"
    oam = [Side(id, "OAM (0)") for id in TOY]
    forced = [Side(id, "OAM (.01)") for id in TOY]
    return [
        Question(
            "S1/late: SOLID<LinUCB", late.format("LinUCB"),
            _against("S1-.5", ("LinUCB",), "late"),
            _against("S1-.5", ("LinUCB (same width)",), "late"),
        ),
        Question(
            "S1/late: SOLID<LinTS", late.format("LinTS"),
            _against("S1-.5", ("LinTS", "LinTS (radius)"), "late"),
        ),
        Question(
            "S1/optimism and xi", "toy: LinUCB loses more, the smaller xi is (.2 against .01)",
            ((Side("S1-xi.2", "LinUCB"), Side("S1-xi.01", "LinUCB")),),
        ),
        Question(
            "S1/OAM best at 0", "toy, contexts even: OAM is best without forced exploration",
            ((oam[0], forced[0]),),
        ),
        Question(
            "S1/OAM degrades", "toy: without forcing OAM loses more at rho(x1) = .9 and .99",
            ((oam[0], oam[1]), (oam[0], oam[2])),
        ),
        Question(
            "S1/OAM forced at .99", "toy, rho(x1) = .99: forced exploration helps OAM",
            ((forced[2], oam[2]),),
        ),
    ]  # fmt: skip


def _random() -> list[Question]:
    rows = []
    for arms in (4, 8, 16, 32):
        id, title = f"S2-{arms}", f"random problem, {arms} arms"
        for rival, curves, fair in (
            ("LinUCB", ("LinUCB",), _against(id, ("LinUCB (same width)",))),
            ("LinTS", ("LinTS", "LinTS (radius)"), ()),
            ("OAM", ("OAM (.01)",), ()),
        ):
            rows.append(
                Question(
                    f"{id}/SOLID<{rival}", f"{title}: SOLID has less regret than {rival}",
                    _against(id, curves), fair,
                    f"on random problems SOLID has less regret than {rival}",
                )
            )  # fmt: skip
    rows.append(
        Question(
            "S2/arms", "random problems: SOLID loses no more with 32 arms than with 4",
            tuple((Side("S2-32", form), Side("S2-4", form)) for form in FORMS),
        )
    )  # fmt: skip
    return rows


def questions() -> list[Question]:
    """All comparisons, in the order of the text.

    Examples
    --------
    >>> questions()[0].statement
    'toy, contexts even: SOLID has less regret than LinUCB'
    """
    return [*_toy(), *_toy_details(), *_random()]
