"""What goes wrong with a model call: its kind, what is said of it, and what to do. Real SDKs, a local server."""

import re
import socket
import time
from email.utils import formatdate
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from core.llm import connect, endpoint
from core.llm.adapter import Adapter
from core.llm.exchange import Exchange, NextTry, exchanging
from core.model.errors import BrokenPairError, ModelError
from tests.llm.replies import (
    ANTHROPIC,
    APIS,
    CHAT,
    HELLO,
    KEY,
    RESPONSES,
    Api,
    answer,
    call,
    calling,
    chat_says,
    claude_says,
    item,
    response_says,
    streaming,
    text,
)

apis = pytest.mark.parametrize("api", APIS, ids=lambda api: api.provider)


def failing(model: Adapter) -> ModelError:
    """The error of a call that fails."""
    with pytest.raises(ModelError) as caught:
        model.complete([HELLO], [])
    return caught.value


def answering(
    server: HTTPServer, api: Api, status: int, error: Any, headers: dict[str, str] | None = None
) -> ModelError:
    """The error of a call that a server answers with this status and error."""
    body = {"type": "error", "error": error} if isinstance(error, dict) else error
    if isinstance(error, dict):
        server.expect_request(api.path).respond_with_json(body, status, headers)
    else:
        server.expect_request(api.path).respond_with_data(body, status, headers, content_type="text/html")
    return failing(api.model(server))


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (400, "invalid_request_error", "bad_request"),
        (401, "authentication_error", "auth"),
        (402, "billing_error", "auth"),
        (403, "permission_error", "auth"),
        (404, "not_found_error", "not_found"),
        (408, "timeout_error", "timeout"),
        (413, "request_too_large", "context_too_long"),
        (422, "invalid_request_error", "bad_request"),
        (429, "rate_limit_error", "rate_limit"),
        (500, "api_error", "server"),
        (502, "", "server"),
        (503, "api_error", "overloaded"),
        (504, "timeout_error", "timeout"),
        (529, "overloaded_error", "overloaded"),
    ],
)
@apis
def test_the_kind_of_an_answer(httpserver: HTTPServer, api: Api, status: int, code: str, kind: str) -> None:
    """It follows from the status and the code; the server's own words are quoted, and the way out is named."""
    error = answering(httpserver, api, status, {"type": code, "message": "Because."})
    assert error.kind == kind
    assert str(error).endswith(": Because.")
    assert error.hint


TOO_LONG = [
    (
        ANTHROPIC,
        400,
        {"type": "invalid_request_error", "message": "prompt is too long: 208310 tokens > 200000 maximum"},
    ),
    (
        ANTHROPIC,
        400,
        {
            "type": "invalid_request_error",
            "message": "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000",
        },
    ),
    (
        CHAT,
        400,
        {
            "code": "context_length_exceeded",
            "message": "This model's maximum context length is 8192 tokens. However, your messages resulted in 10000.",
        },
    ),
    (
        RESPONSES,
        400,
        {"code": "context_length_exceeded", "message": "Your input exceeds the context window of this model."},
    ),
    (
        RESPONSES,
        400,
        {"code": "invalid", "message": "Input tokens exceed the configured limit of 272000 tokens."},
    ),
    (
        CHAT,
        400,
        {
            "code": 400,
            "message": "the request exceeds the available context size",
            "n_prompt_tokens": 5000,
            "n_ctx": 4096,
        },
    ),
    (CHAT, 400, {"message": "The decoder prompt (length 5000) is longer than the maximum model length of 4096."}),
    (CHAT, 500, {"message": "the input length exceeds the context length"}),
    (CHAT, 400, {"message": "litellm.ContextWindowExceededError: This model's maximum context length is 4096 tokens."}),
    (CHAT, 400, {"message": "This model's maximum prompt length is 131072 but the request contains 140000 tokens."}),
    (CHAT, 400, {"message": "The input token count (1100000) exceeds the maximum number of tokens allowed (1048576)."}),
]


@pytest.mark.parametrize(("api", "status", "error"), TOO_LONG, ids=[str(number) for number in range(len(TOO_LONG))])
def test_a_window_that_is_too_long(httpserver: HTTPServer, api: Api, status: int, error: dict[str, Any]) -> None:
    """It is known by the codes and words of providers and of servers like them; the numbers they tell are shown."""
    found = answering(httpserver, api, status, error)
    assert found.kind == "context_too_long"
    assert error["message"] in str(found)
    assert found.hint == "compact now, or give the policy a smaller budget"
    if "n_ctx" in error:
        assert "(5000 tokens, 4096 fit)" in str(found)


