"""What a reply cost, where its usage says so: from a local server through the real SDKs."""

from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from core.llm.reply import reported_cost
from tests.llm.replies import (
    ANTHROPIC,
    CHAT,
    HELLO,
    RESPONSES,
    chat_says,
    claude_says,
    events,
    item,
    response_says,
    streaming,
    text,
)

TOKENS = {"prompt_tokens": 194, "completion_tokens": 2, "total_tokens": 196}


@pytest.mark.parametrize(
    ("api", "reply"),
    [
        (ANTHROPIC, claude_says(text("Hi"), usage={"input_tokens": 194, "output_tokens": 2, "cost": 0.0123})),
        (CHAT, chat_says({"content": "Hi"}, usage=TOKENS | {"cost": 0.0123})),
        (RESPONSES, response_says(item("Hi"), usage={"input_tokens": 194, "output_tokens": 2, "cost": 0.0123})),
    ],
    ids=lambda value: getattr(value, "provider", ""),
)
def test_the_cost_of_a_whole_reply(httpserver: HTTPServer, api: Any, reply: Any) -> None:
    """It stands beside the tokens, as the server reported it."""
    httpserver.expect_request(api.path).respond_with_json(reply)
    usage = api.model(httpserver).complete([HELLO], []).usage
    assert (usage.input_uncached, usage.output, usage.cost) == (194, 2, 0.0123)


def test_the_cost_of_a_stream(httpserver: HTTPServer) -> None:
    """It comes with the last chunk, as OpenRouter and LiteLLM send it."""
    known = {"id": "gen-1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    said = {**known, "choices": [{"index": 0, "delta": {"content": "Hi"}, "finish_reason": None}]}
    ended = {**known, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    last = {**known, "choices": [], "usage": TOKENS | {"cost": 0.95, "cost_details": {"upstream_inference_cost": None}}}
    httpserver.expect_request(CHAT.path).respond_with_handler(
        streaming([*events(said, ended, last), "data: [DONE]\n\n"])
    )
    reply = CHAT.model(httpserver).stream([HELLO], [], lambda text: None, lambda: False)
    assert (reply.content, reply.usage and reply.usage.cost) == ("Hi", 0.95)


@pytest.mark.parametrize(
    ("usage", "cost"),
    [
        ({}, None),
        ({"cost": None}, None),
        ({"cost": 0}, 0.0),
        ({"cost": 0.5, "cost_details": {"upstream_inference_cost": 0.5}, "is_byok": False}, 0.5),
        ({"cost": 0.5, "cost_details": {"upstream_inference_cost": 9.5}, "is_byok": True}, 10.0),
        ({"cost": 0.5, "cost_details": {"upstream_inference_cost": None}, "is_byok": True}, None),
        ({"cost": 0.5, "is_byok": True}, None),
        ({"cost": "0.5"}, None),
        ({"cost": True}, None),
        ({"cost": -0.5}, None),
        ({"cost": float("nan")}, None),
        ({"cost": 10**400}, None),
        ({"cost": {"total_cost": 0.5}}, None),
    ],
)
def test_a_cost_is_known_or_it_is_not(usage: dict[str, Any], cost: float | None) -> None:
    """Of a call with a provider's own key the fee alone is not the cost; what is no amount is none; 0 is a cost."""
    assert reported_cost(usage) == cost
