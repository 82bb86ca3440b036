"""Session traces as the Hugging Face Hub shows them: the Session Trace Simple Format, STS.

JSONL: a header with the id of the harness that wrote it, then one message a line in OpenAI's shape with camel-case keys and
times in milliseconds. A file may hold several sessions, each behind its header. The format knows no compactions and no
tokens. llama.cpp's app, the one harness the Hub names, writes more: the tokens of a reply, attachments, and every branch of a
conversation with the message it ends at; the session is that branch.

https://huggingface.co/docs/hub/session-traces-format, read in November 2026
https://github.com/ggml-org/llama.cpp/blob/master/tools/ui/src/lib/services/conversation-transfer.service.ts
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from core.importers._files.damage import with_damage_once
from core.importers._files.source import Head, Source
from core.importers._files.text import counted, places
from core.importers._shapes.blocks import first_typed, label, most_used, object_of, string, total
from core.importers._shapes.notes import pluralize, without_call
from core.importers._shapes.session_lines import is_bare, is_message_line
from core.importers.sts.branch import Line, branch
from core.importers.sts.messages import message_of
from core.model.session import Session

LABEL = "Hugging Face session traces"
DOCS = "https://huggingface.co/docs/hub/session-traces-format"
GROUP = "evaluation and traces"
COVERS = "STS"


def recognises(head: Head) -> bool:
    """Whether there is a bare message, or a header that names its harness and is not followed by pi's lines."""
    if any(map(is_bare, head.records)):
        return True
    of_pi = any(is_message_line(r) or ("cwd" in r and r.keys() & {"version", "provider"}) for r in head.records)
    return not of_pi and any(_is_header(record) for record in head.records)


def _is_header(record: dict[str, Any]) -> bool:
    return record.get("type") == "session" and isinstance(record.get("harness"), str)


def read(source: Source) -> Iterator[Session]:
    """The sessions of the file, each begun by its header."""
    yield from with_damage_once((reading.session() for reading in _readings(source)), source)


@dataclass
class _Reading:
    """The records of one session."""

    header: dict[str, Any] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)
    other: Counter[str] = field(default_factory=Counter)
    records: int = 0

    def take(self, line: int, record: dict[str, Any]) -> None:
        """The next record: a message, or one of a kind that is not known."""
        self.records += 1
        message = object_of(record.get("message"))
        kind = string(record.get("type")) or "unknown"
        if kind != "message" or not string(message.get("role")):
            self.other[kind] += 1
        elif message.get("type") == "root":  # where the branches of llama.cpp's app begin: it is never sent
            self.other["message/root"] += 1
        else:
            id = string(message.get("id")) or f"record-{line}"
            self.lines.append(Line(line, id, message))

    def session(self) -> Session:
        """The session of the branch that was shown last."""
        shown, left = branch(self.lines, string(self.header.get("currNode")))
        tools: dict[str, str] = {}
        found = [m for one in shown if (m := message_of(one, tools, self.other)) is not None]
        return Session(
            id=string(self.header.get("id")),
            format="sts",
            title=label(string(self.header.get("name")) or first_typed(found)),
            model=most_used(Counter(m.model for m in found if m.model)),
            project=string(self.header.get("cwd")),
            messages=tuple(found),
            usage=total(m.usage for m in found),
            records=self.records,
            other=counted(self.other),
            notes=tuple(_notes(left, sum(m.role == "tool" and m.tool_call_id not in tools for m in found))),
        )


def _readings(source: Source) -> Iterator[_Reading]:
    reading = _Reading()
    for line, record in source.records():
        if _is_header(record):
            if reading.records:
                yield reading
            reading = _Reading(header=record, records=1)
            reading.other["session"] += 1
        else:
            reading.take(line, record)
    yield reading


def _notes(left: list[int], orphans: int) -> Iterator[str]:
    if left:
        yield f"{pluralize(len(left), 'message')} skipped: on abandoned branches ({places(left)})"
    if orphans:
        yield without_call(orphans)