@apis
def test_no_key_is_said_before_anything_is_sent(api: Api) -> None:
    """The error names the variable of the environment, and the field."""
    with pytest.raises(ModelError, match="no key for") as caught:
        connect(api.provider)
    variable = "ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN" if api is ANTHROPIC else "OPENAI_API_KEY"
    assert caught.value.kind == "no_key"
    assert caught.value.hint == f"set {variable} in the environment, or type it into the key field"


@apis
def test_a_key_never_reaches_an_error(httpserver: HTTPServer, api: Api) -> None:
    """Servers repeat it, whole or in part, in a header's shape or in an address: it is masked."""
    said = f"Incorrect API key provided: {KEY} (sk-proj-****cret), Authorization: Bearer {KEY[3:]}, http://a:pass1@b/"
    error = answering(httpserver, api, 401, {"type": "invalid_request_error", "message": said})
    told = f"{error} {error.hint} {error!r} {error.__cause__}"
    assert "Incorrect API key provided: [key]" in told
    assert not [secret for secret in (KEY, KEY[3:], "cret", "pass1") if secret in told]


def test_an_own_key_of_any_shape_is_masked(httpserver: HTTPServer) -> None:
    """A key that looks like nothing in particular, in a page of HTML instead of an error."""
    httpserver.expect_request(CHAT.path).respond_with_data("<p>no: hunter22</p>", 500, content_type="text/html")
    error = failing(CHAT.model(httpserver, key="hunter22"))
    assert (error.kind, str(error).endswith("no: [key]")) == ("server", True)


def test_where_a_refused_key_came_from(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hint names the variable it came from, or says that none was sent."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", httpserver.url_for(""))
    httpserver.expect_request("/v1/messages").respond_with_json({"error": {"message": "no"}}, 401)
    model = connect("anthropic", max_retries=0)
    assert isinstance(model, Adapter)
    assert failing(model).hint == ("the key came from ANTHROPIC_API_KEY: check it, or type another key")
    monkeypatch.delenv("ANTHROPIC_BASE_URL")
    other = ANTHROPIC.model(httpserver, key="")
    assert failing(other).hint.startswith("no key was sent")


@apis
@pytest.mark.parametrize("status", [429, 529])
def test_the_sdk_tries_again(httpserver: HTTPServer, api: Api, status: int) -> None:
    """A server that is busy once is asked once more, and its reply is taken."""
    busy = {"error": {"type": "busy", "message": "Busy"}}
    httpserver.expect_ordered_request(api.path).respond_with_json(busy, status, {"retry-after-ms": "1"})
    httpserver.expect_ordered_request(api.path).respond_with_json(api.says("Hi"))
    assert api.model(httpserver, max_retries=2).complete([HELLO], []).content == "Hi"
    assert len(httpserver.log) == 2


@apis
def test_a_stream_is_tried_again_too(httpserver: HTTPServer, api: Api) -> None:
    """Before its first event, a stream is a request like any other."""
    busy = {"error": {"type": "busy", "message": "Busy"}}
    httpserver.expect_ordered_request(api.path).respond_with_json(busy, 529, {"retry-after-ms": "1"})
    httpserver.expect_ordered_request(api.path).respond_with_data(
        "".join(api.streams("Hi")), content_type="text/event-stream"
    )
    model = api.model(httpserver, max_retries=1)
    assert model.stream([HELLO], [], lambda _: None, lambda: False).content == "Hi"


@apis
def test_a_long_wait_is_told_and_not_waited(httpserver: HTTPServer, api: Api) -> None:
    """Where a server asks for an hour, nobody sits through it: one request, and the wait in the hint."""
    httpserver.expect_request(api.path).respond_with_json({"error": {"message": "Slow"}}, 429, {"retry-after": "3600"})
    error = failing(api.model(httpserver, max_retries=2))
    assert (error.kind, len(httpserver.log)) == ("rate_limit", 1)
    assert error.hint == "wait 3600 seconds, as the server asks, then try again"


