"""Buttons and print, on a small book built with the book's own configuration.

Without an address no page leads to Colab or Binder; with one, each notebook's buttons lead to that
notebook, the page has no fault, and the keyboard reaches them.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pagecheck
import pytest

ROOT = Path(__file__).resolve().parents[1]
ADDRESS = "https://github.com/someone/a-book"
TEXT = "# A page\n\nWords.\n\n```{exercise}\n:label: ex-x\n\nA [link](index.md).\n```\n"
TOC = "format: jb-book\nroot: book/index\nparts:\n  - caption: A part\n    chapters:\n"
TOC += "      - file: book/page\n      - file: book/plain\n"


def build(folder, address):
    """Build a book of three pages, one of them a notebook, strictly; returns its site."""
    book = folder / "book"
    shutil.copytree(ROOT / "book", book, ignore=shutil.ignore_patterns("*.md", "*.ipynb", "src"))
    shutil.copy(ROOT / "_config.yml", folder)
    (book / "paths.toml").write_text("path = []\nlecture = []\n[planned]\n")
    (folder / "_toc.yml").write_text(TOC)
    (book / "index.md").write_text("# Front\n\nThe [page](page.ipynb).\n")
    (book / "plain.md").write_text("# Plain\n\nNo notebook.\n")
    cell = nbformat.v4.new_code_cell("1 + 1", id="one")
    words = nbformat.v4.new_markdown_cell(TEXT, id="words")
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = nbformat.v4.new_notebook(cells=[words, cell], metadata={"kernelspec": kernel})
    nbformat.write(notebook, book / "page.ipynb")
    main = "import sys; from jupyter_book.cli.main import main; sys.exit(main())"
    given = {k: v for k, v in os.environ.items() if k != "HBUCB_REPOSITORY"}
    if address:
        given["HBUCB_REPOSITORY"] = address
    run = subprocess.run(
        [sys.executable, "-c", main, "build", "-W", "-n", "--keep-going", "--all", str(folder)],
        capture_output=True,
        text=True,
        env={**given, "PYTHONPATH": os.pathsep.join([str(ROOT), given.get("PYTHONPATH", "")])},
    )
    assert run.returncode == 0, (run.stdout + run.stderr)[-3000:]
    return folder / "_build" / "html"


@pytest.fixture(scope="module")
def sites(tmp_path_factory):
    """The built book without an address and with one."""
    return [build(tmp_path_factory.mktemp("small"), address) for address in (None, ADDRESS)]


def outside(page):
    return set(re.findall(r'href="(https?://[^"]+)"', page.read_text(encoding="utf-8")))


def test_buttons_lead_to_the_notebook_of_the_page(sites):
    plain, public = (outside(site / "book" / "page.html") for site in sites)
    assert public - plain == {
        ADDRESS,
        "https://mybinder.org/v2/gh/someone/a-book/main?urlpath=lab/tree/book/page.ipynb",
        "https://colab.research.google.com/github/someone/a-book/blob/main/book/page.ipynb",
    }
    # what is no notebook has nothing to launch
    assert outside(sites[1] / "book" / "plain.html") - plain == {ADDRESS}


def test_without_an_address_no_page_names_one(sites):
    for page in (sites[0] / "book").glob("*.html"):
        assert not re.search("mybinder|colab|someone", page.read_text(encoding="utf-8")), page


def test_every_page_offers_its_file(sites):
    for site in sites:
        text = (site / "book" / "page.html").read_text(encoding="utf-8")
        link = re.search(r'href="(\.\./_sources/[^"]+\.ipynb)"', text).group(1)
        assert nbformat.read(site / "book" / link, as_version=4).cells[1].source == "1 + 1"


def test_pages_have_no_fault(sites, playwright):
    for site in sites:
        checker = pagecheck.Checker(playwright, site)
        try:
            for name in ("page", "plain"):
                assert checker.faults(site / "book" / f"{name}.html") == []
        finally:
            checker.close()


def stops(page, site):
    """How many times Tab is pressed before the first exercise."""
    page.goto((site / "book" / "page.html").as_uri())
    for count in range(pagecheck.TAB_STOPS):
        page.keyboard.press("Tab")
        if page.evaluate("() => Boolean(document.activeElement.closest('.exercise'))"):
            return count
    raise AssertionError("Tab does not come to the exercise")


def test_the_buttons_cost_the_stops_that_pages_keep_free_for_them(sites, browser):
    page = browser.new_page(viewport={"width": 1280, "height": 1600})
    without, with_buttons = (stops(page, site) for site in sites)
    page.close()
    assert with_buttons - without == pagecheck.BUTTON_STOPS


def test_keyboard_opens_the_buttons_and_comes_to_each(sites, browser):
    page = browser.new_page(viewport={"width": 1280, "height": 1600})
    page.goto((sites[1] / "book" / "page.html").as_uri())
    page.locator(".dropdown-launch-buttons > button").focus()
    page.keyboard.press("Enter")
    names = []
    for _ in range(2):
        page.keyboard.press("Tab")
        names.append(page.evaluate("() => document.activeElement.innerText.trim()"))
    page.close()
    assert names == ["Binder", "Colab"]


def test_in_print_code_is_drawn_by_its_lines_and_may_be_cut_between_them(sites, browser):
    """A frame round the lines leaves an empty strip at the foot of a sheet."""
    page = browser.new_page()
    page.goto((sites[0] / "book" / "page.html").as_uri())
    page.emulate_media(media="print")
    boxes = page.evaluate(
        """() => {
            const found = [];
            const pre = document.querySelector("div.cell_input pre");
            for (let e = pre; !e.matches("div.cell"); e = e.parentElement) {
                const style = getComputedStyle(e);
                found.push([e.tagName, style.borderLeftWidth, style.paddingTop, style.breakInside,
                            style.display, style.overflowX]);
            }
            return found;
        }"""
    )
    page.close()
    assert boxes[0] == ["PRE", "3px", "0px", "auto", "block", boxes[0][5]]
    assert len(boxes) >= 4
    for box in boxes[1:]:
        assert box == ["DIV", "0px", "0px", "auto", "block", "visible"]
