"""What Anthropic's Messages API answers, whole or as a stream of events.

https://platform.claude.com/docs/en/api/messages/create
https://platform.claude.com/docs/en/build-with-claude/streaming
"""

from typing import Any

from core.llm.reply import Reply, Stop, call_of, entries, number, table, usage_with_cache, words
from core.model import Usage

_STOPS: dict[str, Stop] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}


def anthropic_reply(reply: dict[str, Any]) -> Reply:
    """What a reply says; its blocks of text a line apart are one text."""
    blocks = entries(reply.get("content"))
    return Reply(
        id=words(reply.get("id")),
        model=words(reply.get("model")),
        text="\n".join(words(b.get("text")) for b in blocks if b.get("type") == "text"),
        thinking="\n".join(words(b.get("thinking")) for b in blocks if b.get("type") == "thinking"),
        calls=[call_of(b.get("id"), b.get("name"), b.get("input")) for b in blocks if b.get("type") == "tool_use"],
        stop=_STOPS.get(words(reply.get("stop_reason")), ""),
        refusal=words(table(reply.get("stop_details")).get("explanation")),
        usage=_usage(table(reply.get("usage"))),
    )


def _usage(usage: dict[str, Any]) -> Usage | None:
    """Tokens of a reply: here the input does not include what was cached."""
    read, write = number(usage.get("cache_read_input_tokens")), number(usage.get("cache_creation_input_tokens"))
    prompt = number(usage.get("input_tokens")) + read + write
    return usage_with_cache(prompt, read, write, number(usage.get("output_tokens")))


class AnthropicStream:
    """Puts events together to the reply they tell. `whole` is whether the last one came."""

    def __init__(self) -> None:
        self.reply: dict[str, Any] = {"content": []}
        self.whole = False

    def take(self, event: dict[str, Any]) -> str:
        """Take in one event; the text it brings, "" if none."""
        kind = event.get("type")
        if kind == "message_start":
            self.reply |= {**table(event.get("message")), "content": []}
        elif kind == "content_block_start":
            return self._begin(table(event.get("content_block")))
        elif kind == "content_block_delta" and self.reply["content"]:
            return self._more(self.reply["content"][-1], table(event.get("delta")))
        elif kind == "message_delta":
            told = {k: v for k, v in table(event.get("usage")).items() if v is not None}
            self.reply |= table(event.get("delta")) | {"usage": table(self.reply.get("usage")) | told}
        self.whole = self.whole or kind == "message_stop"
        return ""

    def _begin(self, block: dict[str, Any]) -> str:
        """A block begins; a second block of text is a line apart."""
        again = block.get("type") == "text" and any(b.get("type") == "text" for b in self.reply["content"])
        self.reply["content"].append({**block, "input": block.get("input") or ""})
        return ("\n" if again else "") + words(block.get("text"))

    def _more(self, block: dict[str, Any], delta: dict[str, Any]) -> str:
        """More of the block that came last: its text, its thoughts, or the JSON of its input."""
        for key, into in (("text", "text"), ("thinking", "thinking"), ("partial_json", "input")):
            if isinstance(delta.get(key), str):
                block[into] = words(block.get(into)) + delta[key]
        return words(delta.get("text"))
