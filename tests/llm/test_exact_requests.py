"""What is shown as the request is what a local server gets, to the byte; and an address with a query keeps both apart."""

import json
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request

from core.llm import Shows, connect
from core.llm.adapter import Adapter
from core.llm.endpoint import Endpoint
from core.llm.openai_chat import ChatLLM
from core.llm.provider import Provider
from core.model.errors import ModelError
from core.model.session import Message
from tests.llm.replies import ADD, APIS, CHAT, HELLO, KEY, SYSTEM, Api, answer, call, calling, streaming

WINDOW = [
    SYSTEM,
    Message(role="user", content='Größe? "…"\n\u2028😀'),
    calling(call("c1", b=[1, 2.5, None], a={"z": True, "y": "ü"}), content="I add."),
    answer("c1"),
    Message(role="system", content="Summary of what was said.", injected="summary"),
    HELLO,
]
apis = pytest.mark.parametrize("api", APIS, ids=lambda api: api.provider)


def as_sent(body: dict[str, Any]) -> str:
    """JSON text, with no white space that is not needed."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def body_sent(server: HTTPServer, model: Adapter, tools: list[dict[str, Any]], streamed: bool) -> str:
    """The body that comes to the server when the model is asked."""
    if streamed:
        model.stream(WINDOW, tools, lambda text: None, lambda: False)
    else:
        model.complete(WINDOW, tools)
    return server.log[-1][0].get_data(as_text=True)


@apis
@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("tools", [[], [ADD]], ids=["no-tools", "tools"])
@pytest.mark.parametrize("most", [None, 100])
def test_the_request_is_what_is_sent(
    httpserver: HTTPServer, api: Api, streamed: bool, tools: list[dict[str, Any]], most: int | None
) -> None:
    """Whole or streamed, with tools or without, limited or not: the same names in the same order, the same bytes."""
    if streamed:
        httpserver.expect_request(api.path).respond_with_handler(streaming(api.streams("Hi")))
    else:
        httpserver.expect_request(api.path).respond_with_json(api.says("Hi"))
    model = api.model(httpserver, max_output=most)
    assert isinstance(model, Shows)

    got = body_sent(httpserver, model, tools, streamed)

    assert as_sent(model.request(WINDOW, tools, streamed)) == got
    assert ('"stream":true' in got) is streamed
    assert ("stream_options" in got) is (streamed and api is CHAT)
    assert "Größe?" in got


def test_the_limit_at_openai_is_in_its_place(httpserver: HTTPServer) -> None:
    """There it has another name, and stands at the same place as what is sent."""
    httpserver.expect_request(CHAT.path).respond_with_json(CHAT.says("Hi"))
    own = Provider(name="openai-chat", label="OpenAI", base_url=httpserver.url_for("/v1"))
    model = ChatLLM(Endpoint(own, "gpt-6-luna", own.base_url, KEY, max_retries=0), 100)
    assert body_sent(httpserver, model, [ADD], False) == as_sent(model.request(WINDOW, [ADD]))
    assert [*model.request(WINDOW, [ADD])] == ["model", "messages", "max_completion_tokens", "tools"]


@apis
@pytest.mark.parametrize("ending", ["", "/"])
def test_a_query_of_the_address_is_the_query_of_every_request(httpserver: HTTPServer, api: Api, ending: str) -> None:
    """The path is right, with a slash in front of the query or none, and what the values say arrives as it was meant."""
    query = {"api-key": "q q/1=", "api-version": "2026-01-01", "empty": ""}
    httpserver.expect_request(api.path, query_string=query).respond_with_json(api.says("Hi"))
    model = asking(httpserver, api, ending)
    assert model.complete([HELLO], []).content == "Hi"


@apis
def test_a_query_of_the_address_is_in_streams_too(httpserver: HTTPServer, api: Api) -> None:
    """As in whole replies."""
    query = {"api-key": "q q/1=", "api-version": "2026-01-01", "empty": ""}
    httpserver.expect_request(api.path, query_string=query).respond_with_handler(streaming(api.streams("Hi")))
    assert asking(httpserver, api, "/").stream([HELLO], [], lambda text: None, lambda: False).content == "Hi"


@pytest.mark.parametrize(
    ("api", "path"),
    [(APIS[0], "/v1/messages/count_tokens"), (APIS[2], "/v1/responses/input_tokens")],
    ids=["anthropic", "openai-responses"],
)
def test_a_query_of_the_address_is_in_counts_too(httpserver: HTTPServer, api: Api, path: str) -> None:
    """The endpoint that counts is under the same path, and beside the query it adds nothing."""
    seen: list[Request] = []
    httpserver.expect_request(path).respond_with_json({"input_tokens": 42, "object": "response.input_tokens"})
    model: Any = asking(httpserver, api, "/")
    assert model.count_tokens([HELLO], []) == 42
    seen = [request for request, _ in httpserver.log]
    assert [dict(request.args) for request in seen] == [{"api-key": "q q/1=", "api-version": "2026-01-01", "empty": ""}]


def asking(server: HTTPServer, api: Api, ending: str) -> Adapter:
    """A model at an address with a query."""
    base = server.url_for("" if api.provider == "anthropic" else "/v1").rstrip("/")
    query = "?api-key=q%20q%2F1%3D&api-version=2025-01-01&empty=&api-version=2026-01-01#part"
    return api.model(server, base_url=f"{base}{ending}{query}")


def test_a_line_is_printed_without_its_address() -> None:
    """It may hold a user, a password, a key in its query or its path; the host is enough to know it by."""
    model: Any = connect("openai-compatible", "m", KEY, "http://me:hunter2@127.0.0.1:8000/s3cr3t/v1/?api-key=swordfish")
    assert repr(model.endpoint) == "Endpoint('openai-compatible', 'm', '127.0.0.1:8000')"
    assert repr(model) == "CompatibleLLM('m', '127.0.0.1:8000')"
    assert str(model.endpoint) == repr(model.endpoint)


def test_an_error_does_not_repeat_the_secrets_of_an_address(httpserver: HTTPServer) -> None:
    """Neither the password nor the key in the query, whatever the server says of them; the version it does not know stays."""
    said = "no POST /v1/chat?api-key=swordfish, hunter2, api-version=2026-01-01"
    httpserver.expect_request(CHAT.path).respond_with_json({"error": {"message": said}}, 400)
    base = httpserver.url_for("/v1").replace("http://", "http://me:hunter2@")
    with pytest.raises(ModelError) as caught:
        CHAT.model(httpserver, base_url=f"{base}?api-key=swordfish&api-version=2026-01-01").complete([HELLO], [])
    assert str(caught.value).endswith("no POST /v1/chat?api-key=[key], [key], api-version=2026-01-01")
