"""Result: what simulate returns: regret, pulls, summary, plot, save and load."""

from __future__ import annotations

import json
import os
import platform
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

#: Of the file format; a file of a later one is refused.
FORMAT = 1


@dataclass(frozen=True, eq=False)
class PolicyResult:
    """One policy's trials.

    Attributes
    ----------
    regret : ndarray (trials, rounds)
        Pseudo-regret after each recorded round, in reward units.
    pulls : ndarray of int (trials, arms)
        How often each arm was played.
    actions : ndarray of int16 (trials, horizon) or None
        The arm of every round, if it was asked for.
    """

    regret: np.ndarray
    pulls: np.ndarray
    actions: np.ndarray | None = None


@dataclass(frozen=True)
class Row:
    """One policy's line of a summary; all but ``policy`` and ``stuck`` in reward units."""

    policy: str
    mean: float
    standard_error: float
    median: float
    quantile_90: float
    stuck: float


class Summary(tuple[Row, ...]):
    """Rows that print as a table."""

    def __str__(self) -> str:
        width = max(len("policy"), *(len(row.policy) for row in self))
        lines = [f"{'policy':<{width}}      mean        se    median  90% qu.   stuck"]
        for row in self:
            lines.append(
                f"{row.policy:<{width}}  {row.mean:8.5g}  {row.standard_error:8.3g}"
                f"  {row.median:8.5g} {row.quantile_90:8.5g}  {row.stuck:6.1%}"
            )
        return "\n".join(lines)

    __repr__ = __str__


