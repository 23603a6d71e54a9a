"""A figure that answers: `{widget} walk` puts one of book/_static/widgets into a chapter.

Write::

    ```{widget} walk
    :name: w-walk
    ```

The name is an id, unique in the book. What stands in the page is a numbered figure that needs no
script: the static picture with its alternative text, a caption that starts with the finding, the
sentence that states what a move would show, and the numbers as a table that folds. Picture and
words are made by book/widget_pictures.py from hbucb. The page loads the scripts of its own widgets
only; they put the live figure in the place of the picture, or leave the picture where it is.

A link into a state of a widget of the same page::

    {state}`the law with a hole <w-walk?law=hole>`

leads to the figure, and with scripts into that state.
"""

import html
import json
import re
from pathlib import Path
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole

logger = logging.getLogger(__name__)
FOLDER = Path(__file__).resolve().parents[1] / "_static" / "widgets"


class widget_state(nodes.Inline, nodes.TextElement):
    """A link into a state of a widget."""


def statics():
    """Words and numbers of all widgets, by name."""
    return json.loads((FOLDER / "statics.json").read_text(encoding="utf-8"))


def _table(title, head, rows):
    def row(cells, tag):
        return "<tr>" + "".join(f"<{tag}>{html.escape(c)}</{tag}>" for c in cells) + "</tr>"

    body = "\n".join(row(cells, "td") for cells in rows)
    return (
        f'<details class="widget-numbers"><summary>The numbers as a table</summary>\n'
        f'<table class="table">\n<caption>{html.escape(title)}</caption>\n'
        f"<thead>{row(head, 'th')}</thead>\n<tbody>{body}</tbody>\n</table>\n</details>\n"
    )


class WidgetDirective(SphinxDirective):
    required_arguments = 1
    option_spec: ClassVar = {"name": directives.unchanged_required}

    def run(self):
        name, known = self.arguments[0], statics()
        if name not in known:
            logger.warning(
                "widget %r: there is %s", name, ", ".join(known), location=self.get_location()
            )
            return []
        if "name" not in self.options:
            logger.warning("widget %r needs a :name:", name, location=self.get_location())
            return []
        words = known[name]
        figure = nodes.figure("", classes=["widget", f"widget-{name}"])
        figure["widget"] = name
        self.set_source_info(figure)
        image = nodes.image("", uri=f"_static/widgets/{name}.png", alt=words["alt"])
        self.set_source_info(image)
        finding = nodes.paragraph("", words["finding"], classes=["widget-finding"])
        table = nodes.raw("", _table(words["title"], words["head"], words["rows"]), format="html")
        caption = nodes.caption("", words["caption"])
        self.set_source_info(caption)
        figure += [image, caption, nodes.legend("", finding, table)]
        self.add_name(figure)
        return [figure]


class StateRole(SphinxRole):
    def run(self):
        found = re.fullmatch(r"(.+?)\s*<([\w-]+)\?([^<>]*)>", self.text, flags=re.S)
        if not found:
            logger.warning(
                "state %r: write text <name?key=value>", self.text, location=self.get_location()
            )
            return [nodes.Text(self.text)], []
        text, name, state = found.groups()
        return [widget_state("", text, goal=name, state=state)], []


def _visit_state(self, node):
    self.body.append(
        f'<a class="reference internal widget-state" href="#{html.escape(node["goal"])}"'
        f' data-state="{html.escape(node["state"])}">'
    )


def _depart_state(self, node):
    self.body.append("</a>")


def _pass(self, node):
    """Other writers print the words."""


def _scripts(app, pagename, templatename, context, doctree):
    """The page's own widgets, and what they share."""
    if doctree is None:
        return
    used = list(dict.fromkeys(f["widget"] for f in doctree.findall(nodes.figure) if "widget" in f))
    if used:
        app.add_css_file("widgets/widget.css")
        for name in ("widget", "plot", *used):
            app.add_js_file(f"widgets/{name}.js", loading_method="defer")


def _states_lead_somewhere(app, doctree, docname):
    ids = {i for f in doctree.findall(nodes.figure) if "widget" in f for i in f["ids"]}
    for link in doctree.findall(widget_state):
        if link["goal"] not in ids:
            logger.warning("state: no widget %r on this page", link["goal"], location=docname)


def setup(app):
    plain = {name: (_pass, _pass) for name in ("latex", "text", "texinfo", "man")}
    app.add_node(widget_state, html=(_visit_state, _depart_state), **plain)
    app.add_directive("widget", WidgetDirective)
    app.add_role("state", StateRole())
    app.connect("html-page-context", _scripts)
    app.connect("doctree-resolved", _states_lead_somewhere)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
