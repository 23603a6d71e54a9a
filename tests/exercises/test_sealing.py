"""Buckets, rows and records: what is accepted, what is refused, what can be seen."""

import base64
import hashlib
import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hbucb.checks import __main__ as command
from hbucb.checks import sealed, sealing
from hbucb.checks.questions import Formula, all_questions
from hbucb.checks.sealing import Anchor

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("scale", ["log", "linear"])
def test_accepted_is_the_interval_of_the_tolerance(scale):
    """1.0095 times and 0.9905 times pass at 1 %, 1.0102 times fails: anywhere, on either side."""
    rng = np.random.default_rng(1)
    width = 0.02
    for value in np.r_[rng.normal(size=200), 10.0 ** rng.uniform(-9, 9, 200)]:
        shift = sealing.offset(value, scale, width)
        mine = sealing.bucket(value, scale, width, shift)
        for factor in (-0.98, -0.5, 0.5, 0.98):
            move = factor * width / 2
            near = value * math.exp(move) if scale == "log" else value + move
            assert sealing.bucket(near, scale, width, shift) == mine
        for factor in (-1.03, 1.03):
            move = factor * width / 2
            far = value * math.exp(move) if scale == "log" else value + move
            if scale == "linear" and abs(value) > 1e6:
                continue  # the spacing of floats is no longer small against the width
            assert sealing.bucket(far, scale, width, shift) != mine
        if scale == "log":
            assert sealing.bucket(-value, scale, width, shift) != mine


def test_key_is_the_standard_one():
    """Written out: PBKDF2 with HMAC-SHA-256 is one block of iterated HMACs."""
    import hmac

    block = hmac.new(b"guess", b"salt" + bytes([0, 0, 0, 1]), hashlib.sha256).digest()
    total = int.from_bytes(block, "big")
    for _ in range(sealing.ROUNDS - 1):
        block = hmac.new(b"guess", block, hashlib.sha256).digest()
        total ^= int.from_bytes(block, "big")
    assert sealing.key("guess", "salt") == total.to_bytes(32, "big")


ANCHORS = [
    Anchor(0.2, "A remark.", True),
    Anchor(0.3, "A hint that is a good deal longer than the remark: ¼."),
    Anchor(-0.2, "Sign."),
]


def test_rows_open_with_their_value_only():
    rows = sealing.seal("x", ANCHORS, "log", 0.02)
    for anchor in ANCHORS:
        assert sealing.unseal("x", rows, anchor.value, "log", 0.02) == (
            anchor.right,
            anchor.message,
        )
    assert sealing.unseal("x", rows, 0.25, "log", 0.02) is None
    assert sealing.unseal("y", rows, 0.2, "log", 0.02) is None, "the salt is not used"


def test_rows_tell_nothing_by_order_or_length():
    first = []
    for number in range(60):
        rows = sealing.seal(f"x{number}", ANCHORS[:2], "log", 0.02)
        assert len({len(row["message"]) for row in rows}) == 1
        found = [sealing.unseal(f"x{number}", [row], 0.2, "log", 0.02) for row in rows[:1]]
        first.append(found != [None])
    # Binomial(60, 1/2): outside 10..50 with probability 1e-7
    assert 10 <= sum(first) <= 50


def test_sealing_refuses_what_would_deceive():
    near = [Anchor(1.0, "a", True), Anchor(1.045, "b")]
    with pytest.raises(ValueError, match="closer than five"):
        sealing.seal("x", near, "log", 0.02)
    with pytest.raises(ValueError, match="stands twice"):
        sealing.seal("x", [Anchor("a", "", True), Anchor("a", "")])
    with pytest.raises(ValueError, match="no right answer"):
        sealing.seal("x", [Anchor("a", "")])


def test_several_forms_may_be_right():
    forms = [*ANCHORS, Anchor(0.25, "Another form.", True)]
    rows = sealing.seal("x", forms, "log", 0.02)
    assert sealing.unseal("x", rows, 0.2, "log", 0.02) == (True, "A remark.")
    assert sealing.unseal("x", rows, 0.25, "log", 0.02) == (True, "Another form.")
    assert sealing.unseal("x", rows, 0.3, "log", 0.02)[0] is False


def test_one_answer_is_right_but_where_several_forms_are_proved():
    for name, question in all_questions().items():
        if not isinstance(question, Formula):
            right = sum(anchor.right for anchor in question.anchors(question.given))
            assert right == (6 if name == "ex-05-3-spot" else 1), name


def test_records_match_their_questions(capsys):
    assert command.main(["--check"]) == 0, capsys.readouterr().out


def test_a_changed_answer_is_seen(monkeypatch, capsys):
    questions = all_questions()
    name = "ex-06-2"

    class Other:
        def record(self):
            return {"kind": "choice", "rows": []}

    monkeypatch.setattr(command, "all_questions", lambda: {name: Other()})
    monkeypatch.setattr(command, "PATH", ROOT / "hbucb" / "checks" / "sealed.json")
    assert command.main(["--check"]) == 1
    assert f"{name}: the sealed record" in capsys.readouterr().out
    assert name in questions


def test_nothing_is_readable_at_a_glance():
    """No message and no answer stands in the file, also not under base64."""
    text = (ROOT / "hbucb" / "checks" / "sealed.json").read_text(encoding="utf-8")
    records = json.loads(text)
    assert len(records) >= 46
    rows = [
        row
        for record in records.values()
        for part in record.get("points", [record])
        for row in part["rows"]
    ]
    for row in rows:
        assert set(row) <= {"offset", "fingerprint", "message"}
        assert 0 <= row.get("offset", 0) <= 1
        plain = base64.b64decode(row["message"])
        assert len(plain) % 32 == 0
        # text would have no byte above 127 here; all below with probability 2^-32 a row
        assert max(plain) > 127
    assert len({row["fingerprint"] for row in rows}) == len(rows)


def test_check_does_not_load_the_answers():
    """The curtain would be thin if a traceback or a completion showed the questions."""
    code = (
        "import sys, hbucb as hb; hb.check.verdict('ex-09-2', 3); "
        "print([m for m in sys.modules if m.startswith('hbucb.checks.questions')])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert run.stdout.strip() == "[]"


def test_formula_mistakes_are_sealed_at_the_first_points():
    for name, question in all_questions().items():
        if isinstance(question, Formula):
            counts = [len(point["rows"]) for point in sealed.records()[name]["points"]]
            assert counts == [1 + len(question.mistakes)] * 3 + [1] * 9
