"""`foldline fate`: where a text was in the window, and what happened to it."""

import json
from pathlib import Path
from typing import Any

import pytest

from core import Message, meter, policy, simulate
from core.cli import main
from core.importers.foldline import save
from core.trace.recorded import session_of
from core.trace.trace import as_session

SAMPLE = Path(__file__).parents[2] / "sample_sessions" / "openai-chat" / "coding-session.json"
SMALL = (
    "--policy",
    "agentkit.memory",
    "--set",
    "budget=3000",
    "--set",
    "keep_recent=4",
    "--meter",
    "o200k_base",
    "--summaries",
    "fixed size",
)
RULE = "no new dependency, not even a small one"
SAID = "m-26554b062da9"


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of 160 columns."""
    monkeypatch.setenv("COLUMNS", "160")


def _json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["fate", str(SAMPLE), *arguments, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_a_rule_that_a_summary_leaves_out(capsys: pytest.CaptureFixture[str]) -> None:
    """The lane covers every step; the events say what took the text, that the summary lacks it, and where it was needed."""
    found = _json(capsys, "--text", RULE, *SMALL)
    assert found["lane"] == [
        {"from": 0, "to": 0, "state": "before", "messages": []},
        {"from": 1, "to": 10, "state": "verbatim", "messages": [SAID]},
        {"from": 11, "to": 217, "state": "gone", "messages": []},
    ]
    assert found["steps"] == 218
    assert found["events"] == [
        {"step": 1, "kind": "said", "message": SAID, "compaction": None, "tokens": 122},
        {"step": 11, "kind": "taken", "message": SAID, "compaction": 1, "tokens": 122},
        {"step": 11, "kind": "left_out", "message": "summary#1", "compaction": 1, "tokens": 313},
        {"step": 25, "kind": "needed", "message": "m-35e3fa386180", "compaction": None, "tokens": 191},
        {"step": 88, "kind": "needed", "message": "m-f94adc564cb5", "compaction": None, "tokens": 195},
        {"step": 211, "kind": "needed", "message": "m-8fe8a94bc9c5", "compaction": None, "tokens": 58},
    ]


def test_the_table_answers_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    """The answer is the first thing printed, then the states, then the story with what each message says."""
    assert main(["fate", str(SAMPLE), "--text", RULE, *SMALL]) == 0
    out = capsys.readouterr().out
    assert "answer  Gone since compaction 28: until then message 171 said it in other words." in out
    assert "compaction 28 to message 187  gone" in out
    assert "docs/stability.md" in out


def test_the_table_says_what_only_a_summary_says_in_other_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As the page does: which steps those are, that the summary says so, and that the text is gone behind them."""
    said = [
        "You are a coder.",
        "Fix the parser, and add no new dependency.",
        "I will.",
        "Which file is it in?",
        "It is in parser.py, I think.",
        "Then look there.",
        "I looked there: it was a tab.",
        "What did I forbid?",
        "You said: add no new dependency.",
    ]
    messages = [
        Message.model_validate(
            {"id": f"m{k}", "role": ("assistant", "user")[k % 2] if k else "system", "content": content}
        )
        for k, content in enumerate(said)
    ]
    texts = iter(("The parser was to be fixed, with no new dependency added.", "A tab was found."))
    rule = policy("agentkit.memory", budget=46, keep_recent=2)
    trace = simulate(
        as_session(messages), rule, meter=meter("agentkit"), summarizer=lambda messages, prior: next(texts)
    )
    save(session_of(trace.pool, trace.compactions, trace.meter, ""), tmp_path / "session.json")

    assert main(["fate", str(tmp_path / "session.json"), "--text", "fix the parser, and add no new dependency"]) == 0
    out = capsys.readouterr().out
    assert "answer  Gone since compaction 2: until then summary #1 said it in other words." in out
    assert "compaction 1 to message 8  in other words" in out
    assert "compaction 2 to message 9  gone" in out
    assert "Summary #1 says it in other words" in out


def test_a_text_that_nobody_says(capsys: pytest.CaptureFixture[str]) -> None:
    """Its lane is one stretch before anything, and it has no events."""
    found = _json(capsys, "--text", "pandas")
    assert found["lane"] == [{"from": 0, "to": 186, "state": "before", "messages": []}]
    assert found["events"] == []


def test_a_blank_text_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    """There is nothing to follow: one line, and a hint."""
    assert main(["fate", str(SAMPLE), "--text", " \n"]) == 1
    assert capsys.readouterr().err.startswith("error: there is no text to follow\nhint: ")


def test_what_would_have_kept_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first row is as it is; each further one keeps the text when it is set, at the step that --at names."""
    long = [{"role": ("assistant", "user")[k % 2], "content": f"part {k} of it " * 20} for k in range(30)]
    path = tmp_path / "chat.json"
    path.write_text(json.dumps([{"role": "user", "content": "the port is 48213"}, *long]))
    asked = ("fate", str(path), "--text", "48213", "--policy", "agentkit.memory", "--summaries", "fixed size")
    asked = (*asked, "--set", "budget=500", "--set", "keep_recent=2", "--json")
    assert main([*asked, "--fix", "--at", "20"]) == 0
    first, *others = json.loads(capsys.readouterr().out)["fixes"]
    assert (first["change"], first["value"], first["now"], first["kept"]) == ("as it is", None, None, False)
    assert list(first) == [
        *("change", "value", "now", "compactions", "peak_tokens", "tokens_sent"),
        *(
            "kept",
            "cure",
            "drawbacks",
            "in_summary",
            "until",
            "proved",
            "text",
            "policy",
            "settings",
            "summaries",
            "pinned",
        ),
    ]
    found = {row["change"]: row["value"] for row in others}
    assert {row["change"]: row["now"] for row in others if row["change"] in ("budget", "pin", "policy")} == {
        "budget": 500,
        "pin": None,
        "policy": "agentkit.memory",
    }
    for settings in (("--pin", found["pin"]), ("--set", f"budget={found['budget']}"), ("--pin", "m-missing")):
        code = main([*asked, *settings])
        told = capsys.readouterr()
        if settings[1] == "m-missing":
            assert (code, told.err.startswith("error: there is no message 'm-missing' to pin")) == (1, True)
            continue
        lane = json.loads(told.out)["lane"]
        assert next(s["state"] for s in lane if s["from"] <= 16 <= s["to"]) == "verbatim", settings
    assert main([*asked[:-1], "--fix", "--at", "20"]) == 0
    assert "Pin message 1" in capsys.readouterr().out
    assert main([*asked, "--fix", "--at", "999"]) == 1