@apis
def test_a_long_wait_until_a_date_is_told_and_not_waited(httpserver: HTTPServer, api: Api) -> None:
    """Retry-After may be a date: no SDK is left to wait until it, and no next try is promised."""
    slow, promised = {"error": {"message": "Slow"}}, list[NextTry | None]()
    until = {"retry-after": formatdate(time.time() + 3600, usegmt=True)}
    httpserver.expect_request(api.path).respond_with_json(slow, 429, until)
    with exchanging(Exchange(on_next_try=promised.append)):
        error = failing(api.model(httpserver, max_retries=2))
    assert (error.kind, len(httpserver.log), promised) == ("rate_limit", 1, [None])
    assert re.fullmatch(r"wait 3[56]\d\d seconds, as the server asks, then try again", error.hint)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "Thu, 01 Jan 1970 00:01:47 GMT"}, 7),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:47 GMT"}, 0),
        ({"retry-after": "Thu, 01 Jan 1970 00:01:47 GMT", "retry-after-ms": "2000"}, 2),
        ({"retry-after": "Thu, 01 Jan 99999999999999999999 00:00:07 GMT"}, 0),
        ({"retry-after": "soon"}, 0),
        ({}, 0),
    ],
)
def test_the_wait_until_a_date(monkeypatch: pytest.MonkeyPatch, headers: dict[str, str], seconds: float) -> None:
    """At 100 seconds past the epoch: a date that is over, or none, asks for no wait; milliseconds go before it."""
    monkeypatch.setattr(endpoint, "time", lambda: 100.0)
    assert endpoint.wait_of(headers) == seconds


def test_an_account_without_credit(httpserver: HTTPServer) -> None:
    """Waiting would not help, and is not advised."""
    error = answering(httpserver, CHAT, 429, {"code": "insufficient_quota", "message": "You exceeded your quota."})
    assert (error.kind, error.hint) == ("rate_limit", "the account has no credit left: add some, or use another key")


def test_an_address_without_v1(httpserver: HTTPServer) -> None:
    """The most common mistake with a server of one's own is named."""
    error = answering(httpserver, CHAT, 404, "<h1>Not Found</h1>")
    assert error.kind == "not_found"
    assert error.hint == "check the model's name and the base URL: it often ends in /v1"


