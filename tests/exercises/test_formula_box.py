"""Formulas typed into an answer box: read as Python reads them, judged as the notebook judges."""

import json
import math
import random

import formula_answers
import pytest
import smallbook

import hbucb as hb
from hbucb.checks import sealed

FUNCTIONS = {
    **{name: getattr(math, name) for name in ("sqrt", "exp", "log", "log2", "log10", "floor")},
    **{"ln": math.log, "abs": abs, "ceil": math.ceil, "min": min, "max": max},
    **{"pi": math.pi, "e": math.e},
}
BOX = ":::{answer} ex-17-5\nThe index:\n:::\n"


@pytest.fixture(scope="module")
def page(browser, tmp_path_factory):
    folder = tmp_path_factory.mktemp("formula")
    scripts = ["js/formula.js", "js/answer.js"]
    out, said = smallbook.build(folder, f"# T\n\n{BOX}", "answer", scripts)
    assert not said
    page = browser.new_page()
    page.goto((out / "index.html").as_uri())
    yield page
    page.close()


READ = """([formulas, names, points]) => formulas.map((text) => {
    const {value, fault} = hbucbFormula.parse(text, names);
    return fault ? {fault} : {values: points.map((p) => String(value(p)))};
})"""


def written(rng, depth=0):
    """A random formula that both Python and the box can read, positive where that is needed."""
    kind = rng.randrange(9) if depth < 5 else rng.randrange(3)
    one = lambda: written(rng, depth + 1)  # noqa: E731
    if kind == 0:
        return rng.choice(["2", "0.5", "1e-1", "3.", ".25", "pi", "e"])
    if kind <= 2:
        return rng.choice(["k", "delta"])
    if kind == 3:
        return f"({one()}{rng.choice(['+', ' - ', '*', ' / '])}{one()})"
    if kind == 4:
        return f"{one()} {rng.choice('+-*/')} {one()}"
    if kind == 5:
        return f"{rng.choice(['-', '+', '--'])}{one()}"
    if kind == 6:
        return f"{rng.choice(['sqrt', 'log', 'ln'])}(abs({one()}) + 1)"
    if kind == 7:
        return f"{rng.choice(['min', 'max'])}({one()}, {one()})"
    return f"(abs({one()}) + 0.5)**{rng.choice(['2', '-1', '0.5', '-k', '2**-1', '(1/3)'])}"


def test_formulas_mean_what_they_mean_in_python(page):
    rng, points = random.Random("formula box"), [[1, 0.3], [7, 0.01], [2.5, 0.9]]
    formulas = [written(rng) for _ in range(600)]
    formulas = [text for text in formulas if len(text) <= 400]
    fixed = ["-k^2", "-k**2", "2^-k^2", "2^3^2", "-2^-2", "k-1-1", "k/2/2", "k-(1-1)", "2*-k"]
    read = page.evaluate(READ, [formulas + fixed, ["k", "delta"], points])
    compared = 0
    for text, there in zip(formulas + fixed, read, strict=True):
        assert "fault" not in there, (text, there)
        for (k, delta), shown in zip(points, there["values"], strict=True):
            known = {**FUNCTIONS, "k": k, "delta": delta}
            try:
                true = float(eval(text.replace("^", "**"), {"__builtins__": {}}, known))
            except (ZeroDivisionError, OverflowError):
                continue  # the box has no finite number there
            compared += 1
            assert float(shown) == pytest.approx(true, rel=1e-9, abs=1e-300), (text, k, delta)
    assert compared > 1000


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2k", "with *, as in 2*k"),
        ("2 k", "with *, as in 2*k"),
        ("k(1 + delta)", "with *"),
        ("(k + 1", "“)” is missing"),
        ("k + ", "stops in the middle"),
        ("k ^", "stops in the middle"),
        ("x + 1", "“x” is not known here; use k, delta"),
        ("constructor(1)", "“constructor” is not known"),
        ("k.toString()", "cannot be read"),
        ("alert(1)", "is not known"),
        ("sqrt k", "with brackets"),
        ("log(2, k)", "takes one number"),
        ("k)", "“)” cannot stand there"),
        ("1,5*k", "“,” cannot stand there"),
        ("* k", "“*” cannot stand there"),
        ("k = 2", "“=” cannot be read"),
        ("k" + "+k" * 300, "too long"),
    ],
)
def test_what_is_no_formula_is_said(page, text, words):
    (there,) = page.evaluate(READ, [[text], ["k", "delta"], [[1, 2]]])
    assert words in there.get("fault", ""), there


