"""SOLID: exploration by an incremental primal-dual solution of the lower bound's programme."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hbucb.policies.base import Policy
from hbucb.policies.nearest_model import bytes_of_pairs
from hbucb.policies.solid_state import SOLIDState
from hbucb.streams import Run
from hbucb.validate import finite, nonnegative, positive, store

#: What a parameter left as None is in each set.
PRESETS: dict[str, dict[str, Any]] = {
    "theory": {
        "z0": 1.0,
        "lambda_max": 50.0,
        "policy_step": "schedule",
        "multiplier_step": "schedule",
    },
    "practical": {
        "z0": 100.0,
        "lambda_max": 10.0,
        "policy_step": 0.5,
        "multiplier_step": 0.1,
    },
}


@dataclass(frozen=True)
class SOLID(Policy):
    """Exploit if the estimate is beyond doubt; else draw the arm from a policy that learns.

    Round t, in context x: let theta be the least-squares estimate, V its matrix. If the closest
    parameter with another best arm is farther than beta_t in the squared norm of V, play the
    estimated best arm. Else draw the arm from omega(x, .), and take one step of mirror ascent in
    omega (every context) and of projected descent in the multiplier lambda on

        h = E_rho sum_a omega (mean + b) + lambda (E_rho sum_a omega (kl + kl_bonus b) - 1 / z_k),

    where kl is the divergence from the closest alternative at the information of omega, the bonus b
    is sqrt(gamma_t) times the norm of the features, and rho are the frequencies of the contexts.
    With S explorations so far and n the horizon,

        beta_t  = threshold sigma^2 (ln t + d ln ln n),
        gamma_t = optimism sigma^2 (ln S + d ln ln n).

    Phase k has z_k = z0 e^k and ends after ceil(z_k e^(growth k)) explorations.

    Parameters
    ----------
    sigma : float
        Standard deviation of the noise, reward units.
    preset : {"theory", "practical"}
        Fills what is None below. "theory" has the schedule of the paper's Theorem 2 with z0 = 1,
        "practical" constant steps and z0 = 100.
    regulariser : float
        nu of the least squares.
    z0, growth : float
        z0 in [1, 1e9]; growth, in [0, 10], is r of the schedule.
    lambda_start, lambda_max : float
        First value of the multiplier in a phase, and its ceiling; >= 0.
    policy_step, multiplier_step : float or "schedule"
        Step sizes; "schedule" is 1/sqrt(p_k) in phase k.
    kl_bonus : float
        Multiplier of the bonus in the constraint, >= 0; 2 B L / sigma^2 in the analysis.
    threshold, optimism : float
        Multipliers of beta and gamma, 1 in the paper's experiments. With threshold 2, beta is
        what the theory asks for as n grows.
    scale_by_rho : bool
        Whether the gradient in omega(x, .) keeps the factor rho(x).
    reset : bool
        Whether omega and lambda start again with each phase.
    test : {"current", "all"}
        Alternatives differ in the context at hand, or in any.
    width : {"experiment", "self-normalised"}
        "self-normalised": beta and gamma are (sigma sqrt(2 ln n + ln det(V/nu)) + sqrt(nu) B)^2,
        which is proved, times ``threshold`` and ``optimism``; needs ``bound``.
    bound : float, optional
        B, of the length of the parameter; divergences are capped as if |theta - theta'| <= 2 B.
        No cap if None.

    Raises
    ------
    ValueError
        For a parameter out of range, named with its value.

    Notes
    -----
    The source's theorems have constants that it does not print; `hbucb.solid_bounds` has them with
    the constants as arguments. :meth:`regret_bound` covers lambda_max = 0 with the proved width,
    one test for all contexts, a constant step and neither rho in the gradient nor resets. The
    estimate is not projected on a ball, as in the experiments.

    References
    ----------
    Tirinzoni, Pirotta, Restelli and Lazaric (2020), Algorithm 1.

    Examples
    --------
    >>> import hbucb as hb
    >>> features = [[[1.0, 0.0], [0.0, 1.0]], [[0.6, 0.8], [0.0, 1.0]]]
    >>> bandit = hb.LinearContextualBandit(
    ...     features, [1.0, 0.0], [0.5, 0.5], hb.noise.Gaussian(0.5))
    >>> policy = hb.SOLID(sigma=0.5, preset="practical")
    >>> result = hb.simulate(bandit, policy, horizon=500, trials=10, seed=1)
    >>> bool(result["SOLID"].regret[:, -1].mean() < 60)
    True
    """

    contextual = True

    sigma: float = 1.0
    preset: str = "theory"
    regulariser: float = 1.0
    z0: float | None = None
    growth: float = 2.0
    lambda_start: float = 0.0
    lambda_max: float | None = None
    policy_step: float | str | None = None
    multiplier_step: float | str | None = None
    kl_bonus: float = 1.0
    threshold: float = 1.0
    optimism: float = 1.0
    scale_by_rho: bool = True
    reset: bool = True
    test: str = "current"
    width: str = "experiment"
    bound: float | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.preset, str) or self.preset not in PRESETS:
            raise ValueError(f"preset = {self.preset!r} must be 'theory' or 'practical'")
        for name, value in PRESETS[self.preset].items():
            if getattr(self, name) is None:
                store(self, **{name: value})
        for name in ("sigma", "regulariser"):
            store(self, **{name: positive(name, getattr(self, name))})
        for name, low, high in (("z0", 1.0, 1e9), ("growth", 0.0, 10.0)):
            value = finite(name, getattr(self, name))
            if not low <= value <= high:
                raise ValueError(f"{name} = {value!r} must be in [{low:g}, {high:g}]")
            store(self, **{name: value})
        for name in ("lambda_start", "lambda_max", "kl_bonus", "threshold", "optimism"):
            store(self, **{name: nonnegative(name, getattr(self, name))})
        for name in ("policy_step", "multiplier_step"):
            value = getattr(self, name)
            if not (isinstance(value, str) and value == "schedule"):
                try:
                    store(self, **{name: positive(name, value)})
                except ValueError:
                    raise ValueError(
                        f"{name} = {value!r} must be a number above 0, or 'schedule'"
                    ) from None
        for name in ("scale_by_rho", "reset"):
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"{name} = {getattr(self, name)!r} must be True or False")
        if not isinstance(self.test, str) or self.test not in ("current", "all"):
            raise ValueError(f"test = {self.test!r} must be 'current' or 'all'")
        if not isinstance(self.width, str) or self.width not in ("experiment", "self-normalised"):
            raise ValueError(f"width = {self.width!r} must be 'experiment' or 'self-normalised'")
        if self.bound is not None:
            store(self, bound=positive("bound", self.bound))
        elif self.width == "self-normalised":
            raise ValueError("bound = None: the self-normalised width needs a bound of theta")
        if self.lambda_start > self.lambda_max:  # type: ignore[operator]
            raise ValueError(
                f"lambda_start = {self.lambda_start!r} must be at most "
                f"lambda_max = {self.lambda_max!r}"
            )

    def start(self, run: Run) -> Any:
        return SOLIDState(self, run)

    def regret_bound(self, bandit: Any, horizon: Any, declare: Sequence[str] = ()) -> Any:
        from hbucb.solid_worst_bounds import solid_worst_case_of

        return solid_worst_case_of(self, bandit, horizon, declare)

    def contextual_bytes(self, contexts: int, arms: int, dim: int, horizon: int) -> int:
        return bytes_of_pairs(contexts * arms, dim)

    def z(self, phase: int) -> float:
        """z_k = z0 e^k."""
        return self.z0 * math.exp(phase)  # type: ignore[operator]

    def length(self, phase: int) -> float:
        """Explorations of a phase: p_k = z_k e^(growth k), rounded up."""
        return math.ceil(min(self.z(phase) * math.exp(self.growth * phase), 2.0**62))

    def steps(self, phase: int) -> tuple[float, float]:
        """Step sizes of the policy and of the multiplier in a phase."""
        schedule = 1 / math.sqrt(self.z(phase) * math.exp(self.growth * phase))
        given = (self.policy_step, self.multiplier_step)
        first, second = (schedule if isinstance(x, str) else float(x) for x in given)  # type: ignore[arg-type]
        return first, second

    def multiplier_cap(self, phase: int) -> float:
        """What the multiplier cannot exceed in a phase: g >= -1/z_k, at most p_k steps.

        Examples
        --------
        >>> [round(SOLID().multiplier_cap(k), 2) for k in range(4)]
        [1.0, 1.72, 2.72, 4.48]
        """
        grown = self.lambda_start + self.length(phase) * self.steps(phase)[1] / self.z(phase)
        return min(self.lambda_max, grown)  # type: ignore[type-var,return-value]
