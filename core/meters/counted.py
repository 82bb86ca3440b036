"""The meter that counts with a tokenizer: o200k_base.

A message costs the tokens of its content, its thinking and its tool calls, and 4 for its frame: 3 for the message and 1
for its role, as OpenAI documents it: https://cookbook.openai.com/examples/how_to_count_tokens_with_tiktoken
A picture costs what the provider of the session's model documents: see `pictures.py`.
"""

import json
from collections.abc import Sequence

from core.meters.base import MeterInfo, Tally
from core.meters.pictures import pictures_of
from core.meters.tokenizer import count_groups
from core.model.session import Message, ToolCall

FRAME = 4


class O200kBase:
    """Tokens by OpenAI's o200k_base: exact for text of the models that use it, an estimate for others.

    `model` is the model of the session; it decides how pictures are counted.
    """

    info = MeterInfo(
        name="o200k_base",
        how="counted",
        about="tokens of content, thinking and tool calls, + 4; pictures by their size",
        source="https://cookbook.openai.com/examples/how_to_count_tokens_with_tiktoken",
    )

    def __init__(self, model: str = "") -> None:
        self.model = model
        self._pictures = pictures_of(model)

    def count(self, message: Message) -> int:
        """Tokens of one message."""
        return self.tally([message]).tokens[0]

    def tally(self, messages: Sequence[Message]) -> Tally:
        """Tokens of each message, with notes on those that could only be estimated and on pictures."""
        counted = list(count_groups(map(counted_texts, messages)))
        tokens = [FRAME + found for found, _ in counted]
        pictured = [i for i, message in enumerate(messages) if message.images]
        for i in pictured:
            tokens[i] += sum(map(self._pictures.tokens, messages[i].images))
        estimated = [m for m, (_, exact) in zip(messages, counted, strict=True) if not exact]
        number = sum(len(messages[i].images) for i in pictured)
        return Tally(tokens, (*_estimate_note(estimated), *_picture_note(number, self._pictures.whose)))


def counted_texts(message: Message) -> list[str]:
    """Content, thinking, and name and arguments of each tool call."""
    texts = [message.content, message.thinking] if message.thinking else [message.content]
    for call in message.tool_calls:
        texts += (call.name, arguments_text(call))
    return texts


_compact = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, default=str, check_circular=False).encode


def arguments_text(call: ToolCall) -> str:
    """A tool call's arguments as text: as recorded, else as compact JSON."""
    if call.raw is not None:
        return call.raw
    try:
        return _compact(call.arguments)
    except (ValueError, RecursionError):  # nested too deeply for Python, or circular
        return ""


def _estimate_note(messages: Sequence[Message]) -> list[str]:
    """A note on the messages that were not counted exactly."""
    if not messages:
        return []
    named = ", ".join(f"{m.id} ({len(m.content):,} characters)" for m in messages[:3])
    more = f" and {len(messages) - 3:,} more" if len(messages) > 3 else ""
    return [f"o200k_base could not count these exactly and estimated them: {named}{more}"]


def _picture_note(number: int, whose: str) -> list[str]:
    """A note on the pictures: how many, and whose documentation they were counted by."""
    how = f" as {whose} describes it" if whose else ""
    return [f"{number:,} picture{'s' * (number > 1)} counted by size{how}, not by o200k_base"] if number else []
