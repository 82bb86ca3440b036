"""Vercel AI SDK: messages split into the replies they were, tools with their outcomes, files, versions 4 to 6."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.importers import claimed_by, load, load_all
from core.importers._files.source import Source, head_of
from core.model.errors import TranscriptError
from core.model.session import Session, Usage
from tests.serving import share
from tests.support import with_odd_field

SAMPLE = Path(__file__).parent.parent.parent / "sample_sessions" / "vercel-ui" / "broken-lamp.json"
GIF = "R0lGODlhAQACAAAA"
STEP = {"type": "step-start"}


def session(*messages: Any, **chat: Any) -> Session:
    """What load makes of a list of messages, or of a chat that holds one."""
    return load(name="u.json", data=json.dumps({**chat, "messages": messages} if chat else messages))


def user(*parts: Any, id: str = "u") -> dict[str, Any]:
    """A message that a person typed."""
    return {"id": id, "role": "user", "parts": list(parts)}


def reply(*parts: Any, id: str = "a", **more: Any) -> dict[str, Any]:
    """A message of the assistant."""
    return {"id": id, "role": "assistant", "parts": list(parts), **more}


def text(words: str) -> dict[str, Any]:
    """A text part."""
    return {"type": "text", "text": words}


def tool(id: str, state: str = "output-available", name: str = "f", **more: Any) -> dict[str, Any]:
    """A call of a tool that is known by name."""
    return {"type": f"tool-{name}", "toolCallId": id, "state": state, "input": {"n": 1}, **more}


def old(id: str, state: str = "result", **more: Any) -> dict[str, Any]:
    """A call as version 4 keeps it."""
    return {"toolCallId": id, "toolName": "f", "state": state, "args": {"n": 1}, "result": f"out {id}", **more}


def test_the_sample():
    """A run of three steps, a call that failed, one denied, a picture, what the app noted of tokens."""
    found = load(SAMPLE)
    assert (found.id, found.title, found.format, found.model) == (
        "chat_8fQ2",
        "Refund for order 5512",
        "vercel-ui",
        "gpt-5.2",
    )
    assert (found.records, found.turns, found.other) == (7, 3, {"part/data": 1, "part/source-url": 1})
    assert [m.id for m in found.messages[2:9]] == [
        "m2",
        "call_1-result",
        "call_2-result",
        "m2-2",
        "call_3-result",
        "m2-3",
        "m3",
    ]
    assert [(m.content, m.is_error) for m in found.messages if m.role == "tool"] == [
        ('{"order":5512,"item":"Desk lamp Alva","price":64,"delivered":"2026-04-28"}', False),
        ("The policy search is not available.", True),
        ("Offer a replacement first.", True),
        ("Replacement 5513 leaves tomorrow.", False),
    ]
    assert found.messages[2].thinking == "First the order, and what the policy says of breakage."
    assert [(i.media_type, i.width, i.height) for i in found.messages[1].images] == [("image/png", 640, 480)]
    assert found.usage == Usage(input_uncached=3050, cache_read=8100, output=418)
    assert [m.usage for m in found.messages if m.role == "assistant"][:5] == [None] * 5
    assert found.messages[-1].usage == Usage(input_uncached=110, cache_read=1900, output=12)
    assert [m.timestamp for m in found.messages[1:3]] == ["2026-05-02T10:00:00.000Z", "2026-05-02T10:00:08.000Z"]


def test_steps_without_anything_are_none():
    """Marks in a row, and steps of which nothing was sent, make no reply."""
    found = session(
        user(text("go")), reply(STEP, STEP, text("a"), STEP, {"type": "data-x", "data": 1}, STEP, text("b"))
    )
    assert [(m.id, m.content) for m in found.messages[1:]] == [("a", "a"), ("a-2", "b")]


@pytest.mark.parametrize(
    ("part", "content", "failed"),
    [
        (tool("c", output={"a": [1, "é"]}), '{"a":[1,"é"]}', False),
        (tool("c", output=None), "", False),
        (tool("c", "output-error", errorText="bad"), "bad", True),
        (tool("c", "output-denied", approval={"approved": False}), "Tool execution denied.", True),
        (tool("c", "approval-responded", approval={"approved": False, "reason": "no"}), "no", True),
        (tool("c", output={"content": [{"type": "text", "text": "x"}], "isError": True}), "x", True),
    ],
)
def test_outcomes(part, content, failed):
    """What the model is told of a call; an error and a refusal are marked."""
    (result,) = session(user(text("go")), reply(part)).messages[2:]
    assert (result.role, result.tool_call_id, result.name, result.content, result.is_error) == (
        "tool",
        "c",
        "f",
        content,
        failed,
    )


@pytest.mark.parametrize("state", ["input-streaming", "input-available", "approval-requested", "approval-responded"])
def test_calls_that_have_not_ended(state):
    """There is a call, and no result."""
    found = session(user(text("go")), reply(tool("c", state, approval={"id": "x"})))
    assert [len(m.tool_calls) for m in found.messages] == [0, 1]


def test_arguments():
    """Of a call that failed before its input was decoded, the raw one; of a tool without an id, one is made."""
    raw = tool("c", "output-error", errorText="bad", input=None, rawInput='{"n')
    found = session(
        user(text("go")), reply(raw, {"type": "dynamic-tool", "toolName": "g", "state": "output-available"})
    )
    first, second = found.messages[1].tool_calls
    assert (first.arguments, first.raw, second.name, second.arguments) == ({}, '{"n', "g", {})
    assert [m.tool_call_id for m in found.messages[2:]] == ["c", second.id]


def test_files_are_no_text():
    """Of a message, of the model, and of a tool's result."""
    blocks = {"content": [{"type": "image", "data": GIF, "mimeType": "image/gif"}]}
    file = {"type": "file", "mediaType": "application/pdf", "url": "https://x.org/a.pdf"}
    picture = {"type": "file", "mediaType": "image/gif", "url": f"data:image/gif;base64,{GIF}"}
    found = session(user(text("see"), file), reply(picture, tool("c", output=blocks)))
    assert [(i.media_type, i.source) for i in found.messages[0].images] == [("application/pdf", "https://x.org/a.pdf")]
    assert [(m.content, m.images[0].width) for m in found.messages[1:]] == [("", 1), ("", 1)]


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        (
            {"usage": {"inputTokens": 100, "cachedInputTokens": 60, "outputTokens": 7}},
            Usage(input_uncached=40, cache_read=60, output=7),
        ),
        (
            {"usage": {"inputTokens": 5, "cachedInputTokens": 60, "outputTokens": 7}},
            Usage(input_uncached=5, cache_read=60, output=7),
        ),
        ({"usage": {"promptTokens": 9, "completionTokens": 2}}, Usage(input_uncached=9, output=2)),
        ({"totalUsage": {"totalTokens": 9}}, None),
        ({"usage": 5}, None),
        (None, None),
    ],
)
def test_usage_that_the_app_noted(metadata, expected):
    """Under the names of three versions; what is no more than a sum tells nothing."""
    found = session(user(text("go")), reply(text("a"), metadata=metadata))
    assert (found.messages[1].usage, found.usage) == (expected, expected)


