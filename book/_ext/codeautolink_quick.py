"""Two steps of sphinx-codeautolink without the work that it does again and again.

It took nearly half of the time of a strict build, for two reasons:

- It parses and writes the whole page again to put links into its code, and copies each block to
  compare it with the cells. Here the blocks are found and changed as text.
- To know the names of a cell it reads all earlier cells of the page again. Here the reader waits
  where it stopped and reads the new cell only, unless that is no complete Python by itself.

tests/test_build_time.py compares links and names with those that it finds by itself.
"""

import ast
import re
from functools import cache
from html import unescape
from types import SimpleNamespace

from sphinx_codeautolink import extension, parse
from sphinx_codeautolink.extension import block

# code of a cell or of a docstring's example; what a cell printed has another class
_BLOCK = re.compile(
    r'<div class="(?:doctest )?highlight-(?:default|python3?)\b[^"]*">\s*'
    r'<div class="highlight">\s*<pre>(.*?)</pre>',
    re.S,
)
_whole_page = block.link_html


def _words(code):
    """What a reader sees of a piece of a page."""
    return unescape(re.sub(r"<[^>]*>", "", code))


@cache
def _pattern(context, code):
    name = SimpleNamespace(context=context, code_str=code)
    return re.compile(block.construct_name_pattern(name))


def _link(code, names, address, titles):
    """Code with links at the names, or None if one is not found.

    A name is looked for in its own lines, and is the last that is no link yet: names come in the
    order in which Python reads them, so what is assigned to comes after the value.
    """
    lines = code.split("\n")
    for name in names:
        where = slice(name.lineno - 1, name.end_lineno)
        text = "\n".join(lines[where])
        found = list(_pattern(name.context, name.code_str).finditer(text))
        if not found:
            return None
        start, end = found[-1].end(1), found[-1].end()
        words, goal = text[start:end], name.resolved_location
        plain = not titles or re.sub(r"\s", "", _words(words)) == goal
        title = "" if plain else f' title="{goal}"'
        link = f'<a href="{address(goal)}"{title} class="sphinx-codeautolink-a">{words}</a>'
        lines[where] = f"{text[:start]}{link}{text[end:]}".split("\n")
    return "\n".join(lines)


def link_html(document, page, transforms, inventory, *args, disable_link_titles=False, **options):
    """The page with links in its code blocks.

    Where a block or a name is not found, sphinx-codeautolink does the page, and warns.
    """

    def address(goal):
        place = inventory[goal]
        return place if place.startswith("http") else "../" * document.count("/") + place

    waiting = {}  # spans of the blocks by their words, in the order of the page
    for match in _BLOCK.finditer(page):
        waiting.setdefault(_words(match.group(1)).rstrip(), []).append(match.span(1))
    linked = []
    for one in transforms:
        spans = waiting.get(one.source.rstrip())
        code = None
        if spans:
            start, end = spans.pop(0)
            code = _link(page[start:end], one.names, address, not disable_link_titles)
        if code is None:
            options["disable_link_titles"] = disable_link_titles
            return _whole_page(document, page, transforms, inventory, *args, **options)
        linked.append((start, end, code))
    parts, at = [], 0
    for start, end, code in sorted(linked):
        parts += [page[at:start], code]
        at = end
    return "".join([*parts, page[at:]])


class _Reader:
    """What is read of one page so far: source, and the visitor that knows its names."""

    source = ""
    visitor = None


def parse_names(source, node):
    """Names of the source; of the new part alone, if it goes on where the last source ended."""
    before = _Reader.source + "\n"
    if _Reader.visitor is not None and source.startswith(before):
        rest = source[len(before) :]
        try:
            tree = ast.parse(rest)
        except SyntaxError:
            pass  # goes on within the last statement, or is wrong: reading all of it will tell
        else:
            ast.increment_lineno(tree, before.count("\n"))
            _Reader.source = source
            _Reader.visitor.doctree_node = node
            _Reader.visitor.accessed = []
            _Reader.visitor.visit(tree)
            return _Reader.visitor.accessed
    _Reader.visitor = None
    visitor = parse.ImportTrackerVisitor(node)
    visitor.visit(ast.parse(source))
    _Reader.source, _Reader.visitor = source, visitor
    return visitor.accessed


def setup(app):
    extension.link_html = link_html
    block.parse_names = parse_names
    return {"parallel_read_safe": True, "parallel_write_safe": True}
