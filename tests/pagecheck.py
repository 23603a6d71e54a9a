"""Look at a built page in headless Chromium and list what is wrong with it."""

import io
import os
import re
import shutil
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
CONTRAST = (Path(__file__).parent / "contrast.js").read_text(encoding="utf-8")
TAB_STOPS = 60
# A published copy has two stops more at the top of a page: launch buttons and repository. The same
# text must do there, so a page without them keeps their places free.
BUTTON_STOPS = 2
# the theme's own messages on every page opened from a file
KNOWN = ("THEBE_JS_URL", "Got invalid theme mode", "reading 'classList'")
HIDE_BARS = (
    ".bd-header, .bd-header-article, .skip-link, #pst-back-to-top {display: none !important}"
)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-color-profile=srgb",
]


def chromium():
    """Path of a Chromium or Chrome, or None."""
    named = os.environ.get("HBUCB_CHROMIUM")
    if named:
        return named
    if Path("/usr/bin/chromium").exists():
        return "/usr/bin/chromium"
    for name in ("chromium", "chromium-browser", "google-chrome", "chrome"):
        if shutil.which(name):
            return shutil.which(name)
    return None


def require_browser():
    """Path of a browser; without one the test fails in CI and is skipped elsewhere."""
    found = chromium()
    if found is None:
        message = (
            "no Chromium found (apt-get install chromium, or name one in HBUCB_CHROMIUM): "
            "the pages cannot be looked at"
        )
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return found


class Checker:
    """One browser for many pages; `faults(path)` is the verdict on one of them."""

    def __init__(self, playwright, site):
        self.site = Path(site).resolve()
        self.browser = playwright.chromium.launch(executable_path=require_browser(), args=FLAGS)
        self._anchors = {}

    def close(self):
        self.browser.close()

    def faults(self, path, widths=(1280, 390)):
        """All faults of one page, each with the window's width; 390 px looks at 320 px too."""
        return [f"{w} px: {fault}" for w in widths for fault in self._at(Path(path), w)]

    def _at(self, path, width):
        context = self.browser.new_context(viewport={"width": width, "height": 1600})
        page = context.new_page()
        faults, outside = [], []
        page.on("request", lambda r: outside.append(r.url) if _is_outside(r.url) else None)
        page.on("console", lambda m: _note(faults, m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: _note(faults, str(error)))
        context.route(re.compile("^(?!file:|data:|blob:)"), lambda route: route.abort())
        try:
            page.goto(path.as_uri(), wait_until="load")
            if width == 1280:
                faults += _tab_stops(page)
            seen = page.evaluate(SCRIPT, {"width": width, "open": True})
            faults += seen["faults"]
            if width == 1280:
                faults += self.broken(path, seen["links"])
                page.add_style_tag(content=HIDE_BARS + " * {transition: none !important}")
                for theme in ("light", "dark"):
                    faults += page.evaluate(CONTRAST, theme)
                faults += _dark(page) if seen["pictures"] else []
            else:
                page.set_viewport_size({"width": 320, "height": 1600})
                narrow = page.evaluate(SCRIPT, {"width": 320, "open": True})
                faults += [
                    f"(320) {fault}"
                    for fault in narrow["faults"]
                    if fault.startswith(("cut off", "sideways", "keyboard"))
                ]
        finally:
            context.close()
        faults += [f"network: {url}" for url in outside]
        return faults

    def broken(self, path, links):
        """Links of a page that lead nowhere, in the book's own files."""
        faults = []
        for link in sorted(set(links)):
            parts = urlsplit(link)
            if parts.scheme in ("http", "https", "mailto"):
                continue
            if parts.scheme or link.startswith("/"):
                faults.append(f"link: not a link of this book: {link}")
                continue
            goal = path
            if parts.path:
                goal = Path(os.path.normpath(path.parent / unquote(parts.path)))
            if not goal.is_file():
                faults.append(f"link: no such page: {link}")
            elif parts.fragment and goal.suffix == ".html":
                if unquote(parts.fragment) not in self._ids(goal):
                    faults.append(f"link: no such place in the page: {link}")
        return faults

    def _ids(self, page):
        if page not in self._anchors:
            text = page.read_text(encoding="utf-8")
            self._anchors[page] = set(re.findall(r'(?:id|name)="([^"]+)"', text))
        return self._anchors[page]


def _is_outside(url):
    return not url.startswith(("file:", "data:", "blob:"))


def _note(faults, text):
    if not any(known in text for known in KNOWN) and "ERR_FAILED" not in text:
        faults.append(f"console: {text[:200]}")


def _tab_stops(page):
    """Press Tab as a reader does: the first exercise must come within TAB_STOPS presses."""
    if not page.query_selector("main .exercise"):
        return []
    past = """() => {
        const first = document.querySelector('main .exercise'), now = document.activeElement;
        if (!now || now === document.body) return true;
        return first.contains(now) ||
            Boolean(first.compareDocumentPosition(now) & Node.DOCUMENT_POSITION_FOLLOWING);
    }"""
    free = 0 if page.query_selector(".dropdown-launch-buttons") else BUTTON_STOPS
    for _ in range(TAB_STOPS - free):
        page.keyboard.press("Tab")
        if page.evaluate(past):
            return []
    return [f"keyboard: more than {TAB_STOPS - 1 - free} tab stops before the first exercise"]


SETTLED = "() => new Promise(f => requestAnimationFrame(() => requestAnimationFrame(f)))"


ON_WHOLE_PIXELS = """e => {
    e.style.transform = "none";
    e.scrollIntoView({block: "center"});
    const {x, y} = e.getBoundingClientRect();
    e.style.transform = `translate(${Math.round(x) - x}px, ${Math.round(y) - y}px)`;
}"""


def _differs(page, picture):
    """Whether a picture looks different in the two themes, but for its outermost pixels.

    The themes place it parts of a pixel apart. Moved back, its edges may still be drawn a little
    differently, so means over blocks of 16 pixels are compared: they tell apart a brightness of
    0.95 on white.
    """
    from PIL import Image, ImageChops

    shots = []
    for theme in ("light", "dark"):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        picture.evaluate(ON_WHOLE_PIXELS)
        page.evaluate(SETTLED)
        shot = Image.open(io.BytesIO(picture.screenshot())).convert("RGB")
        # the outermost pixels are mixed with the page round the picture
        shots.append(shot.crop((2, 2, shot.width - 2, shot.height - 2)))
    if shots[0].size != shots[1].size:
        return True
    size = tuple(max(1, length // 16) for length in shots[0].size)
    blocks = [shot.resize(size, Image.Resampling.BOX) for shot in shots]
    return max(high for _, high in ImageChops.difference(*blocks).getextrema()) > 12


def _dark(page):
    """The dark theme must leave every pixel of every figure as it is."""
    faults = []
    for number, picture in enumerate(page.query_selector_all("main img")):
        if not picture.evaluate("e => e.complete && e.naturalWidth > 0 && e.offsetWidth > 0"):
            continue
        # On a busy machine a picture may still be moving by a part of a pixel when it is taken.
        if all(_differs(page, picture) for _ in range(3)):
            faults.append(f"dark theme: picture {number + 1} changes its pixels")
    return faults
