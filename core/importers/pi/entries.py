"""What an entry of a pi session holds: a message, a compaction with what it kept, or nothing that the model sees."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from core.importers._shapes.blocks import MessageParts, object_of, string, tool_call, whole_number
from core.importers._shapes.compaction_tokens import own_count
from core.importers._shapes.images import embedded
from core.model.session import Message, RecordedCompaction, Role, Usage, construct_unchecked, known_cost

_TOKENS = {"input_uncached": "input", "cache_read": "cacheRead", "cache_write": "cacheWrite", "output": "output"}

_Signature = tuple[str, str, tuple[str, ...]]


@dataclass(slots=True)
class Cut:
    """A compaction entry: its summary, and what stayed: the first entry that did, or in newer files copies of all."""

    summary: Message
    first_kept: str
    copies: list[_Signature]
    tokens_before: int | None
    trigger: str


@dataclass(slots=True)
class Entry:
    """One line of the tree; `parent` is the place of the entry before it, -1 for none."""

    id: str
    parent: int
    what: Message | Cut | None


@dataclass(slots=True)
class Known:
    """What every message takes from its entry."""

    id: str
    line: int
    timestamp: str

    def message(self, role: Role, parts: MessageParts, **more: Any) -> Message:
        """The message of these parts, which were checked one by one: not again."""
        return construct_unchecked(
            Message,
            id=self.id,
            role=role,
            content=parts.text,
            tool_calls=tuple(parts.calls),
            thinking="\n".join(parts.thinking),
            images=tuple(parts.images),
            timestamp=self.timestamp,
            line=self.line,
            **more,
        )


def message_of(entry: Entry) -> Message | None:
    """The message of an entry; of a compaction its summary."""
    return entry.what.summary if isinstance(entry.what, Cut) else entry.what


def parts_of(content: Any) -> MessageParts:
    """The content of a message: pi's blocks of calls and pictures are its own."""
    parts = MessageParts()
    for block in content if isinstance(content, list) else [content]:
        kind = block.get("type") if isinstance(block, dict) else ""
        if kind == "toolCall":
            parts.calls.append(tool_call(block.get("id"), block.get("name"), block.get("arguments")))
        elif kind == "image" and "data" in block:
            parts.images.append(embedded(block.get("mimeType"), block["data"]))
        else:
            parts.add([block])
    return parts


def command_text(message: dict[str, Any]) -> str:
    """A command that the person ran, with its output, as pi tells the model of it."""
    output, code = string(message.get("output")), message.get("exitCode")
    text = f"Ran `{string(message.get('command'))}`\n" + (f"```\n{output}\n```" if output else "(no output)")
    if message.get("cancelled") is True:
        return f"{text}\n\n(command cancelled)"
    return f"{text}\n\nCommand exited with code {code}" if isinstance(code, int) and code else text


def usage_of(usage: Any) -> Usage | None:
    """Recorded tokens and cost of a reply; None where it was broken off before any were.

    pi writes a cost of 0 where it knows no price.
    """
    found = usage if isinstance(usage, dict) else {}
    tokens = {name: whole_number(found.get(key)) for name, key in _TOKENS.items()}
    cost = known_cost(object_of(found.get("cost")).get("total")) or None
    return construct_unchecked(Usage, **tokens, cost=cost) if any(tokens.values()) else None


def cut_of(known: Known, record: dict[str, Any]) -> Cut:
    """A compaction; what it used is recorded by newer versions only. Version 1 names the first kept entry by its place."""
    place, copies = record.get("firstKeptEntryIndex"), record.get("retainedTail")
    summary = MessageParts([string(record.get("summary"))])
    return Cut(
        summary=known.message("user", summary, injected="summary", usage=usage_of(record.get("usage"))),
        first_kept=string(record.get("firstKeptEntryId")) or (f"entry-{place}" if isinstance(place, int) else ""),
        copies=[_signature(m) for m in copies if isinstance(m, dict)] if isinstance(copies, list) else [],
        tokens_before=whole_number(record["tokensBefore"]) if isinstance(record.get("tokensBefore"), int) else None,
        trigger="extension" if record.get("fromHook") is True else "",
    )


def _signature(message: dict[str, Any]) -> _Signature:
    """What tells one message from another: its text, the call it answers, the calls it makes."""
    parts = parts_of(message.get("content", message.get("summary")))
    text = command_text(message) if message.get("role") == "bashExecution" else parts.text
    return text, string(message.get("toolCallId")), tuple(call.id for call in parts.calls)


def compactions(path: list[Entry]) -> Iterator[RecordedCompaction]:
    """The compactions on the path, placed by the messages before them."""
    arrived: list[str] = []
    signatures: list[_Signature] = []
    places: dict[str, int] = {}
    for entry in path:
        if isinstance(entry.what, Cut):
            yield _compaction(entry.what, arrived, places, signatures)
        places[entry.id] = len(arrived)
        if isinstance(entry.what, Message):
            arrived.append(entry.id)
            signatures.append(
                (entry.what.content, entry.what.tool_call_id or "", tuple(c.id for c in entry.what.tool_calls))
            )


def _compaction(
    cut: Cut, arrived: Sequence[str], places: dict[str, int], signatures: Sequence[_Signature]
) -> RecordedCompaction:
    """One compaction, after the messages that had arrived. Tokens after it are not recorded."""
    at, wanted = len(arrived), len(cut.copies)
    first = at - _copied(cut.copies, signatures) if wanted else places.get(cut.first_kept, at)
    known = at - first == wanted if wanted else cut.first_kept in places
    return RecordedCompaction(
        at=at,
        trigger=cut.trigger,
        tokens_before=cut.tokens_before,
        before_from=""
        if cut.tokens_before is None
        else f"{own_count('tokensBefore')}: what the last reply used, and an estimate of the rest",
        summary=cut.summary.id,
        kept=tuple(arrived[first:]),
        fidelity="exact" if known else "partial",
        line=cut.summary.line,
        timestamp=cut.summary.timestamp,
    )


def _copied(copies: Sequence[_Signature], signatures: Sequence[_Signature]) -> int:
    """How many of the last messages said are, from the end, those copied."""
    pairs = zip(reversed(copies), reversed(signatures), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
