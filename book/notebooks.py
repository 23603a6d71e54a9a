"""Make the executed chapters (book/NAME.ipynb) from their text (book/src/NAME.md).

    python book/notebooks.py              execute chapters whose code has changed, and new ones;
                                          where only prose has changed, the outputs are kept
    python book/notebooks.py NAME ...     execute these (after a change in the package, say)
    python book/notebooks.py --all        execute every chapter
    python book/notebooks.py --check      compare text and notebooks; executes and writes nothing

People edit the text; the notebook with its outputs is made by this script, byte for byte the same
on a second run, and committed beside it: it is what the book shows and what the tests run again.
"""

import argparse
import hashlib
import json
import os
import sys
import time
from pathlib import Path

BOOK = Path(__file__).resolve().parent
SOURCES = BOOK / "src"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def names():
    """Names of all chapters written in book/src, in order."""
    return sorted(path.stem for path in SOURCES.glob("*.md"))


def fresh(name):
    """The chapter's notebook as its text gives it: fixed ids and metadata, no outputs."""
    import jupytext
    import nbformat

    source = jupytext.reads((SOURCES / f"{name}.md").read_text(encoding="utf-8"), fmt="md:myst")
    notebook = nbformat.v4.new_notebook(metadata=METADATA)
    notebook.nbformat_minor = 5
    for index, cell in enumerate(source.cells):
        # an id from place and content: the same on each run, and a change shows where it is
        cell["id"] = f"c{index:03d}-{hashlib.sha256(cell.source.encode()).hexdigest()[:8]}"
        if cell.cell_type == "code":
            cell["outputs"], cell["execution_count"] = [], None
        notebook.cells.append(cell)
    return notebook


def execute(notebook):
    """Run all cells with book/ as the folder, as nbval and a reader do."""
    # take the kernel of this very Python, not one that the user has installed elsewhere
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"
    os.environ["PYTHONHASHSEED"] = "0"
    os.environ.pop("MPLBACKEND", None)
    from nbclient import NotebookClient
    from nbformat.v4.rwbase import split_lines

    NotebookClient(
        notebook,
        timeout=900,
        record_timing=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(BOOK)}},
    ).execute()
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if "metadata" in output:
                output["metadata"] = {}
    notebook.metadata = METADATA
    return split_lines(notebook)  # one line of text a line of the file: readable differences


def text(notebook):
    """The bytes of the file, as text."""
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def _signature(notebook):
    def joined(source):
        return source if isinstance(source, str) else "".join(source)

    return [
        (c["cell_type"], c["id"], joined(c["source"]), json.dumps(c["metadata"], sort_keys=True))
        for c in notebook["cells"]
    ]


def difference(name):
    """Why the notebook is not the one of its text, or None if it is."""
    path = BOOK / f"{name}.ipynb"
    if not path.exists():
        return "there is no notebook yet"
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        old = _signature(stored)
    except (ValueError, KeyError) as error:
        return f"the notebook cannot be read ({error!r})"
    new = _signature(fresh(name))
    if stored.get("metadata") != METADATA:
        return "the notebook's metadata are not the fixed ones"
    for old_cell, new_cell in zip(old, new, strict=False):
        if old_cell != new_cell:
            return f"cell {new_cell[1]} is not as in the text: {new_cell[2][:60]!r}"
    if len(old) != len(new):
        return f"{len(old)} cells instead of {len(new)}"
    return None


def with_stored_outputs(name):
    """The chapter of the text with the outputs it has, if no code cell has changed; else None."""
    path = BOOK / f"{name}.ipynb"
    if not path.exists():
        return None
    import nbformat
    from nbformat.v4.rwbase import split_lines

    def code(cells):
        return [cell for cell in cells if cell["cell_type"] == "code"]

    def what_runs(cells):
        return ["".join(cell["source"]) for cell in code(cells)]

    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        notebook = fresh(name)
        if what_runs(stored["cells"]) != what_runs(notebook.cells):
            return None
        for old, new in zip(code(stored["cells"]), code(notebook.cells), strict=True):
            new["outputs"] = [nbformat.from_dict(output) for output in old["outputs"]]
            new["execution_count"] = old["execution_count"]
    except (ValueError, KeyError):
        return None
    return split_lines(notebook)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="chapters to execute, such as 01-name")
    parser.add_argument("--all", action="store_true", help="execute every chapter")
    parser.add_argument("--check", action="store_true", help="compare only; run and write nothing")
    options = parser.parse_args(arguments)
    wanted = [Path(name).stem for name in options.names]
    unknown = sorted(set(wanted) - set(names()))
    if unknown:
        parser.error(f"no text in book/src for {', '.join(unknown)}; there is {', '.join(names())}")
    reasons = {name: difference(name) for name in wanted or names()}
    if options.check:
        for name, reason in reasons.items():
            print(f"{name}: {reason or 'in step with its text'}")
        return int(any(reasons.values()))
    for name, reason in reasons.items():
        if not (wanted or options.all or reason):
            print(f"{name}: unchanged, not executed")
            continue
        start = time.perf_counter()
        kept = None if wanted or options.all else with_stored_outputs(name)
        notebook = text(kept or execute(fresh(name)))
        (BOOK / f"{name}.ipynb").write_text(notebook, encoding="utf-8")
        done = "prose only, outputs kept" if kept else "executed"
        print(f"{name}: {done} in {time.perf_counter() - start:.1f} s, {len(notebook) // 1024} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
