"""The experiments of the papers as data: bandit, policies, horizon, trials, metric, seeds.

An experiment is fixed here before it is run at full size: which policies play in which *preset*,
which constants were candidates, which candidate a pilot run with another seed chose, how many
trials decide. The presets of Figure 1 of Dorn et al. (arXiv 2402.07062):

- ``authors``: what the public code runs.
- ``theory``: the step, clip level and radius that the theorems print.
- ``fair``: a median of means that explores, its block length and constant tuned as the authors
  tuned theirs; and clipped SGD with a decreasing step.

`import hbucb` does not load this module; `hb.experiment("F1a")` does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

PRESETS = ("authors", "theory", "fair")


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
        Name in `hb.bandits.environment`.
    noise : Noise
        Law of the reward noise, shared by all arms.
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

    @property
    def bandit(self) -> Any:
        """The bandit."""
        from hbucb.bandits import environment

        return environment(self.environment, self.noise)

    def policies(self, preset: str | Sequence[str] = "authors") -> dict[str, Any]:
        """Name -> policy of one preset, of several, or of ``"all"``.

        Raises
        ------
        ValueError
            For an unknown preset.
        """
        wanted = [preset] if isinstance(preset, str) else list(preset)
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
        preset: str | Sequence[str] = "authors",
        coupling: str = "time",
        seed: int | None = None,
        executor: Any = None,
        progress: bool = False,
        **options: Any,
    ) -> Any:
        """Play the experiment; as printed by default.

        Parameters
        ----------
        trials : int, optional
            As printed (`self.trials`) if not given.
        preset : str or sequence of str
            As in `policies`.
        coupling : {"time", "arm"}
            "arm" gives all policies the same reward tape of each arm (use it to compare).
        seed : int, optional
            `self.seed` if not given.
        executor, progress, **options
            As in `hb.simulate`.

        Returns
        -------
        Result

        Raises
        ------
        ValueError
            For an unknown preset, and as in `hb.simulate`.
        """
        from hbucb.simulation import simulate

        return simulate(
            self.bandit,
            self.policies(preset),
            self.horizon,
            self.trials if trials is None else trials,
            seed=self.seed if seed is None else seed,
            coupling=coupling,
            executor=executor,
            progress=progress,
            **options,
        )

    def verdict_run(self, trials: int | None = None, **options: Any) -> Any:
        """All presets on common reward tapes, at the size and seed that decide verdicts."""
        return self.run(
            self.verdict_trials if trials is None else trials,
            preset="all",
            coupling="arm",
            seed=self.verdict_seed,
            **options,
        )

    def pilot(self, trials: int | None = None, **options: Any) -> dict[str, list[float]]:
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
            coupling="arm",
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


_SGD = {"SGD-UCB": (0, 1), "SGD-UCB-Median": (1, 1), "SGD-UCB-SMoM": (1, 2)}
_WIDE = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)  # wide enough that the best constant is inside
_NOTE = (
    "Not in the text: the constants (the code lists c in {0.1, 0.2} for the SGD family and "
    "{0.1, 1} for UCB), the clip level (the code takes max |mu|), the bonus of RUCB-Median (the "
    "code sets eps = 0), the band (half a standard deviation), seeds (none), pairing (none)."
)


def _figure_1(id: str, environment: str, horizon: int, chosen: Mapping[str, int]) -> Experiment:
    from hbucb.bandits import environment as make
    from hbucb.estimators import MedianOfMeans
    from hbucb.noise import Cauchy
    from hbucb.policies.clipped_sgd_ucb import ClippedSGDUCB
    from hbucb.policies.robust_ucb import RobustUCB
    from hbucb.policies.ucb import UCB

    noise = Cauchy(1.0)
    largest = float(np.max(np.abs(make(environment, noise).loc)))
    grids: list[tuple[str, str, tuple[Any, ...]]] = [
        ("UCB", "authors", tuple(UCB(sigma=c, kind="log") for c in (0.1, 1.0))),
    ]
    for name, (m, n) in _SGD.items():
        grids.append(
            (
                name,
                "authors",
                tuple(
                    ClippedSGDUCB(m=m, n=n, preset="authors", rho=largest, c=c) for c in (0.1, 0.2)
                ),
            )
        )
    estimator = MedianOfMeans(eps=1.0, v=largest)
    grids.append(("RUCB-Median", "authors", (RobustUCB(estimator, preset="authors"),)))
    for name, (m, n) in _SGD.items():
        grids.append(
            (
                f"{name} (theory)",
                "theory",
                (ClippedSGDUCB(m=m, n=n, preset="theory", rho=largest, sigma=1.0),),
            )
        )
    grids.append(("RUCB-Median (theory)", "theory", (RobustUCB(estimator),)))
    grids.append(
        (
            "Median of means (fair)",
            "fair",
            tuple(RobustUCB(preset="fair", group=group, c=c) for group in (1, 2) for c in _WIDE),
        )
    )
    grids.append(
        (
            "Clipped SGD 1/k",
            "fair",
            tuple(ClippedSGDUCB(preset="decreasing", kappa=0.705, clip=2.0, c=c) for c in _WIDE),
        )
    )
    entries = tuple(
        Entry(name, preset, candidates, chosen.get(name, 0)) for name, preset, candidates in grids
    )
    return Experiment(
        id=id,
        title=f"Figure 1, {environment}: Cauchy noise, {horizon} pulls",
        environment=environment,
        noise=noise,
        horizon=horizon,
        entries=entries,
        source="Dorn et al., arXiv 2402.07062, section 3.1, Figure 1",
        note=_NOTE,
    )


# id -> (environment, horizon, the pilot's choices).
_TABLE: Mapping[str, tuple[str, int, Mapping[str, int]]] = MappingProxyType(
    {
        "F1a": (
            "Env1",
            10_000,
            {
                "UCB": 1,
                "SGD-UCB": 1,
                "SGD-UCB-SMoM": 1,
                "Median of means (fair)": 4,
                "Clipped SGD 1/k": 4,
            },
        ),
        "F1b": (
            "Env2",
            10_000,
            {
                "UCB": 1,
                "SGD-UCB": 1,
                "SGD-UCB-Median": 1,
                "Median of means (fair)": 3,
                "Clipped SGD 1/k": 3,
            },
        ),
        "F1c": ("Env3", 15_000, {"Median of means (fair)": 1, "Clipped SGD 1/k": 1}),
    }
)


def experiment_ids() -> list[str]:
    """Names of all experiments.

    Examples
    --------
    >>> experiment_ids()
    ['F1a', 'F1b', 'F1c']
    """
    return list(_TABLE)


def experiment(id: str) -> Experiment:
    """The experiment of this name.

    Parameters
    ----------
    id : str
        One of `experiment_ids()`; the figure and panel of the paper.

    Returns
    -------
    Experiment

    Raises
    ------
    ValueError
        For an unknown name.

    Examples
    --------
    >>> f1a = experiment("F1a")
    >>> f1a.horizon, f1a.trials, sorted(f1a.policies("authors"))[:2]
    (10000, 120, ['RUCB-Median', 'SGD-UCB'])
    """
    if id not in _TABLE:
        raise ValueError(f"id must be one of {', '.join(_TABLE)}, got {id!r}")
    environment, horizon, chosen = _TABLE[id]
    return _figure_1(id, environment, horizon, chosen)
