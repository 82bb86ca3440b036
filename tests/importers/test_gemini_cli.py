"""Gemini CLI: both forms, calls with their results, newer versions, going back, and lists that leave something out."""

import base64
import json
import struct
from pathlib import Path
from typing import Any

import pytest

from core.engine.replay import replay
from core.importers import claimed_by, load, load_all
from core.importers._files.source import Source, head_of
from core.model.errors import TranscriptError
from core.model.session import Image, Session, Usage

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + struct.pack(">II", 640, 480)).decode()
SAMPLE = Path(__file__).parent.parent.parent / "sample_sessions" / "gemini-cli" / "watering.jsonl"
HEAD = {"sessionId": "s1", "projectHash": "h"}
SNAPSHOT = "<state_snapshot>so far</state_snapshot>"


def whole(*messages: Any, **more: Any) -> Session:
    """What load makes of the older form."""
    return load(name="s", data=json.dumps({**HEAD, **more, "messages": messages}))


def log(*records: Any) -> Session:
    """What load makes of the newer form, behind its metadata."""
    return load(name="s", data="\n".join(json.dumps(r) for r in (HEAD, *records)) + "\n")


def user(id: str, content: Any = "go", **more: Any) -> dict[str, Any]:
    """A user record."""
    return {"id": id, "type": "user", "content": content, **more}


def gemini(id: str, content: Any = "ok", **more: Any) -> dict[str, Any]:
    """A reply."""
    return {"id": id, "type": "gemini", "content": content, "model": "m1", **more}


def answered(id: str, **response: Any) -> dict[str, Any]:
    """A part with a result."""
    return {"functionResponse": {"id": id, "name": "read_file", "response": response}}


def call(id: str, output: str = "text", status: str = "success", **more: Any) -> dict[str, Any]:
    """A call with its result."""
    known = {"id": id, "name": "read_file", "args": {"path": id}, "status": status, "timestamp": "T2"}
    return {**known, "result": [answered(id, output=output)], **more}


def tokens(given: int, output: int, cached: int = 0, thoughts: int = 0, tool: int = 0) -> dict[str, int]:
    """Recorded tokens."""
    return {"input": given, "output": output, "cached": cached, "thoughts": thoughts, "tool": tool, "total": 0}


def replacing(*messages: Any) -> dict[str, Any]:
    """The update that replaces the conversation."""
    return {"$set": {"messages": messages, "lastUpdated": "T9"}}


def outline(session: Session) -> list[tuple[str, str, str]]:
    """Id, role and content of each message."""
    return [(m.id, m.role, m.content) for m in session.messages]


def test_the_older_form():
    """Results lie in the calls: a tool message each. Thoughts, tokens and model belong to the reply."""
    thought = {"subject": "Look", "description": "at it"}
    found = whole(
        user("u1"),
        gemini(
            "g1",
            "hm",
            timestamp="T1",
            thoughts=[thought],
            tokens=tokens(100, 5, 40, 7, 3),
            toolCalls=[call("c1"), call("c2", "no", "error")],
        ),
        kind="main",
        summary="Tests",
        directories=["/w"],
    )
    reply, one, two = found.messages[1:]
    assert (reply.content, reply.thinking, reply.model, reply.reply_id) == ("hm", "Look\nat it", "m1", "g1")
    assert [(c.id, c.name, c.arguments) for c in reply.tool_calls] == [
        ("c1", "read_file", {"path": "c1"}),
        ("c2", "read_file", {"path": "c2"}),
    ]
    assert (one.id, one.role, one.tool_call_id, one.name, one.content) == ("g1-1", "tool", "c1", "read_file", "text")
    assert (one.is_error, two.is_error, two.content, one.line, one.timestamp) == (False, True, "no", 2, "T2")
    assert (found.id, found.title, found.project, found.model, found.records) == ("s1", "Tests", "/w", "m1", 2)
    assert found.notes == ()


