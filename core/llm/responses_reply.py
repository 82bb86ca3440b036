"""What OpenAI's Responses API answers, whole or as a stream of events.

https://developers.openai.com/api/docs/api-reference/responses/object
https://developers.openai.com/api/docs/api-reference/responses-streaming
The last event of a stream holds the whole response, so that the pieces need not be put together.
"""

from typing import Any

from core.llm.reply import Reply, Stop, call_of, entries, number, table, usage_with_cache, words
from core.model import Usage

_STOPS: dict[str, Stop] = {"max_output_tokens": "length", "content_filter": "refusal"}
_LAST = ("response.completed", "response.incomplete", "response.failed")


def responses_reply(reply: dict[str, Any]) -> Reply:
    """What a response says; its parts of text are one text, a line apart."""
    items = entries(reply.get("output"))
    parts = [part for item in items if item.get("type") == "message" for part in entries(item.get("content"))]
    calls = [item for item in items if item.get("type") == "function_call"]
    return Reply(
        id=words(reply.get("id")),
        model=words(reply.get("model")),
        text="\n".join(words(part.get("text")) for part in parts if part.get("type") == "output_text"),
        thinking="\n".join(_thoughts(items)),
        calls=[call_of(call.get("call_id"), call.get("name"), call.get("arguments")) for call in calls],
        stop=_STOPS.get(words(table(reply.get("incomplete_details")).get("reason")), ""),
        refusal="\n".join(words(part.get("refusal")) for part in parts if part.get("type") == "refusal"),
        usage=_usage(table(reply.get("usage"))),
    )


def _thoughts(items: list[dict[str, Any]]) -> list[str]:
    """The summaries of what was thought, and the thoughts where the model shows them."""
    thought = [item for item in items if item.get("type") == "reasoning"]
    parts = [part for item in thought for key in ("summary", "content") for part in entries(item.get(key))]
    return [words(part.get("text")) for part in parts if words(part.get("text"))]


def _usage(usage: dict[str, Any]) -> Usage | None:
    """Tokens of a reply: here the input includes what was cached."""
    details = table(usage.get("input_tokens_details"))
    read, write = number(details.get("cached_tokens")), number(details.get("cache_write_tokens"))
    return usage_with_cache(number(usage.get("input_tokens")), read, write, number(usage.get("output_tokens")))


class ResponsesStream:
    """Hears the text of a stream, and keeps the response that its last event holds."""

    def __init__(self) -> None:
        self.reply: dict[str, Any] = {}
        self.error: dict[str, Any] = {}
        self.whole = False
        self._part: Any = None

    def take(self, event: dict[str, Any]) -> str:
        """Take in one event; the text it brings, "" if none. A second part of text is a line apart."""
        kind = event.get("type")
        if kind in _LAST:
            self.reply, self.whole = table(event.get("response")), True
        elif kind == "error":
            self.error, self.whole = event, True
        if kind != "response.output_text.delta":
            return ""
        part = (event.get("output_index"), event.get("content_index"))
        apart = "\n" if self._part not in (None, part) else ""
        self._part = part
        return apart + words(event.get("delta"))
