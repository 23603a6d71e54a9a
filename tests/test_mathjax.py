"""Formulas load no file that the book does not bring along.

tex-svg.js fetches an extension when a formula uses one of its macros; if the file is missing, the
page shows none of its formulas.
"""

import re
from pathlib import Path

import pytest

BOOK = Path(__file__).resolve().parents[1] / "book"
FOLDER = BOOK / "_static" / "mathjax" / "input" / "tex" / "extensions"
#: Extension -> macros that load it, in MathJax 3.2.2 (tex-svg.js, option "autoload").
AUTOLOAD = {
    "action": ["toggle", "mathtip", "texttip"],
    "amscd": ["CD"],
    "bbox": ["bbox"],
    "boldsymbol": ["boldsymbol"],
    "braket": ["bra", "ket", "braket", "set", "Bra", "Ket", "Braket", "Set", "ketbra", "Ketbra"],
    "bussproofs": ["prooftree"],
    "cancel": ["cancel", "bcancel", "xcancel", "cancelto"],
    "color": ["color", "definecolor", "textcolor", "colorbox", "fcolorbox"],
    "enclose": ["enclose"],
    "extpfeil": ["xtwoheadrightarrow", "xtwoheadleftarrow", "xmapsto", "xlongequal", "xtofrom"],
    "html": ["href", "class", "style", "cssId"],
    "mhchem": ["ce", "pu"],
    "textmacros": [],
    "unicode": ["unicode", "U"],
    "verb": ["verb"],
}


def needed(text):
    """Extensions that the formulas of a text make MathJax fetch."""
    used = set(re.findall(r"\\([A-Za-z]+)", text))
    return {name for name, macros in AUTOLOAD.items() if used & set(macros)}


def test_every_extension_that_formulas_use_stands_in_the_book():
    texts = [*(BOOK / "src").glob("*.md"), *BOOK.glob("*.md"), BOOK / "symbols.toml"]
    wanted = {}
    for path in texts:
        for name in needed(path.read_text(encoding="utf-8")):
            wanted.setdefault(name, path.name)
    assert "boldsymbol" in wanted
    missing = {n: p for n, p in wanted.items() if not (FOLDER / f"{n}.js").exists()}
    assert not missing, f"copy them from MathJax 3.2.2, or write the formula otherwise: {missing}"


@pytest.mark.parametrize(
    ("text", "names"), [(r"$\cancel{x}$", {"cancel"}), (r"$\mathbf{x} \le \ket$", {"braket"})]
)
def test_a_planted_macro_is_found(text, names):
    assert needed(text) == names
