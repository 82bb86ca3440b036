"""Anthropic's Messages API: exact bodies to a local server by the real SDK, and what its replies come to."""

import pytest
from pytest_httpserver import HTTPServer

from core.llm import Counts, Shows, Streams
from core.llm.anthropic_body import anthropic_body
from core.llm.endpoint import Endpoint
from core.model.session import Image, Message, ToolCall, Usage
from tests.llm.replies import ADD, ANTHROPIC, HELLO, KEY, SYSTEM, answer, call, calling, claude_says, sent, text


def body(*messages: Message) -> dict:
    """The request for these messages, without the model."""
    return {key: value for key, value in anthropic_body("m", messages, []).items() if key != "model"}


def test_a_request_as_it_goes_out(httpserver: HTTPServer) -> None:
    """Instructions are `system`, tools have their schema, the key stands in a header, and the version beside it."""
    httpserver.expect_oneshot_request("/v1/messages", method="POST").respond_with_json(claude_says(text("Hi")))
    model = ANTHROPIC.model(httpserver)

    reply = model.complete([SYSTEM, HELLO], [ADD])

    expected = {
        "model": "claude-sonnet-5-5",
        "max_tokens": 8192,
        "system": [{"type": "text", "text": "Be brief."}],
        "messages": [{"role": "user", "content": "Hello"}],
        "tools": [{"name": "add", "description": "Add two numbers.", "input_schema": ADD["parameters"]}],
    }
    assert sent(httpserver) == [expected]
    assert model.request([SYSTEM, HELLO], [ADD]) == expected
    headers = httpserver.log[0][0].headers
    assert KEY in (headers.get("X-Api-Key", ""), headers.get("Authorization", "").removeprefix("Bearer "))
    assert headers["anthropic-version"]
    assert (reply.role, reply.content, reply.reply_id, reply.model) == ("assistant", "Hi", "msg_1", "claude-sonnet-5-5")
    assert reply.usage == Usage(input_uncached=10, cache_read=100, cache_write=20, output=5)


def test_it_can_do_all_there_is_to_do(httpserver: HTTPServer) -> None:
    """It streams, counts and shows its request."""
    model = ANTHROPIC.model(httpserver)
    assert isinstance(model, Streams)
    assert isinstance(model, Counts)
    assert isinstance(model, Shows)


def test_tokens_are_counted_by_the_provider(httpserver: HTTPServer) -> None:
    """The count asks for what would be sent, without the limit of the reply."""
    httpserver.expect_oneshot_request("/v1/messages/count_tokens").respond_with_json({"input_tokens": 42})
    model = ANTHROPIC.model(httpserver)

    assert model.count_tokens([SYSTEM, HELLO], [ADD]) == 42
    expected = model.request([SYSTEM, HELLO], [ADD])
    del expected["max_tokens"]
    assert sent(httpserver) == [expected]


def test_every_system_message_goes_to_the_top() -> None:
    """Summaries in the middle of a window are blocks of `system`, in order; what stands around them is one message."""
    summary = Message(role="system", content="Summary: a was added.", injected="summary")
    found = body(SYSTEM, HELLO, summary, Message(role="user", content="Go on"))
    assert found["system"] == [text("Be brief."), text("Summary: a was added.")]
    assert found["messages"] == [{"role": "user", "content": [text("Hello"), text("Go on")]}]


def test_results_of_parallel_calls_are_one_user_message() -> None:
    """They stand right behind their calls, in front of what the user said, in the order they came."""
    window = [
        HELLO,
        calling(call("a", a=1), call("b", a=2), content="Adding"),
        answer("b", "2"),
        Message(role="user", content="Hurry"),
        answer("a", "error: no", is_error=True),
    ]
    assert body(*window)["messages"] == [
        {"role": "user", "content": "Hello"},
        {
            "role": "assistant",
            "content": [
                text("Adding"),
                {"type": "tool_use", "id": "a", "name": "add", "input": {"a": 1}},
                {"type": "tool_use", "id": "b", "name": "add", "input": {"a": 2}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "b", "content": "2"},
                {"type": "tool_result", "tool_use_id": "a", "content": "error: no", "is_error": True},
                text("Hurry"),
            ],
        },
    ]


@pytest.mark.parametrize("window", [[], [SYSTEM]])
def test_a_window_without_messages_says_continue(window: list[Message]) -> None:
    """The API wants a user's message: where none is left, one is made."""
    assert body(*window)["messages"] == [{"role": "user", "content": "Continue."}]


