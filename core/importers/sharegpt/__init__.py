"""Data sets of conversations: ShareGPT's `conversations`, Hugging Face's `messages`, as a list or one a line.

https://llamafactory.readthedocs.io/en/latest/getting_started/data_preparation.html
Each conversation is a session of its own. The columns `system` (here the first message) and `images` belong to it; `tools` are
counted. Nobody recorded usage. A line with messages that tells of a model or a reply is no conversation, but the log of a call.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from core.importers._files.damage import with_damage
from core.importers._files.source import Head, Source
from core.importers._files.text import counted
from core.importers._shapes.blocks import first_typed, label, string, total
from core.importers._shapes.chat_lines import is_turn, kind_of, turns_of
from core.importers._shapes.notes import pluralize
from core.importers._shapes.openai_messages import Reader
from core.importers.sharegpt.turns import items
from core.model.session import Session, conversation_id

LABEL = "ShareGPT and other data sets"
DOCS = "https://llamafactory.readthedocs.io/en/latest/getting_started/data_preparation.html"
GROUP = "data sets"
COVERS = "Hugging Face `messages`"
GENERAL = True

_LOOK = 50
_ASIDE = ("tools", "functions", "chosen", "rejected", "preferred_output", "non_preferred_output")
"""Columns that are no part of the conversation as it was."""


def recognises(head: Head) -> bool:
    """Whether there are conversations in a list, one a line, or one alone under a name that only data sets use."""
    value = head.value
    if isinstance(value, list):
        return kind_of(value[:_LOOK]) == "dataset"
    if isinstance(value, dict):
        return kind_of([value]) == "dataset" and (any(map(is_turn, turns_of(value))) or "messages" not in value)
    return value is None and kind_of(head.records) == "dataset"


def read(source: Source) -> Iterator[Session]:
    """Every conversation, one after the other; the last one tells how many records were none."""
    held, skipped = None, 0
    for record in _records(source):
        session = _session(record)
        if session is None:
            skipped += 1
            continue
        if held is not None:
            yield held
        held = with_damage(session, source.damage)
    if held is not None:
        yield _ended(held, source, skipped)


def _ended(session: Session, source: Source, skipped: int) -> Session:
    session = with_damage(session, source.damage)
    notes = [f"{pluralize(skipped, 'record')} of the file skipped: not a conversation"] if skipped else []
    return session.model_copy(
        update={"malformed_lines": session.malformed_lines + skipped, "notes": (*session.notes, *notes)}
    )


def _records(source: Source) -> Iterable[Any]:
    value = source.value
    if value is None:
        return (record for _, record in source.records())
    if isinstance(value, list):
        return [{"conversations": value}] if any(map(is_turn, value[:_LOOK])) else value
    return [value]


def _session(record: Any) -> Session | None:
    """One conversation; None where there is none."""
    turns = turns_of(record)
    if not turns:
        return None
    reader, images = Reader(), record.get("images")
    found = list(items(turns, images if isinstance(images, list) else []))
    system = string(record.get("system"))
    if system:
        found = [{"role": "system", "content": system}, *found]
    messages = tuple(m for n, item in enumerate(found, 1) for m in reader.messages(item, n))
    id = next((record[k] for k in ("id", "conversation_id", "uuid") if isinstance(record.get(k), (str, int))), "")
    return Session(
        id=str(id) or conversation_id(messages),
        format="sharegpt",
        title=label(first_typed(messages)),
        model=string(record.get("model")),
        messages=messages,
        usage=total(m.usage for m in messages),
        records=len(turns),
        malformed_lines=reader.left,
        other=counted(Counter({key: _many(record[key]) for key in _ASIDE if record.get(key)})),
        notes=tuple(reader.notes()),
    )


def _many(value: Any) -> int:
    return len(value) if isinstance(value, list) else 1
