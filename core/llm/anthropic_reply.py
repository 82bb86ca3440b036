"""Reads replies of Anthropic's Messages API, whole or as a stream of events.

https://platform.claude.com/docs/en/api/messages/create
https://platform.claude.com/docs/en/build-with-claude/streaming
"""

from typing import Any

from core.llm.reply import Reply, Stop, call_of, entries, number, reported_cost, table, text_of, usage_with_cache
from core.model.session import Usage

_STOPS: dict[str, Stop] = {"max_tokens": "length", "model_context_window_exceeded": "length", "refusal": "refusal"}


def anthropic_reply(reply: dict[str, Any]) -> Reply:
    """The content of a reply; its text blocks are joined by line breaks."""
    blocks = entries(reply.get("content"))
    return Reply(
        id=text_of(reply.get("id")),
        model=text_of(reply.get("model")),
        text="\n".join(text_of(b.get("text")) for b in blocks if b.get("type") == "text"),
        thinking="\n".join(text_of(b.get("thinking")) for b in blocks if b.get("type") == "thinking"),
        calls=[call_of(b.get("id"), b.get("name"), b.get("input")) for b in blocks if b.get("type") == "tool_use"],
        stop=_STOPS.get(text_of(reply.get("stop_reason")), ""),
        refusal=text_of(table(reply.get("stop_details")).get("explanation")),
        usage=_usage(table(reply.get("usage"))),
    )


def _usage(usage: dict[str, Any]) -> Usage | None:
    """Tokens of a reply: `input_tokens` does not include cached tokens."""
    read, write = number(usage.get("cache_read_input_tokens")), number(usage.get("cache_creation_input_tokens"))
    prompt = number(usage.get("input_tokens")) + read + write
    return usage_with_cache(prompt, read, write, number(usage.get("output_tokens")), reported_cost(usage))


class AnthropicStream:
    """Puts the events of a stream together. `whole` is whether the last one arrived."""

    def __init__(self) -> None:
        self.reply: dict[str, Any] = {"content": []}
        self.whole = False

    def take(self, event: dict[str, Any]) -> str:
        """Read one event; returns its text, "" if it has none."""
        kind = event.get("type")
        if kind == "message_start":
            self.reply |= {**table(event.get("message")), "content": []}
        elif kind == "content_block_start":
            return self._begin(table(event.get("content_block")))
        elif kind == "content_block_delta" and self.reply["content"]:
            return self._append(self.reply["content"][-1], table(event.get("delta")))
        elif kind == "message_delta":
            usage = {k: v for k, v in table(event.get("usage")).items() if v is not None}
            self.reply |= table(event.get("delta")) | {"usage": table(self.reply.get("usage")) | usage}
        self.whole = self.whole or kind == "message_stop"
        return ""

    def _begin(self, block: dict[str, Any]) -> str:
        """A block begins; a second text block starts with a line break."""
        again = block.get("type") == "text" and any(b.get("type") == "text" for b in self.reply["content"])
        self.reply["content"].append({**block, "input": block.get("input") or ""})
        return ("\n" if again else "") + text_of(block.get("text"))

    def _append(self, block: dict[str, Any], delta: dict[str, Any]) -> str:
        """More of the last block: its text, its thinking, or the JSON of its input."""
        for key, into in (("text", "text"), ("thinking", "thinking"), ("partial_json", "input")):
            if isinstance(delta.get(key), str):
                block[into] = text_of(block.get(into)) + delta[key]
        return text_of(delta.get("text"))
