"""The meters that estimate tokens from the length of a text, as the systems they come from do."""

from math import ceil

from core.meters.base import MeterInfo
from core.model.session import Message


def estimate_tokens(text: str) -> int:
    """A rough count of a text's tokens: four characters each, at least 1 unless the text is empty."""
    return max(1, len(text) // 4) if text else 0


def message_tokens(message: Message) -> int:
    """agentkit's estimate of one message, tool calls included, and 4 for its frame."""
    total = estimate_tokens(message.content)
    for call in message.tool_calls:
        total += estimate_tokens(call.name)
        total += sum(estimate_tokens(str(k)) + estimate_tokens(str(v)) for k, v in call.arguments.items())
    return total + estimate_tokens(message.tool_call_id or "") + 4


class Agentkit:
    """The estimate of agentkit, lesson 3."""

    info = MeterInfo(name="agentkit", how="estimated", about="len // 4 of all parts, + 4", source="agentkit, Lesson 3")

    def count(self, message: Message) -> int:
        """Tokens of one message."""
        return message_tokens(message)


class Agentlib:
    """The estimate of @agentlib/memory: the content alone, its length in UTF-16 units as in JavaScript."""

    info = MeterInfo(
        name="agentlib",
        how="estimated",
        about="ceil(len / 4) of content alone, + 4",
        source="@agentlib/memory @f44595f packages/memory/src/summarizing.ts",
    )

    def count(self, message: Message) -> int:
        """Tokens of one message."""
        text = message.content
        units = len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
        return ceil(units / 4) + 4
