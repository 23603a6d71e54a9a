"""hb.check itself: it prints, it never raises, it survives what readers hand in; variants."""

import math
import sys

import numpy as np
import pytest

import hbucb as hb
from hbucb.checks import calls, reading, sealed
from hbucb.checks.questions import Question, all_questions


def test_it_prints_one_line_and_returns_nothing(capsys):
    assert hb.check("ex-09-1", 0.4118) is None
    said = capsys.readouterr().out
    assert said.startswith("ex-09-1: right. ") and said.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("ex-09-99", "no check has this id; did you mean ex-09-"),
        ("zzz", "no check has this id."),
        (3, "give the id of the exercise first"),
        (" EX-09-1 ", "not answered yet"),
    ],
)
def test_ids_that_are_wrong(name, words):
    assert words in str(hb.check.verdict(name, ...))


class Hostile:
    """Raises whatever is asked of it."""

    def __getattr__(self, name):
        raise RuntimeError(name)

    def __float__(self):
        raise RuntimeError("float")

    def __repr__(self):
        raise RuntimeError("repr")

    def __call__(self, *arguments):
        raise SystemError("call")


@pytest.mark.parametrize("name", ["ex-09-1", "ex-09-2", "ex-06-2", "ex-17-5", "ex-09-5", "ex-01-5"])
@pytest.mark.parametrize(
    "answer",
    [Hostile(), Hostile, object(), {}, [], "", "x", b"1", 1 + 2j, print, int, (), -1, 1e308, [[1]]],
    ids=lambda a: type(a).__name__,
)
def test_it_never_raises_and_never_passes(name, answer):
    assert not hb.check.verdict(name, answer).right


def test_reading_of_names_and_choices():
    assert reading.name("SGD-UCB Median") == ("sgducbmedian", "")
    assert reading.name(" - ")[0] is None and reading.name(3)[0] is None
    assert reading.choice("(c), (a) and (c)") == ("ac", "")
    assert reading.choice(["b", "a"]) == ("ab", "")
    assert reading.choice("yes")[0] is None
    assert reading.integer(2.0**70)[0] == str(2**70)


def test_reading_of_arms():
    for given in ("0, 1, 2, 0", "0120", [0, 1, 2, 0], np.array([0, 1, 2, 0]), "[0 1 2 0]"):
        assert reading.arms(given) == ("0120", "")
    for given in (120, 1.5, [0.0, 1.0], "", [], "arm 0", None, ["0"]):
        value, fault = reading.arms(given)
        assert value is None and "as digits" in fault


def test_calls_are_on_copies_silent_and_finite(capsys):
    given = [1, 2]

    def spoils(values):
        print("noise")
        values.append(3)
        return len(values)

    assert calls.call(spoils, given) == 3
    assert given == [1, 2] and capsys.readouterr().out == ""

    def swallows():
        while True:
            try:
                while True:
                    pass
            except Exception:
                pass

    def recurses(n=0):
        return recurses(n + 1)

    before = sys.gettrace()
    with pytest.raises(calls.Fault, match="never stops"):
        calls.call(swallows, lines=10_000)
    with pytest.raises(calls.Fault, match="without end"):
        calls.call(recurses)
    assert sys.gettrace() is before


def test_lines_of_an_imported_module_do_not_count(tmp_path, monkeypatch):
    """A right answer may import inside; what follows the import is counted as before."""
    (tmp_path / "slow_to_load.py").write_text("for i in range(5000):\n    i += 1\n")
    monkeypatch.syspath_prepend(tmp_path)

    def imports(x):
        import slow_to_load

        return x + slow_to_load.i

    def imports_and_never_ends(x):
        from math import sqrt  # noqa: F401

        import slow_to_load  # noqa: F401

        while True:
            x += 1

    assert calls.call(imports, 1, lines=100) == 5001
    monkeypatch.delitem(sys.modules, "slow_to_load")
    with pytest.raises(calls.Fault, match="does not come to an end"):
        calls.call(imports_and_never_ends, 1, lines=10_000)


def test_line_of_the_mistake_is_named():
    def bad(x):
        y = x - x
        return 1 / y

    line = bad.__code__.co_firstlineno + 2
    with pytest.raises(calls.Fault, match=f"ZeroDivisionError in line {line} of its cell"):
        calls.call(bad, 1.0)


# ---- variants -----------------------------------------------------------------------------------

VARIED = [n for n, q in all_questions().items() if isinstance(q, Question) and q.vary]


@pytest.mark.parametrize("name", VARIED)
def test_variants_accept_their_right_answer_and_name_their_mistakes(name):
    question = all_questions()[name]
    texts = set()
    for seed in range(4):
        variant = hb.check.variant(name, seed=seed)
        assert variant.given == hb.check.variant(name, seed=seed).given != question.given
        texts.add(str(variant.text))
        anchors = question.anchors(variant.given)
        for anchor in anchors:
            value = float(anchor.value) if question.kind == "number" else int(anchor.value)
            verdict = hb.check.verdict(variant, value)
            assert verdict.right == anchor.right, str(verdict)
            assert anchor.right or verdict.text == anchor.message
    assert len(texts) > 1 and "{" not in "".join(texts)


def test_a_variant_by_hand():
    variant = hb.check.variant("ex-09-1", seed="Emmy")
    scale, D, k, delta = (variant.given[name] for name in ("scale", "D", "k", "delta"))
    omega = 2 / math.pi * math.atan(D / scale) / D
    assert hb.check.verdict(variant, math.sqrt(2 * math.log(2 / delta) / k) / omega).right
    one_side = math.sqrt(2 * math.log(1 / delta) / k) / omega
    assert "ln(1/delta)" in hb.check.verdict(variant, one_side).text
    assert str(variant).startswith("ex-09-1, seed Emmy: Cauchy noise of scale")
    assert hb.check.verdict(variant, ...).state == "unanswered"


@pytest.mark.parametrize("name", ["ex-09-5", "ex-17-5", "ex-06-2", "nothing"])
def test_questions_without_variants_say_so(name):
    with pytest.raises(ValueError, match="has no variants; allowed are ex-0-1"):
        hb.check.variant(name, seed=1)


def test_sealed_records_are_those_of_the_ids():
    assert set(sealed.records()) == set(all_questions())
