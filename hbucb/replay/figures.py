"""Figures of a replay: mean with band and median above, the share of stuck runs below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hbucb import plotting
from hbucb.palette import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def curves(
    runs: Mapping[str, Any],
    *,
    names: Sequence[str] | None = None,
    stuck: Mapping[str, float] | float = 0.1,
    size: tuple[float, float] = (3.1, 5.2),
    band: tuple[float, float] | float = (0.1, 0.9),
    scale: str = "linear",
) -> tuple[Figure, list[Axes], list[Axes]]:
    """Regret per pull of several runs side by side, and below it how many trials got stuck.

    Parameters
    ----------
    runs : mapping of str to Result
        Title of a panel -> run.
    names : sequence of str, optional
        Policies to draw, at most six.
    stuck : float, or mapping of str to float
        A trial is stuck if R_T / T is above this (reward units); one, or one a panel.
    size : (float, float)
        Width of a panel and height of the figure, in inches.
    band, scale
        As in `hbucb.plotting.regret`.

    Returns
    -------
    figure : matplotlib Figure
    upper, lower : list of matplotlib Axes
        Curves (full line: mean, thin line: median), and stuck shares with 99 % Wilson limits.

    Raises
    ------
    ValueError
        Without runs, and as in `hbucb.plotting.regret`.
    """
    import matplotlib.pyplot as plt

    if not runs:
        raise ValueError("runs must hold at least one run")
    wanted = list(next(iter(runs.values())).names) if names is None else list(names)
    figure, grid = plt.subplots(
        2,
        len(runs),
        squeeze=False,
        layout="constrained",
        figsize=(size[0] * len(runs), size[1]),
        height_ratios=(3, 1),
    )
    for column, (title, run) in enumerate(runs.items()):
        upper, lower = grid[0, column], grid[1, column]
        plotting.regret(
            run, ax=upper, names=wanted, per_round=True, band=band, scale=scale, legend=column == 0
        )
        for name in wanted:
            middle = np.median(np.asarray(run[name].regret) / run.rounds, axis=0)
            upper.plot(run.rounds, middle, color=style(name).colour, linewidth=0.8)
        upper.set_title(title)
        level = stuck if isinstance(stuck, int | float) else stuck[title]
        shares(run, wanted, level, lower)
        if column:
            upper.set_ylabel("")
            lower.set_yticklabels([])
    legend = grid[0, 0].get_legend()
    if legend is not None:
        legend.set_title(legend.get_title().get_text() + ", thin line: median")
        plotting.shared_legend(figure, grid[0, 0])
    return figure, list(grid[0]), list(grid[1])


def shares(run: Any, names: Sequence[str], stuck: float, axes: Axes) -> None:
    """Share of trials with R_T / T above `stuck` (reward units), a line each, with its limits.

    Parameters
    ----------
    run : Result
    names : sequence of str
    stuck : float
    axes : matplotlib Axes
        Drawn on.
    """
    from hbucb.statistics import wilson

    horizon = float(np.asarray(run.rounds)[-1])
    for height, name in enumerate(names):
        look = style(name)
        count = int((np.asarray(run[name].regret)[:, -1] / horizon > stuck).sum())
        low, high = wilson(count, run.trials)
        axes.plot([100 * float(low), 100 * float(high)], [height] * 2, color=look.colour)
        axes.plot(100 * count / run.trials, height, look.marker, color=look.colour)
    axes.set_yticks(range(len(names)), list(names), fontsize=8)
    axes.set_xlim(0, 100)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xlabel(f"stuck: % with $R_T/T$ > {stuck:.2g}")


def against_gap(
    result: Any,
    *,
    ax: Axes,
    names: Sequence[str] | None = None,
    band: tuple[float, float] = (0.1, 0.9),
) -> None:
    """Regret R_T against the gap: mean with band, median thin.

    Parameters
    ----------
    result : GapSweepResult
    ax : matplotlib Axes
        Drawn on.
    names : sequence of str, optional
        At most six.
    band : (float, float)
        Quantiles over the trials.
    """
    wanted = result.names if names is None else list(names)
    for name in wanted:
        look, values = style(name), result.final(name)
        low, high = np.quantile(values, band, axis=1)
        ax.fill_between(result.gaps, low, high, color=look.colour, alpha=0.1, linewidth=0)
        ax.plot(result.gaps, values.mean(axis=1), label=name, markevery=4, **look.line())
        ax.plot(result.gaps, np.median(values, axis=1), color=look.colour, linewidth=0.8)
    ax.set_xlabel("gap $\\Delta$ (reward units)")
    ax.set_ylabel("regret $R_T$ (reward units)")
    ax.set_ylim(bottom=0)
