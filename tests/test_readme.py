"""README: its example prints what it shows, its picture is the book's, its links lead somewhere."""

import base64
import contextlib
import io
import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_example_prints_what_is_shown():
    code, shown = re.search(r"```python\n(.*?)```\s+```text\n(.*?)```", README, re.S).groups()
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    assert printed.getvalue() == shown


def test_the_picture_is_the_one_of_the_landing_page():
    cells = json.loads((ROOT / "book" / "index.ipynb").read_text(encoding="utf-8"))["cells"]
    pictures = [
        "".join(output["data"]["image/png"])
        for cell in cells
        for output in cell.get("outputs", [])
        if "image/png" in output.get("data", {})
    ]
    shown = (ROOT / "book" / "_static" / "landing.png").read_bytes()
    assert shown == base64.b64decode(pictures[0])


def test_links_lead_to_files():
    targets = re.findall(r"\]\(([^)#]+)\)", README)
    assert len(targets) >= 6
    for target in targets:
        assert (ROOT / target).exists(), target