def test_version_4_with_parts():
    """Calls lie in a part of their own; what is said behind them, and calls of another step, are the next reply."""
    parts = [
        {"type": "reasoning", "reasoning": "hm"},
        {"type": "tool-invocation", "toolInvocation": old("c1", step=0)},
        {"type": "tool-invocation", "toolInvocation": old("c2", step=0)},
        {"type": "tool-invocation", "toolInvocation": old("c3", "call", step=1)},
        {"type": "source", "source": {"url": "x"}},
        STEP,
        text("do"),
        text("ne"),
    ]
    found = session(user(text("go")), reply(*parts, createdAt="2025-01-01T00:00:00Z", content="done"))
    assert [(m.role, m.content, len(m.tool_calls)) for m in found.messages[1:]] == [
        ("assistant", "", 2),
        ("tool", "out c1", 0),
        ("tool", "out c2", 0),
        ("assistant", "", 1),
        ("assistant", "do\nne", 0),
    ]
    assert (found.messages[1].thinking, found.messages[1].timestamp) == ("hm", "2025-01-01T00:00:00Z")


def test_version_4_without_marks():
    """What is said behind a call begins the next reply, also where no step-start stands there."""
    parts = [{"type": "tool-invocation", "toolInvocation": old("c1")}, text("done")]
    assert [m.content for m in session(user(text("go")), reply(*parts)).messages] == ["go", "", "out c1", "done"]


