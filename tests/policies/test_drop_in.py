"""Dropping one new file in is all it takes: the policy that core/README.md shows is in the listings, and acts."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.serving import ROOT

SHOWN = re.compile(r"```python\n(\"\"\"Mine: before a model call.*?)```", re.DOTALL)
LISTS = """
import json
from viewer.wire.catalogue import catalogue
print(json.dumps([[f["name"], p["name"], p["picture"] != []] for f in catalogue()["families"] for p in f["policies"]]))
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the code with the README's policy put in as one file."""
    folder = tmp_path_factory.mktemp("copy")
    for name in ("core", "viewer", "sample_sessions"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shown = SHOWN.search((ROOT / "core" / "README.md").read_text(encoding="utf-8"))
    assert shown, "core/README.md shows no policy"
    (folder / "core" / "policies" / "mine_rolling.py").write_text(shown[1], encoding="utf-8")
    return folder


def output_of(copy: Path, *arguments: str) -> str:
    """What the interpreter says, run in the copy."""
    done = subprocess.run([sys.executable, *arguments], cwd=copy, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_listed_by_the_command_line(copy: Path) -> None:
    """With its parameters, their defaults, its source and how faithful it is."""
    found = {p["name"]: p for p in json.loads(output_of(copy, "-m", "core", "policies", "--json"))}
    assert found["mine.rolling"]["defaults"] == {"threshold": 0.8, "keep": 4, "window": None}
    assert found["mine.rolling"]["fidelity"] == "modelled"


def test_it_can_be_simulated(copy: Path) -> None:
    """Its parameters can be set, and it compacts at the share of the window that was asked for."""
    sample = "sample_sessions/foldline/lesson-3-calculator.json"
    settings = ("--set", "window=100", "--set", "keep=2")
    trace = json.loads(
        output_of(copy, "-m", "core", "simulate", sample, "--policy", "mine.rolling", *settings, "--json")
    )
    assert trace["compactions"]
    assert all(c["tokens_before"] >= 80 for c in trace["compactions"])


def test_it_is_in_the_chooser(copy: Path) -> None:
    """The app's chooser has it, in its family, with its rule drawn."""
    assert ["Mine", "mine.rolling", True] in json.loads(output_of(copy, "-c", LISTS))
