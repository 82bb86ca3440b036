"""Logs of the Agent Client Protocol: chunks, tool calls with their patches, compactions by their ids."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.importers import load, load_all
from core.importers.acp.compactions import Cut
from core.importers.acp.timeline import Timeline
from core.model.session import Session
from tests.fuzzing.limits import counted_calls

SAMPLE = Path(__file__).parents[2] / "sample_sessions" / "acp" / "tide-mill.jsonl"


def update(what: str, /, session: str = "s1", **more: Any) -> dict[str, Any]:
    """A notification of the agent's."""
    told = {"sessionId": session, "update": {"sessionUpdate": what, **more}}
    return {"jsonrpc": "2.0", "method": "session/update", "params": told}


def text(words: str) -> dict[str, str]:
    """A content block."""
    return {"type": "text", "text": words}


def text_chunk(kind: str, words: str, **more: Any) -> dict[str, Any]:
    """A chunk of a message."""
    return update(f"{kind}_chunk", content=text(words), **more)


def prompt(*blocks: Any) -> dict[str, Any]:
    """A request of the person's."""
    return {
        "jsonrpc": "2.0",
        "id": 7,
        "method": "session/prompt",
        "params": {"sessionId": "s1", "prompt": list(blocks)},
    }


def compaction(status: str, **more: Any) -> dict[str, Any]:
    """An update of a compaction."""
    return update("compaction_update", compactionId="c", status=status, **more)


def session(*records: Any) -> Session:
    """The session of a log with these lines."""
    return load(name="x", data="\n".join(map(json.dumps, records)).encode())


def request(method: str, **params: Any) -> dict[str, Any]:
    """A request of the client's, about a session."""
    return {"jsonrpc": "2.0", "id": 3, "method": method, "params": {"cwd": "/home/ada", "mcpServers": [], **params}}


ASK, ANSWER = prompt(text("go")), text_chunk("agent_message", "done")
LOAD, LOADED = request("session/load", sessionId="s1"), {"jsonrpc": "2.0", "id": 3, "result": None}
NOT_LOADED = {"jsonrpc": "2.0", "id": 3, "error": {"code": -32000, "message": "no"}}


def test_the_sample() -> None:
    """Chunks are joined; what comes behind a result is the next reply; one compaction with its summary, tokens and time."""
    found = load(SAMPLE)
    assert [(m.role, m.injected, [c.name for c in m.tool_calls]) for m in found.messages] == [
        ("user", "", []),
        ("assistant", "", ["read"]),
        ("tool", "", []),
        ("assistant", "", []),
        ("user", "", []),
        ("user", "summary", []),
        ("assistant", "", ["edit"]),
        ("tool", "", []),
        ("assistant", "", []),
    ]
    first, result = found.messages[1:3]
    assert (first.content, first.thinking) == (
        "I look at the table.",
        "The mill needs two hours of ebb: read the table.",
    )
    assert first.tool_calls[0].arguments == {"path": "/home/ada/tide-mill/tides.csv"}
    assert (result.tool_call_id, result.content) == ("c1", "day,high,low\nSat,06:10,12:25\nSat,18:40,")
    assert (found.id, found.project, found.model, found.turns) == (
        "sess_tide_mill",
        "/home/ada/tide-mill",
        "north-7b",
        2,
    )
    (cut,) = found.compactions
    assert (cut.at, cut.trigger, cut.tokens_before, cut.tokens_after, cut.duration_ms) == (5, "auto", 7480, 1290, 9400)
    assert (cut.summary, cut.fidelity, cut.unreadable) == (found.messages[5].id, "partial", "")
    assert cut.before_from == "the agent's own count (`contextCompaction.preTokens`)"
    assert found.messages[5].content.startswith("Saturday: ebb from 06:10 to 12:25 and from 18:40. The mill")
    assert found.other == {"answer": 4, "initialize": 1, "session/new": 1, "update/usage_update": 1}


