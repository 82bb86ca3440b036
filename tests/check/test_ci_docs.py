"""docs/ci.md: its commands, run as they stand there, stop a build that would lose a rule and let one pass that keeps it."""

import json
import re
import shlex
from pathlib import Path

import pytest

from core.cli import main
from tests.serving import ROOT

RULE = "No new dependency, not even a small one"
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")


def _hook() -> dict[str, str]:
    """The fields of the pre-commit hook."""
    block = next(found for found in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL) if "hooks:" in found)
    return dict(re.findall(r"^ +(?:- )?(\w+): (.+)$", block, re.MULTILINE))


def _step() -> str:
    """The command of the hosted workflow, which stands on several lines."""
    found = re.search(r"- run: >\n((?: {10}.+\n)+)", PAGE)
    assert found is not None
    return found[1].replace('"$GITHUB_STEP_SUMMARY"', "summary.md")


def _saved(place: str, rule_from: str) -> None:
    """A session of some 60,000 tokens in which the user, or a tool early on, says the rule."""
    said = {"role": "user", "content": f"Mend the parser. {RULE}."}
    read = [
        {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "read", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "c", "content": "line\n" * 500 + RULE + "\n" + "line\n" * 500},
    ]
    first = [said] if rule_from == "user" else [{"role": "user", "content": "Mend the parser."}, *read]
    rest = [{"role": role, "content": f"{i} " + "words " * 800} for i in range(25) for role in ("assistant", "user")]
    Path(place).write_text(json.dumps([*first, *rest]))


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one transcript that keeps the rule, one that never says it, and a baseline of them."""
    monkeypatch.chdir(tmp_path)
    Path("transcripts").mkdir()
    Path("rules.txt").write_text(f"# what must stay\n{RULE}\n")
    _saved("transcripts/kept.json", "user")
    Path("transcripts/other.json").write_text(json.dumps([{"role": "user", "content": "Good day."}]))
    command = "transcripts --policy agentkit.memory --set budget=48000 --keep-file rules.txt --baseline baseline.json"
    assert main(["check", *command.split(), "--update-baseline"]) == 0
    return tmp_path


@pytest.mark.parametrize("command", [_hook()["entry"], _step()], ids=["pre-commit", "hosted"])
def test_the_command_stops_a_session_that_loses_a_rule(
    command: str, repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And no session that keeps it, or never says it."""
    given = shlex.split(command)[1:]
    assert main(given) == 0
    _saved("transcripts/lost.json", "tool")
    capsys.readouterr()
    assert main(given) == 1
    found = capsys.readouterr().out
    assert [line for line in found.splitlines() if line.startswith("FAILED  transcripts/lost.json: keep “No new")]
    assert "1 of 2 checks failed, 1 skipped\n1 session is new since the baseline: transcripts/lost.json" in found


def test_the_hook_runs_where_a_transcript_a_rule_or_the_baseline_changes() -> None:
    """On the whole folder: what pre-commit calls changed is not handed to it."""
    hook = _hook()
    assert hook["pass_filenames"] == "false"
    changed = ("transcripts/a.jsonl", "transcripts/deep/a.json", "rules.txt", "baseline.json", "src/rules.txt", "a.py")
    assert [bool(re.search(hook["files"], path)) for path in changed] == [True, True, True, True, False, False]
