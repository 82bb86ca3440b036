"""The main journeys in an installed Firefox."""

import json
import shutil
import subprocess
from typing import Any

import pytest

from tests.serving import ROOT, TOKEN, at_home

pytestmark = pytest.mark.browser


def test_the_main_journeys(serve: Any, node: str, tmp_path: Any) -> None:
    """Open, step, follow a selected word, jump to a compaction, slide, find, reload, Library, a live run: as in Chromium."""
    firefox = shutil.which("firefox-esr") or shutil.which("firefox")
    if firefox is None:
        pytest.skip("Firefox is not installed")
    script = ROOT / "tests" / "browser" / "firefox.mjs"
    ran = subprocess.run(
        [node, script, firefox, serve().url, TOKEN], env=at_home(tmp_path), capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr[-4000:]

    seen = json.loads(ran.stdout)
    assert (seen["opened"], seen["walked"], seen["compaction"]) == ("40", "41", "65")
    assert seen["asked"] == "Lane 1 of 1, The"
    assert "Compaction 1 of 3" in seen["card"]
    assert seen["hit"].lower() == "stability"
    assert "recent" in seen["kept"]
    assert seen["reloaded"]
    assert seen["library"]
    assert seen["live"]
    assert seen["errors"] == []
