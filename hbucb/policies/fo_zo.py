"""FO-UCB and ZO-UCB: any optimisation method with a guarantee, as an index policy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

from hbucb.arguments import as_horizon
from hbucb.assumptions import AssumptionError, check
from hbucb.optimizers import Distance, Guarantee, MeanSGD, SubGaussianG
from hbucb.optimizers.guarantee import check_guarantee, values_of
from hbucb.policies.index import Estimator, FormulaRadius, IndexPolicy, Rule
from hbucb.pull_forms import batch_regret
from hbucb.validate import open_probability, store, whole_number

_Self = TypeVar("_Self", bound="_Guaranteed")


@dataclass(frozen=True)
class _Guaranteed(IndexPolicy):
    """Estimate + radius(k, delta), k updates; the two policies differ in the unit of g alone."""

    optimizer: Estimator = field(default_factory=MeanSGD)
    g: Guarantee = field(default_factory=SubGaussianG)
    delta: float | None = None

    def __post_init__(self) -> None:
        for name in ("stream", "estimate", "batch", "initial"):
            if not hasattr(self.optimizer, name):
                raise ValueError(f"optimizer = {self.optimizer!r} must have {name!r}")
        check_guarantee(self.g, self._order)
        if self.delta is not None:
            store(self, delta=open_probability("delta", self.delta))

    @property
    def _order(self) -> str:
        return "first"

    def _default(self, horizon: Any) -> Any:
        """delta at a horizon: a failure costs at most T pulls, and a fixed-k g can fail T times."""
        total = np.maximum(as_horizon(horizon), 2.0)
        return 1 / total if self.g.kind == "uniform" else 1 / total**2

    def rule(self, horizon: int) -> Rule:
        delta = float(self._default(horizon)) if self.delta is None else self.delta
        open_probability("delta", delta)

        def radius(n: np.ndarray) -> np.ndarray:
            # g counts updates k, the index policy counts pulls n; without an update r = inf.
            k = np.maximum(n - self.optimizer.initial, 0) // self.optimizer.batch
            g = values_of(self.g, k, delta)
            return np.sqrt(2 * g) if self._order == "first" else g

        return Rule(self.optimizer, FormulaRadius(radius))

    def tuned(self: _Self, horizon: int) -> _Self:
        total = whole_number(horizon, "horizon", 1)
        return self if self.delta else replace(self, delta=float(self._default(total)))

    def regret_bound(self, bandit: Any, horizon: Any, declare: Sequence[str] = ()) -> Any:
        """The pull lemma for this g, in batches, where g is proved for the optimizer.

        Parameters
        ----------
        bandit : Bandit
        horizon : int or array_like of int
            T, in pulls; a delta that was not given is that of each T.
        declare : sequence of str
            Names of assumptions of g that you vouch for where the laws do not know them.

        Returns
        -------
        float, or ndarray for several horizons
            In reward units.

        Raises
        ------
        AssumptionError
            If g is not proved for the optimizer, or its assumptions fail on the bandit.
        """
        name = type(self).__name__
        reason = self.g.proved_for(self.optimizer, self.delta)
        if reason:
            raise AssumptionError(f"{name} has no regret bound with g = {self.g!r}: {reason}")
        check(bandit, self.g.needs(), of=f"the bound of {name} with {self.g!r}", declare=declare)
        delta = self._default(horizon) if self.delta is None else self.delta
        return batch_regret(
            bandit.gaps,
            horizon,
            g=self.g,
            batch=self.optimizer.batch,
            initial=self.optimizer.initial,
            delta=delta,
            order=self._order,
            kind=self.g.kind,
        )


@dataclass(frozen=True)
class FOUCB(_Guaranteed):
    """Play the largest x + sqrt(2 g(k, delta)): FO-UCB with any first-order method.

    Parameters
    ----------
    optimizer : Estimator
        A method with the streaming interface of the estimators, such as
        :class:`hbucb.optimizers.MeanSGD`; k counts its updates of ``batch`` pulls, after
        ``initial`` first pulls.
    g : Guarantee
        Of order "first": bounds (x_k - mu)^2 / 2.
    delta : float, optional
        Failure probability; if not given 1/T^2, and 1/T where ``g.kind`` is "uniform".

    Raises
    ------
    ValueError
        For an optimizer or a g of the wrong kind, named with its value.

    References
    ----------
    Dorn, Katrutsa, Latypov and Pudovikov (arXiv 2402.07062), section 2.2 and Theorem 2, with the
    strict integer inverse.

    Examples
    --------
    >>> from hbucb import FOUCB, UCB, Bandit
    >>> from hbucb.noise import Gaussian
    >>> from hbucb.optimizers import MeanSGD, SubGaussianG
    >>> bandit = Bandit([0.0, 1.0], Gaussian())
    >>> policy = FOUCB(MeanSGD(), SubGaussianG(sigma=1.0, sides=1))
    >>> policy.regret_bound(bandit, 1000) == UCB(1.0).regret_bound(bandit, 1000)
    True
    """


@dataclass(frozen=True)
class ZOUCB(_Guaranteed):
    """Play the largest x + g(k, delta): ZO-UCB with any zero-order method.

    Parameters
    ----------
    optimizer : Estimator
        As in :class:`FOUCB`.
    g : Guarantee
        Of order "zero": bounds |x_k - mu|.
    delta : float, optional
        As in :class:`FOUCB`.

    Raises
    ------
    ValueError
        For an optimizer or a g of the wrong kind, named with its value.

    References
    ----------
    Dorn, Katrutsa, Latypov and Pudovikov (arXiv 2402.07062), section 2.2 and Theorem 3, with the
    strict integer inverse and the sum over bad arms only.

    Examples
    --------
    >>> from hbucb import ZOUCB
    >>> from hbucb.optimizers import Distance, MeanSGD, SubGaussianG
    >>> round(ZOUCB(MeanSGD(), Distance(SubGaussianG())).index([1.0, 3.0], 2, 100), 4)
    5.147
    """

    g: Guarantee = field(default_factory=lambda: Distance(SubGaussianG()))

    @property
    def _order(self) -> str:
        return "zero"
