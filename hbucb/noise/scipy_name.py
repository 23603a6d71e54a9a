"""The name and the parameters of a frozen scipy law, by which any process finds it again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from hbucb.noise.validate import finite


def identify(law: Any, parameters: Iterable[Any]) -> tuple[str, tuple[tuple[str, float], ...]]:
    """Return the name of a scipy distribution and its parameters, all by name.

    Raises
    ------
    ValueError
        If ``law`` is no frozen law of a distribution that ``scipy.stats`` names, or a parameter is
        missing, unknown, not a finite number or outside the domain.

    Examples
    --------
    >>> from scipy import stats
    >>> identify(stats.norm(scale=2.0), ())
    ('norm', (('loc', 0.0), ('scale', 2.0)))
    """
    from scipy import stats

    families = (stats.rv_continuous, stats.rv_discrete)
    dist: Any
    if isinstance(law, str):
        name, given = law, dict(parameters)
        dist = getattr(stats, name, None)
    else:
        dist, given = getattr(law, "dist", None), None
        name = getattr(dist, "name", "")
    # A user's own subclass cannot be found again from its name, in another process for instance.
    same = type(getattr(stats, name, None)) is type(dist)
    if dist is None or not isinstance(dist, families) or not same:
        raise ValueError(
            f"law must be a frozen law of a distribution named in scipy.stats, got {law!r}"
        )
    shapes = [s.strip() for s in dist.shapes.split(",")] if dist.shapes else []
    scale = {"scale": 1.0} if isinstance(dist, stats.rv_continuous) else {}
    values: dict[str, Any] = {"loc": 0.0, **scale}
    if given is None:
        values |= dict(zip([*shapes, *values], law.args, strict=False)) | law.kwds
    else:
        values |= given
    if set(values) != {*shapes, "loc", *scale}:
        raise ValueError(f"parameters of {name} must be {[*shapes, 'loc', *scale]}, got {values}")
    ordered = {k: finite(f"{name}'s {k}", values[k]) for k in [*shapes, "loc", *scale]}
    with np.errstate(all="ignore"):
        inside = ordered.get("scale", 1.0) > 0 and not np.isnan(dist(**ordered).cdf(0.0))
    if not inside:
        raise ValueError(f"parameters of {name} must be in its domain, got {ordered}")
    return name, tuple(ordered.items())