def test_signs_that_people_type_are_known(page):
    texts = ["2·δ", "2 × delta", "1 \u2212 δ", "np.log(1/delta)", "math.sqrt(k)", "√(k)", "2*π"]
    read = page.evaluate(READ, [texts, ["k", "delta"], [[4, 0.5]]])
    values = [float(there["values"][0]) for there in read]
    assert values == pytest.approx([1, 1, 0.5, math.log(2), 2, 2, 2 * math.pi])


TYPED = {
    "ex-06-5": [
        ("log(1/delta)/(4*k)", lambda k, delta: math.log(1 / delta) / (4 * k)),
        ("sqrt(log(1/delta)/(2*k))", formula_answers.WRONG["ex-06-5"][0][0]),
        ("log(1/delta)/(8*k)", formula_answers.WRONG["ex-06-5"][3][0]),
        ("-log10(delta)/(4*k)", formula_answers.WRONG["ex-06-5"][4][0]),
        ("log(1/delta)/(4*min(k, 60))", lambda k, delta: math.log(1 / delta) / (4 * min(k, 60))),
        ("k", lambda k, delta: float(k)),
    ],
    "ex-13-3": [
        ("((1 - w)/(1 - 2*w))^(1/α) - 1", formula_answers.RIGHT["ex-13-3"][0]),
        ("(2 - 1/(1-w))^(-1/alpha)", formula_answers.WRONG["ex-13-3"][0][0]),
        ("1 - (2 - 1/(1-w))^(-1/alpha)", formula_answers.WRONG["ex-13-3"][3][0]),
    ],
    "ex-17-5": [
        ("1 - t^(-1/(n+1))", formula_answers.RIGHT["ex-17-5"][0]),
        ("1 - t^(-1/n)", formula_answers.WRONG["ex-17-5"][0][0]),
        ("1 - t^(-1/(n+2))", formula_answers.WRONG["ex-17-5"][2][0]),
    ],
}


@pytest.mark.parametrize("name", TYPED)
def test_page_and_notebook_say_the_same(page, name):
    judged = page.evaluate(
        """async ([id, record, texts]) => {
            const found = [];
            for (const text of texts) found.push(await hbucbAnswer.judge(id, record, text));
            return found.map(({state, text}) => [state, text]);
        }""",
        [name, json.loads(json.dumps(sealed.records()[name])), [text for text, _ in TYPED[name]]],
    )
    states = set()
    for (text, function), (state, said) in zip(TYPED[name], judged, strict=True):
        verdict = hb.check.verdict(name, function)
        assert (state, said) == (verdict.state, verdict.text), text
        states.add(state)
    assert states == {"right", "wrong"}


def test_what_has_no_value_at_a_point_is_said(page):
    judged = page.evaluate(
        "([id, record]) => hbucbAnswer.judge(id, record, 'log(-n)')",
        ["ex-17-5", sealed.records()["ex-17-5"]],
    )
    assert judged["state"] == "wrong"
    assert "at n = 1, t = 10 the result is no finite number." in judged["text"]


def test_a_formula_is_typed_and_checked_on_the_page(page):
    field = page.get_by_label("The index:")
    field.fill("1 - t^(-1/(n + 1))")
    field.press("Enter")
    status = page.locator(".answer [role=status]")
    page.wait_for_function("e => e.textContent.includes('right')", arg=status.element_handle())
    assert status.inner_text().startswith("ex-17-5: right. ")
    assert field.evaluate("e => e.inputMode") == ""
