"""One colour, dash and marker for each policy, the same in the whole book.

The six colours are at least 3 : 1 against white and at least 34 apart (CIELAB) from one another
for readers with normal, protan, deutan and tritan vision; a test computes both. A figure with more
than six policies is cut into small multiples; colours are never added.
"""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

BLUE, VERMILION, BLACK = "#0072B2", "#D55E00", "#000000"
VIOLET, BROWN, ROSE = "#8811EE", "#663311", "#BB8888"
COLOURS = (BLUE, VERMILION, BLACK, VIOLET, BROWN, ROSE)

SOLID: Any = "-"
DASHES: tuple[Any, ...] = (
    SOLID,
    (0, (6, 2)),
    (0, (2, 1.5)),
    (0, (7, 2, 1.5, 2)),
    (0, (1, 1)),
    (0, (4, 1.5, 1, 1.5, 1, 1.5)),
)
MARKERS = ("o", "s", "^", "D", "v", "P")


@dataclass(frozen=True)
class LineStyle:
    """Colour, dash and marker of one policy."""

    colour: str
    dash: Any
    marker: str

    def line(self) -> dict[str, Any]:
        """Keyword arguments of `Axes.plot`."""
        return {
            "color": self.colour,
            "linestyle": self.dash,
            "marker": self.marker,
            "markersize": 5.0,
            "linewidth": 1.8,
        }


_BOOK = {
    "UCB": LineStyle(BLACK, DASHES[0], "o"),
    "SGD-UCB": LineStyle(BLUE, DASHES[0], "s"),
    "SGD-UCB-Median": LineStyle(VIOLET, DASHES[1], "^"),
    "SGD-UCB-SMoM": LineStyle(BROWN, DASHES[2], "v"),
    "RUCB-Median": LineStyle(VERMILION, DASHES[3], "D"),
    "Median of means (fair)": LineStyle(ROSE, DASHES[1], "P"),
    "Clipped SGD 1/k": LineStyle(BLUE, DASHES[4], "P"),
    "SGD-UCB (theory)": LineStyle(BLUE, DASHES[2], "D"),
    "SGD-UCB-Median (theory)": LineStyle(VIOLET, DASHES[4], "P"),
    "SGD-UCB-SMoM (theory)": LineStyle(BROWN, DASHES[3], "s"),
    "RUCB-Median (theory)": LineStyle(VERMILION, DASHES[4], "^"),
    "Thompson sampling": LineStyle(ROSE, DASHES[0], "s"),
    "Order-statistic UCB": LineStyle(VERMILION, DASHES[0], "P"),
    "Wilcoxon-UCB": LineStyle(BROWN, DASHES[0], "D"),
    "MedianUCB": LineStyle(VIOLET, DASHES[0], "v"),
    "SOLID": LineStyle(BLUE, DASHES[0], "o"),
    "SOLID (practical)": LineStyle(VIOLET, DASHES[1], "D"),
    "LinUCB": LineStyle(BLACK, DASHES[0], "s"),
    "LinUCB (same width)": LineStyle(BLACK, DASHES[2], "D"),
    "LinTS": LineStyle(ROSE, DASHES[0], "v"),
    "LinTS (radius)": LineStyle(ROSE, DASHES[2], "P"),
    "OAM (.01)": LineStyle(BROWN, DASHES[3], "P"),
    "OAM (0)": LineStyle(BROWN, DASHES[4], "v"),
}


def style(name: str) -> LineStyle:
    """Colour, dash and marker of a policy, by its name.

    Names that the book uses have a fixed entry; any other name gets one from a checksum of the
    name, so that it too looks the same in every figure.

    Parameters
    ----------
    name : str
        The policy's name, as in `result.names`.

    Returns
    -------
    LineStyle

    Raises
    ------
    ValueError
        If `name` is not a non-empty string.

    Examples
    --------
    >>> style("SGD-UCB").colour
    '#0072B2'
    """
    if not isinstance(name, str) or not name:
        raise ValueError(f"name must be a non-empty string, got {name!r}")
    if name in _BOOK:
        return _BOOK[name]
    code = zlib.crc32(name.encode())
    return LineStyle(COLOURS[code % 6], DASHES[code // 6 % 6], MARKERS[code // 36 % 6])


def register(name: str, like: LineStyle) -> None:
    """Fix the look of a name (a chapter that compares variants of one policy does).

    Parameters
    ----------
    name : str
    like : LineStyle

    Raises
    ------
    ValueError
        If the name already has another look, or the colour is not one of `COLOURS`.
    """
    if not isinstance(name, str) or not isinstance(like, LineStyle):
        raise ValueError(f"name must be a string, like a LineStyle; got {name!r} and {like!r}")
    if like.colour not in COLOURS:
        raise ValueError(f"colour must be one of {COLOURS}, got {like.colour}")
    if _BOOK.get(name, like) != like:
        raise ValueError(f"{name!r} already has a look: {_BOOK[name]}")
    _BOOK[name] = like


_RC: dict[Any, Any] = {
    "figure.figsize": (7.0, 4.2),
    "figure.dpi": 100,
    "savefig.dpi": 100,
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    "savefig.facecolor": "white",
    "font.size": 11.0,
    "axes.titlesize": 11.0,
    "legend.fontsize": 9.0,
    "legend.title_fontsize": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "axes.axisbelow": True,
    "lines.solid_capstyle": "round",
    "svg.hashsalt": "hbucb",
}


@contextlib.contextmanager
def book_style() -> Iterator[None]:
    """Context in which figures look as in the book (opaque white, one font size).

    Examples
    --------
    >>> with book_style():
    ...     pass
    """
    import matplotlib

    with matplotlib.rc_context(_RC):
        yield
