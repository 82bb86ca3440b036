"""OpenAI chat: lists, requests, responses, logs of both, runs."""

import json
from typing import Any

from core.importers import load
from core.model import Session, Usage


def session(value: Any) -> Session:
    """What load makes of the value."""
    return load(name="x.json", data=json.dumps(value).encode())


def call(arguments: Any, id: str = "c1") -> dict[str, Any]:
    """A call of `add`."""
    return {"id": id, "type": "function", "function": {"name": "add", "arguments": arguments}}


def test_roles_and_tool_pairs():
    """A developer is a system message, a function result a tool message; arguments are decoded, results named."""
    found = session(
        [
            {"role": "developer", "content": "Be brief."},
            {"role": "user", "content": [{"type": "text", "text": "add"}, {"type": "text", "text": "these"}]},
            {"role": "assistant", "content": None, "tool_calls": [call('{"a": 1}')], "reasoning_content": "so"},
            {"role": "tool", "tool_call_id": "c1", "content": [{"type": "text", "text": "1"}]},
            {"role": "function", "name": "old", "content": "2"},
        ]
    )
    assert [m.role for m in found.messages] == ["system", "user", "assistant", "tool", "tool"]
    assert [m.content for m in found.messages] == ["Be brief.", "add\nthese", "", "1", "2"]
    assert (found.messages[2].tool_calls[0].arguments, found.messages[2].thinking) == ({"a": 1}, "so")
    assert [m.name for m in found.messages[3:]] == ["add", "old"]
    assert (found.format, found.title, found.turns) == ("openai-chat", "add", 1)


def test_arguments_that_do_not_decode_stay_text():
    """Invalid JSON is kept as it was; an object that was never a string is taken as it is."""
    calls = [call("{broken"), call({"b": 2}, "c2"), call("[1]", "c3")]
    found = session([{"role": "assistant", "content": "", "tool_calls": calls}]).messages[0].tool_calls
    assert [(c.arguments, c.raw) for c in found] == [({}, "{broken"), ({"b": 2}, None), ({}, "[1]")]


def test_a_log_of_request_and_response():
    """The reply comes last, with its usage; cached tokens are taken out of the prompt's."""
    usage = {"prompt_tokens": 100, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 60}}
    response = {
        "id": "r1",
        "model": "gpt-x",
        "choices": [{"message": {"role": "assistant", "content": "hi"}}],
        "usage": usage,
    }
    found = session({"messages": [{"role": "user", "content": "hello"}], "response": response, "cost": 0.1})
    assert [m.content for m in found.messages] == ["hello", "hi"]
    assert found.usage == found.messages[1].usage == Usage(input_uncached=40, cache_read=60, output=7)
    assert (found.messages[1].reply_id, found.model) == ("r1", "gpt-x")


def test_a_response_alone():
    """A chat completion is a session of one message; further choices are said."""
    choices = [{"message": {"role": "assistant", "content": c}} for c in ("one", "two")]
    found = session({"object": "chat.completion", "model": "gpt-x", "choices": choices})
    assert ([m.content for m in found.messages], found.notes) == (
        ["one"],
        ("the reply has 2 choices; this is the first",),
    )


def test_of_several_runs_the_first():
    """A file of runs opens with its first, and says how many there are."""
    runs = [{"task_id": i, "traj": [{"role": "user", "content": f"run {i}"}]} for i in range(3)]
    found = session(runs)
    assert ([m.content for m in found.messages], found.notes) == (
        ["run 0"],
        ("the file holds 3 runs; this is the first",),
    )


def test_pictures_by_address():
    """A picture keeps its address; it is no text."""
    content = [
        {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
        {"type": "text", "text": "look"},
    ]
    (message,) = session([{"role": "user", "content": content}]).messages
    assert (message.content, message.images[0].source) == ("look", "https://example.org/a.png")


def test_equal_messages_have_ids_of_their_own():
    """Ids are made of the text; a second message that says the same is told apart."""
    first, second = session([{"role": "user", "content": "hi"}] * 2).messages
    assert second.id == f"{first.id}~2"


def test_an_empty_list_is_a_session_of_no_messages() -> None:
    """A window that nothing has been said in yet opens, and says that it is empty."""
    session = load(name="x.json", data=b"[]")

    assert session.messages == ()
    assert session.notes == ("the list holds no messages",)
