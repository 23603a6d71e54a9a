"""Print the built book into one PDF with a title page, contents, page numbers and working links.

    python book/pdf.py                 _build/html -> _build/html/hbucb-book.pdf
    python book/pdf.py --pages 00-how-to-read 09-last-iterate-random-walk --out some.pdf

Build the book first. The pages are printed by headless Chromium, as a reader prints one page:
formulas, figures and theorems look as on the screen, which a detour through LaTeX does not give
(bets, folds and links are HTML). Chromium prints one document at a time and numbers each from 1, so
the documents are merged and numbered here, with pypdf: it is plain Python without requirements of
its own, and it can move links, which programs that only join files cannot.

The normal build does not wait for this, and the file is not committed. Once it is made, the front
page of the built book offers it; a new build takes the offer back until the file is made again.
"""

import argparse
import html
import os
import re
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

BOOK = Path(__file__).resolve().parent
SITE = BOOK.parent / "_build" / "html"
NAME = "hbucb-book.pdf"
OFFER = re.compile(r'(<span id="pdf-offer">).*?(</span><!--pdf-offer-->)', re.S)
MARGIN = {"top": "16mm", "bottom": "18mm", "left": "17mm", "right": "17mm"}

# Nothing may be half-way through an animation, and the code of the figures stays in the notebooks.
STYLE = """* { animation: none !important; transition: none !important }
details.hide.above-input { display: none !important }"""
# What a reader would open by hand before printing.
OPEN = """async () => {
  if (window.MathJax?.startup?.promise) await window.MathJax.startup.promise;
  document.querySelectorAll("details").forEach((e) => { e.open = true; });
  document.querySelectorAll(".bet-hidden[hidden]").forEach((e) => e.removeAttribute("hidden"));
  document.querySelectorAll(".toggle-hidden").forEach((e) => e.classList.remove("toggle-hidden"));
  document.querySelectorAll("img[loading]").forEach((e) => { e.loading = "eager"; });
  await Promise.all([...document.images].map((e) => e.decode().catch(() => null)));
}"""


@dataclass
class Document:
    """One page of the book: its name and part, and what printing it gave."""

    name: str
    part: str
    depth: int = 1
    title: str = ""
    pdf: Path = field(default_factory=Path)
    sheets: int = 0
    first: int = 0  # number of its first sheet in the whole book, from 1


def documents(root):
    """All pages in the order of the table of contents."""
    import yaml

    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    found = [Document(toc["root"], "")]
    for part in toc["parts"]:
        for entry in part["chapters"]:
            found.append(Document(entry["file"], part["caption"]))
            below = entry.get("sections", ())
            found += [Document(one["file"], part["caption"], 2) for one in below]
    return found


