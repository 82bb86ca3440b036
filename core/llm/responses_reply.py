"""Reads replies of OpenAI's Responses API, whole or as a stream of events.

https://developers.openai.com/api/docs/api-reference/responses/object
https://developers.openai.com/api/docs/api-reference/responses-streaming
The last event of a stream holds the whole response, so the pieces need not be put together.
"""

from typing import Any

from core.llm.reply import Reply, Stop, call_of, entries, openai_usage, table, text_of

_STOPS: dict[str, Stop] = {"max_output_tokens": "length", "content_filter": "refusal"}
_LAST = ("response.completed", "response.incomplete", "response.failed")


def responses_reply(reply: dict[str, Any]) -> Reply:
    """The content of a response; its text parts are joined by line breaks."""
    items = entries(reply.get("output"))
    parts = [part for item in items if item.get("type") == "message" for part in entries(item.get("content"))]
    calls = [item for item in items if item.get("type") == "function_call"]
    return Reply(
        id=text_of(reply.get("id")),
        model=text_of(reply.get("model")),
        text="\n".join(text_of(part.get("text")) for part in parts if part.get("type") == "output_text"),
        thinking="\n".join(_thinking(items)),
        calls=[call_of(call.get("call_id"), call.get("name"), call.get("arguments")) for call in calls],
        stop=_STOPS.get(text_of(table(reply.get("incomplete_details")).get("reason")), ""),
        refusal="\n".join(text_of(part.get("refusal")) for part in parts if part.get("type") == "refusal"),
        usage=openai_usage(reply.get("usage"), "input_tokens", "output_tokens"),
    )


def _thinking(items: list[dict[str, Any]]) -> list[str]:
    """The summaries of the reasoning, and the reasoning itself where the model shows it."""
    reasoning = [item for item in items if item.get("type") == "reasoning"]
    parts = [part for item in reasoning for key in ("summary", "content") for part in entries(item.get(key))]
    return [text_of(part.get("text")) for part in parts if text_of(part.get("text"))]


class ResponsesStream:
    """Returns the text of a stream, and keeps the response of its last event."""

    def __init__(self) -> None:
        self.reply: dict[str, Any] = {}
        self.error: dict[str, Any] = {}
        self.whole = False
        self._part: Any = None

    def take(self, event: dict[str, Any]) -> str:
        """Read one event; returns its text, "" if it has none. A second text part starts with a line break."""
        kind = event.get("type")
        if kind in _LAST:
            self.reply, self.whole = table(event.get("response")), True
        elif kind == "error":
            self.error, self.whole = event, True
        if kind != "response.output_text.delta":
            return ""
        part = (event.get("output_index"), event.get("content_index"))
        separator = "\n" if self._part not in (None, part) else ""
        self._part = part
        return separator + text_of(event.get("delta"))
