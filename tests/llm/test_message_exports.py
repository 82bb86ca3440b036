"""Sessions as the messages of a provider, which open again as the same."""

import json
import re
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from core import Message, Session, ToolCall, load, load_all
from core.llm.bodies import text_with_images
from core.llm.exports import to_anthropic, to_openai
from core.llm.pairs import results_first, without_orphans
from core.model.errors import TranscriptError
from core.model.session import Image

SAMPLES = Path(__file__).parents[2] / "sample_sessions"
FILES = sorted(p for p in SAMPLES.rglob("*") if p.is_file() and p.parent != SAMPLES)


def sessions() -> list[Any]:
    """One session of every sample that is a file of its own."""
    found = []
    for path in FILES:
        try:
            session = next(load_all(path))
        except TranscriptError:
            continue
        found.append(pytest.param(session, id=path.relative_to(SAMPLES).as_posix()))
    return found


SESSIONS = sessions()


def opened(value: Any) -> Session:
    """What an export is when it is opened."""
    return load(name="export.json", data=json.dumps(value))


def kept(session: Session) -> list[Message]:
    """The messages that an API takes: of whole tool pairs, results first, with something in them."""
    messages = results_first(without_orphans(session.messages))
    return [m for m in messages if m.role != "assistant" or text_with_images(m) or m.tool_calls]


def comparable(message: Message) -> tuple[Any, ...]:
    """What must be the same again; a picture is a word by then."""
    calls = [(call.id, call.name, call.arguments, call.raw) for call in message.tool_calls]
    return message.role, text_with_images(message), calls, message.tool_call_id or None


def test_there_are_samples() -> None:
    """Of many formats: the tests below are about something."""
    assert len({param.values[0].format for param in SESSIONS}) > 15


@pytest.mark.parametrize("session", SESSIONS)
def test_openai_messages_open_as_the_same(session: Session) -> None:
    """Message for message that the API takes: role, text, calls, and the call that a result answers."""
    again = opened(to_openai(session.messages))
    assert again.format == "openai-chat"
    assert [comparable(m) for m in again.messages] == [comparable(m) for m in kept(session)]


def said(messages: Iterable[Message]) -> list[tuple[str, str]]:
    """Who says what, in their order: texts of one role after the other are one; white space aside."""
    spoken = [(m.role, "".join(text_with_images(m).split())) for m in messages if m.role != "system"]
    groups = groupby((one for one in spoken if one[1]), lambda one: one[0])
    return [(role, "".join(text for _, text in group)) for role, group in groups]


@pytest.mark.parametrize("session", SESSIONS)
def test_anthropic_messages_open_as_the_same(session: Session) -> None:
    """System messages are one, at the top; texts and calls of the others are the same, in their order."""
    again, others = opened(to_anthropic(session.messages)), without_orphans(session.messages)
    others = results_first([m for m in others if m.role != "system"])
    spoken = [m for m in others if m.role == "tool" or text_with_images(m).strip() or m.tool_calls]
    opening = [] if spoken and spoken[0].role == "user" else [("user", "Continue.")]
    assert again.format == "anthropic-messages"
    assert said(again.messages) == said([*(Message(role="user", content=text) for _, text in opening), *spoken])
    calls = [(call.name, call.arguments, call.raw) for m in spoken for call in m.tool_calls]
    assert [(call.name, call.arguments, call.raw) for m in again.messages for call in m.tool_calls] == calls
    top = "\n".join(t for m in session.messages if m.role == "system" and (t := text_with_images(m)).strip())
    assert [m.content for m in again.messages if m.role == "system"] == ([top] if top else [])


def content(message: dict[str, Any]) -> list[dict[str, Any]]:
    """The blocks of a message of Anthropic's."""
    blocks = message["content"]
    return blocks if isinstance(blocks, list) else [{"type": "text", "text": blocks}]