def test_input_includes_what_was_cached():
    """Cached tokens are taken out of the input; thoughts belong to the output, tools' prompt tokens to the input."""
    found = whole(user("u1"), gemini("g1", tokens=tokens(100, 5, 40, 7, 3)), gemini("g2", tokens=tokens(0, 0)))
    assert found.messages[1].usage == Usage(input_uncached=63, cache_read=40, output=12)
    assert (found.messages[2].usage, found.usage) == (None, found.messages[1].usage)


def test_a_call_recorded_behind_a_notice_belongs_to_the_reply_before():
    """One API reply is one message: the notice that came between split its record. Thoughts of later are not its own."""
    found = whole(
        user("u1"),
        gemini("g1", "doing it", tokens=tokens(9, 1)),
        {"id": "i", "type": "info", "content": "update"},
        gemini("g2", "", toolCalls=[call("c1")], timestamp="T1", thoughts=[{"subject": "Next", "timestamp": "T2"}]),
    )
    assert outline(found) == [("u1", "user", "go"), ("g1", "assistant", "doing it"), ("g2", "tool", "text")]
    assert [c.id for c in found.messages[1].tool_calls] == ["c1"]
    assert found.other == {"info": 1}


def test_a_call_with_tokens_of_its_own_is_a_reply():
    """Nothing was said with it, but the model was asked anew."""
    found = whole(user("u1"), gemini("g1", "doing it"), gemini("g2", "", tokens=tokens(9, 1), toolCalls=[call("c1")]))
    assert [m.id for m in found.messages] == ["u1", "g1", "g2", "g2-1"]


@pytest.mark.parametrize(
    ("result", "content", "failed"),
    [
        ([answered("c1", error="no such file")], "no such file", True),
        ([answered("c1", content=[1])], '{"content": [1]}', False),
        ([answered("c0", output="other"), answered("c1", output="mine")], "mine", False),
        ("as text", "as text", False),
        ([{"text": "a"}, {"text": "b"}], "ab", False),
    ],
)
def test_results_in_their_shapes(result, content, failed):
    """Output, error, whatever else there is; of parallel results the one of the call."""
    message = whole(user("u1"), gemini("g1", toolCalls=[call("c1", result=result)])).messages[2]
    assert (message.content, message.is_error) == (content, failed)


def test_a_call_without_a_result_has_no_tool_message():
    """It was cancelled, or the file was written before it ended."""
    found = whole(user("u1"), gemini("g1", toolCalls=[call("c1", result=None)]))
    assert [m.role for m in found.messages] == ["user", "assistant"]


def test_pictures_are_no_text():
    """Data in a message, a linked file, and a picture that a tool gave back."""
    data = {"inlineData": {"mimeType": "image/png", "data": PNG}}
    file = {"fileData": {"mimeType": "application/pdf", "fileUri": "gs://a.pdf"}}
    result = [answered("c1", output="see"), data]
    found = whole(user("u1", [{"text": "look"}, data, file]), gemini("g1", toolCalls=[call("c1", result=result)]))
    png = Image(media_type="image/png", width=640, height=480, source="base64")
    assert found.messages[0].images == (png, Image(media_type="application/pdf", source="gs://a.pdf"))
    assert (found.messages[0].content, found.messages[2].images) == ("look", (png,))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("<session_context>\nToday", "environment"),
        ("<hook_context>x</hook_context>", "hook"),
        ("/compress", "command"),
        ("/home/w is full", ""),
        (SNAPSHOT, "snapshot"),
        ("hello", ""),
    ],
)
def test_only_what_a_person_typed_starts_a_turn(text, kind):
    """Context, hooks, commands and a snapshot from elsewhere are told apart by how they begin."""
    found = whole(user("u0", "first"), user("u1", text))
    assert (found.messages[1].injected, found.turns) == (kind, 1 + (not kind))


