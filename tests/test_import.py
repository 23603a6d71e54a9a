"""What `import hbucb` loads, in a fresh process: what every session needs, and no more."""

import ast
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import hbucb as hb

ROOT = Path(__file__).resolve().parents[1]
#: Not loaded until asked for.
LATE = "scipy matplotlib tqdm asyncio importlib.metadata".split()
PARTS = (
    "bounds certify checks claims estimators experiments linear optimizers plotting theory".split()
)


def loaded(code):
    """Modules that are loaded after `code`, run in a fresh process."""
    run = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print('\\n'.join(sys.modules))"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return set(run.stdout.split())


def test_import_loads_no_part_that_few_need():
    modules = loaded("import hbucb")
    assert not modules & set(LATE)
    assert not modules & {f"hbucb.{part}" for part in PARTS}
    assert not modules & {f"hbucb.policies.{file}" for file in hb.policies.FILES.values()} - {
        f"hbucb.policies.{file}" for file in ("arm_index", "index")
    }
    # All of the package is more than three times as much.
    own = {name for name in modules if name.partition(".")[0] == "hbucb"}
    assert len(own) <= 45 < 180 < len(list((ROOT / "hbucb").rglob("*.py")))


def test_a_policy_loads_what_it_needs():
    modules = loaded("import hbucb as hb; hb.MOSS()")
    assert {"hbucb.policies.moss", "hbucb.moss_bounds"} <= modules
    assert "hbucb.policies.solid" not in modules and "hbucb.certify" not in modules


@pytest.mark.parametrize("first", ["hbucb.sweep", "hbucb.explain", "hbucb.policies.scalar"])
def test_a_function_is_not_hidden_by_the_module_of_its_name(first):
    name = first.rpartition(".")[2]
    code = f"import {first}, hbucb.policies, hbucb as hb; assert callable(hb.{name})"
    assert first in loaded(f"{code}; assert callable(hb.policies.scalar)")


@pytest.mark.parametrize("package", [hb, hb.policies], ids=lambda p: p.__name__)
def test_every_public_name_is_there(package):
    assert set(package.__all__) <= set(dir(package))
    for name in package.__all__:
        value = getattr(package, name)
        assert vars(package)[name] is value, "asked for once"
    fresh = loaded(f"from {package.__name__} import *")
    assert {f"hbucb.policies.{file}" for file in hb.policies.FILES.values()} <= fresh
    with pytest.raises(AttributeError, match=f"module '{package.__name__}' has no attribute 'UBC'"):
        _ = package.UBC
    with pytest.raises(AttributeError, match="_secret"):
        _ = package._secret


@pytest.mark.parametrize("path", ["hbucb/__init__.py", "hbucb/policies/__init__.py"])
def test_type_checkers_see_the_same_names(path):
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    seen = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            seen |= {alias.name: node.module for alias in node.names}
    package = hb if path == "hbucb/__init__.py" else hb.policies
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert set(package.__all__) <= seen.keys() | functions
    for name, file in hb.policies.FILES.items():
        assert name not in seen or seen[name] in ("hbucb.policies", f"hbucb.policies.{file}")
    assert path == "hbucb/__init__.py" or hb.policies.FILES.keys() <= seen.keys()


def test_classes_pickle_and_modules_outside_all_are_found():
    for name in hb.policies.FILES:
        assert pickle.loads(pickle.dumps(getattr(hb, name, None) or getattr(hb.policies, name)))
    assert hb.statistics.__name__ == "hbucb.statistics"
    code = "import hbucb as hb; assert hb.policies.elimination and hb.conversions.gap_free"
    assert "hbucb.policies.elimination" in loaded(code)
    assert hb.check is hb.checks.check and hb.MOSS is hb.policies.MOSS
