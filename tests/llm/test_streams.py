"""Streams of all three interfaces, from a local server to the real SDKs: whole, cut, stopped."""

import threading
from collections.abc import Iterator

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from core.llm.adapter import Adapter
from core.model.errors import ModelError, RunCancelledError
from core.model.session import Message, ToolCall, Usage
from core.toolbox.tools import ToolRegistry, tool
from tests.llm.replies import ADD, ANTHROPIC, APIS, CHAT, HELLO, RESPONSES, Api, call, events, sent, streaming

apis = pytest.mark.parametrize("api", APIS, ids=lambda api: api.provider)


def never() -> bool:
    """No stop."""
    return False


def heard_of(model: Adapter) -> tuple[Message, list[str]]:
    """The reply of a stream, and the pieces of text as they were told."""
    heard: list[str] = []
    return model.stream([HELLO], [ADD], heard.append, never), heard


@apis
def test_a_text_is_told_as_it_comes(httpserver: HTTPServer, api: Api) -> None:
    """Piece by piece; the reply is what `complete` gives, with its usage; the request says that it streams."""
    httpserver.expect_request(api.path).respond_with_handler(streaming(api.streams("Hel", "lo", " there")))
    model = api.model(httpserver)

    reply, heard = heard_of(model)

    assert heard == ["Hel", "lo", " there"]
    assert (reply.content, reply.role, bool(reply.reply_id)) == ("Hello there", "assistant", True)
    request = sent(httpserver, api.path)[0]
    assert request["stream"] is True
    options = {"stream_options": {"include_usage": True}} if api is CHAT else {}
    assert request == model.request([HELLO], [ADD]) | {"stream": True} | options == model.request([HELLO], [ADD], True)


@pytest.mark.parametrize(
    ("api", "expected"),
    [
        (ANTHROPIC, Usage(input_uncached=10, cache_read=100, cache_write=20, output=7)),
        (CHAT, Usage(input_uncached=130, output=7)),
        (RESPONSES, Usage(input_uncached=10, cache_read=100, cache_write=20, output=5)),
    ],
    ids=lambda value: getattr(value, "provider", ""),
)
def test_usage_of_a_stream(httpserver: HTTPServer, api: Api, expected: Usage) -> None:
    """Tokens are the last that the stream tells."""
    httpserver.expect_request(api.path).respond_with_handler(streaming(api.streams("Hello")))
    assert heard_of(api.model(httpserver))[0].usage == expected


@apis
def test_parallel_calls_come_in_pieces(httpserver: HTTPServer, api: Api) -> None:
    """Pieces of JSON are put together, call by call; one without arguments has none."""
    calls = [("a", "add", ['{"a"', ": 1}"]), ("b", "add", []), ("c", "add", ['{"a": 2', "}"])]
    httpserver.expect_request(api.path).respond_with_handler(streaming(api.streams("So:", calls=calls)))
    reply, heard = heard_of(api.model(httpserver))
    assert (reply.content, heard) == ("So:", ["So:"])
    assert reply.tool_calls == (call("a", a=1), call("b"), call("c", a=2))


@apis
def test_broken_json_of_a_call_reaches_the_model_as_an_error(httpserver: HTTPServer, api: Api) -> None:
    """The call keeps the text, the registry answers it with an error, and both can be sent."""

    @tool
    def add(a: int) -> int:
        """Add."""
        return a

    streams = api.streams(calls=[("a", "add", ['{"a": ', "1"])])
    httpserver.expect_request(api.path).respond_with_handler(streaming(streams))
    model = api.model(httpserver)

    reply, _ = heard_of(model)
    answer = ToolRegistry(add).answer(reply.tool_calls[0])

    assert reply.tool_calls == (ToolCall(id="a", name="add", raw='{"a": 1'),)
    assert (answer.content, answer.is_error) == ('error: the arguments of add are not a JSON object: {"a": 1', True)
    assert "INVALID_JSON" in str(model.request([HELLO, reply, answer]))


