"""Files that begin in the middle of a session, and files that only look so."""

import json
from typing import Any

import pytest

from core.importers import load
from core.model.session import Session

NOTE = "begins in the middle of a session: what came before is not in this file"
CALL = {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "read", "arguments": "{}"}}]}
RESULT = {"role": "tool", "tool_call_id": "c", "content": "text"}
ASKED = {"role": "user", "content": "And now?"}
SYSTEM = {"role": "system", "content": "You tend the lamps."}


def chat(*messages: dict[str, Any]) -> Session:
    """A conversation in OpenAI's format."""
    return load(name="s.json", data=json.dumps({"messages": messages}))


def lines(*records: dict[str, Any]) -> Session:
    """A file of records, one a line."""
    return load(name="s.jsonl", data="".join(json.dumps(record) + "\n" for record in records))


def claude(uuid: str, parent: str | None, **more: Any) -> dict[str, Any]:
    """A record of Claude Code."""
    known = {"type": "user", "message": {"role": "user", "content": "go"}, "sessionId": "s"}
    return {**known, "uuid": uuid, "parentUuid": parent, **more}


def pi(id: str, parent: str | None) -> dict[str, Any]:
    """An entry of pi with a message."""
    return {"type": "message", "id": id, "parentId": parent, "message": {"role": "user", "content": "go"}}


PI = {"type": "session", "version": 3, "id": "s1", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/w"}


def copilot(id: str, parent: str | None) -> dict[str, Any]:
    """An event of Copilot CLI with what a person typed."""
    return {"type": "user.message", "id": id, "parentId": parent, "timestamp": "T", "data": {"content": "go"}}


def test_the_first_record_names_one_that_the_file_does_not_hold() -> None:
    """Claude Code, pi and Copilot CLI write which record stood before each: of the first one, that there was one."""
    stop = claude("b", "gone", type="system", subtype="stop_hook_summary", message=None)
    for found in (
        lines(stop, claude("c", "b")),
        lines(PI, pi("b", "gone")),
        lines(copilot("b", "gone"), copilot("c", "b")),
    ):
        assert (found.starts_midway, found.notes) == (True, (NOTE,)), found.format


def test_a_session_that_is_whole_does_not_start_midway() -> None:
    """Its first record names none before it. A later one may name a record that was lost."""
    for found in (
        lines(claude("a", None), claude("b", "a"), claude("c", "gone")),
        lines(PI, pi("a", None), pi("b", "gone")),
        lines(copilot("a", None), copilot("b", "gone")),
    ):
        assert (found.starts_midway, NOTE in found.notes) == (False, False), found.format


def test_where_the_first_line_is_damaged_the_note_on_that_says_it() -> None:
    """The record that the first one names may be the damaged one."""
    found = load(
        name="s.jsonl", data='{"type": "us\n' + json.dumps(claude("b", "a")) + "\n" + json.dumps(claude("c", "b"))
    )
    assert (found.starts_midway, found.malformed_lines) == (False, 1)


def test_nothing_stands_before_the_first_compaction() -> None:
    """A session resumed from a summary; not one whose own messages were summarized, nor one that cleared results."""
    summary = claude("s", None, isCompactSummary=True)
    assert lines(summary, claude("b", "s")).starts_midway
    assert not lines(claude("a", None), {**summary, "parentUuid": "a"}, claude("b", "s")).starts_midway
    micro = {"type": "system", "subtype": "microcompact_boundary", "uuid": "m", "parentUuid": None}
    assert not lines(micro, claude("b", "m")).starts_midway


@pytest.mark.parametrize("first", [[RESULT], [SYSTEM, RESULT], [CALL, RESULT]])
def test_a_result_or_a_reply_with_calls_comes_first(first: list[dict[str, Any]]) -> None:
    """What it answers is not there, though the file has what people typed."""
    assert chat(*first, ASKED).starts_midway


@pytest.mark.parametrize(
    "whole",
    [
        [SYSTEM, CALL, RESULT, ASKED],
        [{"role": "assistant", "content": "Good morning. What can I do for you?"}, ASKED],
        [CALL, RESULT],
        [SYSTEM],
    ],
    ids=["the system prompt has the task", "a greeting", "replies alone are recorded", "nothing is said"],
)
def test_what_only_looks_so(whole: list[dict[str, Any]]) -> None:
    """A file like this holds its session from the start, as far as anybody can tell."""
    assert not chat(*whole).starts_midway


def test_it_is_kept_where_a_session_is_saved(tmp_path: Any) -> None:
    """A saved session opens with the same note, once."""
    from core import save

    save(chat(RESULT, ASKED), tmp_path / "s.json")
    found = load(tmp_path / "s.json")
    assert (found.starts_midway, [note for note in found.notes if note == NOTE]) == (True, [NOTE])
