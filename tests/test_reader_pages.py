"""Pages for readers and contributors: what they name exists, what they promise holds."""

import importlib
import importlib.util
import re
import sys
import tomllib
from pathlib import Path

import chaptercheck
import pytest
import yaml

import hbucb as hb

ROOT = Path(__file__).resolve().parents[1]
BOOK = ROOT / "book"
sys.path.insert(0, str(BOOK / "_ext"))
import launch  # noqa: E402
import paths  # noqa: E402

CONTRIBUTING = (BOOK / "contributing.md").read_text(encoding="utf-8")


# ---- how to contribute ---------------------------------------------------------------------------


def test_every_file_that_the_recipes_name_is_there():
    named = re.findall(r"`([\w./-]+)`", CONTRIBUTING)
    files = [n for n in named if "/" in n or n.endswith((".toml", ".yml", ".cff", ".md"))]
    files = [n for n in files if "NN-name" not in n and "NAME" not in n]
    assert len(files) >= 25
    missing = [n for n in files if not (ROOT / n).exists()]
    assert not missing, missing


def test_every_command_of_the_recipes_is_there():
    modules = re.findall(r"`python -m ([\w.]+)", CONTRIBUTING)
    assert "hbucb.replay" in modules
    assert all(importlib.util.find_spec(f"{name}.__main__") for name in modules)
    scripts = re.findall(r"`python ([\w./]+\.py)", CONTRIBUTING)
    assert {"book/notebooks.py", "book/pdf.py"} <= set(scripts)
    tests = set(re.findall(r"tests/test_\w+\.py", CONTRIBUTING))
    assert len(tests) >= 10


def test_a_new_public_policy_is_found_by_the_roster(monkeypatch):
    roster = importlib.import_module("roster")

    class Fresh(hb.UCB1):
        pass

    monkeypatch.setattr(hb, "Fresh", Fresh, raising=False)
    monkeypatch.setattr(hb, "__all__", [*hb.__all__, "Fresh"])
    assert roster.classes()["Fresh"] is Fresh and "Fresh" in roster.policies()


def test_a_new_bound_reaches_the_catalogue(monkeypatch):
    from hbucb.assumptions import bound

    @bound(source="me", status="stated", needs=["luck"], rate="T", algorithm="Fresh")
    def fresh_regret(gaps, horizon):
        return 0.0

    monkeypatch.setattr(hb.bounds, "BOUNDS", (*hb.bounds.BOUNDS, fresh_regret))
    assert hb.bounds.catalogue()[-1].name == "fresh_regret"


# ---- licence and citation ------------------------------------------------------------------------