def test_the_title_is_what_the_person_saw():
    """Where files were put into a message, the first typed one is shown as it was typed."""
    found = whole(user("u1", [{"text": "fix @a"}, {"text": "\nA"}], displayContent=[{"text": "fix @a"}]))
    assert (found.title, found.messages[0].content) == ("fix @a", "fix @a\nA")


def test_notices_are_no_messages():
    """They are counted; errors are said."""
    notices = [{"id": k, "type": k, "content": f"{k}!"} for k in ("info", "error", "warning", "odd")]
    found = whole(user("u1"), *notices, 5)
    assert found.other == {"error": 1, "info": 1, "odd": 1, "warning": 1}
    assert found.notes == ("1 error was shown: error!", "1 message skipped: not an object")
    assert found.malformed_lines == 1


def test_the_same_id_again_is_a_newer_version():
    """The last one counts, at the place of the first; results that come once more as a message are left out."""
    found = log(
        user("u1"),
        gemini("g1", "a"),
        gemini("g1", "a", toolCalls=[call("c1")]),
        user("r1", [answered("c1", output="text")]),
        gemini("g2", "b"),
        {"$set": {"summary": "T"}},
    )
    assert outline(found) == [
        ("u1", "user", "go"),
        ("g1", "assistant", "a"),
        ("g1-1", "tool", "text"),
        ("g2", "assistant", "b"),
    ]
    assert (found.messages[1].line, found.records, found.title) == (3, 7, "T")
    assert found.other == {"$set": 1, "copied result": 1, "metadata": 1}
    assert found.notes == ()


def test_an_older_version_in_the_older_form_is_left_out():
    """With its place in the list, each time."""
    found = whole(user("u1"), gemini("g1", "a"), gemini("g1", "b"), gemini("g1", "c"))
    assert [m.content for m in found.messages] == ["go", "c"]
    assert found.notes == ("2 messages skipped: a later one has the same id (messages 2, 3)",)


def test_results_that_stand_only_in_a_message():
    """A reply whose calls are in its content is answered by the message of results; one without a call is said."""
    asked = {"functionCall": {"id": "c1", "name": "read_file", "args": {"path": "a"}}}
    found = log(user("u1"), gemini("g1", [asked]), user("r1", [answered("c1", output="A"), answered("c9", output="B")]))
    assert [c.arguments for c in found.messages[1].tool_calls] == [{"path": "a"}]
    assert [(m.id, m.tool_call_id, m.content) for m in found.messages[2:]] == [("r1", "c1", "A"), ("r1-1", "c9", "B")]
    assert found.notes == ("1 tool result without a call in the file",)


def test_a_call_in_content_and_list_is_one():
    """By id, or where the content has none, by name."""
    parts = [{"functionCall": {"name": "read_file"}}, {"functionCall": {"id": "c1", "name": "x"}}]
    found = log(user("u1"), gemini("g1", parts, toolCalls=[call("c1")]))
    assert [c.id for c in found.messages[1].tool_calls] == ["c1"]


def test_thoughts_in_content_are_thinking():
    """Parts marked as thoughts are no text."""
    found = log(user("u1"), gemini("g1", [{"text": "hm", "thought": True}, {"text": "yes"}]))
    assert (found.messages[1].thinking, found.messages[1].content) == ("hm", "yes")


def test_going_back_drops_what_came_after():
    """The message itself goes, too; going back to what is not there changes nothing."""
    found = log(user("u1"), gemini("g1"), user("u2"), gemini("g2"), {"$rewindTo": "u2"}, user("u3"), {"$rewindTo": "x"})
    assert [m.id for m in found.messages] == ["u1", "g1", "u3"]
    assert found.notes == (
        "2 messages skipped: the session was rewound to before them (lines 4, 5)",
        "1 time the session was rewound to a message that is not in the file: nothing skipped (line 8)",
    )


