"""The front end's own tests, run by Node where it is installed."""

import shutil
import subprocess

import pytest

from tests.serving import ROOT


def test_the_front_end_modules() -> None:
    """Every test in tests/frontend passes under `node --test`."""
    node, files = shutil.which("node"), sorted((ROOT / "tests" / "frontend").glob("*.test.*js"))
    if node is None or not files:
        pytest.skip("node is not installed" if files else "no front-end tests")
    ran = subprocess.run([node, "--test", *files], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout[-8000:] + ran.stderr[-2000:]