@apis
@pytest.mark.parametrize("missing", [0, 50])
def test_a_stream_that_breaks_off(httpserver: HTTPServer, api: Api, missing: int) -> None:
    """Whether the connection is lost or the server just ends: no reply, but how much had come."""
    begun = api.streams("Hel", "lo", " there")[:-3] if api is not RESPONSES else api.streams("Hel", "lo")[:-1]
    httpserver.expect_request(api.path).respond_with_handler(streaming(begun, missing))
    with pytest.raises(ModelError, match="was interrupted") as caught:
        heard_of(api.model(httpserver))
    assert caught.value.kind == "cut_off"
    assert "characters of text had arrived" in caught.value.hint


@apis
def test_a_stream_of_nothing(httpserver: HTTPServer, api: Api) -> None:
    """Where the server ends before it begins, that is said."""
    httpserver.expect_request(api.path).respond_with_handler(streaming([], missing=10))
    with pytest.raises(ModelError) as caught:
        heard_of(api.model(httpserver))
    assert caught.value.kind in ("cut_off", "network")


@apis
def test_an_answer_that_is_no_stream(httpserver: HTTPServer, api: Api) -> None:
    """A page of HTML with status 200, from a wrong base URL, is not a reply that was cut off: the address is asked about."""
    httpserver.expect_request(api.path).respond_with_data("<html>Welcome</html>", content_type="text/html")
    with pytest.raises(ModelError, match="cannot be read: no event of a stream came") as caught:
        heard_of(api.model(httpserver))
    assert caught.value.kind == "bad_reply"
    assert caught.value.hint.endswith("The base URL says where requests go")


@apis
def test_a_text_cut_at_the_limit_says_so(httpserver: HTTPServer, api: Api) -> None:
    """It stands as it came, with a last line for whoever reads it; that line is told too."""
    httpserver.expect_request(api.path).respond_with_handler(streaming(api.streams("Once upon", stop=api.cut)))
    reply, heard = heard_of(api.model(httpserver))
    assert reply.content == "Once upon\n[cut off: the reply reached its output limit]"
    assert "".join(heard) == reply.content


@apis
def test_a_call_cut_at_the_limit_is_no_call(httpserver: HTTPServer, api: Api) -> None:
    """Half of its arguments may be missing: it is not done, whatever its JSON looks like."""
    streams = api.streams("So:", calls=[("a", "add", ['{"a": 1}'])], stop=api.cut)
    httpserver.expect_request(api.path).respond_with_handler(streaming(streams))
    with pytest.raises(ModelError, match="in the middle of a call of add") as caught:
        heard_of(api.model(httpserver))
    assert caught.value.kind == "cut_off"


@apis
def test_an_error_in_the_middle_of_a_stream(httpserver: HTTPServer, api: Api) -> None:
    """It has the kind it would have had at the start."""
    error = {"type": "overloaded_error", "message": "Overloaded"}
    told = {"type": "error", "error": error} if api is ANTHROPIC else {"error": error | {"code": "slow_down"}}
    begun = [*api.streams("Hel", "lo")[:3], *events(told)]
    httpserver.expect_request(api.path).respond_with_handler(streaming(begun))
    with pytest.raises(ModelError, match="Overloaded") as caught:
        heard_of(api.model(httpserver))
    assert caught.value.kind == "overloaded"


class Slow:
    """A server that says a little, then nothing until it is let go; `gone` is set once it sees that nobody listens."""

    def __init__(self, pieces: list[str], first: float = 0) -> None:
        self.pieces, self.first = pieces, first
        self.asked, self.let_go, self.gone = threading.Event(), threading.Event(), threading.Event()

    def __call__(self, request: Request) -> Response:
        """Answer a request."""
        self.asked.set()
        if self.first:
            self.let_go.wait(self.first)
        return Response(self._said(), mimetype="text/event-stream")

    def _said(self) -> Iterator[bytes]:
        try:
            yield from (piece.encode() for piece in self.pieces)
            while not self.let_go.wait(0.02):
                yield b": still there\n\n"
        finally:
            self.gone.set()


