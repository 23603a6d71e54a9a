"""Finished chunks of a run, kept in a folder: a run that was killed goes on where it stopped.

``run.json`` holds the run's full identity and the cut into chunks; each finished chunk is one
.npz file, written under another name first and then renamed, so a file is whole or absent. No
file holds a pickle. A folder of another run and a damaged file are refused, never overwritten.
"""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from hbucb.engine import ChunkResult

#: Of the folder's files; a folder of a later one is refused.
FORMAT = 1
_FIELDS = ("regret", "pulls", "actions")


class Checkpoint:
    """The folder of one run.

    Parameters
    ----------
    path : str or os.PathLike
        Made if it is missing; its parent must exist.
    identity : mapping
        All that decides the run's numbers, in JSON types.

    Raises
    ------
    ValueError
        If the folder belongs to another run (named is what differs), or is no checkpoint.
    """

    def __init__(self, path: str | os.PathLike[str], identity: Mapping[str, Any]) -> None:
        self.path = folder(path)
        kept = read_identity(self.path)
        self._identity = json.loads(json.dumps(dict(identity)))
        if kept is None:
            others = sorted(p.name for p in self.path.iterdir() if not p.name.endswith(".part"))
            if others:
                raise ValueError(
                    f"checkpoint = {str(self.path)!r} holds {others[0]!r} and no run.json: it is "
                    "no checkpoint; give an empty or a new folder"
                )
            self.path.mkdir(exist_ok=True)
            text = json.dumps({"format": FORMAT, **self._identity}, indent=1)
            _write(self.path / "run.json", lambda file: file.write(text.encode()))
        elif kept != self._identity:
            raise ValueError(
                f"checkpoint = {str(self.path)!r} is of another run: {_difference(kept, identity)}"
            )
        text = json.dumps(self._identity, sort_keys=True)
        self._digest = sha256(text.encode()).hexdigest()

    def _file(self, policy: int, first: int, trials: int) -> Path:
        return self.path / f"{policy:03d}-{first}-{trials}.npz"

    def save(self, policy: int, first: int, trials: int, result: ChunkResult) -> None:
        """Keep a finished chunk: trials from ``first`` on of the policy with this number."""
        arrays = {name: getattr(result, name) for name in _FIELDS}
        arrays = {name: array for name, array in arrays.items() if array is not None}
        path = self._file(policy, first, trials)
        meta = {"run": self._digest, "chunk": path.stem, "content": _content(arrays)}
        _write(path, lambda file: np.savez(file, meta=np.array(json.dumps(meta)), **arrays))  # type: ignore[arg-type]

    def load(self, policy: int, first: int, trials: int) -> ChunkResult | None:
        """The chunk if it was finished, else None.

        Raises
        ------
        ValueError
            If its file is truncated, changed or of another run. The file is left as it is.
        """
        path = self._file(policy, first, trials)
        if not path.exists():
            return None
        try:
            if not zipfile.is_zipfile(path):
                raise ValueError("it is only a part of a file")
            with np.load(path, allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            meta = json.loads(str(arrays.pop("meta")))
            if meta["run"] != self._digest:
                raise ValueError("it belongs to another run")
            if meta["content"] != _content(arrays):
                raise ValueError("its numbers were changed")
            if meta["chunk"] != path.stem:
                raise ValueError(f"it holds the chunk {meta['chunk']}")
            return ChunkResult(arrays["regret"], arrays["pulls"], arrays.get("actions"))
        except Exception as error:
            raise ValueError(
                f"checkpoint file {str(path)!r} is damaged: {error}; delete it to play its trials "
                "again"
            ) from error


def folder(path: Any) -> Path:
    if not isinstance(path, str | os.PathLike):
        raise ValueError(f"checkpoint = {path!r} must be the path of a folder")
    folder = Path(path)
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"checkpoint = {str(folder)!r} is a file; it must be a folder")
    if not folder.parent.is_dir():
        raise ValueError(f"checkpoint = {str(folder)!r}: there is no folder {str(folder.parent)!r}")
    folder.mkdir(exist_ok=True)
    return folder


def read_identity(path: str | os.PathLike[str]) -> dict[str, Any] | None:
    """What run a folder belongs to, or None if it holds none yet."""
    file = Path(path) / "run.json"
    if not file.exists():
        return None
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
        made = kept.pop("format")
        if made > FORMAT:
            raise ValueError(f"format {made} is later than {FORMAT}; update hbucb")
    except Exception as error:
        raise ValueError(f"checkpoint file {str(file)!r} cannot be read: {error}") from error
    return dict(kept)


def _difference(kept: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    said = []
    for key in [*now, *(key for key in kept if key not in now)]:
        old, new = kept.get(key), json.loads(json.dumps(now.get(key)))
        if old != new:
            said.append(f"its {key} is {_short(old)}, this run's {_short(new)}")
    return "; ".join(said)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 120 else f"{text[:80]}…{text[-39:]}"


def _content(arrays: Mapping[str, np.ndarray]) -> str:
    """SHA-256 over names, types, shapes and bytes, whatever the order in the file."""
    sha = sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        sha.update(f"{name} {array.dtype.str} {array.shape} ".encode())
        sha.update(array.tobytes())
    return sha.hexdigest()


def _write(path: Path, write: Any) -> None:
    """All or nothing: a reader, and a run after a kill, see a whole file or none."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with open(part, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
