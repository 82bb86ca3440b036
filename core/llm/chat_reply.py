"""What Chat Completions answer, OpenAI's or a compatible server's, whole or as a stream of chunks.

https://developers.openai.com/api/docs/api-reference/chat/object
https://developers.openai.com/api/docs/api-reference/chat-streaming/streaming
Thoughts come as `reasoning_content` (DeepSeek, llama.cpp) or `reasoning` (vLLM, Ollama, OpenRouter); OpenAI sends none.
"""

from typing import Any

from core.llm.reply import Reply, Stop, call_of, entries, number, table, usage_with_cache, words
from core.model import Usage

_STOPS: dict[str, Stop] = {"length": "length", "content_filter": "refusal"}
_THOUGHTS = ("reasoning_content", "reasoning")


def chat_reply(reply: dict[str, Any]) -> Reply:
    """What the first choice of a reply says."""
    choice = next(iter(entries(reply.get("choices"))), {})
    message = table(choice.get("message"))
    functions = [(call.get("id"), table(call.get("function"))) for call in entries(message.get("tool_calls"))]
    return Reply(
        id=words(reply.get("id")),
        model=words(reply.get("model")),
        text=words(message.get("content")),
        thinking=next((words(message[key]) for key in _THOUGHTS if words(message.get(key))), ""),
        calls=[call_of(id, function.get("name"), function.get("arguments")) for id, function in functions],
        stop=_STOPS.get(words(choice.get("finish_reason")), ""),
        refusal=words(message.get("refusal")),
        usage=_usage(table(reply.get("usage"))),
    )


def _usage(usage: dict[str, Any]) -> Usage | None:
    """Tokens of a reply: here the prompt includes what was cached."""
    details = table(usage.get("prompt_tokens_details"))
    read, write = number(details.get("cached_tokens")), number(details.get("cache_write_tokens"))
    return usage_with_cache(number(usage.get("prompt_tokens")), read, write, number(usage.get("completion_tokens")))


class ChatStream:
    """Puts chunks together to the reply they tell. `whole` is whether a choice said why it ended."""

    def __init__(self) -> None:
        self.envelope: dict[str, Any] = {}
        self.said: dict[str, str] = {}
        self.calls: list[dict[str, Any]] = []
        self.reason = ""

    @property
    def whole(self) -> bool:
        """Whether the reply ended, and did not break off."""
        return bool(self.reason)

    @property
    def reply(self) -> dict[str, Any]:
        """What the chunks so far come to, as a reply that was not streamed."""
        calls = [{"id": call["id"], "function": call} for call in self.calls]
        return self.envelope | {
            "choices": [{"message": {**self.said, "tool_calls": calls}, "finish_reason": self.reason}]
        }

    def take(self, chunk: dict[str, Any]) -> str:
        """Take in one chunk; the text it brings, "" if none."""
        self.envelope |= {key: chunk[key] for key in ("id", "model", "usage") if chunk.get(key)}
        choice = next(iter(entries(chunk.get("choices"))), {})
        delta = table(choice.get("delta"))
        for key in ("content", "refusal", *_THOUGHTS):
            self.said[key] = self.said.get(key, "") + words(delta.get(key))
        for piece in entries(delta.get("tool_calls")):
            self._more(self._call(piece), table(piece.get("function")))
        self.reason = words(choice.get("finish_reason")) or self.reason
        return words(delta.get("content"))

    def _call(self, piece: dict[str, Any]) -> dict[str, Any]:
        """The call that a piece belongs to, by its number; by its id too, as some servers number every call 0."""
        index, id = piece.get("index"), words(piece.get("id"))
        alike = (call for call in reversed(self.calls) if call["index"] == index and (not id or call["id"] in ("", id)))
        call = next(alike, None)
        if call is None:
            call = {"index": index, "id": "", "name": "", "arguments": ""}
            self.calls.append(call)
        call["id"] = call["id"] or id
        return call

    def _more(self, call: dict[str, Any], function: dict[str, Any]) -> None:
        """A name comes whole, arguments in pieces of JSON; some servers send them whole, as an object."""
        call["name"] = call["name"] or words(function.get("name"))
        more = function.get("arguments")
        call["arguments"] = more if isinstance(more, dict) else words(call["arguments"]) + words(more)
