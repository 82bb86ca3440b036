"""OpenAI's Responses API: exact bodies by the real SDK, and what replies come to."""

import pytest
from pytest_httpserver import HTTPServer

from core.llm import Counts, provider
from core.llm.endpoint import Endpoint
from core.llm.openai_responses import ResponsesLLM
from core.model.errors import ModelError
from core.model.session import Message, ToolCall, Usage
from tests.llm.replies import ADD, HELLO, KEY, RESPONSES, SYSTEM, answer, call, calling, item, response_says, sent


def openai(server: HTTPServer, model: str = "gpt-6-luna", max_output: int | None = None) -> ResponsesLLM:
    """A model at an address that is taken for OpenAI's own."""
    own = provider("openai-responses").model_copy(update={"base_url": server.url_for("/v1")})
    return ResponsesLLM(Endpoint(own, model, own.base_url, KEY, max_retries=0), max_output)


def test_a_request_as_it_goes_out(httpserver: HTTPServer) -> None:
    """Instructions apart, nothing stored, tools that are not strict."""
    httpserver.expect_oneshot_request("/v1/responses", method="POST").respond_with_json(response_says(item("Hi")))
    model = openai(httpserver, max_output=100)

    reply = model.complete([SYSTEM, HELLO], [ADD])

    expected = {
        "model": "gpt-6-luna",
        "input": [{"role": "user", "content": "Hello"}],
        "instructions": "Be brief.",
        "store": False,
        "tools": [{"type": "function", **ADD, "strict": False}],
        "max_output_tokens": 100,
    }
    assert sent(httpserver) == [expected]
    assert model.request([SYSTEM, HELLO], [ADD]) == expected
    assert httpserver.log[0][0].headers["Authorization"] == f"Bearer {KEY}"
    assert (reply.role, reply.content, reply.reply_id, reply.model) == ("assistant", "Hi", "resp_1", "gpt-6-luna")
    assert reply.usage == Usage(input_uncached=10, cache_read=100, cache_write=20, output=5)


def test_tokens_are_counted_by_the_provider(httpserver: HTTPServer) -> None:
    """The count asks for what would be sent, without what is not of the prompt."""
    httpserver.expect_oneshot_request("/v1/responses/input_tokens").respond_with_json(
        {"input_tokens": 42, "object": "response.input_tokens"}
    )
    model = openai(httpserver, max_output=100)
    assert isinstance(model, Counts)

    assert model.count_tokens([SYSTEM, HELLO], [ADD]) == 42
    expected = model.request([SYSTEM, HELLO], [ADD])
    del expected["store"], expected["max_output_tokens"]
    assert sent(httpserver) == [expected]


def test_calls_results_and_summaries_are_items(httpserver: HTTPServer) -> None:
    """In their order, each in its place; thoughts are not sent back."""
    summary = Message(role="system", content="Summary", injected="summary")
    window = [
        SYSTEM,
        summary,
        HELLO,
        calling(call("a", a=1), ToolCall(id="b", name="add", arguments="{a"), content="Adding"),
        answer("b", "error: no JSON"),
        answer("a", "1"),
        Message(role="assistant", content="Done", thinking="Hm"),
    ]
    assert openai(httpserver).request(window)["input"] == [
        {"role": "developer", "content": "Summary"},
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Adding"},
        {"type": "function_call", "call_id": "a", "name": "add", "arguments": '{"a": 1}'},
        {"type": "function_call", "call_id": "b", "name": "add", "arguments": '{"INVALID_JSON": "{a"}'},
        {"type": "function_call_output", "call_id": "b", "output": "error: no JSON"},
        {"type": "function_call_output", "call_id": "a", "output": "1"},
        {"role": "assistant", "content": "Done"},
    ]


def test_older_models_and_other_servers_take_system(httpserver: HTTPServer) -> None:
    """A later instruction is a system's item there; a window without messages says something."""
    later = Message(role="system", content="Now")
    assert openai(httpserver, "gpt-4.1").request([HELLO, later])["input"][1]["role"] == "system"
    assert RESPONSES.model(httpserver, model="gpt-5.5").request([HELLO, later])["input"][1]["role"] == "system"
    assert openai(httpserver).request([SYSTEM])["input"] == [{"role": "user", "content": "Continue."}]


def test_parallel_calls_and_thoughts_of_a_reply(httpserver: HTTPServer) -> None:
    """Each call is one by the id its result will name; summaries of thoughts are kept."""
    items = [
        {"type": "reasoning", "id": "rs", "summary": [{"type": "summary_text", "text": "Add them."}]},
        item("Adding."),
        {"type": "function_call", "id": "fc_1", "call_id": "a", "name": "add", "arguments": '{"a": 1}'},
        {"type": "function_call", "id": "fc_2", "call_id": "b", "name": "add", "arguments": '{"a": '},
    ]
    httpserver.expect_request("/v1/responses").respond_with_json(response_says(*items))

    reply = RESPONSES.model(httpserver).complete([HELLO], [ADD])

    assert (reply.content, reply.thinking) == ("Adding.", "Add them.")
    assert reply.tool_calls == (call("a", a=1), ToolCall(id="b", name="add", raw='{"a": '))


def test_a_response_that_failed_is_an_error(httpserver: HTTPServer) -> None:
    """The API may answer 200 and say that it failed."""
    error = {"code": "rate_limit_exceeded", "message": "Too fast"}
    httpserver.expect_request("/v1/responses").respond_with_json(response_says(status="failed", error=error))
    with pytest.raises(ModelError, match="Too fast") as caught:
        RESPONSES.model(httpserver).complete([HELLO], [])
    assert caught.value.kind == "rate_limit"
