"""Every check: at least three wrong answers that fail with the right words, two right that pass."""

import code_answers
import formula_answers
import number_answers
import pytest
import spot_answers

import hbucb as hb

KINDS = (number_answers, formula_answers, code_answers, spot_answers)
RIGHT = {name: answers for kind in KINDS for name, answers in kind.RIGHT.items()}
WRONG = {name: answers for kind in KINDS for name, answers in kind.WRONG.items()}


def test_every_check_has_its_answers():
    ids = hb.check.ids()
    assert sorted(RIGHT) == sorted(WRONG) == ids
    assert all(len(RIGHT[name]) >= 2 and len(WRONG[name]) >= 3 for name in ids)


@pytest.mark.parametrize("name", sorted(RIGHT))
def test_right_answers_pass(name):
    for answer in RIGHT[name]:
        verdict = hb.check.verdict(name, answer)
        assert verdict.right, f"{answer!r}: {verdict}"
        assert verdict.text.startswith("right. ") and len(verdict.text) > 20, "a remark is missing"


@pytest.mark.parametrize("name", sorted(WRONG))
def test_wrong_answers_are_told_what_is_wrong(name):
    for answer, words in WRONG[name]:
        verdict = hb.check.verdict(name, answer)
        assert verdict.state == "wrong", f"{answer!r}: {verdict}"
        assert words in verdict.text, f"{answer!r}: {verdict}"


@pytest.mark.parametrize("name", sorted(RIGHT))
def test_open_answers_are_no_mistakes(name):
    assert str(hb.check.verdict(name, ...)) == f"{name}: not answered yet."
    assert hb.check.verdict(name).state == "unanswered"


def test_open_code_is_no_mistake():
    class Open:
        def __init__(self, arms, horizon, tries):
            self.arms = arms

        def select(self, t): ...

        def update(self, t, arm, reward): ...

    def radius(k, delta, tau):
        """The radius."""
        ...

    def passes(k, delta, tau):
        pass

    assert hb.check.verdict("ex-09-5", passes).state == "unanswered"
    assert hb.check.verdict("ex-09-5", lambda k, delta, tau: 1.0).state == "wrong"
    assert hb.check.verdict("ex-01-5", Open).state == "unanswered"
    assert hb.check.verdict("ex-09-5", radius).state == "unanswered"
    assert hb.check.verdict("ex-17-5", lambda n, t: ...).state == "unanswered"
