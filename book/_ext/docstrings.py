"""Make the package's docstrings safe for the strict build.

A docstring may say E|xi - mu|^p; reStructuredText reads bars as a substitution, which does not
exist. Bars outside code, formulas and examples are taken as themselves.
"""

import re

# literals, roles with their text, and bars; only the last are changed
_PART = re.compile(r"(``.*?``|:[a-z:]+:`.*?`|`.*?`_*)|(?<!\\)\|")


def _bars(line):
    return _PART.sub(lambda m: m.group(1) or r"\|", line)


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
        lines[number] = _bars(line)
        if line.rstrip().endswith("::"):
            literal = indent


def setup(app):
    app.connect("autodoc-process-docstring", escape, priority=900)
    return {"parallel_read_safe": True}
