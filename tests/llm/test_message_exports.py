"""Sessions as the messages of a provider, which open again as the same."""

import json
from pathlib import Path
from typing import Any

import pytest

from core import Message, Session, ToolCall, load, load_all
from core.llm.bodies import text_with_images
from core.llm.exports import to_anthropic, to_openai
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


def comparable(message: Message) -> tuple[Any, ...]:
    """What must be the same again; a picture is a word by then."""
    calls = [(call.id, call.name, call.arguments, call.raw) for call in message.tool_calls]
    return message.role, text_with_images(message), calls, message.tool_call_id or None


def test_there_are_samples() -> None:
    """Of many formats: the tests below are about something."""
    assert len({param.values[0].format for param in SESSIONS}) > 15


@pytest.mark.parametrize("session", SESSIONS)
def test_openai_messages_open_as_the_same(session: Session) -> None:
    """Message for message: role, text, calls, and the call that a result answers."""
    again = opened(to_openai(session.messages))
    assert again.format == "openai-chat"
    assert [comparable(m) for m in again.messages] == [comparable(m) for m in session.messages]


@pytest.mark.parametrize("session", SESSIONS)
def test_anthropic_messages_open_as_the_same(session: Session) -> None:
    """System messages are one, at the top; the others are the same in their order, but for those without a word."""
    again = opened(to_anthropic(session.messages))
    assert again.format == "anthropic-messages"
    spoken = [m for m in session.messages if m.role == "tool" or text_with_images(m).strip() or m.tool_calls]
    assert [comparable(m) for m in again.messages if m.role != "system"] == [
        comparable(m) for m in spoken if m.role != "system"
    ]
    top = "\n".join(text_with_images(m) for m in spoken if m.role == "system")
    assert [m.content for m in again.messages if m.role == "system"] == ([top] if top else [])


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
]


def test_openai_messages_as_they_are_written() -> None:
    """One for one; ids and broken arguments stay what they were."""

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
    ]


def test_anthropic_messages_as_they_are_written() -> None:
    """Instructions at the top, results in one message, neighbours of one role apart."""
    broken = {"type": "tool_use", "id": "b", "name": "add", "input": {"INVALID_JSON": "{a"}}
    failed = {"type": "tool_result", "tool_use_id": "b", "content": "error: no JSON", "is_error": True}
    assert to_anthropic(WINDOW) == {
        "system": [{"type": "text", "text": "Be brief."}, {"type": "text", "text": "Summary"}],
        "messages": [
            {"role": "user", "content": "Look\n[image]"},
            {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": "a:1", "name": "add", "input": {"a": 1}}, broken],
            },
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a:1", "content": "1"}, failed]},
            {"role": "user", "content": "Thanks"},
            {"role": "user", "content": "Bye"},
        ],
    }
