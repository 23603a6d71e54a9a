"""A stored run: small, without pickle, and with the identity of what was played."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hbucb.results import PolicyResult, Recorded

FOLDER = Path(__file__).with_name("data")
FORMAT = 1


@dataclass(frozen=True, eq=False)
class Stored(Mapping[str, PolicyResult]):
    """Trials of several policies on common noise, in the shape that figures and verdicts read.

    Attributes
    ----------
    id : str
        Of the experiment.
    bandit, policies : Recorded, mapping of str to Recorded
        Their texts; the bandit with its gaps.
    horizon, trials, seed : int
    coupling, order : str
    rounds : ndarray of int
        Half of the horizon and the horizon, or the experiment's own.
    versions : mapping of str to str
        Of the packages that played.
    regrets : mapping of str to ndarray (trials, rounds)
        Regret at `rounds`, in reward units.
    wrong : mapping of str to ndarray of bool (trials,)
        Whether the arm played most is not a best arm.
    hits : mapping of str to ndarray (trials, targets)
        Pulls to each target of Table 1 (inf: not reached); empty elsewhere.
    """

    id: str
    bandit: Any
    policies: Mapping[str, Any]
    horizon: int
    trials: int
    seed: int
    coupling: str
    order: str
    rounds: np.ndarray
    versions: Mapping[str, str]
    regrets: Mapping[str, np.ndarray]
    wrong: Mapping[str, np.ndarray]
    hits: Mapping[str, np.ndarray]

    def __getitem__(self, name: str) -> PolicyResult:
        return PolicyResult(self.regrets[name], np.empty((self.trials, 0), np.int64))

    def __iter__(self) -> Iterator[str]:
        return iter(self.regrets)

    def __len__(self) -> int:
        return len(self.regrets)

    @property
    def names(self) -> list[str]:
        """The policies' names."""
        return list(self.regrets)

    @property
    def identity(self) -> dict[str, Any]:
        """What must agree for two runs to hold the same numbers."""
        return {
            "id": self.id,
            "bandit": repr(self.bandit),
            "policies": {name: repr(policy) for name, policy in self.policies.items()},
            "horizon": self.horizon,
            "trials": self.trials,
            "seed": self.seed,
            "coupling": self.coupling,
            "order": self.order,
            "rounds": np.asarray(self.rounds).tolist(),
        }

    def save(self, folder: Path = FOLDER) -> Path:
        """Write the file, atomically."""
        meta = {
            "format": FORMAT,
            **self.identity,
            "gaps": np.asarray(self.bandit.gaps).tolist(),
            "versions": dict(self.versions),
        }
        arrays: dict[str, Any] = {"meta": np.array(json.dumps(meta))}
        for i, name in enumerate(self.names):
            arrays[f"regret{i}"] = self.regrets[name]
            arrays[f"wrong{i}"] = np.packbits(self.wrong[name])
            if name in self.hits:
                arrays[f"hits{i}"] = self.hits[name].astype(np.float32)
        folder.mkdir(parents=True, exist_ok=True)
        target = path(self.id, folder)
        temporary = target.with_name(f"{target.name}.{os.getpid()}.part")
        with open(temporary, "wb") as file:
            np.savez_compressed(file, **arrays)
        os.replace(temporary, target)
        return target


def path(id: str, folder: Path = FOLDER) -> Path:
    """Where the run of an experiment is stored."""
    return folder / f"{id}.npz"


def stored_ids(folder: Path = FOLDER) -> list[str]:
    """The experiments with a stored run, sorted.

    Examples
    --------
    >>> "F2b" in stored_ids()
    True
    """
    return sorted(file.stem for file in folder.glob("*.npz"))


def load(id: str, folder: Path = FOLDER) -> Stored:
    """Read a stored run. Nothing in the file is executed.

    Parameters
    ----------
    id : str
        One of `stored_ids()`.
    folder : Path
        Where the files are.

    Returns
    -------
    Stored

    Raises
    ------
    ValueError
        If there is no such file, or it is damaged.

    Examples
    --------
    >>> run = load("F2b")
    >>> run.trials, run.coupling, run["SGD-UCB"].regret.shape
    (1200, 'arm', (1200, 2))
    """
    file = path(id, folder)
    if not file.is_file():
        raise ValueError(f"id must be one of {', '.join(stored_ids(folder))}, got {id!r}")
    try:
        with np.load(file, allow_pickle=False) as stored:
            meta = json.loads(str(stored["meta"]))
            arrays = {key: stored[key] for key in stored.files}
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise ValueError(f"{file.name} is not a readable stored run: {error}") from error
    names, trials = list(meta["policies"]), meta["trials"]
    return Stored(
        id=meta["id"],
        bandit=Recorded(meta["bandit"], np.array(meta["gaps"])),
        policies={name: Recorded(text) for name, text in meta["policies"].items()},
        horizon=meta["horizon"],
        trials=trials,
        seed=meta["seed"],
        coupling=meta["coupling"],
        order=meta["order"],
        rounds=np.array(meta["rounds"]),
        versions=meta["versions"],
        regrets={name: arrays[f"regret{i}"] for i, name in enumerate(names)},
        wrong={
            name: np.unpackbits(arrays[f"wrong{i}"], count=trials).astype(bool)
            for i, name in enumerate(names)
        },
        hits={
            name: arrays[f"hits{i}"].astype(float)
            for i, name in enumerate(names)
            if f"hits{i}" in arrays
        },
    )