def test_a_list_without_the_newest_takes_them_back():
    """A turn that was broken off is rolled back so."""
    found = log(user("u1"), gemini("g1"), user("u2"), replacing(user("u1"), gemini("g1")), user("u3"))
    assert ([m.id for m in found.messages], found.compactions) == (["u1", "g1", "u3"], ())


def test_a_list_with_a_snapshot_is_a_compaction():
    """It names what stayed; what stands before the summary leads. Tokens are those of the replies around it."""
    found = log(
        replacing(user("e1", "<session_context>")),
        user("u1"),
        gemini("g1", toolCalls=[call("c1")], tokens=tokens(100, 5)),
        gemini("g2", toolCalls=[call("c2")]),
        replacing(user("e1", "<session_context>"), user("s1", SNAPSHOT), gemini("g2", toolCalls=[call("c2")])),
        user("u2"),
        gemini("g3", tokens=tokens(30, 1)),
    )
    (cut,) = found.compactions
    assert (cut.at, cut.summary, cut.kept, cut.lead) == (6, "s1", ("e1", "g2", "g2-1"), 1)
    assert (cut.tokens_before, cut.tokens_after, cut.fidelity, cut.line) == (100, 30, "exact", 6)
    assert (cut.before_from, cut.after_from) == ("prompt of the model call before", "prompt of the model call after")
    assert {m.id: m.injected for m in found.messages}["s1"] == "summary"
    assert [m.id for m in replay(found).compactions[0].after] == ["e1", "s1", "g2", "g2-1"]


def test_a_list_that_leaves_out_the_oldest_drops_them():
    """Nothing was written in their place: that it was a compaction is not said."""
    found = log(user("u1"), gemini("g1"), user("u2"), gemini("g2"), replacing(user("u2"), gemini("g2")))
    (cut,) = found.compactions
    assert (cut.at, cut.edit, cut.summary, cut.kept, cut.fidelity) == (4, "dropped", None, ("u2", "g2"), "partial")


def test_a_summary_that_was_gone_back_from():
    """The compaction stands, without the summary."""
    found = log(user("u1"), gemini("g1"), replacing(user("s1", SNAPSHOT)), user("u2"), {"$rewindTo": "s1"}, user("u3"))
    (cut,) = found.compactions
    assert (cut.summary, cut.edit, [m.id for m in found.messages]) == (None, "dropped", ["u1", "g1", "u3"])


def test_a_summary_that_comes_again_after_a_rewind_is_the_later_compactions():
    """The same id in two lists: only the list after the rewind names the summary."""
    found = log(
        user("u1"),
        gemini("g1"),
        replacing(user("s1", SNAPSHOT)),
        {"$rewindTo": "s1"},
        user("u2"),
        replacing(user("s1", SNAPSHOT)),
    )
    assert [(cut.summary, cut.edit) for cut in found.compactions] == [(None, "dropped"), ("s1", "summarised")]


def test_a_result_that_was_shortened_in_a_list_is_a_microcompaction():
    """The message keeps what the model was shown first."""
    found = log(
        user("u1"),
        gemini("g1", toolCalls=[call("c1", "a long result")]),
        replacing(user("u1"), gemini("g1", toolCalls=[call("c1", "[masked]")])),
        replacing(user("u1"), gemini("g1", toolCalls=[call("c1", "[less]")])),
    )
    (cut,) = found.compactions
    assert (cut.kind, cut.at, cut.cleared, cut.fidelity) == ("microcompaction", 3, ("g1-1",), "partial")
    assert found.messages[2].content == "a long result"


def test_a_result_that_grew_in_a_list_is_a_newer_version():
    """Nothing was taken from the model."""
    longer = gemini("g1", toolCalls=[call("c1", "a longer result")])
    found = log(user("u1"), gemini("g1", toolCalls=[call("c1", "a result")]), replacing(user("u1"), longer))
    assert (found.compactions, found.messages[2].content) == ((), "a longer result")