def chromium():
    """Path of a Chromium or Chrome, or None for the one that Playwright has."""
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    return os.environ.get("HBUCB_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


def print_pages(browser, site, listed, folder, say=print):
    """Print each document into `folder`; fills in title and file."""
    missing = [one.name for one in listed if not (site / f"{one.name}.html").is_file()]
    if missing:
        raise FileNotFoundError(
            f"{site} has no {', '.join(missing)}: build the book first (README.md)"
        )
    page = browser.new_page(viewport={"width": 1000, "height": 1400})
    page.route(re.compile("^(?!file:|data:|blob:)"), lambda route: route.abort())
    for number, one in enumerate(listed):
        page.goto((site / f"{one.name}.html").as_uri(), wait_until="load")
        page.emulate_media(media="print")
        page.add_style_tag(content=STYLE)
        page.evaluate(OPEN)
        one.title = page.evaluate("document.querySelector('main h1').innerText").rstrip("#\n ")
        one.pdf = folder / f"{number:03d}.pdf"
        page.pdf(path=one.pdf, format="A4", margin=MARGIN, print_background=True)
        say(f"  {one.name}")
    page.close()


def contents_html(listed, shown):
    """Title page and contents; `shown` says whether the numbers are known already."""
    rows, part = [], None
    for one in listed:
        if one.part != part and one.part:
            rows.append(f"<h2>{html.escape(one.part)}</h2>")
        part = one.part
        number = one.first if shown else 999
        rows.append(
            f'<p class="d{one.depth}"><span>{html.escape(one.title)}</span>'
            f"<span>{number}</span></p>"
        )
    return f"""<!doctype html><meta charset="utf-8"><style>
body {{ font: 10.5pt/1.35 sans-serif; margin: 0 }}
.title {{ height: 245mm; padding-top: 75mm; box-sizing: border-box; break-after: page }}
.title h1 {{ font-size: 30pt; margin: 0 0 8mm }}
h2 {{ font-size: 11pt; margin: 3.2mm 0 .8mm; break-after: avoid }}
p {{ display: flex; justify-content: space-between; gap: 8mm; margin: 0 0 .5mm }}
.d2 {{ padding-left: 8mm; font-size: 9pt }}
</style><div class="title"><h1>Bandits with heavy tails</h1>
<div>A textbook with its tested package</div><div style="margin-top: 90mm">The hbucb authors<br>
Text CC BY 4.0, code MIT<br>
The code of each figure is in the notebook of its chapter.</div></div>
<h2 style="font-size: 18pt">Contents</h2>{"".join(rows)}"""


def footers_html(total, listed):
    """One sheet for each sheet of the book: its number, and the chapter it is in."""
    titles = [""] * (total + 1)
    for one in listed:
        for sheet in range(one.first, one.first + one.sheets):
            titles[sheet] = one.title
    sheets = "".join(
        f"<div><span>{html.escape(titles[n])}</span><span>{n if n > 1 else ''}</span></div>"
        for n in range(1, total + 1)
    )
    return f"""<!doctype html><meta charset="utf-8"><style>
@page {{ size: A4; margin: 0 }} body {{ margin: 0; font: 8pt sans-serif; color: #333 }}
div {{ height: 296.9mm; box-sizing: border-box; padding: 283mm 17mm 0; display: flex;
justify-content: space-between; break-after: page; overflow: hidden }}
div:last-child {{ break-after: auto }}</style>{sheets}"""


def print_html(browser, text, path, margin):
    """Print a text of ours."""
    page = browser.new_page()
    page.set_content(text)
    page.pdf(path=path, format="A4", margin=margin, print_background=True)
    page.close()


def merge(browser, site, listed, folder, out):
    """Front matter, documents, numbers, links and outline in one file; returns the sheets."""
    from pypdf import PdfReader, PdfWriter

    for one in listed:
        one.sheets = len(PdfReader(one.pdf).pages)
    front = folder / "front.pdf"
    for shown in (False, True):  # the contents are as long before as after the numbers are known
        print_html(browser, contents_html(listed, shown), front, MARGIN)
        following = len(PdfReader(front).pages) + 1
        for one in listed:
            one.first, following = following, following + one.sheets
    total = following - 1
    numbers = folder / "numbers.pdf"
    print_html(browser, footers_html(total, listed), numbers, None)
    writer = PdfWriter()
    for path in (front, *(one.pdf for one in listed)):
        writer.append(path, import_outline=False)
    stamps = PdfReader(numbers).pages
    if not len(stamps) == len(writer.pages) == total:
        raise RuntimeError(f"{len(stamps)} numbers for {len(writer.pages)} of {total} sheets")
    for sheet, stamp in zip(writer.pages, stamps, strict=True):
        sheet.merge_page(stamp)
        sheet.compress_content_streams()  # merging has unpacked them
    move_links(writer, site, listed)
    outline(writer, listed)
    writer.add_metadata({"/Title": "Bandits with heavy tails", "/Author": "The hbucb authors"})
    writer.compress_identical_objects()
    temporary = out.with_suffix(".part")
    writer.write(temporary)
    os.replace(temporary, out)
    return total


def move_links(writer, site, listed):
    """Links between pages lead to sheets of this file; those to other local files are dropped."""
    from pypdf.generic import ArrayObject, DictionaryObject, NameObject

    first = {(site / f"{one.name}.html").resolve(): one.first for one in listed}
    for sheet in writer.pages:
        kept = ArrayObject()
        for reference in sheet.get("/Annots") or ():
            note = reference.get_object()
            address = (note.get("/A") or {}).get("/URI", "")
            parts = urlsplit(str(address))
            if parts.scheme == "file":
                goal = first.get(Path(unquote(parts.path)).resolve())
                if goal is None:
                    continue
                target = writer.pages[goal - 1].indirect_reference
                where = ArrayObject([target, NameObject("/Fit")])
                note[NameObject("/A")] = DictionaryObject(
                    {NameObject("/S"): NameObject("/GoTo"), NameObject("/D"): where}
                )
            kept.append(reference)
        if "/Annots" in sheet:
            sheet[NameObject("/Annots")] = kept


def outline(writer, listed):
    """Bookmarks: parts, chapters, and solutions below their page."""
    part, above = None, {0: None}
    for one in listed:
        if one.part != part and one.part:
            above[0] = writer.add_outline_item(title=one.part, page_number=one.first - 1)
        part = one.part
        parent = above[0] if one.depth == 1 else above[1]
        above[one.depth] = writer.add_outline_item(
            title=one.title, page_number=one.first - 1, parent=parent
        )


def offer(site, listed, out, sheets):
    """Write the link into the built pages that have a place for it; returns their names."""
    found = []
    for one in listed:
        page = site / f"{one.name}.html"
        text = page.read_text(encoding="utf-8")
        link = os.path.relpath(out, page.parent).replace(os.sep, "/")
        size = out.stat().st_size / 1e6
        words = f'<a href="{link}">{out.name}</a> ({sheets} pages, {size:.0f} MB)'
        new, count = OFFER.subn(lambda m, w=words: m.group(1) + w + m.group(2), text)
        if count:
            page.write_text(new, encoding="utf-8")
            found.append(one.name)
    return found


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--site", type=Path, default=SITE, help="the built book")
    parser.add_argument("--out", type=Path, help=f"the file to write (default: SITE/{NAME})")
    parser.add_argument("--pages", nargs="+", metavar="NAME", help="only these pages of book/")
    options = parser.parse_args(arguments)
    site = options.site.resolve()
    out = (options.out or site / NAME).resolve()
    listed = documents(BOOK.parent)
    if options.pages:
        wanted = {f"book/{Path(name).stem}" for name in options.pages}
        unknown = wanted - {one.name for one in listed}
        if unknown:
            parser.error(f"not in _toc.yml: {', '.join(sorted(unknown))}")
        listed = [one for one in listed if one.name in wanted]
    from playwright.sync_api import sync_playwright

    start = time.perf_counter()
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--force-color-profile=srgb"]
        )
        try:
            print_pages(browser, site, listed, Path(folder))
            sheets = merge(browser, site, listed, Path(folder), out)
        finally:
            browser.close()
    print(
        f"{out}: {sheets} pages, {out.stat().st_size / 1e6:.1f} MB, "
        f"{time.perf_counter() - start:.0f} s"
    )
    if out.is_relative_to(site) and not options.pages:
        print("offered on:", ", ".join(offer(site, listed, out, sheets)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
