"""OpenAI's Chat Completions, and servers like it: exact bodies by the real SDK, and what replies come to."""

from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from core.llm import Counts, Shows, Streams, connect, provider
from core.llm.endpoint import Endpoint
from core.llm.openai_chat import ChatLLM
from core.model.session import Image, Message, ToolCall, Usage
from tests.llm.replies import ADD, CHAT, HELLO, KEY, SYSTEM, answer, call, calling, chat_says, sent


def openai(server: HTTPServer, model: str, **settings: Any) -> ChatLLM:
    """A model at an address that is taken for OpenAI's own."""
    own = provider("openai-chat").model_copy(update={"base_url": server.url_for("/v1")})
    return ChatLLM(Endpoint(own, model, own.base_url, KEY), settings.get("max_output"))


def test_a_request_as_it_goes_out(httpserver: HTTPServer) -> None:
    """Messages, tools and key as the API has them; nothing else is in the body."""
    httpserver.expect_oneshot_request("/v1/chat/completions", method="POST").respond_with_json(
        chat_says({"content": "Hi"})
    )
    model = openai(httpserver, "gpt-6-luna", max_output=100)

    reply = model.complete([SYSTEM, HELLO], [ADD])

    expected = {
        "model": "gpt-6-luna",
        "messages": [{"role": "developer", "content": "Be brief."}, {"role": "user", "content": "Hello"}],
        "tools": [{"type": "function", "function": ADD}],
        "max_completion_tokens": 100,
    }
    assert sent(httpserver) == [expected]
    assert model.request([SYSTEM, HELLO], [ADD]) == expected
    assert httpserver.log[0][0].headers["Authorization"] == f"Bearer {KEY}"
    assert (reply.role, reply.content, reply.reply_id, reply.model) == ("assistant", "Hi", "chatcmpl-1", "gpt-6-luna")
    assert reply.usage == Usage(input_uncached=10, cache_read=100, cache_write=20, output=5)


@pytest.mark.parametrize(
    ("model", "role"),
    [
        ("o3", "developer"),
        ("o4-mini", "developer"),
        ("gpt-5.5-2026-04-23", "developer"),
        ("gpt-5", "developer"),
        ("gpt-6.1-sol", "developer"),
        ("gpt-4.1", "system"),
        ("gpt-4o", "system"),
        ("gpt-3.5-turbo", "system"),
    ],
)
def test_instructions_have_the_role_the_model_wants(httpserver: HTTPServer, model: str, role: str) -> None:
    """Models that reason take a developer's message, older ones a system's; summaries stand in their place."""
    summary = Message(role="system", content="Summary", injected="summary")
    found = openai(httpserver, model).request([SYSTEM, HELLO, summary])["messages"]
    assert [m["role"] for m in found] == [role, "user", role]


def test_a_compatible_server_takes_system_and_the_old_limit(httpserver: HTTPServer) -> None:
    """Whatever the model is called: such a server fills a template that knows of no developer."""
    body = CHAT.model(httpserver, model="gpt-5.5", max_output=50).request([SYSTEM, HELLO])
    assert body["messages"][0]["role"] == "system"
    assert (body["max_tokens"], "max_completion_tokens" in body, "tools" in body) == (50, False, False)


def test_a_compatible_server_needs_no_key(httpserver: HTTPServer) -> None:
    """A placeholder is sent to it, and the key of the environment is not."""
    httpserver.expect_oneshot_request("/v1/chat/completions").respond_with_json(chat_says({"content": "Hi"}))
    model = connect("openai-compatible", "llama", base_url=httpserver.url_for("/v1"))
    assert model.complete([HELLO], []).content == "Hi"
    assert httpserver.log[0][0].headers["Authorization"] == "Bearer none"


def test_it_cannot_count() -> None:
    """There is no endpoint that counts: the model has no such ability. It streams and shows its request."""
    model = connect("openai-chat", "gpt-4.1", KEY)
    assert not isinstance(model, Counts)
    assert isinstance(model, Streams)
    assert isinstance(model, Shows)


def test_results_follow_their_calls(httpserver: HTTPServer) -> None:
    """Parallel calls are one message, their results come next, and what stood between them comes after."""
    window = [
        HELLO,
        calling(call("a", a=1), call("b", a=2)),
        answer("b", "2"),
        Message(role="user", content="Hurry"),
        answer("a", "1"),
    ]
    calls = [
        {"id": id, "type": "function", "function": {"name": "add", "arguments": arguments}}
        for id, arguments in (("a", '{"a": 1}'), ("b", '{"a": 2}'))
    ]
    assert CHAT.model(httpserver).request(window)["messages"] == [
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": None, "tool_calls": calls},
        {"role": "tool", "tool_call_id": "b", "content": "2"},
        {"role": "tool", "tool_call_id": "a", "content": "1"},
        {"role": "user", "content": "Hurry"},
    ]


def test_what_cannot_be_sent_as_it_is(httpserver: HTTPServer) -> None:
    """Arguments that were no JSON are sent as JSON; a picture is a word; an empty window says something."""
    model = CHAT.model(httpserver)
    window = [
        Message(role="user", content="", images=(Image(),)),
        calling(ToolCall(id="a", name="add", arguments="{a")),
        answer("a"),
        Message(role="assistant", thinking="Hm"),
    ]
    found = model.request(window)["messages"]
    assert found[0] == {"role": "user", "content": "[image]"}
    assert found[1]["tool_calls"][0]["function"]["arguments"] == '{"INVALID_JSON": "{a"}'
    assert len(found) == 3
    assert model.request([])["messages"] == [{"role": "user", "content": "Continue."}]


def test_parallel_calls_and_thoughts_of_a_reply(httpserver: HTTPServer) -> None:
    """Each call is one; no arguments are none, what is no object is kept; ids that are missing are made."""
    functions = [("a", '{"a": 1}'), ("b", ""), ("b", "[1]"), ("", '{"a": ')]
    calls = [{"id": id, "type": "function", "function": {"name": "add", "arguments": text}} for id, text in functions]
    said = {"content": None, "reasoning_content": "Add them.", "tool_calls": calls}
    httpserver.expect_request("/v1/chat/completions").respond_with_json(chat_says(said, "tool_calls"))

    reply = CHAT.model(httpserver).complete([HELLO], [ADD])

    assert (reply.content, reply.thinking) == ("", "Add them.")
    assert reply.tool_calls == (
        call("a", a=1),
        call("b"),
        ToolCall(id="chatcmpl-1-3", name="add", raw="[1]"),
        ToolCall(id="chatcmpl-1-4", name="add", raw='{"a": '),
    )


def test_a_reply_without_usage_has_none(httpserver: HTTPServer) -> None:
    """A server that tells no tokens is not taken to have used none."""
    httpserver.expect_request("/v1/chat/completions").respond_with_json(chat_says({"content": "Hi"}, usage=None))
    assert CHAT.model(httpserver).complete([HELLO], []).usage is None
