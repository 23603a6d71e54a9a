"""`:::{symbols}`: the table of symbols, made from book/symbols.toml when the page is read."""

import tomllib
from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective


class Symbols(SphinxDirective):
    """One row a symbol: how it is written, its meaning, its unit, its name in the code."""

    def run(self):
        path = Path(self.env.srcdir) / "book" / "symbols.toml"
        self.env.note_dependency(str(path))
        lines = ["| symbol | meaning | unit | in code |", "| --- | --- | --- | --- |"]
        for row in tomllib.loads(path.read_text())["symbol"]:
            code = f"`{row['code']}`" if row.get("code") else ""
            lines.append(f"| ${row['tex']}$ | {row['meaning']} | {row.get('unit', '')} | {code} |")
        holder = nodes.container(classes=["symbol-table"])
        self.state.nested_parse(StringList(lines, str(path)), 0, holder)
        return [holder]


def setup(app):
    app.add_directive("symbols", Symbols)
    return {"parallel_read_safe": True}
