"""An experiment repeated over a grid of gaps (Figure 4 of the first paper)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hbucb.experiments.plan import Experiment


@dataclass(frozen=True)
class GapSweepResult:
    """What a sweep returns: one `Result` a gap.

    Attributes
    ----------
    gaps : ndarray of float
        In reward units.
    results : tuple of Result
        In the order of the gaps.
    """

    gaps: np.ndarray
    results: tuple[Any, ...] = field(repr=False)

    @property
    def names(self) -> list[str]:
        """The curves' names."""
        return list(self.results[0].names)

    def final(self, name: str) -> np.ndarray:
        """Regret R_T of one policy, (gaps, trials), in reward units."""
        return np.array([result[name].regret[:, -1] for result in self.results])


@dataclass(frozen=True)
class GapSweep:
    """A family of experiments, one for each gap between the best arm and the others.

    Attributes
    ----------
    id, title : str
        As in `Experiment`.
    gaps : tuple of float
        The grid, without 0, where every policy has regret 0; in reward units.
    make : callable
        Gap -> `Experiment`.
    """

    id: str
    title: str
    gaps: tuple[float, ...] = field(repr=False)
    make: Callable[[float], Experiment] = field(repr=False, compare=False)

    @property
    def first(self) -> Experiment:
        """The experiment at the smallest gap; sizes, seeds and names are those of all gaps."""
        return self.at(self.gaps[0])

    @property
    def horizon(self) -> int:
        """Pulls in a trial."""
        return self.first.horizon

    @property
    def trials(self) -> int:
        """Trials at each gap, as printed."""
        return self.first.trials

    @property
    def reading(self) -> str:
        """As in `Experiment`."""
        return self.first.reading

    def at(self, gap: float) -> Experiment:
        """The experiment at one gap of the grid.

        Raises
        ------
        ValueError
            If the grid does not hold this gap.
        """
        for known in self.gaps:
            if abs(known - gap) <= 1e-5 * known:
                return self.make(known)
        raise ValueError(f"gap must be one of {', '.join(f'{g:g}' for g in self.gaps)}, got {gap}")

    def policies(self, preset: str | Sequence[str] = "authors") -> dict[str, Any]:
        """Name -> policy at the smallest gap (its clip level is the gap)."""
        return self.first.policies(preset)

    def run(
        self, trials: int | None = None, *, gaps: Sequence[float] | None = None, **options: Any
    ) -> GapSweepResult:
        """Play the experiment at every gap, or at some; the same noise at each.

        Parameters
        ----------
        trials : int, optional
            As printed if not given.
        gaps : sequence of float, optional
            Part of the grid.
        **options
            As in `Experiment.run`.

        Returns
        -------
        GapSweepResult
        """
        chosen = self.gaps if gaps is None else tuple(gaps)
        options.setdefault("rounds", [self.horizon])
        runs = tuple(self.at(gap).run(trials, **options) for gap in chosen)
        return GapSweepResult(np.array(chosen, dtype=float), runs)

    def pilot(
        self, gaps: Sequence[float], trials: int | None = None, **options: Any
    ) -> dict[str, list[float]]:
        """Mean R_T / (T gap) over some gaps of every candidate in the pilot run.

        Dividing by the gap gives every gap the same weight. As `Experiment.pilot`.
        """
        tables = [(gap, self.at(gap).pilot(trials, **options)) for gap in gaps]
        return {
            name: np.mean([np.array(t[name]) / gap for gap, t in tables], axis=0).tolist()
            for name in tables[0][1]
        }