def test_a_window_begins_with_a_user() -> None:
    """Where an assistant's message is the first that is left, a user's is put before it."""
    found = body(calling(call("a")), answer("a"))["messages"]
    assert [m["role"] for m in found] == ["user", "assistant", "user"]
    assert found[0] == {"role": "user", "content": "Continue."}


def test_nothing_empty_is_sent() -> None:
    """Empty and white texts, and messages of nothing else, are left out; the last text of an assistant is trimmed."""
    window = [
        Message(role="system", content=" "),
        HELLO,
        Message(role="assistant", content="\n"),
        Message(role="user", content=""),
        Message(role="assistant", content="Well, \n"),
    ]
    assert body(*window) == {
        "messages": [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Well,"}]
    }
    assert body(HELLO, calling(call("a")), answer("a", " "))["messages"][2]["content"] == [
        {"type": "tool_result", "tool_use_id": "a"}
    ]


def test_a_picture_is_said_to_be_one() -> None:
    """A session has no bytes of a picture, so its place is marked."""
    seen = Message(role="user", content="Look", images=(Image(), Image()))
    assert body(seen)["messages"] == [{"role": "user", "content": "Look\n[image]\n[image]"}]


def test_a_call_that_was_no_json_is_sent_as_an_object() -> None:
    """The API takes objects only: the text is wrapped as its documentation says."""
    window = [HELLO, calling(ToolCall(id="a", name="add", arguments='{"a": ')), answer("a", "error: no JSON")]
    assert body(*window)["messages"][1]["content"] == [
        {"type": "tool_use", "id": "a", "name": "add", "input": {"INVALID_JSON": '{"a": '}}
    ]


def test_ids_are_sound_and_differ() -> None:
    """Ids with other signs, and ids that come again later, are changed together with those of their results."""
    window = [
        HELLO,
        calling(call("functions.add:0"), call("functions.add 0")),
        answer("functions.add:0", "first"),
        answer("functions.add 0", "second"),
        calling(call("functions.add:0")),
        answer("functions.add:0", "third"),
    ]
    found = body(*window)["messages"]
    assert [block["id"] for block in found[1]["content"]] == ["functions_add_0", "functions_add_0_2"]
    assert [(b["tool_use_id"], b["content"]) for b in found[2]["content"]] == [
        ("functions_add_0", "first"),
        ("functions_add_0_2", "second"),
    ]
    assert (found[3]["content"][0]["id"], found[4]["content"][0]["tool_use_id"]) == ("functions_add_0_3",) * 2


def test_calls_without_ids_are_answered_in_turn() -> None:
    """Some servers give no ids: the first result goes to the first call."""
    found = body(HELLO, calling(call(""), call("")), answer("", "first"), answer("", "second"))["messages"]
    assert [block["id"] for block in found[1]["content"]] == ["call", "call_2"]
    assert [(b["tool_use_id"], b["content"]) for b in found[2]["content"]] == [("call", "first"), ("call_2", "second")]


def test_parallel_calls_and_thoughts_of_a_reply(httpserver: HTTPServer) -> None:
    """Each call is one, thoughts are kept apart from the text, input that is no object is kept as it came."""
    blocks = [
        {"type": "thinking", "thinking": "Add them.", "signature": "s"},
        text("Adding."),
        {"type": "tool_use", "id": "a", "name": "add", "input": {"a": 1}},
        {"type": "tool_use", "id": "b", "name": "add", "input": "a=2"},
    ]
    httpserver.expect_request("/v1/messages").respond_with_json(claude_says(*blocks, stop="tool_use"))

    reply = ANTHROPIC.model(httpserver).complete([HELLO], [ADD])

    assert (reply.content, reply.thinking) == ("Adding.", "Add them.")
    assert reply.tool_calls == (call("a", a=1), ToolCall(id="b", name="add", raw="a=2"))


def test_the_limit_of_a_reply(httpserver: HTTPServer) -> None:
    """It is what is asked for; a model known to give shorter ones gets its own."""
    assert ANTHROPIC.model(httpserver, max_output=100).request([HELLO])["max_tokens"] == 100
    assert ANTHROPIC.model(httpserver, model="claude-3-opus").request([HELLO])["max_tokens"] == 4096


def test_a_model_shows_no_key(httpserver: HTTPServer) -> None:
    """Neither the model nor the line to it prints its key."""
    model = ANTHROPIC.model(httpserver)
    assert isinstance(model.endpoint, Endpoint)
    assert KEY not in f"{model!r} {model.endpoint!r} {model.request([HELLO])}"
