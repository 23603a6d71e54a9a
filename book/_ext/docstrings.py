"""Make the package's docstrings safe for the strict build.

- A docstring may say E|xi - mu|^p; reStructuredText reads bars as a substitution, which does not
  exist. Bars outside code, formulas and examples are taken as themselves.
- The types of attributes are free text ("array (K,)"), not names of classes.
- The first line of a property is a sentence, also if it holds a colon; napoleon takes what stands
  before the colon for a type.
- A role may name a neighbour in the same file (:class:`Row`) though the reference page shows it
  under its public name; a short name that only one object ends in is that object.
- Source pages lead back to the entry that is there.
"""

import re

from sphinx.ext.napoleon.docstring import NumpyDocstring
from sphinx.util.nodes import make_refnode

# literals, roles with their text, and bars; only the last are changed
_PART = re.compile(r"(``.*?``|:[a-z:]+:`.*?`|`.*?`_*)|(?<!\\)\|")


def _bars(line):
    return _PART.sub(lambda m: m.group(1) or r"\|", line)


def _attribute(line):
    """An attribute field whose type is literal and whose names ("low, high") hold no blank."""
    field = re.match(r":(ivar|vartype) ([^:]+):(.*)$", line)
    if field is None:
        return line
    kind, names, rest = field.groups()
    if kind == "vartype" and rest.strip():
        rest = f" ``{rest.strip()}``"
    return f":{kind} {names.replace(', ', ',')}:{rest}"


def escape(app, what, name, obj, options, lines):
    """Escape bars in prose lines, in place; examples and literal blocks stay as they are."""
    literal = None  # indentation of the paragraph that opened a literal block
    for number, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        if not line.strip():
            continue
        if literal is not None:
            if indent > literal:
                continue
            literal = None
        if line.lstrip().startswith((">>>", "...")):
            continue
        if line.lstrip().startswith(".. "):
            literal = indent
            continue
        lines[number] = _bars(_attribute(line))
        if line.rstrip().endswith("::"):
            literal = indent


def _properties_are_prose():
    old = NumpyDocstring._parse
    if getattr(old, "properties_are_prose", False):
        return

    def parse(self):
        if self._what in ("attribute", "data", "property"):
            self._what = "method"
        old(self)

    parse.properties_are_prose = True
    NumpyDocstring._parse = parse


def neighbour(app, env, node, contnode):
    """The one documented object of this short name, if there is exactly one."""
    target = node.get("reftarget", "")
    if node.get("refdomain") != "py" or not target.isidentifier():
        return None
    objects = env.get_domain("py").objects
    matches = [name for name in objects if name.rpartition(".")[2] == target]
    if len(matches) != 1:
        return None
    entry = objects[matches[0]]
    start = node["refdoc"]
    return make_refnode(app.builder, start, entry.docname, entry.node_id, contnode, matches[0])


def back_links(app, pagename, templatename, context, doctree):
    """On a source page, lead [docs] to the entry that the reference has for the name.

    viewcode assumes that all names of a file are documented under one module; ours are documented
    where they are public: in their file's module, in its package, or at the top.
    """
    if not pagename.startswith("_modules/") or "body" not in context:
        return
    objects = app.env.get_domain("py").objects
    homes = [pagename.removeprefix("_modules/").replace("/", ".")]
    while "." in homes[-1]:
        homes.append(homes[-1].rpartition(".")[0])

    def lead(match):
        name = match.group(2)
        inside = next(name.removeprefix(f"{h}.") for h in homes if name.startswith(f"{h}."))
        known = [n for n in (name, *(f"{home}.{inside}" for home in homes)) if n in objects]
        # a name may be known as another name of an entry, which has its own place on the page
        return f"{match.group(1)}{objects[known[0]].node_id if known else name}"

    context["body"] = re.sub(r'(href="[^"#]*#)(hbucb\.[\w.]+)', lead, context["body"])


def setup(app):
    _properties_are_prose()
    app.connect("missing-reference", neighbour)
    app.connect("html-page-context", back_links)
    app.connect("autodoc-process-docstring", escape, priority=900)
    return {"parallel_read_safe": True}
