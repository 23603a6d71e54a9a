"""The bet block: the reader predicts, then sees.

Write, anywhere in a chapter (colon fences, blank lines round the body)::

    :::{bet} bet-cauchy-mean

    After 10, 1000 and 100 000 Cauchy rewards, how often is their mean
    more than 1 away from the centre?

    - ever more rarely, like $1/\\sqrt{k}$
    - half of the time, always
    - ever more often

    :::

    (code cells, figures and text that answer: hidden until the bet is laid)

    :::{bet-answer} bet-cauchy-mean
    :right: 2

    - You were thinking of a variance; there is none.
    - The mean of $k$ Cauchy rewards is again one Cauchy reward.
    - The mean gets no worse either.

    :::

The argument is a label, unique in the book: `[the bet](#bet-cauchy-mean)` links to it. The last
list of `bet` holds the choices (3 or 4 read best); `bet-answer` starts with one list, one item for
each choice in the same order. `:right:` says which choice holds, counted from 1 (leave it out when
none does). Both stand in the same section: no heading in between. What stands between the two is
hidden in the browser until the reader presses "Lay the bet" or "Show without betting"; a link into
it, a search in the page and printing open it as well. Without scripts, in print and in plain
Jupyter all of it is visible: the choices, the figure, the answers. The choice is kept in the
browser's own storage, if that is allowed; nothing is sent.

Mistakes (a label without partner, another number of answers, `:right:` out of range) are warnings,
so the strict build fails on them.
"""

from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

logger = logging.getLogger(__name__)


class bet(nodes.General, nodes.Element):
    """The question and its choices."""


class bet_answer(nodes.General, nodes.Element):
    """One sentence for each choice; what follows the list is shown below them."""


class bet_hidden(nodes.General, nodes.Element):
    """What is shown once the bet is laid: all between the question and the end of the answers."""


def _last_list(node):
    lists = [c for c in node.children if isinstance(c, (nodes.bullet_list, nodes.enumerated_list))]
    return lists[-1] if lists else None


def _lettered(old, css):
    """The same items as an ordered list a, b, c: it reads and prints without any script."""
    new = nodes.enumerated_list("", *old.children, enumtype="loweralpha", prefix="(", suffix=")")
    new["classes"] = [css]
    return new


class BetDirective(SphinxDirective):
    required_arguments = 1
    has_content = True

    def run(self):
        label = nodes.make_id(self.arguments[0])
        node = bet("", label=label, ids=[label], names=[nodes.fully_normalize_name(label)])
        self.set_source_info(node)
        self.state.nested_parse(self.content, self.content_offset, node)
        choices = _last_list(node)
        if choices is None or len(choices) < 2:
            logger.warning("bet %r needs a list of at least two choices", label, location=node)
            return [node]
        node["choices"] = len(choices)
        node.replace(choices, _lettered(choices, "bet-choices"))
        self.state.document.note_explicit_target(node, node)
        return [node]


class AnswerDirective(SphinxDirective):
    required_arguments = 1
    has_content = True
    option_spec: ClassVar = {"right": directives.positive_int}

    def run(self):
        node = bet_answer("", label=nodes.make_id(self.arguments[0]))
        node["right"] = self.options.get("right", 0)
        self.set_source_info(node)
        self.state.nested_parse(self.content, self.content_offset, node)
        answers = _last_list(node)
        node["answers"] = len(answers) if answers is not None else 0
        if answers is not None:
            node.replace(answers, _lettered(answers, "bet-answers"))
        return [node]


class HideUntilBet(SphinxTransform):
    """Put all that stands between a bet and its answers, answers included, into one node."""

    default_priority = 750  # after headings have become sections, before numbering

    def apply(self):
        answers = {node["label"]: node for node in self.document.findall(bet_answer)}
        for question in list(self.document.findall(bet)):
            label = question["label"]
            answer = answers.pop(label, None)
            fault = self._fault(question, answer)
            if fault:
                logger.warning("bet %r: %s", label, fault, location=question)
                continue
            parent = question.parent
            first, last = parent.index(question) + 1, parent.index(answer) + 1
            box = bet_hidden("", *parent.children[first:last], label=label)
            for child in list(parent.children[first:last]):
                parent.remove(child)
            parent.insert(first, box)
        for label, node in answers.items():
            logger.warning("bet-answer %r has no bet", label, location=node)

    @staticmethod
    def _fault(question, answer):
        if answer is None:
            return "no bet-answer of this label on the page"
        if answer.parent is not question.parent:
            return "its bet-answer stands in another section"
        if question.parent.index(answer) < question.parent.index(question):
            return "its bet-answer stands before it"
        if answer["answers"] != question.get("choices"):
            return f"{question.get('choices')} choices but {answer['answers']} answers"
        if answer["right"] > answer["answers"]:
            return f":right: {answer['right']} of {answer['answers']} choices"
        return None


def _visit_bet(self, node):
    self.body.append(
        f'<fieldset class="bet" id="{node["label"]}" data-bet="{node["label"]}">'
        "<legend>Bet before you look</legend>\n"
    )


def _visit_answer(self, node):
    right = f' data-right="{node["right"]}"' if node["right"] else ""
    self.body.append(
        f'<div class="bet-answer"{right}>\n<p class="bet-answer-title">If you said …</p>\n'
    )


def _visit_hidden(self, node):
    self.body.append(f'<div class="bet-hidden" data-for="{node["label"]}">\n')


def _closes(tag):
    return lambda self, node: self.body.append(f"</{tag}>\n")


def _pass(self, node):
    """Other writers print the children, in order."""


def setup(app):
    for node, visit, tag in (
        (bet, _visit_bet, "fieldset"),
        (bet_answer, _visit_answer, "div"),
        (bet_hidden, _visit_hidden, "div"),
    ):
        plain = {name: (_pass, _pass) for name in ("latex", "text", "texinfo", "man")}
        app.add_node(node, html=(visit, _closes(tag)), **plain)
    app.add_directive("bet", BetDirective)
    app.add_directive("bet-answer", AnswerDirective)
    app.add_transform(HideUntilBet)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