@pytest.mark.parametrize("mark", [True, {"version": 1}])
def test_a_tool_call_may_be_marked_as_a_compaction(mark: Any) -> None:
    """For clients without compactions of their own: it is no call. What it cost may come after it is completed."""
    meta = {"contextCompaction": mark}
    facts = {"contextCompaction": {"version": 1, "trigger": "manual", "preTokens": 49437, "durationMs": 12513}}
    begun = update("tool_call", toolCallId="t", title="Compact conversation", status="in_progress", _meta=meta)
    ended = update("tool_call_update", toolCallId="t", status="completed")
    found = session(ASK, begun, ended, update("tool_call_update", toolCallId="t", _meta=facts), ANSWER)
    (cut,) = found.compactions
    assert [m.content for m in found.messages] == ["go", "done"]
    assert (cut.at, cut.trigger, cut.tokens_before, cut.duration_ms) == (1, "manual", 49437, 12513)
    assert (cut.summary, cut.unreadable, cut.tokens_after) == (None, "not recorded", None)


def test_an_adapter_may_keep_the_mark_in_a_name_of_its_own() -> None:
    """JetBrains' AIR."""
    meta = {"jetbrains": {"air": {"contextCompaction": {"version": 1}}}}
    assert len(session(ASK, update("tool_call", toolCallId="t", status="completed", _meta=meta)).compactions) == 1


@pytest.mark.parametrize(
    ("updates", "summary"),
    [
        ([compaction("in_progress"), compaction("completed", summary=[text("S")])], "S"),
        ([compaction("completed", summary=[text("S")]), compaction("completed")], "S"),
        ([compaction("completed", summary=[text("S")]), compaction("completed", summary=None)], None),
        ([update("compaction_summary_chunk", compactionId="c", content=text("S")), compaction("completed")], "S"),
    ],
)
def test_updates_of_a_compaction_patch_it(updates: list[Any], summary: str | None) -> None:
    """It stands where it was first named; a summary that is given replaces what there was, null clears it."""
    found = session(ASK, *updates[:1], ANSWER, *updates[1:])
    (cut,) = found.compactions
    assert cut.at == 1
    assert [m.content for m in found.messages if m.injected == "summary"] == ([summary] if summary else [])


@pytest.mark.parametrize("status", ["failed", "cancelled", "in_progress", "_paused"])
def test_a_compaction_that_was_not_completed_is_counted(status: str) -> None:
    """It changed nothing, as far as is known."""
    found = session(ASK, compaction(status), ANSWER)
    assert (found.compactions, found.other) == ((), {f"compaction/{status}": 1})


def test_a_reply_ends_where_its_calls_are_answered_or_another_message_begins() -> None:
    """Two calls at once are one reply; the adapter's name for a tool goes before the kind of the call."""
    meta = {"claudeCode": {"toolName": "Bash"}}
    found = session(
        ASK,
        text_chunk("agent_message", "one", messageId="m1"),
        text_chunk("agent_message", "two", messageId="m2"),
        update("tool_call", toolCallId="a", title="ls", kind="execute", _meta=meta),
        update("tool_call", toolCallId="b", title="Find", kind="other"),
        update("tool_call_update", toolCallId="b", status="failed", rawOutput={"error": "none"}),
        update(
            "tool_call_update",
            toolCallId="a",
            status="completed",
            content=[{"type": "content", "content": text("x.py")}],
        ),
        ANSWER,
    )
    assert [(m.role, m.content, m.name, m.is_error) for m in found.messages[1:]] == [
        ("assistant", "one", None, False),
        ("assistant", "two", None, False),
        ("tool", '{"error": "none"}', "Find", True),
        ("tool", "x.py", "Bash", False),
        ("assistant", "done", None, False),
    ]
    assert [c.name for c in found.messages[2].tool_calls] == ["Bash", "Find"]


def test_what_a_person_sent() -> None:
    """Text, resources and pictures; a chunk that repeats it is counted; a log of chunks alone has it from those."""
    resource = {"type": "resource", "resource": {"uri": "file:///a.py", "text": "x = 1"}}
    link, picture = (
        {"type": "resource_link", "uri": "file:///b.py"},
        {"type": "image", "mimeType": "image/png", "data": ""},
    )
    found = session(prompt(text("look"), resource, link, picture), text_chunk("user_message", "look"), ANSWER)
    assert (found.messages[0].content, len(found.messages[0].images)) == ("look\nx = 1\nfile:///b.py", 1)
    assert found.other == {"update/user_message_chunk that repeats the prompt": 1}
    replayed = session(
        text_chunk("user_message", "a"), text_chunk("user_message", "b"), ANSWER, text_chunk("user_message", "c")
    )
    assert [m.content for m in replayed.messages] == ["ab", "done", "c"]


