"""The errata: every record has its entry on the page, and every theorem claim its evidence."""

import importlib
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import hbucb as hb
from hbucb.claims.claim import KINDS as CLAIM_KINDS
from hbucb.claims.errata import ERRATA, KINDS, errata, errata_table
from hbucb.claims.theorems import theorems
from hbucb.claims.vocabulary import Verdict

BOOK = Path(__file__).resolve().parents[1] / "book"
PAGE = (BOOK / "src" / "errata.md").read_text(encoding="utf-8")
ENTRY = re.compile(r"^\(errata-([\w]+)\)=\n### (\w+): (.+)\n", re.M)


def faults(records, page):
    """Records without an entry, entries without a record, and entries that lack a part."""
    found = [(label, id_, title) for label, id_, title in ENTRY.findall(page)]
    wanted = [(entry.id.lower(), entry.id, entry.title) for entry in records]
    out = [f"differs: {a} {b}" for a, b in zip(found, wanted, strict=False) if a != b]
    if len(found) != len(wanted):
        out.append(f"{len(found)} entries, {len(wanted)} records")
    bodies = re.split(ENTRY, page)[4::4]
    for (_, id_, _), body in zip(found, bodies, strict=True):
        for part in ("*Printed.*", "*True.*", "*Shown by*", "*In the package.*"):
            if part not in body:
                out.append(f"{id_} has no {part}")
    return out


def test_every_record_has_its_entry_and_every_entry_its_record():
    assert not faults(ERRATA, PAGE)
    # The check sees a lost entry, a lost record, another title and a lost part.
    assert faults(ERRATA, PAGE.replace("(errata-e7)=", "(errata-e70)="))
    assert faults(ERRATA[:-1], PAGE)
    assert faults((replace(ERRATA[0], title="other"), *ERRATA[1:]), PAGE)
    assert faults(ERRATA, PAGE.replace("*True.*", "*So.*", 1))


def test_records_are_complete_and_lead_to_chapters_and_references():
    ids = [entry.id for entry in ERRATA]
    assert ids[:27] == [f"E{i}" for i in range(1, 28)] and len(set(ids)) == len(ids)
    references = (BOOK / "references.bib").read_text(encoding="utf-8")
    for entry in ERRATA:
        assert entry.kind in KINDS and f"{{{entry.paper}," in references
        assert (BOOK / "src" / f"{entry.chapter}.md").exists(), entry.chapter
    assert {entry.kind for entry in ERRATA} == set(KINDS)


@pytest.mark.parametrize(
    "change", [{"kind": "typo"}, {"id": "3"}, {"true": ""}, {"shown_by": "hearsay"}]
)
def test_a_bad_record_is_refused(change):
    with pytest.raises(ValueError, match=r"kind|id|true|shown_by"):
        replace(ERRATA[0], **change)


def test_the_table_has_a_linked_row_for_each_and_escapes():
    rows = errata_table().splitlines()[2:]
    assert len(rows) == len(ERRATA)
    for row, entry in zip(rows, ERRATA, strict=True):
        assert row.startswith(f"| [{entry.id}](#{entry.label}) |") and entry.kind in row
    odd = errata_table([replace(ERRATA[0], title="a | b", confirmed=False)])
    assert r"a \| b" in odd and "(not confirmed)" in odd
    with pytest.raises(ValueError, match="paper is 'nobody'"):
        errata("nobody")


# ------------------------------------------------------------------ theorem claims
def exists(name):
    """Whether a dotted name of the package leads to something callable."""
    module, _, attribute = name.rpartition(".")
    return callable(getattr(importlib.import_module(module), attribute, None))


def test_theorem_claims_have_a_chapter_and_evidence():
    rows = theorems()
    assert {"theorem"} == {claim.kind for claim in rows} and "theorem" in CLAIM_KINDS
    ids = {entry.id for entry in ERRATA}
    decided = {Verdict.PROVED, Verdict.CORRECTED, Verdict.REFUTED}
    for claim in rows:
        assert (BOOK / "src" / f"{claim.chapter}.md").exists(), claim.id
        for name in claim.evidence:
            assert name in ids or exists(name), (claim.id, name)
        if claim.verdict in decided:
            assert claim.evidence, claim.id
        if claim.verdict is Verdict.REFUTED:
            assert any(name in ids for name in claim.evidence), claim.id
    assert not exists("hbucb.bounds.no_such_bound")
    in_ledger = [claim for claim in hb.ledger() if claim.kind == "theorem"]
    assert {claim.id for claim in rows} <= {claim.id for claim in in_ledger}


def test_refuted_and_proved_agree_with_the_status_of_the_bounds():
    status = {info.name: info.status for info in hb.bounds.catalogue()}
    for claim in theorems():
        for name in claim.evidence:
            bound = name.removeprefix("hbucb.bounds.")
            if bound != name and claim.verdict is Verdict.REFUTED:
                assert status[bound] == "refuted", claim.id
            elif bound != name:
                assert status[bound] in ("proved", "corrected"), claim.id


def test_first_and_zero_order_are_one_theorem():
    def g(k, delta):
        return np.log(2 / delta) / np.asarray(k)

    def r(k, delta):
        return np.sqrt(2 * g(k, delta))

    gaps = [0.0, 0.3, 0.5]
    first, zero = hb.theory.fo_regret(gaps, 10_000, g=g), hb.theory.zo_regret(gaps, 10_000, g=r)
    assert first == pytest.approx(zero)