def test_citation_agrees_with_the_package():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert cited["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= set(cited)
    assert cited["version"] == project["version"] == hb.__version__
    assert [a["name"] for a in cited["authors"]] == [a["name"] for a in project["authors"]]
    assert set(cited["license"]) == set(project["license"].split(" AND "))
    assert cited["type"] in {"software", "dataset"}
    assert f"## {hb.__version__} " in (BOOK / "changelog.md").read_text(encoding="utf-8")


def test_the_licence_speaks_of_every_part():
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "MIT License" in licence and "creativecommons.org/licenses/by/4.0" in licence
    assert (BOOK / "_static" / "mathjax" / "LICENSE").exists()
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    assert "CC BY 4.0" in config["html"]["extra_footer"] and "MIT" in config["html"]["extra_footer"]
    code = licence[: licence.index("2. Text")]
    parts = ["hbucb/", "tests/", "book/_ext/", "book/_static/", "book/*.py"]
    assert not [part for part in [*parts, ".ci/", ".binder/", ".github/"] if part not in code]


# ---- workflows -----------------------------------------------------------------------------------


def workflow(name):
    return yaml.safe_load((ROOT / ".github" / "workflows" / name).read_text(encoding="utf-8"))


def test_workflow_tests_every_supported_python():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    supported = [c.rpartition(" ")[2] for c in project["classifiers"] if ":: 3." in c]
    job = workflow("tests.yml")["jobs"]["tests"]
    assert job["strategy"]["matrix"]["python"] == supported == ["3.11", "3.12", "3.13"]
    assert any(".ci/run" in step.get("run", "") for step in job["steps"])


def test_workflow_publishes_what_was_tested_with_its_address_and_the_pdf():
    job = workflow("pages.yml")["jobs"]["publish"]
    steps = [step.get("run") or step["uses"] for step in job["steps"]]
    order = [
        next(i for i, step in enumerate(steps) if part in step)
        for part in (".ci/run", "book/pdf.py", "upload-pages-artifact", "deploy-pages")
    ]
    assert order == sorted(order)
    assert job["env"]["HBUCB_REPOSITORY"] == "https://github.com/${{ github.repository }}"


def test_buttons_come_with_an_address_and_only_then():
    given = launch.options("https://github.com/someone/hbucb")
    assert given["repository_url"] == "https://github.com/someone/hbucb"
    assert {"binderhub_url", "colab_url"} <= set(given["launch_buttons"])
    for bad in ("", "github.com/x/y", "https://github.com/x", "https://github.com/x/y/z"):
        with pytest.raises(ValueError, match="HBUCB_REPOSITORY is"):
            launch.options(bad)


def test_binder_installs_this_project():
    folder = ROOT / ".binder"
    lines = (folder / "requirements.txt").read_text().split("\n")
    assert "-e .[reader]" in lines
    constraint = next(line.split()[1] for line in lines if line.startswith("-c "))
    assert (folder / constraint).resolve() == (ROOT / ".ci" / "constraints.txt").resolve()
    assert (folder / "runtime.txt").read_text().strip() in {"python-3.12", "python-3.13"}


# ---- ways through the book -----------------------------------------------------------------------


def test_map_holds_every_chapter_with_its_title_and_every_stop():
    book = paths.read(ROOT)
    drawing = paths.draw(book, lambda page: f"{Path(page).name}.html")
    chapters = [name for name in chaptercheck.pages(ROOT) if _is_chapter(name)]
    assert len(chapters) >= 24
    for page in chapters:
        assert f'href="{Path(page).name}.html"' in drawing, page
    stops = sum(len(path["chapters"]) for path in book.paths) + len(book.paths)  # and the legend
    shapes = len(re.findall("<(?:circle|rect|polygon) ", drawing))
    assert shapes == stops
    words = re.findall(r'<text (?:class="planned" )?x="76"[^>]*>([^<]*)<', drawing)
    assert len(words) >= 24 and max(map(len, words)) <= 62, max(words, key=len)


def _is_chapter(name):
    return paths.chapter(name) is not None and not name.endswith("-solutions")


def test_next_on_a_path_leads_along_it_to_its_end():
    book = paths.read(ROOT)
    for number, path in enumerate(book.paths):
        page, seen = book[path["chapters"][0]].page, []
        while page:
            seen.append(page)
            after = next(a for p, a in book.next_on(page) if p["id"] == path["id"])
            page = after.page if after else None
        there = [book[n].page for n in path["chapters"] if book[n].page]
        assert seen == there, number
    assert book.next_on("book/glossary") == []


def test_course_path_holds_every_chapter_of_the_lectures():
    book = paths.read(ROOT)
    assert len(book.lectures) == 12
    course = next(p for p in book.paths if p["id"] == "course")
    taught = {n for lecture in book.lectures for n in lecture["chapters"]}
    assert taught <= set(course["chapters"])


def test_an_unknown_chapter_on_a_path_is_named(tmp_path):
    (tmp_path / "book").mkdir()
    (tmp_path / "_toc.yml").write_text(
        "root: book/index\nparts:\n  - caption: A\n    chapters:\n      - file: book/01-a\n"
    )
    (tmp_path / "book" / "01-a.md").write_text("# One\n")
    data = '[[path]]\nid = "x"\nname = "X"\nabout = ""\nchapters = ["1", "77"]\n'
    toml = tmp_path / "book" / "paths.toml"
    toml.write_text(data + '[[lecture]]\nchapters = ["1"]\n[planned.B]\n2 = "Two"\n')
    with pytest.raises(KeyError, match="77"):
        paths.read(tmp_path)
    toml.write_text(toml.read_text().replace("77", "2"))
    book = paths.read(tmp_path)
    assert book["2"].page is None and book["1"].title == "One"
    assert book.next_on("book/01-a") == [(book.paths[0], None)]


# ---- how do I, self-test -------------------------------------------------------------------------


def test_there_are_thirty_questions_each_with_a_snippet():
    text = (BOOK / "src" / "how-do-i.md").read_text(encoding="utf-8")
    parts = re.split(r"^### … .*\?$", text, flags=re.M)[1:]
    assert len(parts) >= 30
    assert all("```{code-cell}" in part for part in parts)


def test_self_test_asks_eight_questions_and_each_leads_to_a_refresher():
    text = (BOOK / "src" / "00-how-to-read.md").read_text(encoding="utf-8")
    questions = re.findall(r"^:::\{admonition\} (\d)\. .*?^:::$", text, re.M | re.S)
    bodies = re.split(r"^:::\{admonition\} \d\. ", text, flags=re.M)[1:]
    links = [re.search(r"\]\(#(refresher-[\w-]+)\)", body).group(1) for body in bodies]
    assert questions == list("12345678") and len(set(links)) == 8
    sources = "".join(p.read_text(encoding="utf-8") for p in (BOOK / "src").glob("*.md"))
    assert all(f"({label})=" in sources for label in links)