@dataclass(frozen=True, eq=False)
class Result(Mapping[str, PolicyResult]):
    """Results of all policies of one :func:`simulate` call; ``result[name]`` is one policy's.

    Attributes
    ----------
    rounds : ndarray of int
        Pulls t after which regret was recorded; the last is the horizon.
    """

    bandit: Any
    policies: Mapping[str, Any]
    horizon: int
    trials: int
    seed: int
    coupling: str
    order: str
    rounds: np.ndarray
    _results: Mapping[str, PolicyResult]
    versions: Mapping[str, str] | None = None

    def __post_init__(self) -> None:
        if self.versions is None:
            object.__setattr__(self, "versions", versions())

    def __getitem__(self, name: str) -> PolicyResult:
        if name not in self._results:
            raise KeyError(f"{name!r} is not among the policies {', '.join(self._results)}")
        return self._results[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)

    @property
    def names(self) -> list[str]:
        """The policies' names."""
        return list(self._results)

    def stuck(self, name: str, threshold: float | None = None) -> np.ndarray:
        """Which trials (trials,) got stuck.

        Parameters
        ----------
        name : str
        threshold : float, optional
            A trial is stuck when its regret per round R_T / T is above this, in reward units.
            By default: when the arm it played most is not a best arm.
        """
        if threshold is None:
            return self._gaps()[self[name].pulls.argmax(axis=1)] > 0
        return self[name].regret[:, -1] / self.horizon > threshold

    def _gaps(self) -> np.ndarray:
        gaps = np.asarray(getattr(self.bandit, "gaps", []), dtype=float)
        if gaps.ndim != 1 or not gaps.size:
            raise ValueError("stuck needs a bandit with one value an arm; give a threshold")
        return gaps

    def summary(self, stuck: float | None = None) -> Summary:
        """Mean, standard error, median and 90 % quantile of R_T, and the share of stuck runs.

        Parameters
        ----------
        stuck : float, optional
            Threshold on R_T / T; see :meth:`stuck`. Contextual bandits need one, else nan.

        Returns
        -------
        Summary
            A tuple of :class:`Row`, one a policy, that prints as a table. The standard error is
            nan for one trial.
        """
        rows = []
        for name in self:
            last = self[name].regret[:, -1]
            error = last.std(ddof=1) / np.sqrt(len(last)) if len(last) > 1 else np.nan
            known = stuck is not None or np.ndim(getattr(self.bandit, "gaps", 0.0)) == 1
            share = float(self.stuck(name, stuck).mean()) if known else np.nan
            quantile = float(np.quantile(last, 0.9))
            rows.append(
                Row(name, float(last.mean()), float(error), float(np.median(last)), quantile, share)
            )
        return Summary(rows)

    def plot(self, bounds: bool = False, **options: Any) -> Any:
        """Regret against t with bands over trials; see :func:`hbucb.plotting.regret`.

        Parameters
        ----------
        bounds : bool
            Draw each policy's regret bound where a theorem covers it.

        Returns
        -------
        matplotlib Axes
        """
        from hbucb import plotting

        if bounds and any(isinstance(policy, Recorded) for policy in self.policies.values()):
            raise ValueError(
                "bounds = True needs the policies themselves; a loaded result holds their texts"
            )
        return plotting.regret(self, bounds=bounds, **options)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write to an .npz file, atomically: a file at ``path`` is replaced only by a whole one."""
        path = Path(path)
        if not path.parent.is_dir():
            raise FileNotFoundError(f"there is no folder {os.fspath(path.parent)!r} to save into")
        meta = {
            "format": FORMAT,
            "versions": dict(self.versions or {}),
            "bandit": repr(self.bandit),
            "gaps": np.asarray(getattr(self.bandit, "gaps", [])).tolist(),
            "policies": {name: repr(policy) for name, policy in self.policies.items()},
            "horizon": self.horizon,
            "trials": self.trials,
            "seed": self.seed,
            "coupling": self.coupling,
            "order": self.order,
        }
        arrays = {"meta": np.array(json.dumps(meta)), "rounds": self.rounds}
        for i, part in enumerate(self._results.values()):
            arrays[f"regret{i}"], arrays[f"pulls{i}"] = part.regret, part.pulls
            if part.actions is not None:
                arrays[f"actions{i}"] = part.actions
        temporary = path.with_name(f"{path.name}.{os.getpid()}.part")
        try:
            with open(temporary, "xb") as file:
                np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


@dataclass(frozen=True)
class Recorded:
    """A bandit or policy of a loaded result: its repr, and the gaps of a bandit."""

    text: str
    gaps: Any = None

    def __repr__(self) -> str:
        return self.text


def load(path: str | os.PathLike[str]) -> Result:
    """Read a result that :meth:`Result.save` wrote. Nothing in the file is executed.

    The bandit and the policies come back as their texts (``repr``), not as objects.

    Raises
    ------
    ValueError
        If the file is not such a result, is damaged, or was written by a later version.

    Examples
    --------
    >>> import os, tempfile, hbucb as hb
    >>> result = hb.simulate(hb.Bandit([0.0, 1.0], hb.noise.Cauchy()), hb.UCB(), 50, 3, seed=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result.save(os.path.join(folder, "run.npz"))
    ...     again = hb.load(os.path.join(folder, "run.npz"))
    >>> bool((again["UCB"].regret == result["UCB"].regret).all())
    True
    """
    if not isinstance(path, str | os.PathLike):
        raise ValueError(f"path = {path!r} must be the path of a file")
    if not os.path.exists(path):
        raise FileNotFoundError(f"there is no file {os.fspath(path)!r}")
    try:
        if not zipfile.is_zipfile(path):
            raise ValueError("it is no .npz file, or only a part of one")
        with np.load(path, allow_pickle=False) as file:
            if "meta" not in file.files:
                raise ValueError("it holds no description of a run")
            meta = json.loads(str(file["meta"]))
            arrays = {name: file[name] for name in file.files}
        if meta["format"] > FORMAT:
            raise ValueError(f"format {meta['format']} is later than {FORMAT}; update hbucb")
        results = {
            name: PolicyResult(arrays[f"regret{i}"], arrays[f"pulls{i}"], arrays.get(f"actions{i}"))
            for i, name in enumerate(meta["policies"])
        }
    except Exception as error:
        raise ValueError(f"{os.fspath(path)} is not a readable hbucb result: {error}") from error
    return Result(
        Recorded(meta["bandit"], np.array(meta["gaps"])),
        {name: Recorded(text) for name, text in meta["policies"].items()},
        meta["horizon"],
        meta["trials"],
        meta["seed"],
        meta["coupling"],
        meta["order"],
        arrays["rounds"],
        results,
        meta["versions"],
    )


def versions() -> dict[str, str]:
    # Imported here: it takes longer to import than any file of the package.
    from importlib.metadata import PackageNotFoundError, version

    found = {"python": platform.python_version(), "numpy": np.__version__}
    for name in ("hbucb", "scipy"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "unknown"
    return found
