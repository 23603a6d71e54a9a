"""Number a chapter by its file name: 01-name is chapter 1, R1-name is chapter R1.

Sphinx counts chapters by their place in the table of contents, so a new chapter would renumber all
later ones, and an audit would be "2. R1". Figures, statements, equations and exercises follow:
Fig. R1.2, Theorem 1.3.
"""

import re

from docutils import nodes
from sphinx.environment.collectors.toctree import TocTreeCollector

_NAME = re.compile(r"(?:.*/)?([A-Z]*)(\d+)-")


def chapter(docname):
    """1 for book/01-name, "R1" for book/R1-name, None for other pages."""
    match = _NAME.match(docname)
    if match is None:
        return None
    letters, digits = match.groups()
    return f"{letters}{int(digits)}" if letters else int(digits)


def _renumber(env):
    for docname, numbers in env.toc_secnumbers.items():
        first = chapter(docname)
        if first is None:
            continue
        for anchor, number in numbers.items():
            if number:
                numbers[anchor] = (first, *number[1:])
        title = env.titles[docname]
        if title.get("secnumber"):
            title["secnumber"] = [first, *title["secnumber"][1:]]
        for reference in env.tocs[docname].findall(nodes.reference):
            if reference.get("secnumber"):
                reference["secnumber"] = [first, *reference["secnumber"][1:]]


def _wrap(app):
    # the step after all section numbers are assigned, and before figures take theirs from them
    assign = TocTreeCollector.assign_figure_numbers
    if getattr(assign, "by_file_name", False):
        return

    def by_file_name(self, env):
        _renumber(env)
        return assign(self, env)

    by_file_name.by_file_name = True
    TocTreeCollector.assign_figure_numbers = by_file_name


def setup(app):
    app.connect("builder-inited", _wrap)
    return {"parallel_read_safe": True}