@apis
def test_nobody_listens(api: Api) -> None:
    """Host and port are named, without the user and password of the address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    model = connect(api.provider, key=KEY, base_url=f"http://me:secret1@127.0.0.1:{port}/v1", max_retries=0)
    assert isinstance(model, Adapter)
    error = failing(model)
    assert error.kind == "network"
    assert str(error).startswith(f"no connection to 127.0.0.1:{port}: ")
    assert error.hint == "is the server running, and on this port?"
    assert "secret1" not in f"{error} {error.hint} {model!r}"
    with pytest.raises(ModelError, match="no connection"):
        model.stream([HELLO], [], lambda _: None, lambda: False)


@apis
@pytest.mark.parametrize(
    ("body", "kind"), [("<h1>Welcome</h1>", "text/html"), ("{half", "application/json"), ("[]", "application/json")]
)
def test_a_reply_that_is_none(httpserver: HTTPServer, api: Api, body: str, kind: str) -> None:
    """A page, half a JSON text, or JSON of another shape: said as such, never a crash."""
    httpserver.expect_request(api.path).respond_with_data(body, content_type=kind)
    error = failing(api.model(httpserver))
    assert error.kind == "bad_reply"
    assert "sent a reply that cannot be read" in str(error)


EMPTY = [
    (ANTHROPIC, claude_says()),
    (ANTHROPIC, claude_says(text(" "))),
    (CHAT, chat_says({"content": None})),
    (CHAT, chat_says({"content": ""}, choices=[])),
    (RESPONSES, response_says()),
]


@pytest.mark.parametrize(("api", "body"), EMPTY, ids=[str(number) for number in range(len(EMPTY))])
def test_an_empty_reply(httpserver: HTTPServer, api: Api, body: dict[str, Any]) -> None:
    """A reply without text and calls is none."""
    httpserver.expect_request(api.path).respond_with_json(body)
    assert failing(api.model(httpserver)).kind == "bad_reply"


REFUSED = [
    (ANTHROPIC, claude_says(text("I can't."), stop="refusal"), "claude-sonnet-5-5 refused: I can't."),
    (
        ANTHROPIC,
        claude_says(stop="refusal", stop_details={"type": "refusal", "category": "cyber", "explanation": "Harm."}),
        "claude-sonnet-5-5 refused: Harm.",
    ),
    (CHAT, chat_says({"content": None, "refusal": "I can't."}), "gpt-6.1-terra refused: I can't."),
    (CHAT, chat_says({"content": ""}, "content_filter"), "gpt-6.1-terra refused"),
    (
        RESPONSES,
        response_says(item("") | {"content": [{"type": "refusal", "refusal": "I can't."}]}),
        "gpt-6.1-terra refused: I can't.",
    ),
    (
        RESPONSES,
        response_says(item("Half"), status="incomplete", incomplete_details={"reason": "content_filter"}),
        "gpt-6.1-terra refused: Half",
    ),
]


@pytest.mark.parametrize(("api", "body", "said"), REFUSED, ids=[str(number) for number in range(len(REFUSED))])
def test_a_model_that_refuses(httpserver: HTTPServer, api: Api, body: dict[str, Any], said: str) -> None:
    """Its reason is told, or what it had written."""
    httpserver.expect_request(api.path).respond_with_json(body)
    error = failing(api.model(httpserver))
    assert (error.kind, str(error)) == ("refused", said)


def test_a_filter_before_the_model(httpserver: HTTPServer) -> None:
    """Azure answers so where the prompt is not let through."""
    assert answering(httpserver, CHAT, 400, {"code": "content_filter", "message": "Filtered"}).kind == "refused"


CUT = [
    (ANTHROPIC, claude_says(stop="max_tokens")),
    (ANTHROPIC, claude_says({"type": "tool_use", "id": "a", "name": "add", "input": {}}, stop="max_tokens")),
    (CHAT, chat_says({"content": ""}, "length")),
    (RESPONSES, response_says(status="incomplete", incomplete_details={"reason": "max_output_tokens"})),
]


@pytest.mark.parametrize(("api", "body"), CUT, ids=[str(number) for number in range(len(CUT))])
def test_a_reply_cut_before_it_said_anything(httpserver: HTTPServer, api: Api, body: dict[str, Any]) -> None:
    """All of the limit went into thoughts, or half a call: there is nothing to go on with."""
    httpserver.expect_request(api.path).respond_with_json(body)
    error = failing(api.model(httpserver))
    assert (error.kind, error.hint) == ("cut_off", "raise the output limit, or ask for less at once")


@apis
def test_a_text_cut_at_the_limit_stands(httpserver: HTTPServer, api: Api) -> None:
    """Its last line says that it was cut."""
    body = {
        ANTHROPIC: claude_says(text("Once"), stop="max_tokens"),
        CHAT: chat_says({"content": "Once"}, "length"),
        RESPONSES: response_says(item("Once"), status="incomplete", incomplete_details={"reason": "max_output_tokens"}),
    }[api]
    httpserver.expect_request(api.path).respond_with_json(body)
    reply = api.model(httpserver).complete([HELLO], [])
    assert reply.content == "Once\n[cut off: the reply reached its output limit]"


@apis
def test_a_broken_pair_is_never_sent(httpserver: HTTPServer, api: Api) -> None:
    """Whatever is asked of the model; the error names the pair, and no request reaches the server."""
    model = api.model(httpserver)
    window = [HELLO, calling(call("a")), HELLO]
    asked = [model.complete, model.request, lambda m, t: model.stream(m, t, lambda _: None, lambda: False)]
    asked += [model.count_tokens] if hasattr(model, "count_tokens") else []
    for ask in asked:
        with pytest.raises(BrokenPairError, match="tool call 'a'"):
            ask(window, [])
        with pytest.raises(BrokenPairError, match="tool call 'b'"):
            ask([HELLO, answer("b")], [])
    assert httpserver.log == []


def test_a_server_that_cannot_count(httpserver: HTTPServer) -> None:
    """It says so with a 404, or with something that is no number."""
    model = ANTHROPIC.model(httpserver)
    httpserver.expect_ordered_request("/v1/messages/count_tokens").respond_with_json({"error": {"message": "?"}}, 404)
    httpserver.expect_ordered_request("/v1/messages/count_tokens").respond_with_json({"total": 3})
    for kind in ("not_found", "bad_reply"):
        with pytest.raises(ModelError) as caught:
            model.count_tokens([HELLO], [])
        assert caught.value.kind == kind


def test_a_server_that_hangs_up(httpserver: HTTPServer) -> None:
    """Less comes than was promised: the reply broke off."""
    httpserver.expect_request(CHAT.path).respond_with_handler(streaming(['{"id": '], missing=50))
    assert failing(CHAT.model(httpserver)).kind in ("cut_off", "network")
