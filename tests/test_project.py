"""The files around the code agree with each other, and hold nothing of the machine they were written on."""

import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from core import load, replay
from core.meters.tokenizer import SHA256, VOCABULARY
from scripts import chromium, node
from viewer.serve import OPTIONS
from viewer.sessions.sources import samples

ROOT = Path(__file__).parent.parent


def flat(table: dict[str, Any], before: str = "") -> dict[str, Any]:
    """A nested table with dotted names."""
    parts = [flat(v, f"{before}{k}.") if isinstance(v, dict) else {f"{before}{k}": v} for k, v in table.items()]
    return {name: value for part in parts for name, value in part.items()}


def test_the_server_has_the_same_options_however_it_is_started() -> None:
    """`streamlit run app.py` reads what `foldline serve` passes: local address, allowed hosts, no telemetry."""
    configured = flat(tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text()))
    assert configured == OPTIONS
    assert configured["server.address"] == "127.0.0.1"
    assert configured["server.allowedHosts"] == ["localhost", "127.0.0.1", "::1"]
    assert configured["browser.gatherUsageStats"] is False


def test_the_lock_holds_hashes_and_no_addresses() -> None:
    """Every locked package has its hashes; no registry, host or path is named."""
    lock = (ROOT / "requirements.lock").read_text()
    entries = re.findall(r"^([a-z0-9][\w.-]*)==[^\s]+.*?\\\n((?:    --hash=sha256:[0-9a-f]{64}.*\n)+)", lock, re.M)
    assert len(entries) == len(re.findall(r"^[a-z0-9][\w.-]*==", lock, re.M)) > 50
    assert not re.search(r"://|^-|file:|^/", lock, re.M)


def test_the_lock_holds_what_the_project_needs() -> None:
    """Everything pyproject.toml names, for running and for testing, is in the lock."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    wanted += [one for extra in project["project"]["optional-dependencies"].values() for one in extra]
    lock = (ROOT / "requirements.lock").read_text()
    locked = set(re.findall(r"^([a-z0-9][\w.-]*)==", lock, re.M))
    assert {re.split(r"[^\w.-]", one)[0] for one in wanted} - locked == set()


def test_the_notice_names_the_vocabulary() -> None:
    """NOTICE gives the file, the hash and the origin of the vocabulary that ships with foldline."""
    notice = (ROOT / "NOTICE").read_text()
    assert VOCABULARY.relative_to(ROOT).as_posix() in notice
    assert SHA256 in notice
    assert "github.com/openai/tiktoken" in notice


def test_make_help_lists_every_target() -> None:
    """`make` alone says in one line each what there is to do."""
    said = subprocess.run(["make", "-s"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    targets = ["help", "setup", "run", "demo", "test", "fuzz", "bench", "check", "docs", "screenshot", "lock"]
    assert [line.split()[1] for line in said.splitlines()] == targets


def test_the_readme_says_what_the_first_sample_shows() -> None:
    """The figures of its tour are those of the session the app opens on."""
    trace = replay(load(ROOT / "sample_sessions" / samples()[0].path))
    fold = trace.compactions[0]
    assert trace.policy is not None
    over = fold.window_before - trace.policy.settings["budget"]
    readme = (ROOT / "README.md").read_text()

    assert f"Over budget by ~{over:,}. The next model call summarizes {fold.folded} messages, " in readme
    gone = fold.window_before - fold.window_after + fold.summary_tokens
    assert f"`{fold.folded} messages, ~{gone:,} tokens → 1 summary, ~{fold.summary_tokens}`" in readme


def tracked() -> list[Path]:
    """The text files of the repository; none where this is no git checkout."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    vendored = ("core/demo/desk", "core/meters/tiktoken")
    names = [name for name in listed.split("\0") if name and not name.startswith(vendored)]
    return [path for name in names if (path := ROOT / name).is_file()]


def test_no_file_names_the_machine_it_was_written_on() -> None:
    """No path of a machine stands in the project: it runs wherever it is cloned."""
    if not tracked():
        (pytest.fail if os.environ.get("CI") else pytest.skip)("not a git checkout")
    machine = re.compile(rb"/(?:root|work|opt/pypi)/|/home/[a-z]+/(?:src|work)/")
    found = [p.relative_to(ROOT).as_posix() for p in tracked() if machine.search(p.read_bytes())]
    assert [name for name in found if name != "tests/test_project.py"] == []


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The programs that getting a Chromium would run, none of which is run; no Chromium is found."""
    ran: list[str] = []
    monkeypatch.delenv("FOLDLINE_CHROMIUM", raising=False)
    monkeypatch.setattr(chromium, "found", lambda: None)
    monkeypatch.setattr(chromium, "run", lambda command: bool(ran.append(" ".join(command[-2:]))) or True)
    return ran


@pytest.mark.parametrize(
    ("debian", "expected"),
    [(True, ["apt-get update", "--no-install-recommends chromium", "install chromium"]), (False, ["install chromium"])],
)
def test_chromium_is_installed_or_its_lack_said(
    debian: bool, expected: list[str], commands: list[str], monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """Where none is found: Debian's package where that can be, else Playwright's; else it says what is missing."""
    monkeypatch.setattr(chromium, "debian", lambda: debian)
    assert chromium.main(["--install"]) == 1
    assert commands == expected
    assert "set FOLDLINE_CHROMIUM" in capsys.readouterr().err


def test_a_named_chromium_is_taken_or_missed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any) -> None:
    """FOLDLINE_CHROMIUM comes before any other; one that is not there is an error, not a reason to take another."""
    own = tmp_path / "my chromium"
    own.write_text("")
    monkeypatch.setenv("FOLDLINE_CHROMIUM", str(own))
    assert chromium.main([]) == 1
    own.chmod(0o755)
    assert chromium.main([]) == 0
    assert capsys.readouterr().out == f"{own}\n"


@pytest.mark.parametrize(("version", "is_taken"), [("v20.19.0", True), ("v18.20.4", False), ("", False)])
def test_an_old_node_is_passed_over(
    version: str, is_taken: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The machine's Node is taken where it is new enough, else that of the locked packages, which runs."""
    own = tmp_path / "node"
    own.write_text(f"#!/bin/sh\necho {version}\n")
    own.chmod(0o755)
    monkeypatch.delenv("FOLDLINE_NODE", raising=False)
    monkeypatch.setattr(node.shutil, "which", lambda name: str(own))
    found = node.found()
    assert found == (str(own) if is_taken else node.of_package())
    assert found
    assert node.version(found) >= node.OLDEST


def test_the_changelog_tells_of_each_thing_once() -> None:
    """In a version no name begins two lines, and no sentence stands twice: a merge brings such back."""
    for version in re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(), flags=re.M)[1:]:
        named = re.findall(r"^- \*\*(.+?)\*\*", version, re.M)
        told = [sentence for sentence in re.split(r"(?<=\.)\s+", version) if len(sentence) > 40]
        assert len(named) == len(set(named)) > 5
        assert len(told) == len(set(told))
