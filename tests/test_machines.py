"""The same actions on another CPU: SIMD off, another kernel of the linear algebra library.

And on other Pythons: each of 3.11 to 3.13 on the PATH, or named in HBUCB_PYTHONS (paths with colons
between), that has NumPy and SciPy. Python 3.11, 3.12 and 3.13 gave the same actions.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import hbucb as hb
from tests import roster

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = "import sys; from tests import test_machines as m; print(m.digests(sys.argv[1:]))"


def digests(_=()):
    """Digests of the actions of each policy of the roster and of a fitted bandit, as a line."""
    fitted = repr(hb.linear.synthetic_jester(1)).encode()
    made = [f"stand-in:{hashlib.sha256(fitted).hexdigest()[:12]}"]
    for name, policy in roster.policies().items():
        result = hb.simulate(roster.bandit_for(policy), policy, 400, 20, seed=4, actions=True)
        (only,) = result
        sha = hashlib.sha256(result[only].actions.tobytes()).hexdigest()[:12]
        made.append(f"{name}:{sha}")
    return "; ".join(made)


@pytest.fixture(scope="module")
def here():
    return digests()


def _elsewhere(python=sys.executable, **environment):
    run = subprocess.run(
        [python, "-W", "ignore", "-c", SCRIPT],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        check=True,
    )
    return run.stdout.strip()


def _simd():
    from numpy._core import _multiarray_umath as core

    return [name for name in core.__cpu_dispatch__ if core.__cpu_features__[name]]


def test_without_simd_all_actions_are_the_same(here):
    if not _simd():
        pytest.skip("this CPU has no SIMD features beyond the baseline")
    assert _elsewhere(NPY_DISABLE_CPU_FEATURES=" ".join(_simd())) == here


@pytest.mark.parametrize("kernel", ["Nehalem", "Haswell"])
def test_with_another_blas_kernel_all_actions_are_the_same(here, kernel):
    assert _elsewhere(OPENBLAS_CORETYPE=kernel, OPENBLAS_NUM_THREADS="1") == here


def _pythons():
    """Other interpreters: version -> path."""
    named = os.environ.get("HBUCB_PYTHONS", "").split(":")
    found = [shutil.which(f"python3.{minor}") for minor in (11, 12, 13)]
    ask = "import sys, numpy, scipy, tqdm; print(sys.version_info[:2])"
    versions = {}
    for python in filter(None, [*named, *found]):
        run = subprocess.run([python, "-c", ask], capture_output=True, text=True)
        if run.returncode == 0:
            versions.setdefault(run.stdout.strip(), python)
    versions.pop(str(sys.version_info[:2]), None)
    return versions


def test_on_another_python_all_actions_are_the_same(here):
    others = _pythons()
    if not others:
        pytest.skip("no other Python with NumPy and SciPy; name some in HBUCB_PYTHONS")
    for version, python in others.items():
        assert _elsewhere(python) == here, version


def test_the_features_are_really_off():
    """Else the test above would compare a machine with itself."""
    if not _simd():
        pytest.skip("this CPU has no SIMD features beyond the baseline")
    code = (
        "from numpy._core import _multiarray_umath as core;"
        "print(sum(core.__cpu_features__[name] for name in core.__cpu_dispatch__))"
    )
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        capture_output=True,
        env={**os.environ, "NPY_DISABLE_CPU_FEATURES": " ".join(_simd())},
        check=True,
    )
    assert int(run.stdout) == 0


def test_digests_tell_runs_apart(here):
    parts = [part.split(":")[1] for part in here.split("; ")]
    assert len(set(parts)) > len(parts) // 2
    assert np.unique([len(part) for part in parts]).tolist() == [12]
