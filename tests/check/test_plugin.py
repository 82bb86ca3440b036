"""The pytest plugin, in a pytest of its own: what passes, what fails, and what a failure says."""

import subprocess
import sys
from pathlib import Path

from tests.serving import ROOT, at_home

SAMPLE = ROOT / "sample_sessions" / "foldline" / "forgotten-rule.json"

TESTS = f"""
from core import load, policy

SAMPLE = {str(SAMPLE)!r}
RULE = "No new dependency, not even a small one"
KEEPS = policy("agentkit.memory", budget=48_000, keep_recent=8)


def test_it_survives(foldline):
    foldline.assert_survives(load(SAMPLE), KEEPS, RULE)


def test_no_findings(foldline):
    foldline.assert_no_findings(SAMPLE, KEEPS, "orphaned", "rework")
    foldline.assert_misses_below(SAMPLE, KEEPS, "2%")


def test_it_is_lost(foldline):
    foldline.assert_survives(SAMPLE, None, RULE)


def test_orphans(foldline):
    foldline.assert_no_findings(SAMPLE, None)


def test_misses(foldline):
    foldline.assert_misses_below(SAMPLE, "agentkit.memory", 0.02, meter="agentkit", summaries="fixed size")


def test_never_said(foldline):
    foldline.assert_survives(SAMPLE, None, "blub")
"""


def test_assertions_pass_and_fail_with_a_story(tmp_path: Path) -> None:
    """A failure tells who said it, what took it, why, and what would have kept it; without a traceback."""
    (tmp_path / "test_policy.py").write_text(TESTS)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "core.check.plugin",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(tmp_path),
    ]
    environment = at_home(tmp_path) | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([*command, "test_policy.py"], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert "4 failed, 2 passed" in done.stdout, done.stdout + done.stderr
    for said in (
        "keep “No new dependency, not even a small one”: lost at compaction 2 of 3, after message 133",
        "message 2: Said by the user",
        "compaction 2: Gone: summary #2 left it out",
        "why: The transcript records this compaction",
        "would have kept it up to message 183, where it was needed:",
        "orphaned_tool_result: 3 found, at compaction 1, compaction 2, compaction 3",
        "misses at most 2 %:",
        "keep “blub”: not said in this session",
    ):
        assert said in done.stdout
    assert "Traceback" not in done.stdout
    assert "plugin.py" not in done.stdout
