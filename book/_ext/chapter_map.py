"""The chapter map: one row a chapter, one coloured line a path, as an SVG with links.

A vertical map, so that a phone shows it at the size of its text. Path and station are told apart by
place and shape as well as by colour.
"""

import html

ROW, HEAD, LEFT, STEP, WIDTH = 22, 26, 14, 20, 420
LONGEST = 42  # characters of a title
COLOURS = {"theory": "#0072b2", "experiments": "#d55e00", "course": "#8811ee"}
SHAPES = {"theory": "circle", "experiments": "square", "course": "diamond"}


def layout(book):
    """(y of each chapter by number, [(y, caption) of parts], height)."""
    y, chapters, parts = 34, {}, []
    for caption, listed in book.parts:
        parts.append((y + 17, caption))
        y += HEAD
        for one in listed:
            chapters[one.number] = y + ROW / 2
            y += ROW
    return chapters, parts, y + 8


def short(title):
    """A title that fits: its first part, if it is long and has a colon."""
    return title if len(title) <= LONGEST else title.split(":")[0]


def station(shape, x, y, colour, filled=True):
    """One stop: filled if the chapter is there."""
    style = f'fill="{colour if filled else "#fff"}" stroke="{colour}" stroke-width="1.6"'
    if shape == "circle":
        return f'<circle cx="{x}" cy="{y}" r="4.6" {style}/>'
    if shape == "square":
        return f'<rect x="{x - 4.2}" y="{y - 4.2}" width="8.4" height="8.4" {style}/>'
    points = f"{x},{y - 6} {x + 6},{y} {x},{y + 6} {x - 6},{y}"
    return f'<polygon points="{points}" {style}/>'


def told(book):
    """The map in one sentence for those who do not see it."""
    count = sum(len(listed) for _, listed in book.parts)
    ways = ", ".join(f"{p['name']} with {len(p['chapters'])} stops" for p in book.paths)
    return f"Map of {count} chapters, one below the other, with three lines past them: {ways}."


def draw(book, address):
    """HTML of the map.

    `address(page)` is the link to a page. Chapters without a page have hollow stops and no link.
    """
    at, parts, height = layout(book)
    out = []
    text_x = LEFT + STEP * len(book.paths) + 2
    for number, path in enumerate(book.paths):
        x, colour = LEFT + STEP * number, COLOURS[path["id"]]
        stops = sorted(at[n] for n in path["chapters"])
        out.append(
            f'<line x1="{x}" y1="{stops[0]}" x2="{x}" y2="{stops[-1]}" stroke="{colour}" '
            'stroke-width="4" stroke-opacity="0.45"/>'
        )
        for chapter in path["chapters"]:
            there = book[chapter].page is not None
            out.append(station(SHAPES[path["id"]], x, at[chapter], colour, there))
    for y, caption in parts:
        out.append(f'<text class="part" x="{text_x}" y="{y}">{html.escape(caption)}</text>')
    for _, listed in book.parts:
        for one in listed:
            words = html.escape(f"{one.number}  {short(one.title)}")
            place = f'x="{text_x}" y="{at[one.number] + 4.5}"'
            if one.page is None:
                words = f'<text class="planned" {place}>{words} (in preparation)</text>'
            else:
                words = f'<a href="{address(one.page)}"><text {place}>{words}</text></a>'
            out.append(words)
    legend = []
    for number, path in enumerate(book.paths):
        x = LEFT + [0, 82, 200][number]
        legend.append(station(SHAPES[path["id"]], x, 14, COLOURS[path["id"]]))
        legend.append(f'<text x="{x + 11}" y="18.5">{html.escape(path["name"])}</text>')
    body = "\n".join(legend + out)
    return (
        f'<figure class="chapter-map"><svg viewBox="0 0 {WIDTH} {height:g}" role="group" '
        f'aria-label="{html.escape(told(book))}">\n{body}\n</svg></figure>\n'
    )
