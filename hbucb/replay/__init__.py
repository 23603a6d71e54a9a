"""The runs behind the verdicts: made by one command, stored, and checked trial by trial.

    python -m hbucb.replay              make what is missing or out of date, then the verdicts
    python -m hbucb.replay F2a F2b      these experiments only
    python -m hbucb.replay --check 3    play three trials of each file again, compare bit for bit
    python -m hbucb.replay --pilots     play the pilots that choose the constants again
    python -m hbucb.replay --cost       measure the processor time of a pull, as ratios

A file holds, for every policy that a claim names, the regret of each trial after half of the pulls
and after all of them, whether the trial got stuck, and the identity of the run. The random streams
are those of the trial, so a trial is the same alone as in company.
"""

from hbucb.replay.run import needed, one_trial, play, stale
from hbucb.replay.stored import Stored, load, path, stored_ids

__all__ = ["Stored", "load", "needed", "one_trial", "path", "play", "stale", "stored_ids"]
