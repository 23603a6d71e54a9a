"""The table of experiments: every id and how to make it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from hbucb.experiments.additions import asymmetric, baselines, long, provable
from hbucb.experiments.panels import HORIZON, NOTE, heavy, light, sweep, table_1
from hbucb.experiments.plan import Experiment
from hbucb.experiments.second_paper import second_paper
from hbucb.experiments.sweep import GapSweep
from hbucb.experiments.third_paper import third_paper, third_paper_ids


@cache
def _table() -> Mapping[str, Callable[[], Experiment | GapSweep]]:
    """Id -> how to make it; cheap, as nothing is made before it is asked for."""
    table: dict[str, Callable[[], Experiment | GapSweep]] = {}

    def add(make: Callable[..., Experiment | GapSweep], id: str, *rest: Any, **more: Any) -> None:
        table[id] = lambda: make(id, *rest, **more)

    panels = tuple(zip("abc", HORIZON, strict=True))
    for letter, name in panels:
        add(heavy, f"F1{letter}", name, "C1", "Figure 1", "section 3.1, Figure 1")
    add(table_1, "T1")
    add(table_1, "T1-code", rival=True)
    for letter, name in panels:
        add(heavy, f"F2{letter}", name, "F1.25", "Figure 2", "section 3.2, Figure 2")
    for law in ("F1", "CE", "CP", "CP-code", "F1.1", "C3"):
        for letter, name in panels:
            # Noise of the public code alone has no claim, and the constants of the nearest panel.
            near = {"CP-code": f"AE-CP-{name}", "F1.1": f"AE-F1-{name}", "C3": f"F1{letter}"}
            add(
                heavy,
                f"AE-{law}-{name}",
                name,
                law,
                f"Appendix E: {law}",
                "section 3.1, Appendix E (plots not in our copy)",
                pilot=near.get(law, ""),
                reading="code" if law in near else "text",
            )
    for reading, law, suffix in (("text", "N01", ""), ("code", "U01", "-code")):
        for letter, name in zip("abc", ("G1", "G2", "G3"), strict=True):
            add(light, f"F3{letter}{suffix}", name, law, reading)
    for side, others, top in (("L", 1, 1.0), ("R", 4, 10.0)):
        for reading, suffix, steps in (("text", "", 25), ("code", "-code", 24)):
            law = {"L": "N01", "L-code": "U01", "R": "C1", "R-code": "C2"}[side + suffix]
            id = f"F4{side}{suffix}"
            grid = tuple(round(top * k / steps, 12) for k in range(1, steps + 1))
            add(sweep, id, law, others, grid, reading)
    add(
        heavy, "X1", "Env2", "C3", "The read-me picture", "public code",
        pilot="F1b", reading="code",
        note=f"{NOTE} The constants are those that the pilot of Figure 1 chose in the same bandit.",
    )  # fmt: skip
    for id, loc in (
        ("X2a", tuple(k / 10 for k in range(10))), ("X2b", (0.0, 0.1)), ("X2c", (0.0, 0.05)),
    ):  # fmt: skip
        add(long, id, loc)
    add(baselines, "X3a", "Env1")
    add(baselines, "X3b", "Env2")
    add(provable, "X4a", "Env1")
    add(provable, "X4b", "Env2")
    add(asymmetric, "X5a", (0.0, 0.5), (6.0, 1.5))
    add(asymmetric, "X5b", (0.0, 0.25, 0.5, 0.75, 1.0), (6.0, 4.0, 3.0, 2.0, 1.5))
    add(asymmetric, "X5c", (0.0, 0.25, 0.5, 0.75, 1.0), (1.5,) * 5)
    for id in ("E1", "E2", "E2-sd", "E2-zero", "E3", "E3-sd", "E3-zero", "E4", "E4-sd"):
        add(second_paper, id)
    for id in third_paper_ids():
        add(third_paper, id)
    return MappingProxyType(table)


def experiment_ids() -> list[str]:
    """Names of all experiments: the first paper's, ours (X), the second (E) and third paper's (S).

    Examples
    --------
    >>> ids = experiment_ids()
    >>> ids[:4], ids[-1]
    (['F1a', 'F1b', 'F1c', 'T1'], 'S4')
    """
    return list(_table())


def experiment(id: str) -> Any:
    """The experiment of this name.

    Parameters
    ----------
    id : str
        One of `experiment_ids()`; for a point of a sweep, its id and gap such as "F4R@4".

    Returns
    -------
    Experiment or GapSweep

    Raises
    ------
    ValueError
        For an unknown name, or a gap that is not on the grid.

    Examples
    --------
    >>> f1a = experiment("F1a")
    >>> f1a.horizon, f1a.trials, sorted(f1a.policies("authors"))[:2]
    (10000, 120, ['RUCB-Median', 'SGD-UCB'])
    >>> experiment("F4R@4").bandit.loc.tolist()
    [0.0, 0.0, 0.0, 0.0, 4.0]
    """
    name, at, gap = str(id).partition("@")
    table = _table()
    if name not in table:
        raise ValueError(f"id must be one of {', '.join(table)}, got {id!r}")
    made = table[name]()
    if not at:
        return made
    if not isinstance(made, GapSweep):
        raise ValueError(f"id = {id!r}: {name} has no gaps, write {name!r}")
    try:
        return made.at(float(gap))
    except ValueError as error:
        raise ValueError(f"id = {id!r}: {error}") from error
