"""A page built with one extension of the book alone, for tests that look at it."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CONF = """
import sys
sys.path.insert(0, {ext!r})
extensions = ["myst_parser", {extension!r}]
myst_enable_extensions = ["colon_fence"]
html_theme = "basic"
html_static_path = [{static!r}]
html_css_files = ["css/hbucb.css"]
html_js_files = {scripts!r}
"""


def build(folder, text, extension, scripts, builder="html"):
    """Build one page; returns the output folder and what Sphinx complained about."""
    source = folder / "source"
    source.mkdir(exist_ok=True)
    ext, static = str(ROOT / "book" / "_ext"), str(ROOT / "book" / "_static")
    conf = CONF.format(ext=ext, extension=extension, static=static, scripts=scripts)
    (source / "conf.py").write_text(conf)
    (source / "index.md").write_text(text)
    run = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-n", "-b", builder, source, folder / builder],
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    return folder / builder, run.stderr
