"""Two steps of sphinx-codeautolink without the work that it does again and again.

It took four tenths of the time of a strict build, for three reasons:

- It parses and writes the whole page again to put links into its code. Here it gets the code
  blocks alone, one below the other; its links add no lines, so the blocks come back line by line.
- For the title of each link it parses the link's words as a page.
- To know the names of a cell it reads all earlier cells of the page again. Here the reader waits
  where it stopped and reads the new cell only, unless that is no complete Python by itself.

tests/test_build_time.py compares links and names with those that it finds by itself.
"""

import ast
import html
import re

from sphinx_codeautolink import extension, parse
from sphinx_codeautolink.extension import block

# code of a cell or of a docstring's example; what a cell printed has another class
_BLOCK = re.compile(
    r'<div class="(?:doctest )?highlight-(?:default|python3?)\b[^"]*">\s*'
    r'<div class="highlight">\s*<pre>.*?</pre>\s*</div>\s*</div>',
    re.S,
)
_whole_page = block.link_html


def link_html(document, page, transforms, *args, **options):
    """The page with links in its code blocks.

    A block that is not found here is one that sphinx-codeautolink misses: it warns.
    """
    found = list(_BLOCK.finditer(page))
    code = "\n".join(match.group() for match in found)
    lines = _whole_page(document, code, transforms, *args, **options).split("\n")
    parts, end = [], 0
    for match in found:
        size = match.group().count("\n") + 1
        parts += [page[end : match.start()], "\n".join(lines[:size])]
        lines, end = lines[size:], match.end()
    return "".join([*parts, page[end:]])


def format_title(location, text):
    """The title of a link, unless it says no more than the link's words."""
    words = re.sub(r"\s+", "", html.unescape(re.sub(r"<[^>]*>", "", text)))
    return "" if words == location else f' title="{location}"'


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
    block.format_title = format_title
    block.parse_names = parse_names
    return {"parallel_read_safe": True, "parallel_write_safe": True}
