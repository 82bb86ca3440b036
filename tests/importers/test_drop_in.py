"""Dropping three new files in is all it takes: the format that core/README.md shows passes what every format must."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.serving import ROOT

GUIDE = re.compile(r"## Add a format\n(.*?)\n## ", re.DOTALL)
FENCED = re.compile(r"```(?:python|json)\n(.*?)```", re.DOTALL)
PLACES = ("core/importers/mine.py", "sample_sessions/mine/short.jsonl", "tests/importers/test_mine.py")
SUITE = ("test_mine.py", "test_contract.py", "test_prefixes.py")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the code with the three files of the guide put in."""
    folder = tmp_path_factory.mktemp("copy")
    for name in ("core", "sample_sessions", "scripts", "tests"):
        ignored = shutil.ignore_patterns("__pycache__", "browser", "frontend", "viewer")
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, folder / name)
    guide = GUIDE.search((ROOT / "core" / "README.md").read_text(encoding="utf-8"))
    assert guide, "core/README.md has no section on formats"
    for place, text in zip(PLACES, FENCED.findall(guide[1]), strict=True):
        (folder / place).parent.mkdir(exist_ok=True)
        (folder / place).write_text(text, encoding="utf-8")
    return folder


def run(copy: Path, *arguments: str) -> str:
    """What the interpreter prints, run in the copy."""
    done = subprocess.run([sys.executable, *arguments], cwd=copy, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    return done.stdout


def test_it_passes_the_suite(copy: Path) -> None:
    """Its own test, the contract, and every beginning of its sample, with no other edit."""
    tests = [f"tests/importers/{name}" for name in SUITE]
    assert "passed" in run(copy, "-m", "pytest", "-k", "mine", "-p", "no:cacheprovider", *tests)


def test_random_damage_does_no_harm(copy: Path) -> None:
    """A damaged sample opens or is refused."""
    run(copy, "-m", "tests.fuzzing", "--format", "mine", "--count", "20")


def test_the_tables_take_it_up(copy: Path) -> None:
    """The script writes the format and its sample into the README files."""
    run(copy, "-m", "scripts.readme_tables")
    assert " · Mine · " in (copy / "README.md").read_text(encoding="utf-8")
    assert "| `mine/short.jsonl` | 7 | Mine |" in (copy / "sample_sessions/README.md").read_text(encoding="utf-8")
