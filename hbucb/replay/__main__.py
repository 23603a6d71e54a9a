"""The command: ``python -m hbucb.replay``."""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Sequence

import numpy as np

from hbucb.replay.run import needed, one_trial, play, stale
from hbucb.replay.stored import load, path, stored_ids


def check(trials: int, seed: int) -> list[str]:
    """Play some trials of every file again; what differs, a line each."""
    faults = []
    choice = random.Random(seed)
    for id in stored_ids():
        stored = load(id)
        for _ in range(trials):
            name, trial = choice.choice(stored.names), choice.randrange(stored.trials)
            regret, wrong, hits = one_trial(id, name, trial)
            same = (regret == stored.regrets[name][trial]).all()
            same &= wrong == stored.wrong[name][trial]
            if name in stored.hits:
                same &= np.array_equal(hits, stored.hits[name][trial])
            if not same:
                faults.append(f"{id} {name}, trial {trial}: {regret} against the stored numbers")
    return faults


def make(ids: Sequence[str]) -> None:
    """Play every run that is missing or out of date; a file is skipped when it is in step."""
    for id, names in needed().items():
        if ids and id not in ids:
            continue
        if path(id).is_file():
            reason = stale(load(id), names)
            if not reason:
                continue
            print(f"{id} is out of date: {reason}")
        start = time.process_time()
        play(id, names).save()
        print(f"{id}: {time.process_time() - start:.0f} s", flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m hbucb.replay", description=__doc__)
    parser.add_argument("ids", nargs="*", help="experiments (all that claims need)")
    parser.add_argument("--check", type=int, metavar="N", help="play N trials a file again")
    parser.add_argument("--seed", type=int, default=1, help="of the choice of trials to check")
    parser.add_argument("--cost", action="store_true", help="measure the cost of a pull again")
    parser.add_argument("--pilots", action="store_true", help="choose the constants again")
    given = parser.parse_args(arguments)
    if given.pilots:
        from hbucb.experiments import pilots

        pilots.write(given.ids or pilots.IDS)
        return 0
    if given.cost:
        from hbucb.replay import cost

        print(cost.write())
        return 0
    if given.check is not None:
        faults = check(given.check, given.seed)
        print("\n".join(faults) or f"{given.check} trials of each file are as stored")
        return 1 if faults else 0
    make(given.ids)
    from hbucb.replay.verdicts import write

    print(f"{write()} verdicts written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
