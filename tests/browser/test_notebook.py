"""The debugger in the output of a notebook's cell."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core import show
from tests.serving import ROOT

pytestmark = pytest.mark.browser
SAMPLE = ROOT / "sample_sessions" / "foldline" / "forgotten-rule.json"


def test_the_frame_is_stepped_by_key(fresh_page: Callable[..., Any], tmp_path: Path) -> None:
    """It opens under its policy, takes keys once it is clicked, and is of another origin than the notebook."""
    shown = show(SAMPLE, "agentkit.memory", budget=6000, keep_recent=6, keep_secrets=True)
    cell = tmp_path / "cell.html"
    cell.write_text(f"<!doctype html><title>A notebook</title>{shown._repr_html_()}", encoding="utf-8")
    page, _ = fresh_page("file://nowhere")
    page.goto(cell.as_uri())
    frame = page.frame_locator("iframe")
    frame.locator(".fl-app[data-rendered]").wait_for()
    frame.locator(".fl-mode").get_by_text("Simulated: agentkit.memory").wait_for()
    frame.locator(".fl-overview h3").first.click()
    page.keyboard.press("n")
    frame.locator(".fl-inspector h2").get_by_text("Compaction 1 of").wait_for()
    assert page.frames[1].evaluate("() => origin") == "null"