@apis
def test_a_stop_in_the_middle_ends_the_stream(httpserver: HTTPServer, api: Api) -> None:
    """The call ends, what came was told, and the server learns that nobody listens any more."""
    slow = Slow(api.streams("Hel", "lo", " there")[:-3] if api is not RESPONSES else api.streams("Hel", "lo")[:-1])
    httpserver.expect_request(api.path).respond_with_handler(slow)
    heard: list[str] = []
    with pytest.raises(RunCancelledError):
        api.model(httpserver).stream([HELLO], [], heard.append, lambda: len(heard) >= 2)
    assert heard == ["Hel", "lo"]
    assert slow.gone.wait(180)


@apis
def test_a_stop_while_nothing_comes(httpserver: HTTPServer, api: Api) -> None:
    """Before the first byte too: the call does not wait for the server."""
    slow = Slow([], first=30)
    httpserver.expect_request(api.path).respond_with_handler(slow)
    try:
        with pytest.raises(RunCancelledError):
            api.model(httpserver).stream([HELLO], [], lambda _: None, slow.asked.is_set)
        assert not slow.let_go.is_set()
    finally:
        slow.let_go.set()


@apis
def test_a_stop_ends_the_retries(httpserver: HTTPServer, api: Api) -> None:
    """A server that is busy is not asked again once the call was stopped."""
    asked: list[str] = []

    def busy(request: Request) -> Response:
        asked.append(request.path)
        return Response("{}", 529, {"retry-after-ms": "300"}, mimetype="application/json")

    httpserver.expect_request(api.path).respond_with_handler(busy)
    with pytest.raises(RunCancelledError):
        api.model(httpserver, max_retries=2).stream([HELLO], [], lambda _: None, lambda: bool(asked))
    for thread in threading.enumerate():
        if thread.name == "model-stream":
            thread.join(180)
    assert asked == [api.path]


def test_who_hears_may_fail(httpserver: HTTPServer) -> None:
    """An error of the one who is told is not taken for one of the model, and the stream is let go."""
    slow = Slow(ANTHROPIC.streams("Hel", "lo")[:-3])
    httpserver.expect_request(ANTHROPIC.path).respond_with_handler(slow)

    def fail(text: str) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        ANTHROPIC.model(httpserver).stream([HELLO], [], fail, never)
    assert slow.gone.wait(180)


def test_silence_is_a_timeout(httpserver: HTTPServer) -> None:
    """A server that stops talking for longer than allowed."""
    slow = Slow([], first=30)
    httpserver.expect_request(CHAT.path).respond_with_handler(slow)
    try:
        with pytest.raises(ModelError, match=r"sent nothing for 0\.2 seconds") as caught:
            CHAT.model(httpserver, timeout=0.2).complete([HELLO], [])
        assert caught.value.kind == "timeout"
    finally:
        slow.let_go.set()


def test_calls_that_all_have_the_number_0(httpserver: HTTPServer) -> None:
    """Some servers number every call 0: their ids tell them apart."""
    pieces = [("a", '{"a": 1}'), ("b", '{"a": 2}')]
    calls = [{"index": 0, "id": id, "function": {"name": "add", "arguments": text}} for id, text in pieces]
    chunks = [{"id": "c", "choices": [{"index": 0, "delta": {"tool_calls": [one]}}]} for one in calls]
    end = {"id": "c", "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}
    httpserver.expect_request(CHAT.path).respond_with_handler(streaming(events(*chunks, end)))
    assert heard_of(CHAT.model(httpserver))[0].tool_calls == (call("a", a=1), call("b", a=2))


def test_pieces_of_calls_may_be_mixed(httpserver: HTTPServer) -> None:
    """Each piece goes to the call of its number."""
    pieces = [(0, "a", '{"a"'), (1, "b", '{"a"'), (0, None, ": 1}"), (1, None, ": 2}")]
    calls = [{"index": n, "id": id, "function": {"name": "add", "arguments": text}} for n, id, text in pieces]
    chunks = [{"id": "c", "choices": [{"index": 0, "delta": {"tool_calls": [one]}}]} for one in calls]
    end = {"id": "c", "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}
    httpserver.expect_request(CHAT.path).respond_with_handler(streaming(events(*chunks, end)))
    assert heard_of(CHAT.model(httpserver))[0].tool_calls == (call("a", a=1), call("b", a=2))