def test_commands_that_a_list_leaves_out_are_no_compaction():
    """Gemini CLI never sends them."""
    found = log(user("u1"), user("c1", "/stats"), gemini("g1"), replacing(user("u1"), gemini("g1")), user("u2"))
    assert (found.compactions, len(found.messages)) == ((), 4)


def test_sub_agents_are_children(tmp_path):
    """Their files lie in a folder named after the parent; the call names the agent. One without its file is counted."""
    parent = [HEAD, user("u1"), gemini("g1", toolCalls=[call("c1", agentId="a7"), call("c2", agentId="a8")])]
    child = [{"sessionId": "x#a7", "projectHash": "h", "kind": "subagent"}, user("v1", "find it")]
    for path, records in (("session-1.jsonl", parent), ("s1/x.jsonl", child)):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    (found,) = load_all(tmp_path)
    (agent,) = found.children
    assert (agent.id, agent.name, agent.message, agent.call) == ("x#a7", "read_file", "g1", "c1")
    assert ([m.content for m in agent.session.messages], found.subagents) == (["find it"], 2)
    assert found.notes == ("1 sub-agent ran in a window of its own; its records are in other files",)


def test_damage_is_counted():
    """A log cut short, and one without its first line."""
    text = SAMPLE.read_text(encoding="utf-8")
    cut = load(name="s", data=text[: len(text) // 2])
    rest = load(name="s", data="{broken\n" + text.split("\n", 1)[1])
    assert (cut.malformed_lines, cut.notes[-1].startswith("the last line")) == (1, True)
    assert (rest.format, rest.malformed_lines, len(rest.messages)) == ("gemini-cli", 1, 14)


def test_what_it_claims():
    """Metadata, in either form: not an object with a session id alone."""
    assert claimed_by(head_of(Source("s", data=json.dumps({**HEAD, "messages": []}).encode()))) == ["gemini-cli"]
    assert "gemini-cli" not in claimed_by(head_of(Source("s", data=b'{"sessionId": "a", "messages": []}')))
    with pytest.raises(TranscriptError, match="contains no messages"):
        log()


@pytest.mark.parametrize("value", [None, 5, "x", [1], {"a": 1}, 1e300, True, [[{}]], [None]])
def test_values_of_the_wrong_kind_are_no_crash(value):
    """Whatever stands where something else belongs."""
    keys = ("timestamp", "content", "displayContent", "toolCalls", "thoughts", "tokens", "model")
    odd = [{"id": f"{kind}-{n}", "type": kind} for n, kind in enumerate(("user", "gemini", "error", "odd"))]
    parts = [{k: value} for k in ("text", "functionCall", "functionResponse", "inlineData", "fileData", "thought")]
    inner = [{k: {"id": value, "name": value, "response": value, "parts": value}} for k in ("functionResponse",)]
    calls = [{**call("c"), k: value} for k in ("id", "name", "args", "result", "status", "timestamp", "agentId")]
    records = [{**r, **dict.fromkeys(keys, value)} for r in odd]
    records += [user("p", [*parts, *inner]), gemini("q", toolCalls=calls), gemini("r", tokens={"input": value})]
    updates = [{"$set": value}, {"$set": {"messages": value}}, {"$set": {"directories": value}}, {"$rewindTo": value}]
    assert whole(user("u1"), value, *records, directories=value, summary=value).model_dump_json()
    assert log(user("u1"), *records, *updates, replacing(value, *records), replacing(), user("u2")).model_dump_json()


def test_the_sample():
    """One compaction that kept the context, the last reply and what had just been asked."""
    found = load(SAMPLE)
    (cut,) = found.compactions
    assert (found.title, len(found.messages), found.turns) == ("Watering: Sunday double run, rain delay", 14, 2)
    assert (cut.at, cut.kept, cut.lead, cut.tokens_before) == (9, ("ctx-0", "g-3", "u-2"), 1, 9010)
    assert found.usage == Usage(input_uncached=14454, cache_read=22020, output=733)
