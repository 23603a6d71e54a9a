"""Assignments: a fresh, named notebook for each student or group.

Chapter notebooks are never edited by students; they get copies of one template, which this writes:
``python -m hbucb.assignment "Group 7"``. Each name has a bandit of its own.
"""

from __future__ import annotations

import json
import re
from hashlib import blake2b
from os import PathLike
from pathlib import Path

__all__ = ["notebook", "numbers", "write"]

_NAME = re.compile(r"(?=.*[^\W_])[\w .,'()&-]{1,60}")


def numbers(name: str) -> dict[str, float | int | list[float]]:
    """The numbers of this name's own bandit: seed, locations (4,) and scale of its Cauchy noise.

    Parameters
    ----------
    name : str
        Letters, digits, blanks and . , ' ( ) & - _; at most 60.

    Returns
    -------
    dict
        ``seed`` (int), ``loc`` (4 reward units, best arm somewhere) and ``scale`` (reward units).

    Raises
    ------
    ValueError
        For a name with other characters, or without a letter or digit.

    Examples
    --------
    >>> numbers("Group 7") == numbers("Group 7"), numbers("Group 7") == numbers("Group 8")
    (True, False)
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ValueError(
            f"name = {name!r} must be 1 to 60 letters, digits, blanks and . , ' ( ) & - _, "
            "with at least one letter or digit"
        )
    # not hash(): it differs from run to run
    drawn = blake2b(name.encode(), digest_size=8).digest()
    gaps = [0.0] + [round(0.5 + drawn[i] % 16 / 10, 1) for i in range(3)]
    turn = drawn[3] % 4
    loc = [round(3.0 - gap, 1) for gap in gaps[turn:] + gaps[:turn]]
    return {
        "seed": int.from_bytes(drawn[4:7], "big"),
        "loc": loc,
        "scale": round(0.5 + drawn[7] % 11 / 10, 1),
    }


def notebook(name: str) -> dict:
    """The assignment of this name, as the content of an .ipynb file (format 4.5).

    Parameters
    ----------
    name : str
        As in :func:`numbers`.

    Returns
    -------
    dict

    Raises
    ------
    ValueError
        As in :func:`numbers`.

    Examples
    --------
    >>> made = notebook("Group 7")
    >>> made["nbformat"], made["cells"][0]["source"].splitlines()[0]
    (4, '# Assignment: Group 7')
    """
    own = numbers(name)
    text = (Path(__file__).parent / "template.md").read_text(encoding="utf-8")
    for key, value in {"name": name, "quoted name": repr(name), **own}.items():
        text = text.replace(f"{{{{{key}}}}}", str(value))
    # text, code, text, code, ...: what stands between the fences
    parts = re.split(r"^```python\n(.*?)^```\n", text, flags=re.M | re.S)
    cells: list[dict] = []
    for number, part in enumerate(parts):
        if not part.strip():
            continue
        kind = "code" if number % 2 else "markdown"
        cell: dict = {"cell_type": kind, "id": f"part-{number:02d}", "metadata": {}}
        if kind == "code":
            cell |= {"execution_count": None, "outputs": []}
        cells.append(cell | {"source": part.strip("\n")})
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {
        "cells": cells,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def write(name: str, folder: str | PathLike[str] = ".") -> Path:
    """Write the assignment of this name into a folder; never over an existing file.

    Parameters
    ----------
    name : str
        As in :func:`numbers`.
    folder : path, optional
        Must exist; the current folder by default.

    Returns
    -------
    Path
        Of the new notebook: ``assignment-`` and the name in small letters.

    Raises
    ------
    ValueError
        As in :func:`numbers`.
    FileNotFoundError
        If there is no such folder.
    FileExistsError
        If the file is there already, so that nobody's work is lost.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     print(write("Group 7", folder).name)
    assignment-group-7.ipynb
    """
    content = json.dumps(notebook(name), indent=1, ensure_ascii=False) + "\n"
    if not Path(folder).is_dir():
        raise FileNotFoundError(f"there is no folder {str(folder)!r} to write into")
    small = re.sub(r"[\W_]+", "-", name.lower()).strip("-")
    path = Path(folder) / f"assignment-{small}.ipynb"
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write(content)
    except FileExistsError:
        raise FileExistsError(
            f"{path} is there already and is left as it is; rename it, or choose another name"
        ) from None
    return path
