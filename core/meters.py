"""What counts the tokens of a message, and how the number was got.

    agentkit      estimated   len // 4 of content, tool calls and ids, and 4 for the message (agentkit, lesson 3)
    agentlib      estimated   ceil(len / 4) of content alone, and 4 (@agentlib/memory)
    o200k_base    counted     the tokenizer of OpenAI's models since gpt-4o, shipped with foldline; for other models a guide
    reported      recorded    what the provider said: the output of each reply, the growth of the prompt between two

A meter is anything with `count(message) -> int`.
"""

import json
import weakref
from collections.abc import Callable, Sequence
from math import ceil
from typing import Any, Protocol, runtime_checkable

from core.errors import UnknownNameError
from core.model import Frozen, Message, Session
from core.window import Measured


@runtime_checkable
class Meter(Protocol):
    """Anything that counts the tokens of a message."""

    def count(self, message: Message) -> int:
        """Tokens of one message."""
        ...


class MeterInfo(Frozen):
    """A meter's name, how its numbers are got ("estimated", "counted", "recorded"), one line on it, its source."""

    name: str
    how: str
    about: str
    source: str


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
    """The estimate of @agentlib/memory: content alone. Its length is in UTF-16 units, as in JavaScript."""

    info = MeterInfo(
        name="agentlib",
        how="estimated",
        about="ceil(len / 4) of content alone, + 4",
        source="@agentlib/memory @f44595f packages/memory/src/summarizing.ts",
    )

    def count(self, message: Message) -> int:
        """Tokens of one message."""
        units = len(message.content.encode("utf-16-le", "surrogatepass")) // 2
        return ceil(units / 4) + 4


_METERS: dict[str, Callable[[], Any]] = {"agentkit": Agentkit, "agentlib": Agentlib}


def meter(name: str) -> Meter:
    """The meter of that name. Raises UnknownNameError, listing the known ones."""
    if name not in _METERS:
        raise UnknownNameError("meter", name, _METERS)
    made: Meter = _METERS[name]()
    return made


def meters() -> list[MeterInfo]:
    """What is known of every meter, in order of name."""
    return sorted((made.info for made in _METERS.values()), key=lambda info: info.name)  # type: ignore[attr-defined]


def meter_name(given: Meter) -> str:
    """The name to show beside a number this meter counted."""
    info = getattr(given, "info", None)
    return info.name if isinstance(info, MeterInfo) else type(given).__name__


def bound(given: Meter, session: Session) -> Meter:
    """The meter as it counts this session: `reported` looks at the whole of it, the others are the same everywhere."""
    bind = getattr(given, "bind", None)
    return bind(session) if bind else given


_measured: dict[tuple[int, str], Measured] = {}


def measured(messages: Sequence[Message], given: Meter) -> Measured:
    """The messages with their tokens, counted once for each pair of session and named meter."""
    return Measured(messages, [given.count(m) for m in messages])
