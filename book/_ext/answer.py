"""The answer box: a checked exercise on the page itself.

Write, after an exercise and its hint (colon fence)::

    :::{answer} ex-09-1
    The radius, in reward units:
    :::

The argument is the id of a sealed record (hbucb/checks/sealed.json); the text says what is to be
typed, with its unit. A formula is typed in the names of its record (js/formula.js reads it). In
the browser the record is unsealed with WebCrypto: no kernel, no network. Where that is missing (no
scripts, an address without https, print) the box says how to check in the notebook, which has a
cell for it. An unknown id, or a box without text, is a warning.
"""

import json
from pathlib import Path

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

logger = logging.getLogger(__name__)
RECORDS = Path(__file__).resolve().parents[2] / "hbucb" / "checks" / "sealed.json"


class answer(nodes.General, nodes.Element):
    """The box with its record."""


class answer_question(nodes.General, nodes.Element):
    """What is to be typed; the script makes it the label of the field."""


class AnswerBox(SphinxDirective):
    required_arguments = 1
    has_content = True

    def run(self):
        name = self.arguments[0].strip()
        self.env.note_dependency(str(RECORDS))
        record = json.loads(RECORDS.read_text(encoding="utf-8")).get(name)
        node = answer("", label=name)
        self.set_source_info(node)
        if record is None:
            logger.warning("answer %r: no sealed record", name, location=node)
            return []
        if not self.content:
            logger.warning("answer %r: say what is to be typed", name, location=node)
            return []
        node["record"] = json.dumps({"id": name, "record": record}, sort_keys=True)
        question = answer_question()
        self.state.nested_parse(self.content, self.content_offset, question)
        node += question
        return [node]


def _visit(self, node):
    data = self.attval(node["record"])
    self.body.append(f'<div class="answer" data-answer="{data}">\n')


def _depart(self, node):
    call = self.encode(f'hb.check("{node["label"]}", …)')
    self.body.append(
        f'<p class="answer-notebook">Open the notebook to check: <code>{call}</code>.</p>\n</div>\n'
    )


def _visit_question(self, node):
    self.body.append('<div class="answer-question">\n')


def _depart_question(self, node):
    self.body.append("</div>\n")


def _skip(self, node):
    """Print has no field to type into; the exercise and its solution are there."""
    raise nodes.SkipNode


def setup(app):
    plain = {name: (_skip, None) for name in ("latex", "text", "texinfo", "man")}
    app.add_node(answer, html=(_visit, _depart), **plain)
    app.add_node(answer_question, html=(_visit_question, _depart_question), **plain)
    app.add_directive("answer", AnswerBox)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
