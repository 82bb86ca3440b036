"""What `claude -p --output-format stream-json` prints, read as the session it tells of."""

import json
from typing import Any

import pytest

from core.importers import claimed_by, load
from core.importers._files.source import Source, head_of
from core.model.session import Session, Usage

INIT = {"type": "system", "subtype": "init", "session_id": "s1", "cwd": "/home/ada", "model": "claude-a", "uuid": "i"}
RESULT = {"type": "result", "subtype": "success", "session_id": "s1", "result": "All done.", "uuid": "z"}


def lines(*records: Any) -> bytes:
    """JSON Lines."""
    return "".join(json.dumps(r) + "\n" for r in records).encode()


def session(*records: Any) -> Session:
    """What load makes of a stream."""
    return load(name="s.jsonl", data=lines(*records))


def event(kind: str, content: Any, uuid: str = "", call: str | None = None, **more: Any) -> dict[str, Any]:
    """A message of the stream; of a sub-agent where a call is given."""
    message = {"role": kind, "content": content}
    if kind == "assistant":
        message |= {"id": more.pop("id", f"msg_{uuid}"), "model": "claude-a", "usage": {"output_tokens": 7}}
    return {"type": kind, "message": message, "parent_tool_use_id": call, "session_id": "s1", "uuid": uuid, **more}


def text_block(words: str) -> dict[str, str]:
    """A text block."""
    return {"type": "text", "text": words}


def use(id: str, name: str = "Task", **arguments: Any) -> dict[str, Any]:
    """A tool_use block."""
    return {"type": "tool_use", "id": id, "name": name, "input": arguments}


def result(call: str) -> list[dict[str, Any]]:
    """A tool_result block."""
    return [{"type": "tool_result", "tool_use_id": call, "content": "ok"}]


STREAM = [
    INIT,
    event("user", "go", "u1", isReplay=True),
    event("assistant", [use("t1", subagent_type="Explore", description="Look", prompt="look")], "a1"),
    event("user", [text_block("look")], "k1", "t1"),
    event("assistant", [text_block("found")], "k2", "t1"),
    event("user", result("t1"), "r1", tool_use_result={"agentId": "x", "agentType": "Explore"}),
    {"type": "stream_event", "session_id": "s1", "event": {"type": "ping"}},
    event("assistant", [text_block("fine")], "a2", id="m"),
    event("assistant", [text_block("indeed")], "a3", id="m"),
    RESULT,
]


def test_a_stream_is_a_session():
    """Lines of one reply are joined; a sub-agent's messages are a session below the call that they name."""
    found = session(*STREAM)
    assert [(m.id, m.role, m.content) for m in found.messages] == [
        ("u1", "user", "go"),
        ("a1", "assistant", ""),
        ("r1", "tool", "ok"),
        ("a2", "assistant", "fine\nindeed"),
    ]
    (child,) = found.children
    assert (child.id, child.name, child.message, child.call) == ("t1", "Explore", "a1", "t1")
    assert ([m.content for m in child.session.messages], child.session.title) == (["look", "found"], "Look")
    assert (found.id, found.project, found.model, found.format) == ("s1", "/home/ada", "claude-a", "claude-code")
    assert (found.subagents, found.records, found.notes) == (1, 10, ())
    assert found.usage == Usage(output=14)


def test_all_of_it_as_a_list():
    """`--output-format json --verbose` prints the same as one JSON value."""
    assert load(name="s", data=json.dumps(STREAM, indent=1)) == session(*STREAM)


def test_the_result_alone():
    """`--output-format json` prints the last record only: the answer, and what was used."""
    found = session({**RESULT, "usage": {"input_tokens": 3, "output_tokens": 5}})
    assert [(m.role, m.content) for m in found.messages] == [("assistant", "All done.")]
    assert (found.id, found.usage) == ("s1", Usage(input_uncached=3, output=5))


