"""One ready policy of every public kind with a bandit it can play, for tests that hold for all."""

import numpy as np

import hbucb as hb
from hbucb.policies import Policy

CAUCHY = hb.Bandit([0.0, 0.5, 1.0], hb.noise.Cauchy())
GAUSSIAN = hb.Bandit([0.0, 0.5, 1.0], hb.noise.Gaussian())
COINS = hb.BernoulliBandit([0.2, 0.5, 0.8])
LINEAR = hb.LinearContextualBandit(
    features=np.array([[[1.0, 0.0], [0.6, 0.8], [0.0, 1.0]], [[0.5, 0.5], [1.0, 0.2], [0.1, 0.9]]]),
    theta=[1.0, 0.3],
    contexts=[0.6, 0.4],
    noise=hb.noise.Gaussian(0.3),
)
SINGLE = hb.linear.end_of_optimism(0.25)

#: Class -> arguments, where a policy cannot be made without any.
ARGUMENTS: dict[str, dict] = {
    "FOUCB": {"optimizer": hb.optimizers.MeanSGD()},
    "ZOUCB": {"optimizer": hb.optimizers.MeanSGD()},
}


def classes() -> dict[str, type[Policy]]:
    """Every public policy class by name."""
    public = {name: getattr(hb, name) for name in hb.__all__}
    return {
        name: value
        for name, value in public.items()
        if isinstance(value, type) and issubclass(value, Policy)
    }


def bandit_for(policy: Policy) -> hb.Bandit:
    """The first bandit of the roster that the policy accepts."""
    for bandit in (CAUCHY, COINS, GAUSSIAN, LINEAR, SINGLE):
        try:
            hb.simulate(bandit, policy, 4 * bandit.arms, 2, seed=0)
        except ValueError:
            continue
        return bandit
    raise AssertionError(f"no bandit of the roster suits {policy!r}")


def policies() -> dict[str, Policy]:
    """Every public policy by name, made with its defaults where it has them."""
    made = {name: kind(**ARGUMENTS.get(name, {})) for name, kind in classes().items()}
    made["anytime UCB"] = hb.UCB(kind="anytime")
    made["fair RobustUCB"] = hb.RobustUCB(preset="fair")
    made["SMoM"] = hb.ClippedSGDUCB(m=1, n=2)
    return made