def test_a_system_prompt_in_pieces():
    """Its texts are sent as one."""
    (said,) = session({"id": "s", "role": "system", "parts": [text("be "), text("good")]}).messages
    assert (said.role, said.content) == ("system", "be good")


def test_version_4_without_parts():
    """Calls stand beside the text, which comes behind them; files as well."""
    url = {"name": "a", "contentType": "image/gif", "url": f"data:image/gif;base64,{GIF}"}
    asked = {"id": "u", "role": "user", "content": "go", "experimental_attachments": [url]}
    calls = [old("c2", step=1), old("c1"), 5]
    answer = {"id": "a", "role": "assistant", "content": "done", "reasoning": "hm", "toolInvocations": calls}
    found = session(asked, answer, {"id": "d", "role": "data", "content": "x"})
    assert [(m.role, m.content) for m in found.messages] == [
        ("user", "go"),
        ("assistant", ""),
        ("tool", "out c1"),
        ("assistant", ""),
        ("tool", "out c2"),
        ("assistant", "done"),
    ]
    assert (found.messages[0].images[0].height, found.messages[-1].thinking) == (2, "hm")
    assert found.other == {"data message": 1}


def test_copies_and_strangers_are_noted():
    """The same message again is left out; another one of its id is not."""
    found = session(user(text("go")), user(text("go")), user(text("no")), {"role": "tool"}, 5)
    assert [(m.id, m.content) for m in found.messages] == [("u", "go"), ("u~2", "no")]
    assert found.notes == (
        "1 message skipped: copies of earlier ones (record 2)",
        "2 records skipped: not UI messages (records 4, 5)",
    )
    assert found.malformed_lines == 2


def test_chats():
    """One message, a list, a chat, several in a list or line by line."""
    one = user(text("go"))
    assert len(load(name="x", data=json.dumps(one)).messages) == 1
    assert session(one, chatId="c").id == "c"
    chats = [{"id": n, "messages": [one]} for n in "ab"]
    assert [s.id for s in load_all(name="x", data=json.dumps(chats))] == ["a", "b"]
    *_, last = load_all(name="x", data="\n".join([*map(json.dumps, chats), "{oops"]) + "\n")
    assert last.notes == ("line 3 could not be read and was skipped",)
    assert len(load(name="x", data=f"{json.dumps(one)}\n{json.dumps(reply(text('a')))}\n").messages) == 2


@pytest.mark.parametrize("odd", share([None, 5, "x", [1], {"a": {"b": 1}}, True, 1e300]))
def test_wrong_types_are_no_crash(odd):
    """Every field of a message and of a part may hold anything."""
    four = reply({"type": "tool-invocation", "toolInvocation": old("c")}, text("x"), createdAt="t")
    for messages in with_odd_field([*json.loads(SAMPLE.read_bytes())["messages"], four], odd):
        assert session(*messages).messages


def test_what_is_not_ours():
    """Other lists of parts are left to others."""
    for value in (
        [{"role": "user", "parts": [{"text": "x"}]}],
        [{"role": "user", "parts": [{"type": "text", "content": "x"}]}],
        [{"info": {"id": "m"}, "role": "user", "parts": [text("x")]}],
        [{"role": "user", "content": "x"}],
    ):
        assert "vercel-ui" not in claimed_by(head_of(Source("x", data=json.dumps(value).encode())))
    with pytest.raises(TranscriptError, match="contains no messages"):
        session(reply(STEP))