def test_a_session_on_the_web_is_one_object():
    """With the records of a session's file as its lines; they may lack all but who says what."""
    said = [
        {"type": "user", "message": {"role": "user", "content": "go"}},
        {"type": "assistant", "message": {"role": "assistant", "content": [text_block("I look."), use("t1", "Read")]}},
        {"type": "user", "message": {"role": "user", "content": result("t1")}},
        {"type": "user", "message": {"role": "user", "content": "They read."}, "isCompactSummary": True},
        {"type": "assistant", "message": {"role": "assistant", "content": [text_block("Done.")]}},
    ]
    found = load(name="s.json", data=json.dumps({"loglines": said}))
    assert [(m.role, m.content, m.injected) for m in found.messages] == [
        ("user", "go", ""),
        ("assistant", "I look.", ""),
        ("tool", "ok", ""),
        ("user", "They read.", "summary"),
        ("assistant", "Done.", ""),
    ]
    assert (found.format, [c.at for c in found.compactions]) == ("claude-code", [3])


@pytest.mark.parametrize("value", [{"loglines": []}, {"loglines": [5]}, {"loglines": [{"type": "user"}]}])
def test_lines_of_another_log_are_not_claimed(value):
    """Some record must say something."""
    assert claimed_by(head_of(Source("s.json", data=json.dumps(value).encode()))) == []


def test_a_prompt_that_is_not_repeated_is_missed():
    """It is said that it is not there."""
    found = session(INIT, event("assistant", [text_block("x")], "a1"), RESULT)
    assert found.notes == ("this output contains only the replies, not the questions",)


def test_a_compaction_in_a_stream():
    """Its numbers are written in another way; the summary is known by how it begins."""
    boundary = {"type": "system", "subtype": "compact_boundary", "session_id": "s1", "uuid": "b"}
    numbers = {"trigger": "auto", "pre_tokens": 900, "post_tokens": 90}
    found = session(
        INIT,
        event("user", "go", "u1"),
        {**boundary, "compact_metadata": numbers},
        event("user", "This session is being continued from a previous conversation. S", "s", isSynthetic=True),
        event("user", "Keep going", "n", isSynthetic=True),
        event("assistant", [text_block("x")], "a1"),
    )
    (compaction,) = found.compactions
    assert (compaction.at, compaction.summary, compaction.trigger) == (1, "s", "auto")
    assert (compaction.tokens_before, compaction.tokens_after, compaction.fidelity) == (900, 90, "exact")
    assert [m.injected for m in found.messages] == ["", "summary", "meta", ""]


def test_a_reply_that_failed():
    """The stream names the error."""
    found = session(
        INIT, event("user", "go", "u1"), event("assistant", [text_block("Too low")], "a1", error="billing_error")
    )
    assert (found.notes, found.messages[1].is_error) == (("1 reply failed: Too low",), True)


@pytest.mark.parametrize(
    "records",
    [
        [INIT, {"type": "tool_call", "subtype": "started", "session_id": "s1", "call_id": "c"}],
        [{"type": "init", "session_id": "s1"}],
        [{"type": "system", "subtype": "init"}],
        [{"type": "assistant", "session_id": "s1", "message": "x"}],
    ],
)
def test_streams_of_others_are_not_claimed(records):
    """Programs that print much the same, and what only looks like it."""
    assert "claude-code" not in claimed_by(head_of(Source("s.jsonl", data=lines(*records))))


@pytest.mark.parametrize("value", [None, 5, "x", [1], {"a": 1}, True])
def test_values_of_the_wrong_kind_are_no_crash(value):
    """Whatever stands where something else belongs."""
    odd = dict.fromkeys(("uuid", "subtype", "cwd", "parent_tool_use_id", "result", "compact_metadata", "error"), value)
    kinds = ("assistant", "user", "system", "result", value)
    records = [
        {**odd, "type": kind, "session_id": "s1", "message": m} for kind in kinds for m in (value, {"content": value})
    ]
    found = session(INIT, event("user", "go", "u1"), *records)
    assert found.messages[0].content == "go"
    assert found.model_dump_json()
