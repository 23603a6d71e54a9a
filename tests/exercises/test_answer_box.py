"""The answer box: what the extension writes and refuses, and the same verdicts in a browser."""

import number_answers
import pytest
import smallbook
import spot_answers

import hbucb as hb

BOX = ":::{{answer}} {}\nWhat you found:\n:::\n\n"
SHOWN = ["ex-09-1", "ex-09-2", "ex-06-2", "ex-13-1", "ex-09-1"]
SHOWN += sorted(spot_answers.RIGHT)
TEXTS = ("ex-06-2", "ex-01-5-spot")
PAGE = "# T\n\n[Before](#t)\n\n" + "".join(BOX.format(name) for name in SHOWN) + "After all."


def build(folder, text, builder="html"):
    return smallbook.build(folder, text, "answer", ["js/formula.js", "js/answer.js"], builder)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"# T\n\n{BOX.format('ex-09-1')}", ""),
        (f"# T\n\n{BOX.format('ex-99-1')}", "no sealed record"),
        (f"# T\n\n{BOX.format('ex-17-5')}", ""),
        ("# T\n\n:::{answer} ex-09-1\n:::\n", "say what is to be typed"),
    ],
)
def test_mistakes_are_warnings(tmp_path, text, message):
    _, said = build(tmp_path, text)
    assert message in said if message else not said


def test_print_has_no_box(tmp_path):
    out, _ = build(tmp_path, PAGE, "text")
    text = (out / "index.txt").read_text()
    assert "After all." in text and "What you found" not in text


@pytest.fixture(scope="module")
def page_uri(tmp_path_factory):
    out, _ = build(tmp_path_factory.mktemp("answer"), PAGE)
    return (out / "index.html").as_uri()


@pytest.fixture
def page(browser):
    context = browser.new_context(viewport={"width": 390, "height": 800})
    page = context.new_page()
    page.errors, page.requests = [], []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("request", lambda request: page.requests.append(request.url))
    yield page
    assert page.errors == []
    assert all(url.startswith("file:") for url in page.requests)
    context.close()


def answer(page, box, text):
    """Type an answer into the box, press Enter, and read what is said."""
    form = page.locator(".answer form").nth(box)
    form.locator("input").fill(text)
    form.locator("input").press("Enter")
    status = form.locator("[role=status]")
    pagecheck_wait = "e => e.textContent && !e.textContent.startsWith('checking')"
    page.wait_for_function(pagecheck_wait, arg=status.element_handle())
    return status.inner_text()


def test_box_is_labelled_and_works_with_the_keyboard_from_a_file(page, page_uri):
    assert page_uri.startswith("file:")
    page.goto(page_uri)
    field = page.get_by_label("What you found:").first
    field.focus()
    page.keyboard.type("0.4118")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Check"
    page.keyboard.press("Enter")
    status = page.locator(".answer [role=status]").first
    page.wait_for_function("e => e.textContent.includes('right')", arg=status.element_handle())
    assert status.inner_text() == str(hb.check.verdict("ex-09-1", 0.4118))
    described = field.get_attribute("aria-describedby")
    assert page.locator(f"[id='{described}']").get_attribute("role") == "status"
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(ids) == len(set(ids)), "two boxes share an id"
    small = page.evaluate(
        "[...document.querySelectorAll('.answer input, .answer button')]"
        ".filter(e => e.offsetHeight < 44).length"
    )
    assert small == 0 and page.evaluate("document.documentElement.scrollWidth") <= 390


SAME = [
    ("ex-09-1", repr(value))
    for value in [*number_answers.RIGHT["ex-09-1"], 0.3839, 0.1695, 0.2059, 41.18, -0.4118, 0, 0.5]
]
SAME += [("ex-09-2", text) for text in ("1521", "1520", "1382", "1521.0", "2000")]
SAME += [("ex-06-2", text) for text in ("cd", "d, c", "(b) and (c), d", "a", "cdcd")]
SAME += [("ex-13-1", text) for text in ("0.2392", "0.24", "0.4784", "-0.2392", "23.92", "7")]
SAME += [
    (name, answer if name in TEXTS else repr(float(answer)))
    for name in sorted(spot_answers.RIGHT)
    for answer in [*spot_answers.RIGHT[name], *(x for x, _ in spot_answers.WRONG[name][:4])]
]
SAME += [("ex-01-5-spot", "0, 1, 2, 3, 0, 1, 2, 3, 2, 2, 2, 2"), ("ex-01-5-spot", "0123")]


