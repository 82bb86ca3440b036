"""What a Codex compaction left in the window, read from the history that replaced the old one.

Each of its items is looked for among the messages of the window: those found stayed, where the history has them. What is
not found was put in anew, as the environment when it had changed, or is shorter than it was.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.importers._shapes.blocks import string
from core.importers._shapes.responses import Replies, Spot
from core.importers._shapes.responses_items import COMPACTIONS, kind_of, parts_of, sealed
from core.importers.codex.context import injected_kind
from core.model.session import Message

NOT_HERE = "[the summary is not in this file]"

_CARRIED = 20_000 * 4
"""The characters of typed messages that Codex carries over a compaction that names no history."""

_MOST = 1000
"""The most messages that are taken to be carried over so: many compactions must not hold all messages each."""


@dataclass
class Left:
    """What a compaction left before and behind its summary, in order; what it put in anew has no id yet.

    `named` is whether the record says so.
    """

    before: list[Message] = field(default_factory=list)
    behind: list[Message] = field(default_factory=list)
    summary: str = NOT_HERE
    role: str = "user"
    unreadable: str = "not recorded"
    named: bool = True


def left_by(record: dict[str, Any], window: Sequence[Message], known: dict[str, dict[str, Any]]) -> Left:
    """What the record of a compaction says stayed of the window; `known` are items by their ids."""
    history, message = _history(record, known), string(record.get("message"))
    left = _carried(window) if history is None else _matched(history, message, window)
    if message.strip():
        left.summary, left.unreadable = message, ""
    return left


def _history(record: dict[str, Any], known: dict[str, dict[str, Any]]) -> list[dict[str, Any]] | None:
    """The items that took the place of the old ones. Newer files may point to one that stands before."""
    entries = record.get("replacement_history")
    if not isinstance(entries, list):
        entries = record.get("replacement_history_entries")
    if not isinstance(entries, list):
        return None
    return [_item(entry, known) for entry in entries if isinstance(entry, dict)]


def _item(entry: dict[str, Any], known: dict[str, dict[str, Any]]) -> dict[str, Any]:
    inner = entry.get("item")
    if isinstance(inner, dict):
        return inner
    return known.get(string(entry.get("item_id")), entry)


def _carried(window: Sequence[Message]) -> Left:
    """What Codex keeps by its own rule, where an old file does not say: what was put in first, and what was typed last."""
    room, kept = _CARRIED, list[Message]()
    for message in reversed([m for m in window if m.typed]):
        room -= len(message.content)
        if room < 0 or len(kept) == _MOST:
            break
        kept.append(message)
    first = next((i for i, m in enumerate(window[:_MOST]) if m.injected != "context"), min(len(window), _MOST))
    return Left(before=[*window[:first], *reversed(kept)], named=False)


def _matched(history: list[dict[str, Any]], message: str, window: Sequence[Message]) -> Left:
    places: dict[Any, deque[Message]] = defaultdict(deque)
    for one in window:
        places[_key(one)].append(one)
    at, left = _summary_at(history, message), Left()
    for place, found in _messages(history, at):
        side = left.before if place < at else left.behind
        if same := places.get(_key(found)):
            side.append(same.popleft())
        elif found.content or found.images or found.tool_calls:
            side.append(_anew(found))
    if at < len(history):
        _summary_of(history[at], left)
    return left


def _summary_at(history: list[dict[str, Any]], message: str) -> int:
    """Where the summary stands: the last item of its kind, or with its words; behind everything where there is none."""
    for place in range(len(history) - 1, -1, -1):
        item = history[place]
        if kind_of(item) in COMPACTIONS:
            return place
        if message and kind_of(item) == "message" and parts_of(item.get("content")).text == message:
            return place
    return len(history)


def _summary_of(item: dict[str, Any], left: Left) -> None:
    if kind_of(item) in COMPACTIONS:
        left.summary, left.unreadable = sealed(item), "encrypted"
    elif item.get("role") == "assistant":
        left.role = "assistant"


def _messages(history: list[dict[str, Any]], summary: int) -> Iterable[tuple[int, Message]]:
    """(place, message) of the items but the summary; what a model says ends a message each time."""
    replies, seen = Replies(), 0
    for place, item in enumerate(history):
        if place != summary:
            replies.item(item, Spot(place))
        if kind_of(item) == "message" or place + 1 == len(history):
            replies.close()
        for message in replies.messages[seen:]:
            yield place, message
        seen = len(replies.messages)


def _key(message: Message) -> Any:
    """What tells one message from another."""
    calls = tuple(call.id for call in message.tool_calls)
    return message.role, message.content, message.tool_call_id, calls, len(message.images)


def _anew(message: Message) -> Message:
    """A message that was put in anew: without an id, marked with what it is."""
    kind = "context" if message.role == "system" else injected_kind([message.content]) or "shortened"
    return message.model_copy(update={"id": "", "injected": kind})
