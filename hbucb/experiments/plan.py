"""One experiment as data: bandit, curves in presets, sizes, seeds; and how it is played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

PRESETS = ("authors", "theory", "fair", "proved")


@dataclass(frozen=True)
class Entry:
    """One curve of an experiment: its candidates, and the one that the pilot chose.

    Attributes
    ----------
    name : str
        Name in figures and tables.
    preset : str
        One of `PRESETS`.
    candidates : tuple of policies
        The grid of constants.
    chosen : int
        Position in the grid with the lowest mean R_T / T in the pilot (other seed).
    """

    name: str
    preset: str
    candidates: tuple[Any, ...]
    chosen: int = 0

    @property
    def policy(self) -> Any:
        """The chosen candidate."""
        return self.candidates[self.chosen]


@dataclass(frozen=True)
class Experiment:
    """One panel of a figure, as data.

    Attributes
    ----------
    id, title, source, note : str
        Name, one line for people, where the paper has it, choices that the text leaves open.
    environment : str
        Name in `hb.bandits.environment`, or a name for the locations `loc`.
    noise : Noise, tuple of Noise, or None
        Law of the reward noise, shared by all arms, or one an arm; None for coins with success
        probabilities `loc`.
    horizon : int
        Pulls in a trial.
    trials, verdict_trials, pilot_trials : int
        As printed; for verdicts (coupling by arm); for tuning.
    seed, verdict_seed, pilot_seed : int
        One each, all different.
    stuck : float
        A trial is stuck if R_T / T is above this, reward units (Table 1's own target).
    metric : str
    entries : tuple of Entry
    loc : tuple of float, optional
        Locations of the arms where they are no named environment.
    reading : {"text", "code", "ours"}
        Whether the setting is the text's, differs from it as the public code does, or is ours.
    rounds : tuple of int, optional
        Pulls after which regret is recorded; 100 log-spaced ones by default.
    targets : tuple of float
        Levels of R_t / t whose first passage is timed, in reward units (Table 1).
    linear : LinearContextualBandit, optional
        The bandit itself, where it has contexts.
    """

    id: str
    title: str
    environment: str
    noise: Any
    horizon: int
    entries: tuple[Entry, ...] = field(repr=False)
    source: str
    note: str
    trials: int = 120
    verdict_trials: int = 600
    pilot_trials: int = 120
    seed: int = 1
    verdict_seed: int = 2
    pilot_seed: int = 3
    stuck: float = 0.1
    metric: str = "R_T / T, reward units"
    loc: tuple[float, ...] | None = None
    reading: str = "text"
    rounds: tuple[int, ...] | None = field(default=None, repr=False)
    targets: tuple[float, ...] = ()
    linear: Any = field(default=None, repr=False)

    @property
    def bandit(self) -> Any:
        """The bandit."""
        from hbucb.bandits import Bandit, BernoulliBandit, environment

        if self.linear is not None:
            return self.linear
        if self.noise is None:
            return BernoulliBandit(self.loc)
        if self.loc is not None:
            return Bandit(self.loc, self.noise)
        return environment(self.environment, self.noise)

    def policies(self, preset: str | Sequence[str] = "authors") -> dict[str, Any]:
        """Name -> policy of one preset, of several, or of ``"all"``.

        "authors" is what the public code runs, "theory" or "text" what the paper's text prints,
        "fair" a rival that is not handicapped, "proved" an index with a theorem.

        Raises
        ------
        ValueError
            For an unknown preset.
        """
        wanted = [preset] if isinstance(preset, str) else list(preset)
        wanted = ["theory" if name == "text" else name for name in wanted]
        if wanted == ["all"]:
            wanted = list(PRESETS)
        unknown = [name for name in wanted if name not in PRESETS]
        if unknown or not wanted:
            raise ValueError(f"preset must be 'all' or some of {PRESETS}, got {preset!r}")
        return {entry.name: entry.policy for entry in self.entries if entry.preset in wanted}

    def run(
        self,
        trials: int | None = None,
        *,
        preset: str | Sequence[str] | None = None,
        coupling: str = "time",
        seed: int | None = None,
        names: Sequence[str] | None = None,
        executor: Any = None,
        progress: bool = False,
        **options: Any,
    ) -> Any:
        """Play the experiment; as printed by default.

        Parameters
        ----------
        trials : int, optional
            As printed (`self.trials`) if not given.
        preset : str or sequence of str, optional
            As in `policies`; if not given, what the public code runs, or all where it has none.
        coupling : {"time", "arm"}
            "arm" gives all policies the same reward tape of each arm (use it to compare).
        seed : int, optional
            `self.seed` if not given.
        names : sequence of str, optional
            Only these curves of the presets.
        executor, progress, **options
            As in `hb.simulate`.

        Returns
        -------
        Result

        Raises
        ------
        ValueError
            For an unknown preset or name, and as in `hb.simulate`.
        """
        from hbucb.simulation import simulate

        if self.rounds is not None:
            options.setdefault("rounds", self.rounds)
        if preset is None:
            preset = "authors" if self.policies("authors") else "all"
        policies = self.policies(preset)
        if names is not None:
            unknown = [name for name in names if name not in policies]
            if unknown or not names:
                raise ValueError(f"names must be some of {list(policies)}, got {list(names)}")
            policies = {name: policies[name] for name in names}
        return simulate(
            self.bandit,
            policies,
            self.horizon,
            self.trials if trials is None else trials,
            seed=self.seed if seed is None else seed,
            coupling=coupling,
            executor=executor,
            progress=progress,
            **options,
        )

    def verdict_run(self, trials: int | None = None, **options: Any) -> Any:
        """All presets on common reward tapes, at the size and seed that decide verdicts.

        ``names=[...]`` plays these curves only; their numbers do not depend on the others.
        """
        return self.run(
            self.verdict_trials if trials is None else trials,
            preset="all",
            coupling="arm",
            seed=self.verdict_seed,
            **options,
        )

    def pilot(
        self, trials: int | None = None, *, coupling: str = "arm", **options: Any
    ) -> dict[str, list[float]]:
        """Mean R_T / T of every candidate in the pilot run: name -> one number a candidate.

        Only entries with more than one candidate are run.
        """
        from hbucb.simulation import simulate

        grid = {
            f"{entry.name} [{i}]": policy
            for entry in self.entries
            if len(entry.candidates) > 1
            for i, policy in enumerate(entry.candidates)
        }
        result = simulate(
            self.bandit,
            grid,
            self.horizon,
            self.pilot_trials if trials is None else trials,
            seed=self.pilot_seed,
            coupling=coupling,
            rounds=[self.horizon],
            **options,
        )
        return {
            entry.name: [
                float(np.mean(result[f"{entry.name} [{i}]"].regret[:, -1]) / self.horizon)
                for i in range(len(entry.candidates))
            ]
            for entry in self.entries
            if len(entry.candidates) > 1
        }