def test_page_and_notebook_say_the_same(page, page_uri):
    page.goto(page_uri)
    judged = page.evaluate(
        """async (answers) => {
            const record = {};
            document.querySelectorAll("[data-answer]").forEach((box) => {
                const data = JSON.parse(box.dataset.answer);
                record[data.id] = data.record;
            });
            return Promise.all(answers.map(async ([id, text]) => {
                const {state, text: said} = await hbucbAnswer.judge(id, record[id], text);
                return [state, said];
            }));
        }""",
        SAME,
    )
    for (name, text), (state, said) in zip(SAME, judged, strict=True):
        value = text if name in TEXTS else float(text)
        verdict = hb.check.verdict(name, value)
        assert (state, said) == (verdict.state, verdict.text), (name, text)


def test_buckets_are_those_of_the_package(page, page_uri):
    from hbucb.checks import sealing

    page.goto(page_uri)
    cases = [
        [sign * x, scale, width, shift]
        for sign in (1, -1)
        for x in (1e-9, 0.3, 1.0, 2.718, 12345.6)
        for scale, width in (("log", 0.008), ("linear", 0.02), ("log", 0.04))
        for shift in (0.0, 0.1234, 0.9999)
    ]
    there = page.evaluate("cases => cases.map(c => hbucbAnswer.bucket(...c))", cases)
    assert there == [sealing.bucket(*case) for case in cases]


@pytest.mark.parametrize(
    ("box", "text", "words"),
    [
        (0, "", "not answered yet"),
        (0, "...", "not answered yet"),
        (0, "0,4118", "decimal point"),
        (0, "41 %", "not a percentage"),
        (0, "4*0.1", "worked out"),
        (0, "1e999", "too large"),
        (0, "\u22120.4118", "the sign is not"),
        (0, "4.118e-1", "right."),
        (1, "1520.5", "Round up or down"),
        (1, "1 521", "right."),
        (2, "all", "letters"),
        (5, "twice", "as digits"),
        (5, "0 1 2 3 0 1 2 3 2 2 2 2", "right."),
        (7, "2.4793", "right."),
    ],
)
def test_what_is_typed(page, page_uri, box, text, words):
    page.goto(page_uri)
    said = answer(page, box, text)
    assert words in said and said.startswith(f"{SHOWN[box]}: ")


def test_right_is_marked_and_an_old_answer_does_not_stay(page, page_uri):
    page.goto(page_uri)
    assert "right" in answer(page, 0, "0.4118")
    status = page.locator(".answer [role=status]").first
    assert "answer-right" in status.get_attribute("class")
    form = page.locator(".answer form").first
    form.locator("input").fill("0.7")  # opens no row: the slowest verdict
    form.locator("input").press("Enter")
    assert "right" in answer(page, 0, "0.4118")
    page.wait_for_timeout(3000)  # the first verdict comes late and must not overwrite
    assert "right" in status.inner_text()
    assert "No mistake" in answer(page, 0, "0.7")
    assert "answer-right" not in status.get_attribute("class")
    assert page.locator(".answer [role=status]").nth(4).inner_text() == "", (
        "boxes share their state"
    )


def test_without_crypto_the_notebook_is_named(page, page_uri):
    page.add_init_script("Object.defineProperty(Crypto.prototype, 'subtle', {value: undefined})")
    page.goto(page_uri)
    assert page.locator(".answer form").count() == 0
    said = page.locator(".answer-notebook").first
    assert said.is_visible() and 'hb.check("ex-09-1"' in said.inner_text()


def test_without_scripts_the_notebook_is_named(browser, page_uri):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(page_uri)
    assert page.locator(".answer-notebook").first.is_visible()
    assert "What you found:" in page.locator(".answer").first.inner_text()
    context.close()
