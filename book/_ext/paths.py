"""Ways through the book, from book/paths.toml and _toc.yml.

    :::{paths}         the ways, as lists of chapters
    :::{lectures}      the course, as a table
    :::{chapter-map}   all chapters, with the ways as coloured lines

and, at the foot of each page that lies on a way, "next on your path".
"""

import html
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

import yaml
from chapter_map import draw
from chapter_numbers import chapter
from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective


@dataclass
class Chapter:
    """A chapter of the book: number as readers say it, title, page (None if not there yet)."""

    number: str
    title: str
    page: str | None


@dataclass
class Book:
    """All chapters in the order of the table of contents, by part, and the ways through them."""

    parts: list[tuple[str, list[Chapter]]] = field(default_factory=list)
    paths: list[dict] = field(default_factory=list)
    lectures: list[dict] = field(default_factory=list)

    def __getitem__(self, number):
        return next(c for _, chapters in self.parts for c in chapters if c.number == number)

    def next_on(self, page):
        """(path, next chapter or None at the end) of each path that `page` lies on."""
        found = []
        for path in self.paths:
            way = [self[n] for n in path["chapters"]]
            way = [c for c in way if c.page]
            places = [i for i, c in enumerate(way) if c.page == page]
            if places:
                after = way[places[0] + 1] if places[0] + 1 < len(way) else None
                found.append((path, after))
        return found


def title(root, page):
    """The first heading of a page's text."""
    for path in (root / "book" / "src" / f"{Path(page).name}.md", root / f"{page}.md"):
        if path.exists():
            return re.search(r"^# (.+)$", path.read_text(encoding="utf-8"), re.M).group(1)
    raise FileNotFoundError(f"no text for {page}")


def read(root):
    """The Book under `root`; KeyError names a chapter that is neither there nor planned."""
    root = Path(root)
    data = tomllib.loads((root / "book" / "paths.toml").read_text(encoding="utf-8"))
    book = Book(paths=data["path"], lectures=data["lecture"])
    for part in yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))["parts"]:
        pages = [entry["file"] for entry in part["chapters"]]
        chapters = [
            Chapter(str(chapter(page)), title(root, page), page)
            for page in pages
            if chapter(page) is not None
        ]
        if chapters:
            book.parts.append((part["caption"], chapters))
    _add_planned(book, data["planned"])
    known = {c.number for _, chapters in book.parts for c in chapters}
    for way in [*book.paths, *book.lectures]:
        for number in way["chapters"]:
            if number not in known:
                raise KeyError(f"book/paths.toml names chapter {number!r}, which is not there")
    return book


def _add_planned(book, planned):
    """Chapters that are on their way, at the end of their part."""
    known = {c.number for _, chapters in book.parts for c in chapters}
    for caption, listed in planned.items():
        new = [Chapter(number, name, None) for number, name in listed.items()]
        new = [one for one in new if one.number not in known]
        captions = [part for part, _ in book.parts]
        if caption in captions:
            for one in new:
                _insert(book.parts[captions.index(caption)][1], one)
        elif new:
            place = captions.index("Audits") if "Audits" in captions else len(captions)
            book.parts.insert(place, (caption, new))


def _insert(listed, one):
    """Before the first chapter of the same kind with a larger number, else at the end."""
    kind, number = re.fullmatch(r"([A-Z]*)(\d+)", one.number).groups()
    for place, other in enumerate(listed):
        letters, digits = re.fullmatch(r"([A-Z]*)(\d+)", other.number).groups()
        if letters == kind and int(digits) > int(number):
            listed.insert(place, one)
            return
    listed.append(one)


def link(root, one, words):
    """MyST for a link to a chapter from another page of book/, or the words alone."""
    if one.page is None:
        return words
    name = Path(one.page).name
    ending = "ipynb" if (Path(root) / "book" / f"{name}.ipynb").exists() else "md"
    return f"[{words}]({name}.{ending})"


class _FromData(SphinxDirective):
    def book(self):
        root = Path(self.env.srcdir)
        for name in ("book/paths.toml", "_toc.yml"):
            self.env.note_dependency(str(root / name))
        return root, read(root)

    def parsed(self, lines, css):
        holder = nodes.container(classes=[css])
        self.state.nested_parse(StringList(lines, "book/paths.toml"), 0, holder)
        return [holder]


class Paths(_FromData):
    """One item a path: its name, what it is, its chapters."""

    def run(self):
        root, book = self.book()
        lines = []
        for path in book.paths:
            way = ", ".join(link(root, book[n], n) for n in path["chapters"])
            lines.append(f"- **{path['name']}**: {path['about']}. Chapters {way}.")
        return self.parsed(lines, "paths")


class Lectures(_FromData):
    """One row a lecture."""

    def run(self):
        root, book = self.book()
        lines = ["| lecture | chapters | in class | hand in |", "| --- | --- | --- | --- |"]
        for number, lecture in enumerate(book.lectures, 1):
            way = ", ".join(link(root, book[n], n) for n in lecture["chapters"])
            lines.append(f"| {number} | {way} | {lecture['in_class']} | {lecture['hand_in']} |")
        return self.parsed(lines, "lectures")


class ChapterMap(_FromData):
    """The map as a drawing with links; other writers get the list of chapters."""

    def run(self):
        _, book = self.book()

        def address(page):
            return f"{Path(page).name}.html"

        return [nodes.raw("", draw(book, address), format="html")]


def foot(app, pagename, templatename, context, doctree):
    """Append "next on your path" to a chapter's page."""
    if "body" not in context or not hasattr(app, "hbucb_book"):
        return
    items = []
    for path, after in app.hbucb_book.next_on(pagename):
        name = html.escape(path["name"])
        if after is None:
            items.append(f"<li><b>{name}</b>: this was the last page of the path.</li>")
            continue
        address = app.builder.get_relative_uri(pagename, after.page)
        words = html.escape(f"{after.number}. {after.title}")
        items.append(
            f'<li class="path-{path["id"]}"><b>{name}</b>: <a href="{address}">{words}</a></li>'
        )
    if items:
        context["body"] += (
            '<nav class="next-on-path" aria-label="Next on your path">'
            f"<p>Next on your path</p><ul>{''.join(items)}</ul></nav>\n"
        )


def _load(app):
    app.hbucb_book = read(app.srcdir)


def setup(app):
    app.add_directive("paths", Paths)
    app.add_directive("lectures", Lectures)
    app.add_directive("chapter-map", ChapterMap)
    app.connect("builder-inited", _load)
    app.connect("html-page-context", foot)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
