"""The experiments of the papers as data: bandit, policies, horizon, trials, metric, seeds.

An experiment is fixed here before it is run at full size: which policies play in which *preset*,
which constants were candidates, which candidate a pilot run with another seed chose, how many
trials decide. The presets:

- ``authors``: what the public code runs.
- ``theory``: the step, clip level and radius that the theorems print.
- ``fair``: a median of means that explores, its block length and constant tuned as the authors
  tuned theirs; and clipped SGD with a decreasing step.
- ``proved``: indices with a proof under the noise of the experiment.

`import hbucb` does not load this package; `hb.experiment("F1a")` does.
"""

from hbucb.experiments.catalogue import experiment, experiment_ids
from hbucb.experiments.plan import PRESETS, Entry, Experiment
from hbucb.experiments.sweep import GapSweep, GapSweepResult
from hbucb.experiments.targets import hitting_times, time_per_success

__all__ = [
    "PRESETS",
    "Entry",
    "Experiment",
    "GapSweep",
    "GapSweepResult",
    "experiment",
    "experiment_ids",
    "hitting_times",
    "time_per_success",
]
