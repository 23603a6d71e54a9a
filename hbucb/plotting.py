"""Figures for results: regret with bands, empirical distributions, small multiples.

Every axis has a name and a unit, and every legend says how many trials were run, what the line is
and what the band is: the functions write it themselves, so that no figure can be without. Any
object with `rounds`, `trials`, `names` and `result[name].regret` of shape (trials, rounds) will do.
Matplotlib is imported where used.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hbucb.arguments import is_plain
from hbucb.palette import COLOURS, LineStyle, book_style, register, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "COLOURS",
    "LineStyle",
    "book_style",
    "ecdf",
    "multiples",
    "register",
    "regret",
    "shared_legend",
    "style",
]


def _names(result: Any, names: Sequence[str] | None) -> list[str]:
    if not hasattr(result, "names") or not hasattr(result, "trials"):
        raise ValueError(f"result is {result!r}; give what hb.simulate returns")
    if names is not None and not isinstance(names, list | tuple):
        raise ValueError(f"names is {names!r}; give a list of names of policies")
    known = list(result.names)
    wanted = known if names is None else list(names)
    unknown = [name for name in wanted if name not in known]
    if unknown or not wanted:
        raise ValueError(f"names must be some of {known}, got {wanted}")
    if len(wanted) > len(COLOURS):
        raise ValueError(
            f"a figure shows at most {len(COLOURS)} policies, got {len(wanted)}: "
            "choose with names=, or draw small multiples (hb.plotting.multiples)"
        )
    return wanted


def _axes(ax: Axes | None) -> Axes:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(layout="constrained")[1]


def _told(result: Any) -> str:
    """'120 trials, seed 7, noise shared by arm', as far as the result knows."""
    parts = [f"{result.trials} trials"]
    if getattr(result, "seed", None) is not None:
        parts.append(f"seed {result.seed}")
    coupling = {"arm": "common noise", "time": "same noise each round"}.get(
        getattr(result, "coupling", None) or ""
    )
    return ", ".join(parts + ([coupling] if coupling else []))


def regret(
    result: Any,
    *,
    ax: Axes | None = None,
    names: Sequence[str] | None = None,
    band: tuple[float, float] | float = (0.1, 0.9),
    per_round: bool = False,
    bounds: bool = False,
    scale: str = "log",
    direct: bool = False,
    legend: bool = True,
) -> Axes:
    """Mean regret against rounds, with a band over the trials.

    Parameters
    ----------
    result : Result
        Or any object with its interface (module docstring).
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.
    names : sequence of str, optional
        Policies to draw, at most six.
    band : (float, float) or float
        Two probabilities: the band spans these quantiles over the trials. One number w: the band
        is the mean plus and minus w standard deviations over the trials (papers often draw it).
    per_round : bool
        Draw R_t / t instead of R_t.
    bounds : bool
        Add each policy's proved bound where its assumptions hold.
    scale : {"log", "linear"}
        Scale of the axis of rounds.
    direct : bool
        Write each name at the end of its line as well.
    legend : bool
        Draw the legend (switch it off in all but one panel of small multiples).

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ValueError
        For unknown or more than six names, a band or a scale that is not one of the above.
    """
    wanted = _names(result, names)
    if scale not in ("log", "linear"):
        raise ValueError(f"scale must be 'log' or 'linear', got {scale!r}")
    draw, told_band = _band(band)
    axes = _axes(ax)
    rounds = np.asarray(result.rounds)
    ends: list[tuple[float, str]] = []
    for name in wanted:
        look = style(name)
        values = np.asarray(result[name].regret) / (rounds if per_round else 1.0)
        mean = values.mean(axis=0)
        low, high = draw(values, mean)
        axes.fill_between(rounds, low, high, color=look.colour, alpha=0.13, linewidth=0)
        axes.plot(rounds, mean, label=name, markevery=_every(rounds, scale), **look.line())
        ends.append((float(mean[-1]), name))
    missing = _draw_bounds(result, wanted, axes, rounds, per_round) if bounds else []
    axes.set_xscale(scale)
    axes.set_xlabel("round t (pulls)")
    axes.set_ylabel(
        "regret per pull $R_t/t$ (reward units)" if per_round else "regret $R_t$ (reward units)"
    )
    axes.set_ylim(bottom=0)
    if direct:
        _direct_labels(axes, ends, float(rounds[-1]))
    if legend:
        title = f"{_told(result)}\nline: mean, band: {told_band}"
        if missing:
            title += "\nno proved bound here: " + ", ".join(missing)
        axes.legend(title=title, loc="best", alignment="left")
    return axes


def _band(band: tuple[float, float] | float) -> tuple[Any, str]:
    if isinstance(band, (int, float)):
        if not band > 0:
            raise ValueError(f"band must be a positive number of standard deviations, got {band}")
        return (
            lambda v, m: (m - band * v.std(axis=0), m + band * v.std(axis=0)),
            f"± {band:g} standard deviation over trials",
        )
    low, high = band
    if not 0 <= low < high <= 1:
        raise ValueError(f"band must be two probabilities low < high, got {band}")
    return (
        lambda v, m: np.quantile(v, [low, high], axis=0),
        f"{100 * low:g} to {100 * high:g} % of trials",
    )


def _every(rounds: np.ndarray, scale: str) -> list[int]:
    """About seven markers, evenly spread on the axis."""
    first = max(int(rounds[0]), 1)
    at = (np.geomspace if scale == "log" else np.linspace)(first, rounds[-1], 8)[1:]
    return sorted({int(i) for i in np.searchsorted(rounds, at - 0.5).clip(0, len(rounds) - 1)})


def _draw_bounds(
    result: Any, names: list[str], axes: Axes, rounds: np.ndarray, per_round: bool
) -> list[str]:
    """Dotted lines for proved bounds; names of the policies that have none here."""
    from hbucb.assumptions import AssumptionError

    missing = []
    for name in names:
        policy = result.policies[name]
        if not hasattr(policy, "tuned"):  # a loaded result holds the texts of its policies only
            missing.append(name)
            continue
        try:
            # The run was tuned to its horizon, not to each of the rounds on the axis.
            bound = np.asarray(policy.tuned(result.horizon).regret_bound(result.bandit, rounds))
        except AssumptionError:
            missing.append(name)
            continue
        values = np.broadcast_to(bound, rounds.shape) / (rounds if per_round else 1.0)
        axes.plot(
            rounds,
            values,
            color=style(name).colour,
            linestyle=":",
            linewidth=1.2,
            label=f"{name}: proved bound",
        )
    return missing


def _direct_labels(axes: Axes, ends: list[tuple[float, str]], x: float) -> None:
    """Names at the ends of the lines, pushed apart by at least one line of text."""
    from matplotlib.transforms import offset_copy

    figure: Any = axes.figure
    low, high = axes.get_ylim()
    step = 0.055 * (high - low)
    place = -np.inf
    right = offset_copy(axes.transData, fig=figure, x=6, units="points")
    for value, name in sorted(ends):
        place = max(value, place + step)
        axes.text(
            x,
            place,
            name,
            color=style(name).colour,
            transform=right,
            va="center",
            fontsize=9,
            clip_on=False,
        )


def ecdf(
    result: Any,
    *,
    ax: Axes | None = None,
    names: Sequence[str] | None = None,
    stuck: float = 0.1,
    legend: bool = True,
) -> Axes:
    """Which share of trials ends with at most x regret per pull; the stuck share with its limits.

    Parameters
    ----------
    result, ax, names, legend
        As in `regret`.
    stuck : float
        A trial is stuck if R_T / T is above this (reward units); drawn as a vertical line.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ValueError
        For unknown or more than six names, or `stuck` not positive.
    """
    from hbucb.statistics import wilson

    wanted = _names(result, names)
    if not stuck > 0:
        raise ValueError(f"stuck must be positive, got {stuck}")
    axes = _axes(ax)
    horizon = float(np.asarray(result.rounds)[-1])
    share = np.arange(1, result.trials + 1) / result.trials
    for name in wanted:
        final = np.sort(np.asarray(result[name].regret)[:, -1]) / horizon
        count = int((final > stuck).sum())
        low, high = wilson(count, result.trials)
        label = (
            f"{name}: stuck {100 * count / result.trials:.1f} % "
            f"[{100 * float(low):.1f}, {100 * float(high):.1f}]"
        )
        marks = [int(q * (result.trials - 1)) for q in (0.1, 0.3, 0.5, 0.7, 0.9)]
        axes.plot(
            np.maximum(final, 1e-6),
            share,
            label=label,
            drawstyle="steps-post",
            markevery=marks,
            **style(name).line(),
        )
    axes.axvline(stuck, color="#555555", linewidth=0.9)
    axes.set_xscale("log")
    axes.set_ylim(0, 1.02)
    axes.set_xlabel("regret per pull at the end, $R_T/T$ (reward units)")
    axes.set_ylabel("share of trials at or below")
    if legend:
        axes.legend(
            title=f"{_told(result)}\nstuck: $R_T/T$ > {stuck:g}, 99 % Wilson limits",
            loc="best",
            alignment="left",
            fontsize=8,
        )
    return axes


def _inches(value: Any) -> bool:
    return is_plain(value) and 0 < value < 1000


def multiples(
    titles: Sequence[str],
    *,
    columns: int = 3,
    size: tuple[float, float] = (3.4, 3.0),
    **kwargs: Any,
) -> tuple[Figure, list[Axes]]:
    """Small multiples: one titled panel for each entry, unused places removed.

    Parameters
    ----------
    titles : sequence of str
        One panel each.
    columns : int
        Panels in a row, at most.
    size : (float, float)
        Width and height of a panel in inches.
    **kwargs
        Passed to `matplotlib.pyplot.subplots` (such as ``sharey=True``).

    Returns
    -------
    figure : matplotlib Figure
    axes : list of matplotlib Axes, one a title

    Raises
    ------
    ValueError
        Without titles, with titles that are no list of texts, `columns` below 1, or a size that is
        no pair of positive numbers.
    """
    import matplotlib.pyplot as plt

    if not isinstance(titles, list | tuple) or not all(isinstance(t, str) for t in titles):
        raise ValueError(f"titles is {titles!r}; give a list of texts")
    if not (isinstance(size, list | tuple) and len(size) == 2 and all(map(_inches, size))):
        raise ValueError(f"size is {size!r}; give a pair of positive numbers of inches, below 1000")
    if not titles or columns < 1:
        raise ValueError(f"need titles and columns >= 1, got {len(titles)} and {columns}")
    across = min(columns, len(titles))
    down = -(-len(titles) // across)
    figure, grid = plt.subplots(
        down,
        across,
        squeeze=False,
        layout="constrained",
        figsize=(size[0] * across, size[1] * down),
        **kwargs,
    )
    panels = list(grid.ravel())
    for spare in panels[len(titles) :]:
        spare.remove()
    for axes, title in zip(panels, titles, strict=False):
        axes.set_title(title)
    return figure, panels[: len(titles)]


def shared_legend(figure: Figure, axes: Axes, *, columns: int = 3) -> Any:
    """Move one panel's legend, title and all, below the whole figure.

    Parameters
    ----------
    figure : matplotlib Figure
        With constrained layout, as `multiples` makes it.
    axes : matplotlib Axes
        The panel whose legend speaks for all panels.
    columns : int
        Entries in a row.

    Returns
    -------
    matplotlib Legend

    Raises
    ------
    ValueError
        If the panel has no legend.
    """
    old = axes.get_legend() if hasattr(axes, "get_legend") else None
    if old is None:
        raise ValueError("axes must have a legend to share")
    handles, labels = axes.get_legend_handles_labels()
    title = old.get_title().get_text().replace("\n", "; ")
    old.remove()
    return figure.legend(handles, labels, title=title, loc="outside lower center", ncols=columns)
