"""The meter that counts with a tokenizer: o200k_base.

A message costs its content, its thinking and its tool calls, each tokenised, and 4 for its frame: 3 for the
message and 1 for its role, after OpenAI's recipe,
https://cookbook.openai.com/examples/how_to_count_tokens_with_tiktoken A picture costs width * height / 750,
at most 1,600, and 1,600 where its size is not known, as Anthropic describes it:
https://docs.anthropic.com/en/docs/build-with-claude/vision
"""

import json
from collections.abc import Sequence

from core.meters.base import MeterInfo, Tally
from core.model import Image, Message, ToolCall
from core.tokenizer import count_group, count_groups

FRAME = 4
IMAGE_MOST = 1_600
PIXELS_PER_TOKEN = 750


class O200kBase:
    """Tokens by OpenAI's o200k_base: exact for the text of its models, a guide for those of others."""

    info = MeterInfo(
        name="o200k_base",
        how="counted",
        about="tokens of content, thinking and tool calls, + 4; pictures by their size",
        source="https://cookbook.openai.com/examples/how_to_count_tokens_with_tiktoken",
    )

    def count(self, message: Message) -> int:
        """Tokens of one message."""
        return count_message(message)[0]

    def tally(self, messages: Sequence[Message]) -> Tally:
        """Tokens of each message, with a note on those that could only be estimated and on pictures."""
        counted = list(map(_framed, messages, count_groups(map(_texts, messages))))
        guessed = [m for m, (_, exact) in zip(messages, counted, strict=True) if not exact]
        return Tally([tokens for tokens, _ in counted], (*_guessed(guessed), *_pictures(messages)))


def count_message(message: Message) -> tuple[int, bool]:
    """The tokens of a message, and whether its text was counted exactly."""
    return _framed(message, count_group(_texts(message)))


def _framed(message: Message, counted: tuple[int, bool]) -> tuple[int, bool]:
    """The tokens of a message whose texts are counted: with its frame and its pictures."""
    tokens, exact = counted
    return FRAME + tokens + (sum(map(image_tokens, message.images)) if message.images else 0), exact


def _texts(message: Message) -> list[str]:
    """Content, thinking, and name and arguments of each tool call."""
    texts = [message.content, message.thinking]
    for call in message.tool_calls:
        texts += (call.name, arguments_text(call))
    return texts


_compact = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, default=str).encode


def arguments_text(call: ToolCall) -> str:
    """A tool call's arguments as a model writes them: the recorded text, else compact JSON."""
    if call.raw is not None:
        return call.raw
    try:
        return _compact(call.arguments)
    except (ValueError, RecursionError):  # nested deeper than Python follows, or in a circle
        return ""


def image_tokens(image: Image) -> int:
    """Tokens of a picture, by its size in pixels."""
    if image.width <= 0 or image.height <= 0:
        return IMAGE_MOST
    return min(IMAGE_MOST, -(-image.width * image.height // PIXELS_PER_TOKEN))


def _guessed(messages: Sequence[Message]) -> list[str]:
    """One note on the messages that were not counted exactly."""
    if not messages:
        return []
    named = ", ".join(f"{m.id} ({len(m.content):,} characters)" for m in messages[:3])
    more = f" and {len(messages) - 3:,} more" if len(messages) > 3 else ""
    return [f"o200k_base could not count exactly, so estimated: {named}{more}"]


def _pictures(messages: Sequence[Message]) -> list[str]:
    number = sum(len(m.images) for m in messages)
    return [f"{number:,} picture{'s' * (number > 1)} counted by size, not by o200k_base"] if number else []
