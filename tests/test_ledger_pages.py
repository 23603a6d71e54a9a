"""The book against the ledger: every claim has its chapter, and chapters show the same words."""

import json
from html import escape
from pathlib import Path

import pytest

from hbucb.claims import ledger

BOOK = Path(__file__).resolve().parents[1] / "book"
ROWS = ledger()
CHAPTERS = list(dict.fromkeys(claim.chapter for claim in ROWS))


def shown(name):
    """All text that the executed page shows, outputs as HTML where they have it."""
    notebook = json.loads((BOOK / f"{name}.ipynb").read_text(encoding="utf-8"))
    parts = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            parts.append("".join(cell["source"]))
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            parts.append("".join(data.get("text/html", data.get("text/plain", ""))))
            parts.append("".join(output.get("text", "")))
    return "\n".join(parts)


def missing(text, rows):
    """Sentences whose row (sentence, verdict, number) a page does not show."""
    found = []
    for sentence, verdict, number, _ in rows.sentences():
        lines = [part.partition("</tr>")[0] for part in text.split(f">{escape(sentence)}</td>")[1:]]
        if not any(escape(verdict) in line and escape(number) in line for line in lines):
            found.append(sentence)
    return found


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_claim_has_its_chapter(chapter):
    assert (BOOK / "src" / f"{chapter}.md").is_file()


@pytest.mark.parametrize("chapter", [name for name in CHAPTERS if name.startswith("R")])
def test_an_audit_shows_the_ledgers_words(chapter):
    assert not missing(shown(chapter), ROWS.of(chapter))


def test_the_ledger_page_shows_every_row():
    text = shown("ledger")
    for chapter in CHAPTERS:
        assert not missing(text, ROWS.of(chapter)), chapter
    for claim in ROWS:
        assert escape(claim.statement) in text and escape(claim.numbers) in text, claim.id


def test_a_changed_verdict_is_noticed():
    rows = ROWS.of("R1-figure-1")
    text = shown("R1-figure-1")
    sentence, verdict, number, _ = next(rows.sentences())
    for old, new in ((verdict, "✔ PROVED"), (number, "0.000"), (sentence, "another")):
        assert sentence in missing(text.replace(escape(old), escape(new)), rows)