def test_lines_of_a_recorder_and_of_grok() -> None:
    """Wrapped, with a time; without the version of JSON-RPC, with seconds, and the model beside the update."""
    wrapped = {"direction": "to_client", "ts": 1781078400000, "frame": ANSWER}
    assert session(wrapped).messages[0].timestamp == "2026-06-10T08:00:00.000Z"
    params = {**ANSWER["params"], "_meta": {"modelId": "grok-4", "totalTokens": 100}}
    found = session({"timestamp": 1781078400, "method": "session/update", "params": params})
    assert (found.messages[0].timestamp, found.model) == ("2026-06-10T08:00:00.000Z", "grok-4")


def test_each_session_of_a_log_is_one() -> None:
    """By the id that its frames name; a title that the agent gave."""
    other = update("agent_message_chunk", "s2", content=text("hello"))
    named = update("session_info_update", "s2", title="Greeting")
    found = list(load_all(name="x", data="\n".join(map(json.dumps, (ASK, ANSWER, other, named)))))
    assert [(s.id, s.title, len(s.messages)) for s in found] == [("s1", "go", 2), ("s2", "Greeting", 1)]


def test_many_compactions_are_read_in_one_pass() -> None:
    """Each is counted once, not once for every one that comes after it."""
    cuts = [Cut(f"c{n}", n, "", status="completed", summary=["S"]) for n in range(1000)]
    with counted_calls(0):
        _, found = Timeline(entries=list(cuts)).build()
    assert [cut.at for cut in found] == [0] * 1000


def test_what_has_no_id_is_of_its_own() -> None:
    """Two compactions and two calls without one are two; a call is no update of the compaction before it."""
    cut = update("compaction_update", status="completed")
    call = update("tool_call", title="ls", status="completed", rawOutput="x.py")
    found = session(ASK, cut, call, call, cut, ANSWER)
    assert [(m.role, m.content, m.tool_call_id) for m in found.messages] == [
        ("user", "go", None),
        ("assistant", "", None),
        ("tool", "x.py", "line-3"),
        ("assistant", "", None),
        ("tool", "x.py", "line-4"),
        ("assistant", "done", None),
    ]
    assert [c.at for c in found.compactions] == [1, 5]


@pytest.mark.parametrize("end", [[LOADED, ASK], [NOT_LOADED, ASK], [ASK]])
def test_a_conversation_that_is_loaded_stands_once(end: list[Any]) -> None:
    """The agent sends all of it again, up to its answer, or to a prompt where the log has none. What else it tells is taken."""
    created = {"jsonrpc": "2.0", "id": 3, "result": {"sessionId": "s1"}}
    call = update("tool_call", toolCallId="t", status="completed", rawOutput="x.py")
    said_so = [call, compaction("completed", summary=[text("S")]), ANSWER]
    again = [text_chunk("user_message", "go"), *said_so, update("session_info_update", title="Going")]
    found = session(
        request("session/new"), created, ASK, *said_so, LOAD, *again, *end, text_chunk("agent_message", "more")
    )
    assert [m.content for m in found.messages] == ["go", "", "x.py", "S", "done", "go", "more"]
    assert ([c.at for c in found.compactions], found.title) == ([3], "Going")
    assert found.notes == ("4 updates skipped: sent again when the session was loaded",)


def test_a_log_that_begins_as_a_session_is_loaded_has_its_history() -> None:
    """It stands nowhere else."""
    found = session(LOAD, text_chunk("user_message", "go"), ANSWER, LOADED, prompt(text("again")))
    assert ([m.content for m in found.messages], found.notes) == (["go", "done", "again"], ())


def test_what_comes_after_a_session_was_loaded_is_new() -> None:
    """It is no part of the reply before, also where nobody asked; an answer that is an error ends the loading too."""
    for answer in (LOADED, NOT_LOADED):
        found = session(ASK, ANSWER, LOAD, ANSWER, answer, text_chunk("agent_message", "more"))
        assert [m.content for m in found.messages] == ["go", "done", "more"]
