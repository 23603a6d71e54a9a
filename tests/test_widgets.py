"""The widgets' numbers against hbucb, state by state, in the browser that readers use.

How the widgets behave as parts of a page is tested in test_widget_pages.py.
"""

import importlib.util
import json
import math
import random
import re
import sys
from pathlib import Path

import numpy as np
import pagecheck
import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "book" / "_static" / "widgets"
NAMES = ("race", "landing", "guarantee", "twopoint", "walk")
STATES = 50


def _load(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "book" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(name, module)
    spec.loader.exec_module(module)
    return module


numbers = _load("widget_numbers")

PLAIN = """([name, state]) => {
    const plain = (v) => v instanceof Object && v.buffer ? Array.from(v)
        : Array.isArray(v) ? v.map(plain)
        : v instanceof Object ? Object.fromEntries(Object.entries(v).map(([k, w]) => [k, plain(w)]))
        : v;
    return plain(hbucb.widgets[name].compute(state));
}"""


PLAY = """([state, name, run]) => {
    const { actions, index } = hbucb.widgets.race.play(name, state, run);
    const finite = (v) => (v === Infinity ? 1e308 : v);
    return JSON.stringify([Array.from(actions), index.map((row) => row.map(finite))]);
}"""


@pytest.fixture(scope="module")
def page(playwright):
    """An empty page with all scripts of the widgets."""
    found = pagecheck.require_browser()
    browser = playwright.chromium.launch(executable_path=found, args=pagecheck.FLAGS)
    page = browser.new_page()
    for name in ("widget", "plot", *NAMES):
        page.add_script_tag(path=FOLDER / f"{name}.js")
    yield page
    browser.close()


def ask(page, name, state):
    return page.evaluate(PLAIN, [name, state])


def states(page, name):
    """The first state, the presets, and random states on the grids of the controls."""
    controls, presets = page.evaluate(
        "name => { const s = hbucb.widgets[name].spec;"
        " return [s.controls.map(({key, min, max, step, options}) =>"
        " ({key, min, max, step, options: options?.map(o => o[0])})), s.presets.map(p => p[1])]; }",
        name,
    )
    found, rng = [{}, *presets], random.Random(f"widget {name}")
    while len(found) < STATES:
        state = {"seed": rng.randrange(1, 1000)} if name in ("race", "landing", "walk") else {}
        for c in controls:
            if c.get("options"):
                state[c["key"]] = rng.choice(c["options"])
            else:
                steps = round((c["max"] - c["min"]) / c["step"])
                state[c["key"]] = round(c["min"] + rng.randint(0, steps) * c["step"], 6)
        if name == "race":
            state["plant"] = rng.randrange(2)
        if name == "guarantee":
            state["zoom"] = rng.randrange(2)
        found.append(state)
    return found


def close(shown, true):
    np.testing.assert_allclose(
        np.array(shown, float), np.array(true, float), rtol=1e-9, atol=1e-9, equal_nan=True
    )


def test_noise_is_the_same_numbers_and_uniform(page):
    from scipy.stats import kstest

    for seed in (0, 1, 7, 123_456_789):
        shown = page.evaluate("seed => Array.from(hbucb.uniforms(seed, 2000))", seed)
        np.testing.assert_array_equal(shown, numbers.uniforms(seed, 2000))
    for seed in range(5):  # fixed seeds; each test has level 1e-7
        u = numbers.uniforms(seed, 100_000)
        assert kstest(u, "uniform").pvalue > 1e-7
        assert abs(np.corrcoef(u[1:], u[:-1])[0, 1]) < 5.4 / math.sqrt(100_000)
        v = numbers.uniforms(seed + 1, 100_000)
        assert abs(np.corrcoef(u, v)[0, 1]) < 5.4 / math.sqrt(100_000)


def test_walk(page):
    for state in states(page, "walk"):
        shown, true = ask(page, "walk", state), numbers.walk(state)
        assert shown["k"] == true["k"].tolist()
        for key in ("low", "middle", "high", "mean", "radius", "paths", "limits"):
            close(shown[key], true[key])
        assert shown["outside"] == true["outside"].tolist(), state


def test_walk_steps_by_the_book(page):
    """The first two steps by hand: from 1, sign by sign, with the step 1/(claim (k + 1))."""
    u = numbers.uniforms(1, 400)
    first = np.tan(np.pi * (u[:3] - 0.5))
    second = np.tan(np.pi * (u[200:203] - 0.5))
    x = np.clip(1 - np.sign(1 - first) / 1.6, -1, 1)
    x2 = np.clip(x - np.sign(x - second) / 3.2, -1, 1)
    shown = ask(page, "walk", {"claim": 1.6})
    close([path[0] for path in shown["paths"]], x)
    close([path[1] for path in shown["paths"]], x2)


def test_twopoint(page):
    cases = states(page, "twopoint")
    cases += [{"place": p, "exponent": e} for p in (-5.0, 0.0, 0.3, 5.0) for e in range(19)]
    for state in cases:
        shown, true = ask(page, "twopoint", state), numbers.twopoint(state)
        # only sums, products and comparisons: the very same floats
        assert {key: float(value) for key, value in shown.items()} == true, state


def test_guarantee(page):
    for index, state in enumerate(states(page, "guarantee")):
        shown = ask(page, "guarantee", state)
        true = numbers.guarantee(state, curve=index % 5 == 0)
        for key in ("T", "n", "half", "loose"):
            assert shown[key] == true[key], (state, key)
        assert shown["counts"] == true["counts"].tolist()
        assert shown["horizons"] == true["horizons"].tolist()
        close(shown["radii"], true["radii"])
        close(shown["bound"], true["bound"])
        if "curve" in true:
            close(shown["curve"], true["curve"])
        if index % 5 == 0:
            assert shown["speaks"] == numbers.speaks(state), state


def test_guarantee_speaks_from_there_on(page):
    """The bound is not below the trivial one just before, and is at and long after."""
    for method in ("each", "all", "printed"):
        state = {"method": method}
        horizon = int(ask(page, "guarantee", state)["speaks"])
        ask_bound = (method, "cauchy", 1.0)
        assert numbers.bound_at(*ask_bound, horizon - 1) >= horizon - 1
        for later in (horizon, 2 * horizon, 100 * horizon):
            assert numbers.bound_at(*ask_bound, later) < later


def test_landing(page):
    for index, state in enumerate(states(page, "landing")):
        shown = ask(page, "landing", state)
        repeats = np.arange(index % 8, numbers.REPEATS, 8)
        true = numbers.landing(state, repeats)
        for name in numbers.NAMES:
            values = np.array(shown["values"][name])
            close(values[repeats], true[name])
            close(shown["bars"][name], np.quantile(values, [0.05, 0.5, 0.95]))
            assert shown["within"][name] == (np.abs(values) <= 0.5).sum()
        close(shown["mean"], numbers.landing_mean(state))


def test_landing_rewards_have_the_median_and_mean_that_are_drawn():
    """The law by its own samples: half below 0, and the mean of a law with four moments."""
    state = {"alpha": 3.0, "asym": 0.5, "hole": 0.5, "n": 200}
    rewards = numbers.landing_rewards(state).ravel()
    assert abs((rewards < 0).mean() - 0.5) < 5.4 * 0.5 / math.sqrt(rewards.size)
    error = rewards.mean() - numbers.landing_mean(state)
    assert abs(error) < 6 * rewards.std() / math.sqrt(rewards.size)
    assert np.abs(rewards).min() >= 0.25  # (1 - 0.5) * 0.5


@pytest.mark.parametrize("name", numbers.PLAYERS)
def test_race(page, name):
    """Action for action with the package's policies; where they part, the indices must tie."""
    for index, state in enumerate(states(page, "race")):
        runs = 2 if index % 10 else numbers.RACES
        actions, indices = numbers.race(name, state, runs)
        for run in range(2):
            shown, index_shown = json.loads(page.evaluate(PLAY, [state, name, run]))
            parted = np.flatnonzero(np.array(shown) != actions[:, run])
            end = len(actions)
            if parted.size:
                end = parted[0]
                top = np.sort(indices[end, run])[-2:]
                assert top[1] - top[0] < 1e-9, (state, run, end, indices[end, run])
            warm = 9 if name == "clipped" else 0  # no choice is made before
            index_shown = np.array(index_shown)
            index_shown[index_shown == 1e308] = np.inf
            close(index_shown[warm:end], indices[warm:end, run])
        if runs == numbers.RACES:
            gap = {**numbers.RACE, **state}["gap"]
            counts = np.array([(actions == arm).sum(axis=0) for arm in range(3)])
            regret, stuck = page.evaluate(
                "([state, name]) => { const r = hbucb.widgets.race.compute(state);"
                " return [r.regret[name], r.stuck[name]]; }",
                [state, name],
            )
            close(regret, gap * actions.sum(axis=0).mean())
            assert stuck == (counts[0] < counts[1:].max(axis=0)).sum()


def test_race_does_not_play_again_what_c_leaves_as_it_is(page):
    """The order statistic's index has no c: a move of c replays the other two alone."""
    same = page.evaluate(
        "() => { const [a, b, other] = [{ c: 1 }, { c: 2 }, { c: 2, gap: 0.7 }].map("
        "(state) => hbucb.widgets.race.compute(state).runs);"
        " return [['mean', 'clipped', 'order'].map((name) => a[name] === b[name]),"
        " b.order === other.order]; }"
    )
    assert same == [[False, False, True], False]


@pytest.mark.parametrize("name", NAMES)
def test_words_and_numbers_beside_the_pictures_are_those_of_the_package(name):
    words = getattr(_load("widget_words"), f"{name}_words")
    stored = json.loads((FOLDER / "statics.json").read_text(encoding="utf-8"))
    assert stored[name] == words(), "run book/widget_pictures.py"
    assert (FOLDER / f"{name}.png").stat().st_size > 5000


@pytest.mark.parametrize("name", ("widget", "plot", *NAMES))
def test_scripts_are_small_and_load_nothing(name):
    text = (FOLDER / f"{name}.js").read_text(encoding="utf-8")
    assert len(text.encode()) <= 15_000
    for word in ("http", "import(", "fetch(", "XMLHttp", "Math.random", "eval("):
        assert word not in text


def test_words_on_the_card_are_read_on_white():
    """Contrast of the words' colours with white at least 4.5, and each near its line's colour."""
    text = (FOLDER / "widget.css").read_text(encoding="utf-8")
    lines = (ROOT / "book" / "_static" / "css" / "hbucb.css").read_text(encoding="utf-8")

    def rgb(name, where):
        code = re.search(rf"--hbucb-{name}: #([0-9a-f]{{6}})", where).group(1)
        return np.array([int(code[i : i + 2], 16) for i in (0, 2, 4)]) / 255

    def light(colour):
        linear = np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
        return linear @ [0.2126, 0.7152, 0.0722]

    assert (rgb("paper", text) == 1).all()
    for number in range(1, 7):
        word = rgb(f"t{number}", text)
        assert 1.05 / (light(word) + 0.05) >= 4.5
        assert np.abs(word - rgb(f"c{number}", lines)).max() < 0.25
    assert 1.05 / (light(rgb("ink", text)) + 0.05) >= 4.5
