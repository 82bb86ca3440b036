"""What providers answer, written out, and how a test server says it: whole, or as a stream of events."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from core.llm import connect
from core.llm.adapter import Adapter
from core.model.session import Message, ToolCall
from tests.serving import PATIENCE

KEY = "sk-test-0123456789-secret"
SYSTEM = Message(role="system", content="Be brief.")
HELLO = Message(role="user", content="Hello")
ADD = {
    "name": "add",
    "description": "Add two numbers.",
    "parameters": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
}

Json = dict[str, Any]


def claude_says(*blocks: Json, stop: str = "end_turn", **more: Any) -> Json:
    """A reply of Anthropic's Messages API."""
    usage = {"input_tokens": 10, "output_tokens": 5, "cache_read_input_tokens": 100, "cache_creation_input_tokens": 20}
    known = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-5-5", "usage": usage}
    return {**known, "content": list(blocks), "stop_reason": stop, "stop_sequence": None, **more}


def text(words: str) -> Json:
    """A text block of Anthropic's."""
    return {"type": "text", "text": words}


def chat_says(message: Json, finish: str = "stop", **more: Any) -> Json:
    """A reply of OpenAI's Chat Completions."""
    usage = {"prompt_tokens": 130, "completion_tokens": 5, "total_tokens": 135}
    usage |= {"prompt_tokens_details": {"cached_tokens": 100, "cache_write_tokens": 20}}
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}
    known = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "gpt-6-luna", "usage": usage}
    return {**known, "choices": [choice], **more}


def response_says(*items: Json, status: str = "completed", **more: Any) -> Json:
    """A reply of OpenAI's Responses API."""
    usage: Json = {"input_tokens": 130, "output_tokens": 5, "total_tokens": 135}
    usage |= {"input_tokens_details": {"cached_tokens": 100, "cache_write_tokens": 20}}
    known = {"id": "resp_1", "object": "response", "created_at": 1, "model": "gpt-6-luna", "usage": usage}
    return {**known, "status": status, "output": list(items), "error": None, "incomplete_details": None, **more}


def item(words: str) -> Json:
    """An output message of the Responses API."""
    part = {"type": "output_text", "text": words, "annotations": []}
    return {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [part]}


def events(*data: Json) -> list[str]:
    """Server-sent events, each named by its type where it has one."""
    named = [(f"event: {one['type']}\n" if "type" in one else "", json.dumps(one)) for one in data]
    return [f"{name}data: {body}\n\n" for name, body in named]


def claude_streams(*pieces: str, calls: Iterable[tuple[str, str, list[str]]] = (), stop: str = "end_turn") -> list[str]:
    """A stream of Anthropic's: a text in pieces, then calls as (id, name, pieces of JSON)."""
    told: list[Json] = [{"type": "message_start", "message": {**claude_says(stop=""), "stop_reason": None}}]
    if pieces:
        told += [{"type": "content_block_start", "index": 0, "content_block": text("")}, {"type": "ping"}]
        told += [_delta(0, {"type": "text_delta", "text": piece}) for piece in pieces]
        told += [{"type": "content_block_stop", "index": 0}]
    for number, (id, name, parts) in enumerate(calls, 1):
        block = {"type": "tool_use", "id": id, "name": name, "input": {}}
        told += [{"type": "content_block_start", "index": number, "content_block": block}]
        told += [_delta(number, {"type": "input_json_delta", "partial_json": part}) for part in parts]
        told += [{"type": "content_block_stop", "index": number}]
    told += [{"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": 7}}]
    return events(*told, {"type": "message_stop"})


def _delta(index: int, delta: Json) -> Json:
    return {"type": "content_block_delta", "index": index, "delta": delta}


