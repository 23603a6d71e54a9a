"""The bet block: what the extension writes, what it refuses, and how it behaves in a browser."""

import pytest
import smallbook

QUESTION = ":::{bet} bet-a\n\nHow often?\n\n- never\n- half of the time\n- always\n\n:::\n"
ANSWER = ":::{bet-answer} bet-a\n:right: 2\n\n- Too low.\n- Exactly.\n- Too high.\n\n:::\n"
PAGE = (
    f"# T\n\n[to the bet](#bet-a) and [into it](#inside)\n\n{QUESTION}\n(inside)=\nThe secret."
    f"\n\n{ANSWER}\nAfter all."
)


def build(folder, text, builder="html"):
    return smallbook.build(folder, text, "bet", ["js/bet.js", "js/page.js"], builder)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (PAGE, ""),
        (f"# T\n\n{QUESTION}", "no bet-answer of this label"),
        (f"# T\n\n{ANSWER}", "has no bet"),
        (f"# T\n\n{ANSWER}\n{QUESTION}", "stands before it"),
        (f"# T\n\n{QUESTION}\n## S\n\n{ANSWER}", "another section"),
        (f"# T\n\n{QUESTION}\n{ANSWER.replace('- Too high.', '')}", "3 choices but 2 answers"),
        (f"# T\n\n{QUESTION}\n{ANSWER.replace(':right: 2', ':right: 4')}", ":right: 4 of 3"),
        ("# T\n\n:::{bet} b\n\nNo list.\n\n:::\n", "at least two choices"),
    ],
)
def test_mistakes_are_warnings(tmp_path, text, message):
    _, said = build(tmp_path, text)
    assert message in said if message else not said


def test_other_formats_show_all_in_order(tmp_path):
    out, _ = build(tmp_path, PAGE, "text")
    text = (out / "index.txt").read_text()
    parts = ["How often?", "half of the time", "The secret.", "Exactly.", "After all."]
    places = [text.index(part) for part in parts]
    assert places == sorted(places)


@pytest.fixture(scope="module")
def page_uri(tmp_path_factory):
    out, _ = build(tmp_path_factory.mktemp("bet"), PAGE)
    return (out / "index.html").as_uri()


@pytest.fixture
def page(browser):
    context = browser.new_context(viewport={"width": 390, "height": 800})
    page = context.new_page()
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    yield page
    assert page.errors == []
    context.close()


SHOWN = """() => document.querySelector('#inside, .bet-hidden p').checkVisibility(
    {contentVisibilityAuto: true, visibilityProperty: true})"""


def secret(page):
    """Is the answer on the screen, now or after the next frames?"""
    settled = "() => new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))"
    page.evaluate(settled)
    return page.evaluate(SHOWN)


def test_bet_is_laid_with_the_keyboard_and_kept(page, page_uri):
    page.goto(page_uri)
    assert not secret(page)
    page.focus("input[type=radio]")
    page.keyboard.press("ArrowDown")  # a group of radio buttons: arrows choose
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Lay the bet"
    page.keyboard.press("Enter")
    assert secret(page)
    status = page.inner_text(".bet-status")
    assert "You bet on (c)" in status and "What holds is (b)" in status
    yours = page.evaluate("[...document.querySelectorAll('.bet-yours')].map(e => e.textContent)")
    assert [text.strip() for text in yours] == ["Too high."]
    page.reload()
    assert secret(page) and page.is_checked("input[value='3']")


def test_without_choice_nothing_opens_and_it_says_so(page, page_uri):
    page.goto(page_uri)
    page.click(".bet-lay")
    assert not secret(page)
    assert "Choose one" in page.inner_text(".bet-status")


def test_show_without_betting(page, page_uri):
    page.goto(page_uri)
    page.click("text=Show without betting")
    assert secret(page)
    assert page.query_selector(".bet-yours") is None


def test_a_link_into_the_answer_opens_it(page, page_uri):
    page.goto(page_uri + "#inside")
    assert secret(page)


def test_refused_storage_is_no_error(page, page_uri):
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new Error('refused'); }})"
    )
    page.goto(page_uri)
    page.check("input[value='2']")
    page.click(".bet-lay")
    assert secret(page)
    assert "It holds." in page.inner_text(".bet-status")
    page.errors = [error for error in page.errors if error != "refused"]  # Sphinx's own scripts


def test_print_shows_all_and_no_buttons(page, page_uri):
    page.goto(page_uri)
    page.emulate_media(media="print")
    assert secret(page)
    assert not page.is_visible(".bet-lay")


def test_without_scripts_all_is_there(browser, page_uri):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(page_uri)
    assert page.is_visible("text=The secret.") and page.is_visible("text=Exactly.")
    assert page.locator("ol.bet-choices > li").count() == 3
    assert page.locator("button").count() == 0
    context.close()


def test_targets_are_large_enough_for_a_finger(page, page_uri):
    page.goto(page_uri)
    for selector in (".bet-lay", ".bet-skip", "ol.bet-choices label"):
        assert page.locator(selector).first.bounding_box()["height"] >= 44
