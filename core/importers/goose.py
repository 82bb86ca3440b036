"""goose sessions: ~/.local/share/goose/sessions/<time>.jsonl, a header, then one message a line.

https://github.com/block/goose/blob/main/crates/goose/src/conversation/message.rs · context_mgmt/mod.rs · session/legacy.rs;
read in November 2026. Results of tools stand in a user's message, each a message here. What a result shows the person alone is
left out. `metadata` says who sees a message: a compaction hides all before it from the agent, and adds a summary, a fixed reply
and a copy of the newest typed message, the first two hidden from the person. The header alone tells of tokens, for the whole
session: what was cached is not told apart. Newer versions keep their sessions in a database, which is not read.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from core.importers._files.damage import with_damage
from core.importers._files.source import Head, Source
from core.importers._files.text import counted
from core.importers._shapes.blocks import (
    MessageParts,
    first_typed,
    label,
    object_of,
    objects_in,
    string,
    tool_call,
    whole_number,
)
from core.importers._shapes.images import embedded
from core.importers._shapes.times import iso
from core.model.advice import Advice
from core.model.session import Message, RecordedCompaction, Session, Usage

LABEL = AGENT = "goose"
DOCS = "https://block.github.io/goose/docs/guides/sessions/session-management"
GROUP = "coding agents"
COVERS = "sessions in JSONL"
RECORDS_COMPACTIONS = True
KEEPS = Advice(
    "Put it into a file that `GOOSE_MOIM_MESSAGE_FILE` names: goose reads that file again at every turn.",
    "https://goose-docs.ai/docs/guides/using-persistent-instructions/",
)

_CALLS = ("toolRequest", "frontendToolRequest")
_THOUGHTS = {"thinking": "thinking", "reasoning": "text"}
_BLOCKS = {"text", "image", "toolResponse", "redactedThinking", *_CALLS, *_THOUGHTS}
"""Blocks that a model is sent; the others are dialogs and notices of the app."""


def recognises(head: Head) -> bool:
    """Whether there is a header, or where its line is lost a message with the second it was made and typed blocks."""
    return any(_is_header(record) or _is_message(record) for record in head.records)


def _is_header(record: dict[str, Any]) -> bool:
    return isinstance(record.get("description"), str) and "message_count" in record and "content" not in record


def _is_message(record: dict[str, Any]) -> bool:
    is_reply = record.get("role") in ("user", "assistant") and type(record.get("created")) is int
    return is_reply and isinstance(record.get("content"), list) and "model" not in record


def read(source: Source) -> Session:
    """The session of the file."""
    reading, header, records = _Reading(), dict[str, Any](), 0
    for line, record in source.records():
        records += 1
        if _is_message(record):
            reading.lines.append((line, {**record, "id": string(record.get("id")) or f"record-{records}"}))
        elif _is_header(record):
            header = header or record
        else:
            reading.other["record/unknown"] += 1
    reading.read()
    session = Session(
        format="goose",
        title=label(string(header.get("description")) or first_typed(reading.messages)),
        project=string(header.get("working_dir")),
        messages=tuple(reading.messages),
        compactions=tuple(reading.compactions),
        usage=_usage(header),
        records=records,
        other=counted(reading.other),
    )
    return with_damage(session, source.damage)


def _usage(header: dict[str, Any]) -> Usage | None:
    """All tokens of the session; a header without them has null."""
    sent, given = (
        whole_number(header.get("accumulated_input_tokens")),
        whole_number(header.get("accumulated_output_tokens")),
    )
    return Usage(input_uncached=sent, output=given) if sent or given else None


@dataclass
class _Reading:
    """The messages of the file by line, and what they come to. `typed` is the text that a person typed last."""

    lines: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    compactions: list[RecordedCompaction] = field(default_factory=list)
    other: Counter[str] = field(default_factory=Counter)
    tools: dict[str, str] = field(default_factory=dict)
    typed: str = ""

    def read(self) -> None:
        """Read the lines in order. A summary is known by the hidden reply behind it."""
        after_reply = False
        for place, (line, record) in enumerate(self.lines):
            following = self.lines[place + 1][1] if place + 1 < len(self.lines) else {}
            if _is_hidden(record, "user") and _is_hidden(following, "assistant"):
                self._summary(line, record)
            elif _is_hidden(record, "assistant"):
                self._message(line, record, injected="ack")
                after_reply = True
                continue
            else:
                self._message(line, record, injected=self._repeated(record) if after_reply else "")
            after_reply = False

    def _summary(self, line: int, record: dict[str, Any]) -> None:
        """Nothing before it stays in the window."""
        at = len(self.messages) - len(self.compactions)
        self._message(line, record, injected="summary")
        known = {"line": line, "timestamp": self.messages[-1].timestamp, "summary": self.messages[-1].id}
        self.compactions.append(RecordedCompaction(at=at, fidelity="exact", **known))

    def _repeated(self, record: dict[str, Any]) -> str:
        """How the copy of a typed message that an automatic compaction adds is told from a new one."""
        is_copy = record.get("role") == "user" and _parts(record).text == self.typed
        if is_copy:
            self.compactions[-1:] = [one.model_copy(update={"trigger": "auto"}) for one in self.compactions[-1:]]
        return "repeated" if is_copy else ""

    def _message(self, line: int, record: dict[str, Any], injected: str) -> None:
        """The message of a line, behind the results of tools in it; none where it holds what no model is sent."""
        kinds = [string(block.get("type")) for block in objects_in(record["content"])]
        self.other.update(f"content/{kind or 'unknown'}" for kind in kinds if kind not in _BLOCKS)
        known = {
            "id": record["id"],
            "line": line,
            "timestamp": iso(record["created"] * 1000),
        }
        for number, block in enumerate(b for b in objects_in(record["content"]) if b.get("type") == "toolResponse"):
            self.messages.append(self._result(block, {**known, "id": f"{known['id']}-result-{number}"}))
        parts = _parts(record)
        if not (parts.texts or parts.calls or parts.thinking or parts.images) and injected != "summary":
            return
        self.tools.update((call.id, call.name) for call in parts.calls)
        thinking, calls, images = "\n".join(parts.thinking), tuple(parts.calls), tuple(parts.images)
        known |= {"role": record["role"], "content": parts.text, "injected": injected}
        self.messages.append(Message(**known, thinking=thinking, tool_calls=calls, images=images))
        self.typed = parts.text if self.messages[-1].typed else self.typed

    def _result(self, block: dict[str, Any], known: dict[str, Any]) -> Message:
        """One result: its pieces, in older files a bare list, or the error that the call came to."""
        outcome, call = object_of(block.get("toolResult")), string(block.get("id"))
        value = outcome.get("value")
        pieces = value if isinstance(value, list) else object_of(value).get("content")
        parts = _added([piece for piece in pieces if _is_sent(piece)] if isinstance(pieces, list) else [])
        failed = outcome.get("status") == "error" or object_of(value).get("isError") is True
        text = parts.text or string(outcome.get("error"))
        known |= {"role": "tool", "content": text, "images": tuple(parts.images), "is_error": failed}
        return Message(**known, tool_call_id=call or None, name=self.tools.get(call))


def _is_hidden(record: dict[str, Any], role: str) -> bool:
    """Whether a message of this role is hidden from the person: only what goose adds itself to go on is."""
    return record.get("role") == role and object_of(record.get("metadata")).get("userVisible") is False


def _is_sent(piece: Any) -> bool:
    """Whether a piece of a result is for the model, too."""
    audience = object_of(object_of(piece).get("annotations")).get("audience")
    return not isinstance(audience, list) or not audience or "assistant" in audience


def _parts(record: dict[str, Any]) -> MessageParts:
    """What a message holds besides results."""
    return _added([b for b in objects_in(record["content"]) if string(b.get("type")) in _BLOCKS - {"toolResponse"}])


def _added(blocks: list[Any]) -> MessageParts:
    parts = MessageParts()
    for block in blocks:
        kind = string(object_of(block).get("type"))
        if kind in _CALLS:
            call = object_of(block.get("toolCall"))
            value = object_of(call.get("value"))
            parts.calls.append(tool_call(block.get("id"), value.get("name"), value.get("arguments", call.get("error"))))
        elif kind == "image":
            parts.images.append(embedded(block.get("mimeType"), block.get("data")))
        elif kind in _THOUGHTS:
            parts.thinking.append(string(block.get(_THOUGHTS[kind])))
        elif kind != "redactedThinking":
            parts.add([block])
    return parts
