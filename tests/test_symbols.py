"""One symbol, one meaning: book/symbols.toml against every formula of the book's text."""

import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

BOOK = Path(__file__).resolve().parents[1] / "book"
TEXTS = [*sorted((BOOK / "src").glob("*.md")), BOOK / "glossary.md"]
GREEK = (
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi "
    "pi rho sigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi "
    "Psi Omega ell"
).split()
ALPHABETS = r"\\(?:mathbb|mathcal|mathbf|mathfrak|mathscr)\s*\{?([A-Za-z])\}?"


def rows():
    return tomllib.loads((BOOK / "symbols.toml").read_text(encoding="utf-8"))["symbol"]


def formulas(text):
    """All formulas of a MyST text, inline and displayed; code is left out."""
    math = re.findall(r"^`{3,}\{math\}(.*?)^`{3,}", text, flags=re.M | re.S)
    text = re.sub(r"^(`{3,}).*?^\1\s*$", "", text, flags=re.M | re.S)
    text = re.sub(r"`[^`\n]*`", "", text)
    math += re.findall(r"\$\$(.*?)\$\$", text, flags=re.S)
    text = re.sub(r"\$\$.*?\$\$", "", text, flags=re.S)
    math += re.findall(r"(?<!\\)\$([^$]+?)(?<!\\)\$", text)
    math += re.findall(r"\\begin\{(?:align|equation|gather)\*?\}(.*?)\\end", text, flags=re.S)
    return math


def tokens(tex):
    """Symbols of a formula: letters, Greek macros, letters of an alphabet, named operators."""
    tex = re.sub(r"^:[\w-]+:.*$|\\(?:label|tag|begin|end)\s*\{[^}]*\}", " ", tex, flags=re.M)
    tex = re.sub(r"\\text\w*\s*\{[^{}$]*\}", " ", tex)
    found = [f"\\operatorname{{{n}}}" for n in re.findall(r"\\operatorname\*?\{([^}]*)\}", tex)]
    tex = re.sub(r"\\(?:operatorname\*?|mathrm)\s*\{[^}]*\}", " ", tex)
    for match in re.finditer(ALPHABETS, tex):
        found.append(match.group(0).replace(" ", ""))
    tex = re.sub(ALPHABETS, " ", tex)
    found += [f"\\{name}" for name in re.findall(r"\\([A-Za-z]+)", tex) if name in GREEK]
    found += re.findall(r"[A-Za-z]", re.sub(r"\\[A-Za-z]+", " ", tex))
    return found


def listed():
    return {token for row in rows() for token in tokens(row["tex"])}


def test_table_has_one_row_and_one_meaning_for_each_symbol():
    counts = Counter(row["tex"] for row in rows())
    assert [tex for tex, count in counts.items() if count > 1] == []
    meanings = Counter(row["meaning"] for row in rows())
    assert [meaning for meaning, count in meanings.items() if count > 1] == []
    for row in rows():
        assert set(row) <= {"tex", "meaning", "unit", "code"}, row
        assert row["meaning"].strip(), row


@pytest.mark.parametrize("path", TEXTS, ids=lambda p: p.stem)
def test_every_symbol_is_in_the_table(path):
    known = listed()
    missing = Counter(
        token
        for formula in formulas(path.read_text(encoding="utf-8"))
        for token in tokens(formula)
        if token not in known
    )
    assert not missing, f"add to book/symbols.toml, or use the listed symbol: {dict(missing)}"


def test_tokens_are_what_a_reader_sees():
    tex = r"\mathbb{E}[X_t] \le \Delta_a \log \text{for all } \operatorname{KL}(P, Q) \mathrm{d}x"
    expected = r"\operatorname{KL} \mathbb{E} \Delta X t a P Q x".split()
    assert tokens(tex) == expected
    assert formulas("a $x$ and `$y$`\n\n$$\nz\n$$ (eq)\n") == ["\nz\n", "x"]
