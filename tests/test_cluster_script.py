"""The script of chapter P2 that runs one job on any pool: same digest everywhere."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "book" / "_static" / "scripts" / "cluster.py"

#: Stands in for mpi4py where it is not installed: its documented interface on a process pool.
FAKE = """
from concurrent.futures import ProcessPoolExecutor


class MPIPoolExecutor(ProcessPoolExecutor):
    def __init__(self, max_workers=2, **options):
        super().__init__(max_workers)
"""


def run(command, path="", **options):
    environment = {**os.environ, "PYTHONPATH": f"{path}{os.pathsep}{ROOT}"}
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=300, **options
    )
    return done.returncode, done.stdout.strip(), done.stderr


@pytest.fixture(scope="module")
def serial():
    code = "import sys; sys.path.insert(0, sys.argv[1]); import cluster as c\n"
    code += "print(c.digest(c.job(None, sys.argv[2] or None)))"
    returned, said, error = run([sys.executable, "-c", code, str(SCRIPT.parent), ""])
    assert returned == 0, error
    return said


def test_processes_and_a_second_start_from_the_folder(serial, tmp_path):
    line = [sys.executable, str(SCRIPT), "processes", str(tmp_path / "run")]
    for _ in range(2):
        assert run(line)[:2] == (0, serial)
    (chunks,) = (tmp_path / "run").iterdir()
    assert len(list(chunks.glob("*.npz"))) == 16


def test_dask(serial, tmp_path):
    pytest.importorskip("distributed")
    line = [sys.executable, "-W", "ignore", str(SCRIPT), "dask", str(tmp_path / "run")]
    assert run(line)[:2] == (0, serial)


def test_mpi_by_its_interface(serial, tmp_path):
    (tmp_path / "mpi4py").mkdir()
    (tmp_path / "mpi4py" / "__init__.py").touch()
    (tmp_path / "mpi4py" / "futures.py").write_text(FAKE)
    line = [sys.executable, str(SCRIPT), "mpi", str(tmp_path / "run")]
    assert run(line, str(tmp_path))[:2] == (0, serial)


def test_mpi_itself(serial, tmp_path):
    """Runs where mpi4py and an MPI are installed (``pip install mpi4py mpich``)."""
    pytest.importorskip("mpi4py")
    beside = Path(sys.executable).parent / "mpiexec"
    mpiexec = str(beside) if beside.exists() else shutil.which("mpiexec")
    if mpiexec is None:
        pytest.skip("no mpiexec")
    root = ["--allow-run-as-root", "--oversubscribe"] if "open-mpi" in _version(mpiexec) else []
    line = [mpiexec, *root, "-n", "3", sys.executable, "-m", "mpi4py.futures", str(SCRIPT)]
    returned, said, error = run([*line, "mpi", str(tmp_path / "run")])
    assert (returned, said) == (0, serial), error


def _version(mpiexec):
    said = subprocess.run([mpiexec, "--version"], capture_output=True, text=True).stdout
    return (
        said.lower()
        .replace(" ", "-")
        .replace("openrte", "open-mpi")
        .replace("(open-mpi)", "open-mpi")
    )


def test_what_it_does_not_know_is_refused(tmp_path):
    returned, _, error = run([sys.executable, str(SCRIPT), "cloud", str(tmp_path)])
    assert returned != 0 and "'cloud' must be processes, dask or mpi" in error
    assert "FOLDER" in run([sys.executable, str(SCRIPT)])[2]
