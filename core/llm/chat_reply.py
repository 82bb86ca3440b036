"""Reads replies of Chat Completions, OpenAI's or a compatible server's, whole or as a stream of chunks.

https://developers.openai.com/api/docs/api-reference/chat/object
https://developers.openai.com/api/docs/api-reference/chat-streaming/streaming
Thinking comes as `reasoning_content` (DeepSeek, llama.cpp) or `reasoning` (vLLM, Ollama, OpenRouter); OpenAI sends none.
"""

from typing import Any

from core.llm.reply import Reply, Stop, call_of, entries, openai_usage, table, text_of

_STOPS: dict[str, Stop] = {"length": "length", "content_filter": "refusal"}
_THINKING = ("reasoning_content", "reasoning")


def chat_reply(reply: dict[str, Any]) -> Reply:
    """The content of the first choice of a reply."""
    choice = next(iter(entries(reply.get("choices"))), {})
    message = table(choice.get("message"))
    functions = [(call.get("id"), table(call.get("function"))) for call in entries(message.get("tool_calls"))]
    return Reply(
        id=text_of(reply.get("id")),
        model=text_of(reply.get("model")),
        text=text_of(message.get("content")),
        thinking=next((text_of(message[key]) for key in _THINKING if text_of(message.get(key))), ""),
        calls=[call_of(id, function.get("name"), function.get("arguments")) for id, function in functions],
        stop=_STOPS.get(text_of(choice.get("finish_reason")), ""),
        refusal=text_of(message.get("refusal")),
        usage=openai_usage(reply.get("usage"), "prompt_tokens", "completion_tokens"),
    )


class ChatStream:
    """Puts the chunks of a stream together."""

    def __init__(self) -> None:
        self.envelope: dict[str, Any] = {}
        self.message: dict[str, str] = {}
        self.calls: list[dict[str, Any]] = []
        self.reason = ""

    @property
    def whole(self) -> bool:
        """Whether a finish reason has arrived."""
        return bool(self.reason)

    @property
    def reply(self) -> dict[str, Any]:
        """The chunks so far, in the shape of a whole reply."""
        calls = [{"id": call["id"], "function": call} for call in self.calls]
        return self.envelope | {
            "choices": [{"message": {**self.message, "tool_calls": calls}, "finish_reason": self.reason}]
        }

    def take(self, chunk: dict[str, Any]) -> str:
        """Read one chunk; returns its text, "" if it has none."""
        self.envelope |= {key: chunk[key] for key in ("id", "model", "usage") if chunk.get(key)}
        choice = next(iter(entries(chunk.get("choices"))), {})
        delta = table(choice.get("delta"))
        for key in ("content", "refusal", *_THINKING):
            self.message[key] = self.message.get(key, "") + text_of(delta.get(key))
        for piece in entries(delta.get("tool_calls")):
            self._append(self._call(piece), table(piece.get("function")))
        self.reason = text_of(choice.get("finish_reason")) or self.reason
        return text_of(delta.get("content"))

    def _call(self, piece: dict[str, Any]) -> dict[str, Any]:
        """The call a piece belongs to, by its index, and by its id, as some servers give every call index 0."""
        index, id = piece.get("index"), text_of(piece.get("id"))
        alike = (call for call in reversed(self.calls) if call["index"] == index and (not id or call["id"] in ("", id)))
        call = next(alike, None)
        if call is None:
            call = {"index": index, "id": "", "name": "", "arguments": ""}
            self.calls.append(call)
        call["id"] = call["id"] or id
        return call

    def _append(self, call: dict[str, Any], function: dict[str, Any]) -> None:
        """The name comes whole, the arguments in pieces of JSON, or from some servers whole, as an object."""
        call["name"] = call["name"] or text_of(function.get("name"))
        more = function.get("arguments")
        call["arguments"] = more if isinstance(more, dict) else text_of(call["arguments"]) + text_of(more)
