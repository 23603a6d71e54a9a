"""Assignments: fresh, named, never over an old one; they run unanswered and answered."""

import json
import subprocess
import sys

import pytest

from hbucb.assignment import notebook, numbers, write
from hbucb.assignment.__main__ import main

ANSWERS = {
    "MyPolicy = ...": """class MyPolicy:
    def __init__(self, arms):
        self.seen, self.best = [[] for _ in range(arms)], None
    def select(self, t):
        if t < 21 * len(self.seen):
            return t // 21
        if self.best is None:
            self.best = int(np.argmax([np.median(x) for x in self.seen]))
        return self.best
    def update(self, t, arm, reward):
        if self.best is None:
            self.seen[arm].append(reward)
""",
    "MyBatch = ...": """@dataclass(frozen=True)
class MyBatch(ArmIndexPolicy):
    def index(self, rewards, t, horizon, counts):
        return float(np.median(rewards[:21])) if len(rewards) >= 21 else float("inf")
    def start(self, run):
        return Committed(run)

class Committed:
    def __init__(self, run):
        self.seen, self.best = np.empty((run.trials, run.arms, 21)), None
    def select(self, t):
        trials, arms, pulls = self.seen.shape
        if t < arms * pulls:
            return np.full(trials, t // pulls)
        if self.best is None:
            self.best = np.median(self.seen, axis=2).argmax(axis=1)
        return self.best
    def update(self, t, arm, reward):
        if self.best is None and t < self.seen.shape[1] * 21:
            self.seen[:, t // 21, t % 21] = reward
""",
    "rivals = ...": 'rivals = {"UCB": hb.UCB(sigma=1.0, kind="log")}\n',
    "my_bound = ...": """def my_bound(bandit, horizon):
    from scipy.stats import binom
    gaps, law = bandit.gaps, bandit.noise
    wrong = 2 * binom.sf(10, 21, 1 - law.cdf(gaps / 2))
    return float((gaps * (21 + (horizon - 84) * wrong)).sum())
""",
    "broken_law = ...": "broken_law = hb.noise.Cauchy(30.0)\n",
}


def played(made, answers):
    """What the notebook prints, cell by cell, run as a reader does: from top to bottom."""
    from nbclient import NotebookClient

    nbformat = pytest.importorskip("nbformat")
    used = set()
    for cell in made["cells"]:
        for start, answer in answers.items():
            if cell["cell_type"] == "code" and f"\n{start}" in f"\n{cell['source']}":
                before, _, rest = cell["source"].partition(start)
                cell["source"] = f"{before}{answer}\n#{rest}"
                used.add(start)
    assert used == set(answers)
    book = nbformat.from_dict(made)
    nbformat.validate(book)
    NotebookClient(book, timeout=120).execute()
    return [
        "".join(output.get("text", "") for output in cell.outputs)
        for cell in book.cells
        if cell.cell_type == "code"
    ]


def test_unanswered_it_runs_and_says_so():
    said = played(notebook("Group 7"), {})
    assert said == ["", ""] + ["not answered yet\n"] * 4


def test_answered_it_certifies_and_its_control_fails():
    said = played(notebook("Group 7"), ANSWERS)
    assert said[2] == (
        "the same arms in 20 of 20 trials\n"
        "the index from its definition plays the same arms: True\n"
    )
    assert "mine" in said[3] and "UCB" in said[3]
    assert "says something" in said[4]
    bound, control = said[5].splitlines()
    assert bound.startswith("CERTIFIED") and control.startswith("REFUTED")


def test_each_name_has_its_own_numbers_and_always_the_same():
    names = [f"Group {i}" for i in range(60)]
    drawn = [json.dumps(numbers(name)) for name in names]
    assert len(set(drawn)) == 60
    for name in names:
        own = numbers(name)
        assert max(own["loc"]) == 3.0 and own["loc"].count(3.0) == 1
        assert 0.5 <= own["scale"] <= 1.5 and min(own["loc"]) >= 1.0
    assert {numbers(name)["loc"].index(3.0) for name in names} == {0, 1, 2, 3}
    assert numbers("Group 7") == {
        "seed": 10987121,
        "loc": [1.8, 1.6, 3.0, 2.3],
        "scale": 0.6,
    }


def test_the_command_writes_here_and_never_over_a_file(tmp_path):
    call = [sys.executable, "-m", "hbucb.assignment", "Group 7", "Zoë & Ada's"]
    run = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["assignment-group-7.ipynb", "assignment-zoë-ada-s.ipynb"]
    kept = tmp_path / names[0]
    assert json.loads(kept.read_text()) == notebook("Group 7")
    kept.write_text("my work")
    run = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 1 and "there already" in run.stderr
    assert kept.read_text() == "my work"


@pytest.mark.parametrize("name", ["", "  ", "a/b", "..", "a\nb", "x" * 61, "<b>", None, 7])
def test_bad_names_are_refused_by_name(name, tmp_path):
    with pytest.raises(ValueError, match=r"name = .* must be 1 to 60 letters"):
        write(name, tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_missing_folder_is_named(tmp_path, capsys):
    assert main(["Group 7", "--folder", str(tmp_path / "nowhere")]) == 1
    assert "there is no folder" in capsys.readouterr().err
