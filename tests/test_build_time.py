"""What book/_ext saves in the strict build gives the pages that came without it.

Two extensions do once what was done for each page or cell: links in code (codeautolink_quick) and
the sidebar of source pages (sidebar). Each is compared with the slow way on the book's own cells.
"""

import ast
import sys
from pathlib import Path
from types import SimpleNamespace

import chaptercheck
import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "book" / "_ext"))
import codeautolink_quick as quick  # noqa: E402
import sidebar  # noqa: E402
from bs4 import BeautifulSoup  # noqa: E402
from sphinx.highlighting import PygmentsBridge  # noqa: E402
from sphinx_codeautolink.extension.block import SourceTransform  # noqa: E402
from sphinx_codeautolink.parse import ImportTrackerVisitor  # noqa: E402

NOTEBOOKS = [n for n in chaptercheck.pages(ROOT) if (ROOT / f"{n}.ipynb").exists()]


def cells(name):
    notebook = nbformat.read(ROOT / f"{name}.ipynb", as_version=4)
    return [cell.source for cell in notebook.cells if cell.cell_type == "code"]


def slow_names(source):
    visitor = ImportTrackerVisitor(None)
    visitor.visit(ast.parse(source))
    return visitor.accessed


def read_as_a_page(sources):
    """Names of each cell as the extension reads them, as (source, names)."""
    found, before = [], []
    for source in sources:
        whole = "\n".join([*before, source])
        hidden = sum(text.count("\n") + 1 for text in before)
        found.append(
            (source, hidden, [n for n in quick.parse_names(whole, None) if n.lineno > hidden])
        )
        before.append(source)
    return found


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_names_of_a_page_are_those_of_reading_it_again_for_each_cell(name):
    sources = cells(name)
    whole = "\n".join(sources)
    slow = slow_names(whole)
    found = [n for _, _, names in read_as_a_page(sources) for n in names]
    assert found == slow
    assert len(found) > 3 or len(sources) < 3


def test_a_source_that_goes_on_within_a_statement_is_read_whole():
    first = "import numpy as np\nif np.pi:\n    x = np.e"
    for rest in ("    y = np.inf", "else:\n    y = np.nan", "x.real\nnp.e"):
        quick.parse_names(first, None)
        assert (
            quick.parse_names(f"{first}\n{rest}", None)[-2:] == slow_names(f"{first}\n{rest}")[-2:]
        )
    with pytest.raises(SyntaxError):
        quick.parse_names(f"{first}\n)", None)
    # the next page does not know the names of this one
    assert quick.parse_names("np.pi", None) == []


def page_of(sources):
    """A page with the cells as Sphinx writes them, each with words and an output around it."""
    bridge, parts = PygmentsBridge("html", "sphinx"), []
    for number, source in enumerate(sources):
        code = bridge.highlight_block(source, "python")
        said = bridge.highlight_block("np.mean 3 < 4", "none")
        parts.append(
            f'<p>Cell &amp; {number}<br>\nan &lt;b&gt;</p>\n<div class="cell_input docutils '
            f'container">\n<div class="highlight-python notranslate">{code}</div>\n</div>\n'
            f'<div class="output stream highlight-none notranslate">{said}</div>'
        )
    return "\n".join(parts)


@pytest.mark.parametrize("name", NOTEBOOKS[::6])
def test_links_in_code_are_those_of_parsing_the_whole_page(name):
    transforms, inventory = [], {}
    for source, hidden, names in read_as_a_page(cells(name)):
        transforms.append(SourceTransform(source, [], None, 1))
        for found in names:
            if not found.code_str:
                continue
            found.lineno -= hidden
            found.end_lineno -= hidden
            found.resolved_location = ".".join(found.import_components).replace(".()", "")
            inventory[found.resolved_location] = f"book/api.html#{found.resolved_location}"
            transforms[-1].names.append(found)
    page = page_of(cells(name))
    given = (transforms, inventory, {}, [])
    fast = quick.link_html("book/x", page, *given, disable_link_titles=False)
    slow = quick._whole_page("book/x", page, *given, disable_link_titles=False)
    assert str(BeautifulSoup(fast, "html.parser")) == slow
    assert fast.count("sphinx-codeautolink-a") == slow.count("sphinx-codeautolink-a") > 3


def test_a_block_that_is_not_in_the_page_is_left_to_the_slow_way(monkeypatch):
    given = []
    monkeypatch.setattr(quick, "_whole_page", lambda *args, **options: given.append(options))
    lost = SourceTransform("np.pi", [], None, 1)
    quick.link_html("book/x", page_of(["np.e"]), [lost], {}, {}, [], disable_link_titles=True)
    assert given == [{"disable_link_titles": True}]


def test_source_pages_of_a_folder_share_a_sidebar_and_pages_of_the_book_do_not():
    made = []
    app = SimpleNamespace(env=SimpleNamespace(found_docs={"book/a", "book/b"}), hbucb_sidebars={})

    def sidebar_of(page, **options):
        def toctree(**given):
            made.append(page)
            return f"{page} {given}"

        context = {"toctree": toctree}
        sidebar.shared(app, page, "page.html", context, None)
        return context["toctree"](**options)

    first = sidebar_of("_modules/hbucb/x", collapse=True)
    assert sidebar_of("_modules/hbucb/y", collapse=True) == first
    assert sidebar_of("_modules/hbucb/y", collapse=False) != first
    assert sidebar_of("_modules/z", collapse=True) != first
    assert sidebar_of("book/a", collapse=True) != sidebar_of("book/b", collapse=True)
    assert made == ["_modules/hbucb/x", "_modules/hbucb/y", "_modules/z", "book/a", "book/b"]
