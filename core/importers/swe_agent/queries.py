"""What SWE-agent's history processors emptied: told by what the model was sent at each step."""

import re
from collections.abc import Iterator
from typing import Any

from core.importers._shapes.blocks import MessageParts, objects_in, string
from core.importers._shapes.notes import pluralize
from core.model.session import Message, RecordedCompaction

_EMPTIED = re.compile(r"Old (?:environment output: \((\d+) lines omitted\)|output omitted \((\d+) lines\))")
"""What 1.x and 0.x put in the place of an old observation."""


def compactions(steps: Any, messages: tuple[Message, ...]) -> Iterator[RecordedCompaction]:
    """One for each step that was sent observations emptied that were whole at the step before."""
    gone: set[str] = set()
    for place, step in enumerate(objects_in(steps), 1):
        sent = _sent(step)
        emptied = [m.id for m in _emptied(sent, messages) if m.id not in gone]
        if not emptied:
            continue
        gone.update(emptied)
        yield RecordedCompaction(
            at=min(len(objects_in(sent)), len(messages)),
            kind="microcompaction",
            trigger="history processor",
            cleared=tuple(emptied),
            fidelity="inferred",
            line=place,
        )


def reworded(steps: Any, messages: tuple[Message, ...]) -> Iterator[str]:
    """A note where the last query has messages that are neither as in the history nor emptied."""
    sent = next((found for step in reversed(objects_in(steps)) if (found := objects_in(_sent(step)))), [])
    pairs = [(_whole(item), m.content) for item, m in zip(sent, messages, strict=False) if item.get("role") == m.role]
    other = sum(text != content and not _EMPTIED.match(text) for text, content in pairs)
    if other:
        whose = "was" if other == 1 else "were"
        yield f"{pluralize(other, 'message')} {whose} sent to the model reworded; the history's text is shown"


def _sent(step: dict[str, Any]) -> Any:
    """The messages that the model was sent at a step."""
    return step.get("query") or step.get("messages")


def _emptied(sent: Any, messages: tuple[Message, ...]) -> Iterator[Message]:
    """The messages that were sent emptied: their number of lines must be the one said in their place."""
    for item, message in zip(objects_in(sent), messages, strict=False):
        text = _text(item.get("content"))
        found = _EMPTIED.match(text) if len(text) < 200 else None
        if found and string(item.get("role")) == message.role and text != message.content:
            lines = int((found[1] or found[2])[:9])
            if lines == len(message.content.splitlines()):
                yield message


def _whole(item: dict[str, Any]) -> str:
    content = item.get("content")
    return content if isinstance(content, str) else MessageParts().add(content).text


def _text(content: Any) -> str:
    """A message's text; only short ones are put together."""
    if isinstance(content, str):
        return content
    return MessageParts().add(content).text if isinstance(content, list) and len(content) < 4 else ""
