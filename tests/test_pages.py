"""The built book in a real browser: every page, wide and narrow, light and dark, no network.

Builds the book first if it is missing or not built from the files as they are.
"""

import re
import subprocess
import sys
from pathlib import Path

import chaptercheck
import pagecheck
import pytest

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "_build" / "html"
sys.path.insert(0, str(ROOT / "book" / "_ext"))
import stamp  # noqa: E402


@pytest.fixture(scope="session")
def site():
    """The folder of the built book, built strictly now unless it is fresh."""
    built = SITE / stamp.NAME
    if not built.exists() or built.read_text().strip() != stamp.digest(ROOT):
        main = "import sys; from jupyter_book.cli.main import main; sys.exit(main())"
        strict = ["build", "-W", "-n", "--keep-going", "--all", str(ROOT)]
        run = subprocess.run(
            [sys.executable, "-c", main, *strict], capture_output=True, text=True, cwd=ROOT
        )
        said = run.stdout + run.stderr
        lines = [line for line in said.splitlines() if re.search("WARNING|ERROR|rror:", line)]
        if run.returncode or not built.exists():
            pytest.fail("the strict build fails:\n" + "\n".join(lines[-40:] or [said[-4000:]]))
    return SITE


@pytest.fixture(scope="session")
def checker(site, playwright):
    checker = pagecheck.Checker(playwright, site)
    yield checker
    checker.close()


@pytest.mark.parametrize("name", chaptercheck.pages(ROOT))
def test_page_is_built_and_has_no_fault(site, checker, name):
    page = site / f"{name}.html"
    assert page.is_file(), f"{name} is in _toc.yml and was not built"
    faults = checker.faults(page)
    assert not faults, "\n".join(faults)


def test_source_pages_and_index_link_inside_the_book(site, checker):
    faults = []
    for page in [*sorted(site.glob("_modules/**/*.html")), site / "genindex.html"]:
        links = re.findall(r'<a\b[^>]*\shref="([^"]+)"', page.read_text(encoding="utf-8"))
        found = checker.broken(page, [link.replace("&amp;", "&") for link in links])
        faults += [f"{page.relative_to(site)}: {fault}" for fault in found]
    assert not faults, "\n".join(faults)


# ---- the check itself: each planted fault must be found -----------------------------------------

FORMULA = '<span class="math notranslate nohighlight">\\({}\\)</span>'
LONG = " + ".join(["\\mu_a"] * 60)
FAULTS = {
    "syntax": (f"<p>{FORMULA.format('x^a^b')}</p>", "formula: syntax"),
    "brace": (f"<p>{FORMULA.format(chr(92) + 'frac{1')}</p>", "formula: "),
    "macro": (f"<p>{FORMULA.format(chr(92) + 'nosuchmacro')}</p>", "formula: undefined macro"),
    "hash alt": ('<img src="{img}" alt="../_images/36ffa07a1e.png">', "alt: is a path"),
    "no alt": ('<img src="{img}">', "alt: none"),
    "label alt": ('<img src="{img}" alt="A figure">', "alt: is no sentence"),
    "twin alt": ('<img src="{img}" alt="Two lines cross at one half.">' * 2, "alt: the same twice"),
    "lost image": ('<img src="lost.png" alt="One line rises without end.">', "image: not loaded"),
    "http request": ('<script src="http://localhost:9/x.js"></script>', "network: http"),
    "wide inline": (
        '<p><span style="display: block; overflow: hidden">'
        + FORMULA.format(LONG).replace("class", 'style="display: inline !important" class')
        + "</span></p>",
        "cut off: formula",
    ),
    "wide display": (
        f'<div class="math notranslate nohighlight">\\[{LONG}\\]</div>',
        "wide: display formula",
    ),
    "wide box": ('<div style="width: 2000px">wide</div>', "sideways: page is"),
    "broken link": ('<a href="nowhere.html">x</a>', "link: no such page"),
    "broken anchor": ('<a href="#nowhere">x</a>', "link: no such place"),
    "console": ("<script>console.error('planted')</script>", "console: planted"),
    "throw": ("<script>throw new Error('planted')</script>", "console: planted"),
    "heading": ("<h5>Deep</h5>", "heading: h5 after"),
    "twin id": ('<p id="twin"></p><p id="twin"></p>', "id: twice: twin"),
    "filter": (
        '<img class="planted" src="{img}" alt="One bar stands above another.">'
        "<style>html[data-theme=dark] .bd-content img.planted.planted.planted"
        "{filter: brightness(.8) !important}</style>",
        "dark theme: picture",
    ),
    "faint": ('<p style="color: #999">Grey words on white.</p>', "contrast: "),
    "faint in the dark": (
        '<p style="background: #14181e; color: #555">Grey words on black.</p>',
        "contrast: ",
    ),
    "tab stops": (
        '<a href="#">x</a>' * 60 + '<div class="exercise"><a href="#">x</a></div>',
        "keyboard: more than",
    ),
}
PIXEL = (
    (
        "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'>"
        "<rect width='40' height='20' fill='tomato'/></svg>"
    )
    .replace("<", "%3C")
    .replace(">", "%3E")
)


@pytest.fixture(scope="session")
def copy(site, playwright, tmp_path_factory):
    """A copy of the built site by links, in which faulty pages can be laid."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "book").mkdir()
    for path in site.iterdir():
        if path.name != "book":
            (folder / path.name).symlink_to(path)
    for path in (site / "book").iterdir():
        (folder / "book" / path.name).symlink_to(path)
    checker = pagecheck.Checker(playwright, folder)
    yield folder, checker
    checker.close()


def _planted(folder, html):
    text = (folder / "book" / "glossary.html").read_text(encoding="utf-8")
    place = text.index("</section>", text.index("<h1>"))
    page = folder / "book" / "planted.html"
    page.write_text(text[:place] + html + text[place:], encoding="utf-8")
    return page


def test_nothing_planted_nothing_found(copy):
    folder, checker = copy
    good = f'<p>{FORMULA.format("x^2")}</p><img src="{PIXEL}" alt="One bar stands above another.">'
    assert checker.faults(_planted(folder, good)) == []


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_fault_is_found(copy, fault):
    folder, checker = copy
    html, message = FAULTS[fault]
    found = checker.faults(_planted(folder, html.replace("{img}", PIXEL)), widths=(1280,))
    assert any(message in line for line in found), found


@pytest.mark.parametrize(("ci", "outcome"), [("true", pytest.fail), (None, pytest.skip)])
def test_no_browser_fails_in_ci_and_is_skipped_elsewhere(monkeypatch, ci, outcome):
    monkeypatch.setattr(pagecheck, "chromium", lambda: None)
    monkeypatch.delenv("CI", raising=False)
    if ci:
        monkeypatch.setenv("CI", ci)
    with pytest.raises(outcome.Exception, match="no Chromium found"):
        pagecheck.require_browser()


# ---- the reference page ---------------------------------------------------------------------


def test_reference_holds_every_public_name(site):
    import hbucb

    text = (site / "book" / "api.html").read_text(encoding="utf-8")
    ids = set(re.findall(r'id="(hbucb[\w.]*)"', text))
    missing = [name for name in hbucb.__all__ if f"hbucb.{name}" not in ids]
    missing = [n for n in missing if f"module-hbucb.{n}" not in text]
    assert not missing, f"not in book/api.md: {missing}"