@pytest.mark.parametrize("session", SESSIONS)
def test_anthropic_takes_the_messages(session: Session) -> None:
    """Roles alternate from the user on; the results of a message are those of the calls just before, and stand first in it."""
    messages = to_anthropic(session.messages)["messages"]
    assert [m["role"] for m in messages] == ["user" if k % 2 == 0 else "assistant" for k in range(len(messages))]
    asked: list[str] = []
    for message in [*messages, {"content": []}]:
        kinds = [block["type"] for block in content(message)]
        assert sorted(b["tool_use_id"] for b in content(message) if b["type"] == "tool_result") == sorted(asked)
        assert kinds[: len(asked)] == ["tool_result"] * len(asked)
        asked = [block["id"] for block in content(message) if block["type"] == "tool_use"]
        assert all(re.fullmatch("[a-zA-Z0-9_-]+", id) for id in asked)


@pytest.mark.parametrize("session", SESSIONS)
def test_openai_takes_the_messages(session: Session) -> None:
    """Directly after its calls stands a result for each and for no other; an assistant's message has text or calls."""
    asked: list[str] = []
    for message in [*to_openai(session.messages), {"role": "end"}]:
        if message["role"] == "tool":
            asked.remove(message["tool_call_id"])
            continue
        assert asked == []
        asked = [call["id"] for call in message.get("tool_calls", [])]
        assert message["role"] != "assistant" or message["content"] or asked


WINDOW = [
    Message(role="system", content="Be brief."),
    Message(role="user", content="Look", images=(Image(),)),
    Message(
        role="assistant",
        thinking="Hm",
        tool_calls=(ToolCall(id="a:1", name="add", arguments={"a": 1}), ToolCall(id="b", name="add", arguments="{a")),
    ),
    Message(role="tool", content="1", tool_call_id="a:1"),
    Message(role="tool", content="error: no JSON", tool_call_id="b", is_error=True),
    Message(role="system", content="Summary", injected="summary"),
    Message(role="user", content="Thanks"),
    Message(role="user", content="Bye"),
    Message(role="assistant", thinking="Nothing to say"),
    Message(role="tool", content="2", tool_call_id="nobody's"),
    Message(role="assistant", content="One more", tool_calls=(ToolCall(id="c", name="add", arguments={}),)),
]


def test_openai_messages_as_they_are_written() -> None:
    """In their order; ids and broken arguments stay what they were. Half of a pair and an empty message are not there."""

    def call(id: str, arguments: str) -> dict[str, Any]:
        return {"id": id, "type": "function", "function": {"name": "add", "arguments": arguments}}

    assert to_openai(WINDOW) == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Look\n[image]"},
        {"role": "assistant", "content": None, "tool_calls": [call("a:1", '{"a": 1}'), call("b", "{a")]},
        {"role": "tool", "tool_call_id": "a:1", "content": "1"},
        {"role": "tool", "tool_call_id": "b", "content": "error: no JSON"},
        {"role": "system", "content": "Summary"},
        {"role": "user", "content": "Thanks"},
        {"role": "user", "content": "Bye"},
        {"role": "assistant", "content": "One more"},
    ]


def test_anthropic_messages_as_they_are_written() -> None:
    """Instructions at the top, neighbours of one role in one message. Half of a pair and an empty message are not there."""
    broken = {"type": "tool_use", "id": "b", "name": "add", "input": {"INVALID_JSON": "{a"}}
    failed = {"type": "tool_result", "tool_use_id": "b", "content": "error: no JSON", "is_error": True}
    assert to_anthropic(WINDOW) == {
        "system": [{"type": "text", "text": "Be brief."}, {"type": "text", "text": "Summary"}],
        "messages": [
            {"role": "user", "content": "Look\n[image]"},
            {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": "a_1", "name": "add", "input": {"a": 1}}, broken],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "a_1", "content": "1"},
                    failed,
                    {"type": "text", "text": "Thanks"},
                    {"type": "text", "text": "Bye"},
                ],
            },
            {"role": "assistant", "content": "One more"},
        ],
    }
