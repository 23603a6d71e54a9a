"""The PDF of the book, on a small book of three pages: contents, numbers, links, offer."""

import importlib.util
import re
from pathlib import Path

import pagecheck
import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = {
    "index": '<h1>Front</h1><p><a href="02-two.html#x">two</a> <a href="gone/src.html">source</a>'
    '<a href="https://example.org/">out</a></p>'
    '<p>As one file: <span id="pdf-offer">not made</span><!--pdf-offer-->.</p>',
    "01-one": "<h1>One</h1><details><summary>Hint</summary><p>UNFOLDED</p></details>"
    + "<p>Long.</p>" * 120,
    "02-two": '<h1>Two &amp; more</h1><p id="x">Here. <a href="index.html">back</a></p>',
    "02-two-solutions": "<h1>Solutions to 2</h1>",
}


@pytest.fixture(scope="module")
def pdf():
    spec = importlib.util.spec_from_file_location("pdf", ROOT / "book" / "pdf.py")
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules["pdf"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def made(pdf, playwright, tmp_path_factory):
    """(reader, listed documents, site folder, output file)."""
    from pypdf import PdfReader

    site = tmp_path_factory.mktemp("a site")
    (site / "book").mkdir()
    for name, body in PAGES.items():
        text = f'<!doctype html><meta charset="utf-8"><main>{body}</main>'
        (site / "book" / f"{name}.html").write_text(text, encoding="utf-8")
    listed = [
        pdf.Document("book/index", ""),
        pdf.Document("book/01-one", "Part A"),
        pdf.Document("book/02-two", "Part B"),
        pdf.Document("book/02-two-solutions", "Part B", 2),
    ]
    out = site / pdf.NAME
    browser = playwright.chromium.launch(
        executable_path=pagecheck.require_browser(), args=pagecheck.FLAGS
    )
    try:
        work = tmp_path_factory.mktemp("work")
        pdf.print_pages(browser, site, listed, work, say=lambda line: None)
        sheets = pdf.merge(browser, site, listed, work, out)
    finally:
        browser.close()
    assert sheets == len(PdfReader(out).pages)
    return PdfReader(out), listed, site, out


def test_contents_name_the_sheet_on_which_each_page_begins(made):
    reader, listed, _, _ = made
    contents = reader.pages[1].extract_text()
    for one in listed:
        assert one.title in reader.pages[one.first - 1].extract_text()
        assert re.search(rf"{re.escape(one.title)}\s*{one.first}\b", contents), contents
    assert listed[1].sheets >= 2, "the long page must show that sheets are counted"
    assert listed[2].title == "Two & more"


def test_every_sheet_but_the_first_has_its_number_and_folds_are_open(made):
    reader, listed, _, _ = made
    for number, sheet in enumerate(reader.pages, 1):
        last = sheet.extract_text().split()[-1]
        assert (last == str(number)) == (number > 1), (number, last)
    first = listed[1].first - 1
    assert "UNFOLDED" in reader.pages[first].extract_text()


def test_links_lead_inside_the_file_or_out_and_never_to_a_local_file(made):
    reader, listed, _, _ = made
    goals, addresses = [], []
    for sheet in reader.pages:
        for note in sheet.get("/Annots") or ():
            action = note.get_object().get("/A") or {}
            if action.get("/S") == "/GoTo":
                page = action["/D"][0].get_object()
                goals.append(next(i for i, p in enumerate(reader.pages, 1) if p == page))
            elif "/URI" in action:
                addresses.append(action["/URI"])
    assert goals == [listed[2].first, listed[0].first]
    assert addresses == ["https://example.org/"]


def test_bookmarks_follow_the_parts(made):
    reader, _, _, _ = made
    flat = str([getattr(item, "title", [i.title for i in item]) for item in reader.outline[:3]])
    assert flat == "['Front', 'Part A', ['One']]"
    assert [item.title for item in reader.outline[4] if not isinstance(item, list)] == [
        "Two & more"
    ]
    assert reader.outline[4][1][0].title == "Solutions to 2"


def test_the_front_page_offers_the_file_once_it_is_there(pdf, made):
    _, listed, site, out = made
    front = site / "book" / "index.html"
    assert "not made" in front.read_text(encoding="utf-8")
    assert pdf.offer(site, listed, out, 9) == ["book/index"]
    text = front.read_text(encoding="utf-8")
    link = re.search(r'<span id="pdf-offer"><a href="([^"]+)">', text).group(1)
    assert (front.parent / link).resolve() == out.resolve()
    assert pdf.offer(site, listed, out, 10) == ["book/index"]
    assert "(10 pages" in front.read_text(encoding="utf-8")


def test_the_front_page_has_a_place_for_the_offer(pdf):
    text = (ROOT / "book" / "src" / "index.md").read_text(encoding="utf-8")
    assert len(pdf.OFFER.findall(text)) == 1


def test_documents_are_the_pages_of_the_table_of_contents(pdf):
    import chaptercheck

    assert [one.name for one in pdf.documents(ROOT)] == chaptercheck.pages(ROOT)


def test_a_book_that_is_not_built_is_said_so(pdf, playwright, tmp_path):
    browser = playwright.chromium.launch(
        executable_path=pagecheck.require_browser(), args=pagecheck.FLAGS
    )
    try:
        with pytest.raises(FileNotFoundError, match="build the book first"):
            pdf.print_pages(browser, tmp_path, [pdf.Document("book/x", "")], tmp_path)
    finally:
        browser.close()
