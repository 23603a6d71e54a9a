"""Chapter P1 followed to the letter: what a reader typed, run in an empty folder.

tests/readers/P1_my_policy.txt is the file my_policy.py that came out of following the page from top
to bottom, folded code left out, in a fresh environment. (It is no .py here, so that the search for
doctests does not import it.) It must print what the page shows.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TYPED = (ROOT / "tests" / "readers" / "P1_my_policy.txt").read_text(encoding="utf-8")


def visible_cells():
    """(code, printed) of each cell that the page does not fold."""
    path = ROOT / "book" / "P1-write-your-own-policy.ipynb"
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        folded = {"hide-input", "remove-cell"} & set(cell["metadata"].get("tags", []))
        if cell["cell_type"] == "code" and not folded:
            printed = "".join("".join(output.get("text", "")) for output in cell["outputs"])
            yield "".join(cell["source"]), printed


def test_the_file_of_a_reader_prints_what_the_page_shows(tmp_path):
    (tmp_path / "my_policy.py").write_text(TYPED, encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "my_policy.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, "MPLBACKEND": "agg"},
    )
    assert run.returncode == 0, run.stderr[-2000:]
    assert run.stdout == "".join(printed for _, printed in visible_cells())
    assert sorted(p.name for p in tmp_path.iterdir()) == ["my_policy.py"]


def test_the_file_is_still_what_the_page_says():
    """A changed page must be followed again, in an empty folder."""
    missing = [code[:60] for code, _ in visible_cells() if code.rstrip() not in TYPED]
    assert not missing


def test_twenty_lines_are_about_twenty_lines():
    first = TYPED[TYPED.index("class MedianCommit:") :]
    lines = first[: first.index("\n\n\n")].splitlines()
    assert len([line for line in lines if line.strip()]) <= 20
