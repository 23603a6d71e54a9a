"""One job on any pool of workers, safe against kills.

    python cluster.py processes FOLDER            all cores of this machine
    python cluster.py dask FOLDER [SCHEDULER]     dask, or two local workers
    mpiexec -n 5 python -m mpi4py.futures cluster.py mpi FOLDER
                                                  four workers and a master

FOLDER keeps the finished chunks. Start the same line again after a kill:
only what is missing is played. The digest that is printed does not depend
on the pool, nor on how often it was killed.
"""

import hashlib
import sys

import hbucb as hb

TRIALS, HORIZON = 400, 2000


def job(executor, folder):
    """The run itself: nothing in it knows where it runs."""
    bandits = {"gap 0.5": hb.Bandit([0.0, 0.5], hb.noise.Cauchy())}
    policies = {"UCB": hb.UCB(), "SGD-UCB": hb.ClippedSGDUCB(rho=1.0)}
    return hb.sweep(
        bandits,
        policies,
        HORIZON,
        TRIALS,
        seed=1,
        chunk=50,
        executor=executor,
        checkpoint=folder,
    )


def pool(kind, *address):
    """The executor, to be used in a with statement."""
    if kind == "processes":
        from concurrent.futures import ProcessPoolExecutor

        return ProcessPoolExecutor()
    if kind == "dask":
        from distributed import Client

        if address:
            return Client(*address).get_executor()
        # Two processes here, one thread each, no web page.
        return Client(
            n_workers=2,
            threads_per_worker=1,
            dashboard_address=None,
        ).get_executor()
    if kind == "mpi":
        from mpi4py.futures import MPIPoolExecutor

        return MPIPoolExecutor()
    raise SystemExit(f"{kind!r} must be processes, dask or mpi")


def digest(results):
    """SHA-256 over all regrets."""
    sha = hashlib.sha256()
    for result in results.values():
        for name in result:
            sha.update(result[name].regret.tobytes())
    return sha.hexdigest()[:16]


# Workers import this file: without the condition each would start the job.
if __name__ == "__main__":
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    with pool(sys.argv[1], *sys.argv[3:]) as executor:
        print(digest(job(executor, sys.argv[2])))
