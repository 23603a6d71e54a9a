"""The bibliography and the table of symbols are whole: a merge of two sides can lose a brace."""

import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

BOOK = Path(__file__).resolve().parents[1] / "book"
BIB = (BOOK / "references.bib").read_text(encoding="utf-8")
SYMBOLS = (BOOK / "symbols.toml").read_text(encoding="utf-8")


def entries(text):
    """Key -> text of each entry; ValueError where braces do not close exactly at an entry's end."""
    found = {}
    for entry in re.split(r"^(?=@)", text, flags=re.M):
        if not entry.strip():
            continue
        head = re.match(r"@\w+\{([^,\s]+),", entry)
        if head is None:
            raise ValueError(f"no entry begins with {entry[:40]!r}")
        depth = [0]
        for sign in entry.rstrip():
            depth.append(depth[-1] + {"{": 1, "}": -1}.get(sign, 0))
        if depth[-1] > 0:
            raise ValueError(f"{head.group(1)} is never closed")
        if 0 in depth[head.end() : -1]:
            raise ValueError(f"{head.group(1)} is closed before its end")
        if head.group(1) in found:
            raise ValueError(f"{head.group(1)} stands there twice")
        found[head.group(1)] = entry
    return found


def cited():
    """Keys that the book's pages cite."""
    keys = Counter()
    for path in [*(BOOK / "src").glob("*.md"), *BOOK.glob("*.md")]:
        for group in re.findall(r"\{cite(?::\w+)?\}`([^`]*)`", path.read_text(encoding="utf-8")):
            keys.update(key.strip() for key in group.split(","))
    return keys


def test_every_entry_is_whole():
    found = entries(BIB)
    assert len(found) > 40 and len(found) == len(re.findall(r"^@", BIB, flags=re.M))
    for key, entry in found.items():
        for field in ("title", "year"):
            assert re.search(rf"^\s*{field}\s*=", entry, flags=re.M), f"{key} has no {field}"


def test_the_parser_that_sphinx_uses_reads_every_entry():
    bibtex = pytest.importorskip("pybtex.database")
    assert set(bibtex.parse_string(BIB, "bibtex").entries) == set(entries(BIB))


def test_what_is_cited_is_there_and_what_is_there_is_cited():
    assert set(cited()) == set(entries(BIB))


def test_the_table_of_symbols_parses():
    rows = tomllib.loads(SYMBOLS)["symbol"]
    assert len(rows) == SYMBOLS.count("[[symbol]]") > 30
    for row in rows:
        assert row["tex"].count("{") == row["tex"].count("}"), row


GOOD = "@book{a,\n  title = {A {B}},\n}\n\n@book{b,\n  title = {C},\n}\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GOOD.replace("{A {B}},\n}", "{A {B}},\n"), "a is never closed"),
        (GOOD.replace("{C},\n}", "{C},\n"), "b is never closed"),
        (GOOD.replace("{C},\n}", "{C},\n}\n}"), "closed before its end"),
        (GOOD.replace("@book{b", "@book{a"), "twice"),
        (GOOD.replace("@book{b,\n", ""), "a is closed before"),
        ("x" + GOOD, "no entry begins"),
    ],
)
def test_a_lost_brace_is_found(text, message):
    assert list(entries(GOOD)) == ["a", "b"]
    with pytest.raises(ValueError, match=message):
        entries(text)
