"""One trial of a linear index policy in plain Python, each index from the whole history."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hbucb import streams
from hbucb.noise import Uniform
from hbucb.policies.linear_index import LinearIndexPolicy, Seen


def rounds_of(
    policy: LinearIndexPolicy, bandit: Any, rounds: int, seed: int, trial: int, horizon: int
) -> list[tuple[int, tuple[float, ...] | None, int, float, int]]:
    """(t, indices or None, arm, reward, context) of each round; the streams are simulate's."""
    features, dim = bandit.features, bandit.theta.size
    run = streams.Run(1, bandit.arms, horizon, seed, trial, streams.policy_stream(policy), features)
    policy.start(run)  # refuses what it cannot play
    own = _own(policy, dim, seed, trial)
    context_draws = streams.Draws(Uniform(0.0, 1.0), [(seed, trial, streams.CONTEXT)])
    noise = streams.Draws(bandit.noise, [(seed, trial, streams.NOISE, 0)])
    edges = np.cumsum(bandit.context_law)[:-1]
    past, rewards = np.empty((rounds, dim)), np.empty(rounds)
    steps = []
    arm = 0
    for t in range(rounds):
        context = int(np.searchsorted(edges, context_draws.next()[0], side="right"))
        shown = None
        if t % policy.batch(horizon) == 0:
            seen = Seen(features[context], features, past[:t], rewards[:t], horizon, own())
            indices = policy.indices(seen)
            arm, shown = int(indices.argmax()), tuple(indices.tolist())
        reward = float(bandit.loc[context, arm]) + float(np.asarray(noise.next())[0])
        if not math.isfinite(reward):
            raise ValueError(
                f"reward = {reward!r} in trial {trial}, round {t}: explain needs finite rewards"
            )
        past[t], rewards[t] = features[context, arm], reward
        steps.append((t, shown, arm, reward, context))
    return steps


def _own(policy: LinearIndexPolicy, dim: int, seed: int, trial: int) -> Any:
    """A function that gives the policy's own draws of the next round."""
    law = policy.own(dim)
    if law is None:
        return lambda: np.empty(0)
    run = streams.Run(1, 1, 1, seed, trial, streams.policy_stream(policy))
    draws = run.stream(*law)
    return lambda: draws.next()[0]
