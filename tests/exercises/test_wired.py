"""Checks stand in the chapters, open there and right on the solution pages."""

import ast
import json
import re
from pathlib import Path

import pytest
import spot_answers

import hbucb as hb
from hbucb.checks import code, sealed

BOOK = Path(__file__).resolve().parents[2] / "book"
CALL = re.compile(r'hb\.check\(\s*"([\w-]+)"')
PROGRAMS = {"ex-18-5"}  # formulas with a case: nobody types them in one line
CODE = sorted({*code.LADDERS, *PROGRAMS})
FIRST_PART = [f"{number:02d}" for number in range(1, 25)] + ["P1", "P2", "R0", "R1", "R2", "R3"]


def chapters():
    """Names of chapters that have a solution page."""
    found = sorted(path.stem[: -len("-solutions")] for path in BOOK.glob("*-solutions.ipynb"))
    assert {name.split("-")[0] for name in found} >= set(FIRST_PART)
    return found


def cells(name):
    """(source, printed) of each code cell of an executed page."""
    notebook = json.loads((BOOK / f"{name}.ipynb").read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            out = [line for o in cell["outputs"] for line in o.get("text", [])]
            yield "".join(cell["source"]), "".join(out)


def checked(name):
    """Ids that a page checks, each with the line it printed."""
    found = {}
    for source, printed in cells(name):
        ids = CALL.findall(source)
        for identifier in ids:
            said = re.search(rf"^{identifier}(?: \(\d+ of \d+\))?: .*$", printed, flags=re.M)
            found[identifier] = said.group(0) if said else ""
    return found


@pytest.mark.parametrize("name", chapters())
def test_chapter_asks_and_solution_answers(name):
    asked, solved = checked(name), checked(f"{name}-solutions")
    if name.split("-")[0] in FIRST_PART:
        assert len(asked) >= 2, f"only {list(asked)} are checked"
    assert set(asked) == set(solved)
    for identifier, said in asked.items():
        assert said == f"{identifier}: not answered yet."
    for identifier, said in solved.items():
        assert said.startswith(f"{identifier}: right. ")


@pytest.mark.parametrize("name", chapters())
def test_numbers_and_formulas_have_a_box_on_the_page(name):
    text = (BOOK / "src" / f"{name}.md").read_text(encoding="utf-8")
    boxes = re.findall(r"^:::\{answer\} ([\w-]+)$", text, flags=re.M)
    records = sealed.records()
    wanted = [n for n in checked(name) if n in records and n not in PROGRAMS]
    assert sorted(boxes) == sorted(wanted)


def spot_box(name):
    """The text of the box beside an exercise that asks for code."""
    (chapter,) = [page for page in chapters() if name in checked(page)]
    text = (BOOK / "src" / f"{chapter}.md").read_text(encoding="utf-8")
    exercise = text.split(f":label: {name}\n")[1].split(":::{exercise}")[0]
    box = re.search(rf"^:::\{{answer\}} {name}-spot\n(.*?)^:::$", exercise, flags=re.M | re.S)
    assert box, f"{name} has no box for one value under it"
    return box.group(1)


@pytest.mark.parametrize("name", CODE)
def test_code_is_asked_at_one_spot_on_the_page(name):
    assert f"{name}-spot" in sealed.records()
    assert re.search("This box knows one (value|game)", spot_box(name))
    assert "`hb.check` in the notebook tries the" in spot_box(name)


@pytest.mark.parametrize("name", CODE)
def test_the_box_asks_for_the_spot_that_is_sealed(name):
    """The call in the text has the arguments of the spot, a game the numbers of its table."""
    call = re.search(r"`\w+(\(.+?\))` return", spot_box(name))
    if call:
        assert ast.literal_eval(call.group(1)) == spot_answers.SPOTS[name](lambda *at: at)
    else:
        text = spot_box(name).replace("\N{MINUS SIGN}", "-")
        found = [float(x) for x in re.findall(r"-?\d+(?:\.\d+)?", text)]
        assert found == spot_answers.GAMES[name]


def test_every_check_stands_in_one_chapter():
    """Chapter 0 has no solution page: its example is solved on the spot."""
    pages = [path.stem for path in BOOK.glob("*.ipynb") if not path.stem.endswith("-solutions")]
    places = [identifier for name in pages for identifier in checked(name)]
    assert sorted(places) == hb.check.ids()