def chat_streams(*pieces: str, calls: Iterable[tuple[str, str, list[str]]] = (), stop: str = "stop") -> list[str]:
    """A stream of Chat Completions."""
    deltas: list[Json] = [{"role": "assistant", "content": piece} for piece in pieces]
    for number, (id, name, parts) in enumerate(calls):
        deltas.append({"tool_calls": [{"index": number, "id": id, "function": {"name": name, "arguments": ""}}]})
        deltas += [{"tool_calls": [{"index": number, "function": {"arguments": part}}]} for part in parts]
    chunks = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
    chunks.append({"index": 0, "delta": {}, "finish_reason": stop})
    known = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "gpt-6-luna"}
    usage = {"prompt_tokens": 130, "completion_tokens": 7, "total_tokens": 137}
    told = [{**known, "choices": [chunk]} for chunk in chunks] + [{**known, "choices": [], "usage": usage}]
    return [*events(*told), "data: [DONE]\n\n"]


def response_streams(*pieces: str, calls: Iterable[tuple[str, str, list[str]]] = (), stop: str = "") -> list[str]:
    """A stream of the Responses API."""
    items = [item("".join(pieces))] if pieces else []
    for id, name, parts in calls:
        items.append({"type": "function_call", "id": "fc", "call_id": id, "name": name, "arguments": "".join(parts)})
    whole = response_says(*items)
    if stop:
        whole |= {"status": "incomplete", "incomplete_details": {"reason": stop}}
    told = [{"type": "response.created", "sequence_number": 0, "response": response_says(status="in_progress")}]
    for piece in pieces:
        place = {"item_id": "m", "output_index": 0, "content_index": 0, "sequence_number": 1, "logprobs": []}
        told.append({"type": "response.output_text.delta", "delta": piece, **place})
    last = "response.incomplete" if stop else "response.completed"
    return events(*told, {"type": last, "sequence_number": 2, "response": whole})


@dataclass(frozen=True)
class Api:
    """One of the three interfaces: its provider, its path, and how it says a text and streams it."""

    provider: str
    path: str
    says: Callable[[str], Json]
    streams: Callable[..., list[str]]
    cut: str
    """Why a reply stopped that reached its limit."""

    def model(self, server: HTTPServer, **settings: Any) -> Adapter:
        """A model of this provider at the test server; it does not try again unless told to."""
        base = server.url_for("" if self.provider == "anthropic" else "/v1")
        given = {"key": KEY, "base_url": base, "max_retries": 0, "timeout": PATIENCE} | settings
        found = connect(self.provider, **given)
        assert isinstance(found, Adapter)
        return found


ANTHROPIC = Api("anthropic", "/v1/messages", lambda s: claude_says(text(s)), claude_streams, "max_tokens")
CHAT = Api("openai-chat", "/v1/chat/completions", lambda s: chat_says({"content": s}), chat_streams, "length")
RESPONSES = Api(
    "openai-responses", "/v1/responses", lambda s: response_says(item(s)), response_streams, "max_output_tokens"
)
APIS = (ANTHROPIC, CHAT, RESPONSES)


def streaming(pieces: Iterable[str], missing: int = 0) -> Callable[[Request], Response]:
    """A handler that sends the pieces as server-sent events; `missing` bytes more are promised than come."""
    sent = list(pieces)
    length = sum(len(piece.encode()) for piece in sent) + missing

    def handler(request: Request) -> Response:
        response = Response(_each(sent), mimetype="text/event-stream")
        if missing:
            response.headers["Content-Length"] = str(length)
        return response

    return handler


def _each(pieces: list[str]) -> Iterator[bytes]:
    for piece in pieces:
        yield piece.encode()


def calling(*calls: ToolCall, content: str = "", id: str = "") -> Message:
    """An assistant's message with calls."""
    return Message(role="assistant", content=content, tool_calls=calls, id=id)


def call(id: str, name: str = "add", **arguments: Any) -> ToolCall:
    """A call."""
    return ToolCall(id=id, name=name, arguments=arguments)


def answer(call_id: str, content: str = "3", **more: Any) -> Message:
    """A tool's result."""
    return Message(role="tool", content=content, tool_call_id=call_id, **more)


def sent(server: HTTPServer, path: str = "") -> list[Json]:
    """The bodies that came to the server, in order; with a path, only those: a client that was left may still send another."""
    return [json.loads(request.get_data()) for request, _ in server.log if path in ("", request.path)]
