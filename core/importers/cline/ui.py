"""What Cline and Roo Code showed while a task ran (ui_messages.json): tokens of each request, and when what was removed.

https://github.com/cline/cline/blob/main/src/shared/ExtensionMessage.ts
Cline's `tokensIn` is without what was cached. Roo Code's is with it, from late 2025 on: known by a protocol that is named, and
by being no less than what was cached.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from core.importers._files.text import parse
from core.importers._shapes.blocks import object_of, string, whole_number
from core.model.session import Usage, construct_unchecked, known_cost


@dataclass(slots=True)
class Removed:
    """A change of what Cline leaves out of its requests: message `first` to `last`, once message `after` had come (from 0)."""

    first: int
    last: int
    after: int | None
    time: int
    summarized: bool
    place: int


@dataclass(slots=True)
class RooCompaction:
    """What Roo Code recorded of one compaction: its time, the tokens before and after, and the key they stand under."""

    time: int
    before: int | None
    after: int | None
    key: str


@dataclass
class Screen:
    """All that is of use here. `used` are (time, message that had come, tokens) of each request that has tokens."""

    used: list[tuple[int, int | None, Usage]] = field(default_factory=list)
    removed: list[Removed] = field(default_factory=list)
    compactions: dict[str, RooCompaction] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    summarized: bool = False

    @classmethod
    def of(cls, value: Any) -> "Screen":
        """What the messages of the file tell; of anything else nothing."""
        found = cls()
        for place, item in enumerate(value if isinstance(value, list) else [], 1):
            if isinstance(item, dict):
                found._item(item, place)
        return found

    def _item(self, item: dict[str, Any], place: int) -> None:
        kind = string(item.get("say")) or string(item.get("ask"))
        self.kinds[f"shown/{kind or 'unknown'}"] += 1
        if kind == "api_req_started":
            self._request(item)
        elif kind in ("condense_context", "sliding_window_truncation"):
            self._compaction(item)
        elif kind == "api_req_failed":
            self.errors.append(string(item.get("text")))
        self.summarized = self.summarized or kind in ("condense", "summarize_task") or _summarizes(kind, item)
        self._range(item, place)

    def _request(self, item: dict[str, Any]) -> None:
        request = _decoded(item.get("text"))
        if string(request.get("streamingFailedMessage")):
            self.errors.append(string(request["streamingFailedMessage"]))
        usage = _usage(request, bool(string(item.get("apiProtocol")) or string(request.get("apiProtocol"))))
        if usage.prompt or usage.output:
            self.used.append((moment(item), _index(item), usage))

    def _compaction(self, item: dict[str, Any]) -> None:
        for key, id in (("contextCondense", "condenseId"), ("contextTruncation", "truncationId")):
            compaction = object_of(item.get(key))
            if compaction:
                before, after = (
                    whole_number(compaction.get(name)) or None for name in ("prevContextTokens", "newContextTokens")
                )
                self.compactions[string(compaction.get(id))] = RooCompaction(moment(item), before, after, key)

    def _range(self, item: dict[str, Any], place: int) -> None:
        """Note a range that is larger than the one before."""
        found = item.get("conversationHistoryDeletedRange")
        if not isinstance(found, list) or len(found) != 2 or not all(type(n) is int and n >= 0 for n in found):
            return
        first, last = found
        if first <= last and (not self.removed or last > self.removed[-1].last):
            self.removed.append(Removed(first, last, _index(item), moment(item), self.summarized, place))
            self.summarized = False


def moment(item: dict[str, Any]) -> int:
    """When something was said, in milliseconds since 1970; 0 where it is not known."""
    return whole_number(item.get("ts"))


def _index(item: dict[str, Any]) -> int | None:
    found = item.get("conversationHistoryIndex")
    return found if type(found) is int and -1 <= found < 2**31 else None


def _decoded(text: Any) -> dict[str, Any]:
    try:
        return object_of(parse(text)) if isinstance(text, str) else {}
    except ValueError:
        return {}


def _summarizes(kind: str, item: dict[str, Any]) -> bool:
    """Whether Cline shows that the model wrote a summary."""
    return kind == "tool" and string(_decoded(item.get("text")).get("tool")) == "summarizeTask"


def _usage(request: dict[str, Any], named: bool) -> Usage:
    fresh, read, write = (whole_number(request.get(key)) for key in ("tokensIn", "cacheReads", "cacheWrites"))
    included = named and fresh >= read + write
    fresh = fresh - read - write if included else fresh
    known = {"output": whole_number(request.get("tokensOut")), "cost": known_cost(request.get("cost")) or None}
    return construct_unchecked(Usage, input_uncached=fresh, cache_read=read, cache_write=write, **known)


def matched(screen: Screen, replies: list[tuple[int, int]]) -> tuple[dict[int, Usage], int]:
    """Tokens by the index of the reply they belong to, and how many requests found none.

    `replies` are (index, time). Where there are as many as requests they go in order; else a request belongs to the first
    reply after the message, or after the time, that it names; failing both, in order.
    """
    if len(screen.used) == len(replies):
        return {index: usage for (index, _), (_, _, usage) in zip(replies, screen.used, strict=True)}, 0
    found: dict[int, Usage] = {}
    at = 0
    for number, (time, index, usage) in enumerate(screen.used):
        until = screen.used[number + 1][0] if number + 1 < len(screen.used) else 0
        while at < len(replies) and _earlier(replies[at], time, index):
            at += 1
        if at < len(replies) and not _later(replies[at], until if index is None else 0):
            found[replies[at][0]] = usage
            at += 1
    return found, len(screen.used) - len(found)


def _earlier(reply: tuple[int, int], time: int, index: int | None) -> bool:
    """Whether a reply had come before the request."""
    if index is not None:
        return reply[0] <= index
    return bool(time and reply[1] and reply[1] < time)


def _later(reply: tuple[int, int], until: int) -> bool:
    """Whether a reply came only after the next request."""
    return bool(until and reply[1] and reply[1] >= until)
