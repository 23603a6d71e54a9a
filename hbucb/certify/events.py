"""Any event of n rewards: the failure that a claim of one's own bounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from hbucb.certify.certificate import Certificate
from hbucb.certify.tapes import count
from hbucb.noise import Noise, as_noise
from hbucb.validate import open_probability, whole_number


def event(
    fails: Callable[[np.ndarray], np.ndarray],
    law: Noise,
    *,
    n: int,
    delta: float,
    trials: int = 20_000,
    seed: int = 0,
    loc: float = 0.0,
    claim: str = "the event",
    alarm: float = 1e-6,
    chunk: int | None = None,
    progress: bool = False,
) -> Certificate:
    """Certify P(fails) <= delta for any event of n independent rewards.

    Parameters
    ----------
    fails : callable
        ``fails(x)`` with x (rows, n), rewards: a boolean array (rows,), True where it fails.
    law : Noise
        Of the rewards less `loc`.
    n, delta, trials, seed, loc, alarm, chunk, progress
        As in :func:`radius`.
    claim : str
        The event in words, for the printed certificate.

    Returns
    -------
    Certificate

    Examples
    --------
    The largest of four rewards is below the median in one case of 16:

    >>> import hbucb as hb
    >>> largest = lambda x: x.max(axis=1) < 0
    >>> hb.certify.event(largest, hb.noise.Cauchy(), n=4, delta=0.05).verdict
    'refuted'
    """
    n, delta = whole_number(n, "n", 1), open_probability("delta", delta)
    law = as_noise(law)

    def sides(x: np.ndarray, first: int) -> Mapping[str, np.ndarray]:
        failed = np.asarray(fails(x))
        if failed.shape != (len(x),) or failed.dtype != bool:
            raise ValueError(
                f"fails gave {failed.dtype} of shape {failed.shape}; booleans ({len(x)},) are "
                "needed, one a trial"
            )
        return {"failure": failed}

    counts = count(sides, law, n, loc=loc, trials=trials, seed=seed, chunk=chunk, progress=progress)
    return Certificate(claim, law, n, delta, counts, trials, open_probability("alarm", alarm))
