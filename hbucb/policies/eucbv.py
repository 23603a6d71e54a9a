"""EUCBV: an index with an estimated variance, and elimination after every pull."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hbucb.assumptions import AssumptionError, check
from hbucb.elimination_bounds import last_round
from hbucb.eucbv_bounds import eucbv_regret
from hbucb.policies.base import Policy
from hbucb.policies.elimination import OptimisticPlan, OptimisticRounds
from hbucb.predicates import bounded, common_mean
from hbucb.streams import Run
from hbucb.validate import positive, store

_FORMS = ("printed", "released")


@dataclass(frozen=True)
class EUCBV(Policy):
    """Pull the largest mean + c, drop arms whose interval mean +- c ends below another's start.

    c = sqrt(rho (v + 2) L_m / (4 n)) with v the variance of the arm's n rewards (divided by n) and
    L_m = max(0, ln(psi T eps_m)), eps_m = 2^-m. Round m grants n_m = ceil(ln(psi T eps_m^2) /
    (2 eps_m)) pulls to each survivor and m stops at M + 1, M = floor(log2(T/e)/2).

    Parameters
    ----------
    rho, psi : float
        Scale of the radius and factor in the logarithm; psi = T/K^2 if not given.
    variant : {"printed", "released"}
        What the three forms below are if not given: the paper's text, or the public scripts.
    radius : {"printed", "released"}, optional
        Released: L_m = max(0, ln(psi M eps_m)), a far shorter interval without a proof.
    elimination : {"printed", "released"}, optional
        Printed: an arm goes when its upper end is below the best lower end. Released: below the
        lower end of one reference arm, found by a scan that compares a mean with an arm's
        position: the first survivor, then the next one whose mean exceeds the position held.
    start_up : {"printed", "released"}, optional
        The first round ends after K n_0 pulls, or (released) after K + K n_0.

    Raises
    ------
    ValueError
        For parameters out of range, named with their value.

    Notes
    -----
    Variances are differences of mean squares, which suits rewards of the size of one. The released
    elimination depends on the arms' positions: replay it with ``order="given"``.

    References
    ----------
    Mukherjee, Naveen, Sudarsanam and Ravindran (2018), Algorithm 1.

    Examples
    --------
    >>> import hbucb as hb
    >>> hb.EUCBV(variant="released", elimination="printed")
    EUCBV(rho=0.5, psi=None, variant='released', radius='released', elimination='printed', \
start_up='released')
    >>> bandit = hb.BernoulliBandit([0.2, 0.8])
    >>> result = hb.simulate(bandit, hb.EUCBV(), horizon=2000, trials=20, seed=1)
    >>> bool(result["EUCBV"].regret[:, -1].mean() < 50)
    True
    """

    rho: float = 0.5
    psi: float | None = None
    variant: str = "printed"
    radius: str | None = None
    elimination: str | None = None
    start_up: str | None = None

    def __post_init__(self) -> None:
        store(self, rho=positive("rho", self.rho))
        if self.psi is not None:
            store(self, psi=positive("psi", self.psi))
        for name in ("variant", "radius", "elimination", "start_up"):
            value = getattr(self, name)
            if value is None:
                store(self, **{name: self.variant})
            elif value not in _FORMS:
                raise ValueError(f"{name} = {value!r} must be 'printed' or 'released'")

    def start(self, run: Run) -> OptimisticRounds:
        rounds = last_round(run.horizon)
        psi = run.horizon / run.arms**2 if self.psi is None else self.psi
        m = np.arange(rounds + 2)
        base = math.log(psi) + math.log(run.horizon)
        counts = [max(1, math.ceil((base - 2 * i * math.log(2)) * 2**i / 2)) for i in m.tolist()]
        top = base if self.radius == "printed" else math.log(psi) + math.log(max(rounds, 1))
        pull = self.rho * np.maximum(top - m * math.log(2), 0.0) / 4
        plan = OptimisticPlan(
            np.array(counts, np.int64),
            run.arms if self.start_up == "released" else 0,
            pull,
            shift=2.0,
            by_index=self.elimination == "released",
        )
        return OptimisticRounds(plan, run)

    def bytes_per_trial(self, arms: int, horizon: int) -> int:
        return 1000 + 96 * arms

    def regret_bound(self, bandit: Any, horizon: Any, declare: Sequence[str] = ()) -> Any:
        """The corrected theorem, for the printed radius and rewards in [0, 1].

        Parameters
        ----------
        bandit : Bandit
        horizon : int or array_like of int
        declare : sequence of {"bounded", "common_mean"}
            Facts you vouch for where the laws do not know them.

        Returns
        -------
        float, or ndarray for several horizons
            In reward units.

        Raises
        ------
        AssumptionError
            For rewards that are not known to lie in [0, 1], and for the released radius.
        """
        if self.radius == "released":
            raise AssumptionError(
                "EUCBV with the released radius has no regret bound: no theorem covers "
                "ln(psi M eps_m)"
            )
        check(bandit, [common_mean(), bounded(0, 1)], of="the bound of EUCBV", declare=declare)
        return eucbv_regret(bandit.gaps, horizon, rho=self.rho, psi=self.psi)
