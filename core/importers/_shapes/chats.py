"""Files that hold a list of messages, an object around such a list, or many of those: in a list, or line by line."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from core.importers._files.damage import with_damage
from core.importers._files.source import Head, Source
from core.importers._shapes.blocks import first_typed, label, most_used, string, total
from core.importers._shapes.notes import pluralize
from core.model.session import Message, Session

_SEEN = 20
"""How many items of a list are looked at to tell what it is."""

Items = Iterable[tuple[int, Any]]


@dataclass(frozen=True)
class Chats:
    """How a format keeps its messages: `is_message` tells one, `keys` name the lists in an object, `states` the objects in
    it that may hold one, `session` makes a session of messages with their places, and of the object around them."""

    is_message: Callable[[Any], bool]
    keys: tuple[str, ...]
    session: Callable[[Items, dict[str, Any]], Session]
    states: tuple[str, ...] = ()

    def recognises(self, head: Head) -> bool:
        """Whether the file is a message, a list of messages, or has objects with such a list."""
        if head.value is None:
            return any(self.is_message(record) or self._held(record) is not None for record in head.records)
        value = head.value
        if self.is_message(value) or self._held(value) is not None or self._is_list(value):
            return True
        return isinstance(value, list) and any(self._held(item) is not None for item in value[:_SEEN])

    def _is_list(self, value: Any) -> bool:
        return isinstance(value, list) and any(map(self.is_message, value[:_SEEN]))

    def _held(self, value: Any) -> list[Any] | None:
        """The list of messages in an object; None where there is none."""
        if not isinstance(value, dict):
            return None
        inner = [value[key] for key in self.states if isinstance(value.get(key), dict)]
        found = (one.get(key) for one in [value, *inner] for key in self.keys)
        return next((items for items in found if self._is_list(items)), None)

    def read(self, source: Source) -> Iterator[Session]:
        """The session of a list, or of each object that holds one."""
        value = source.value
        if value is None:
            yield from self._several(source, source.records())
        elif self.is_message(value) or self._is_list(value):
            items = value if isinstance(value, list) else [value]
            yield _noted(self.session(enumerate(items, 1), {}), source, 0)
        else:
            yield from self._several(source, enumerate(value if isinstance(value, list) else [value], 1))

    def _several(self, source: Source, records: Items) -> Iterator[Session]:
        """The session of each object, and one of messages outside of any; the last one notes what was skipped."""
        last, loose, skipped = None, [], 0
        for line, record in records:
            items = self._held(record)
            if self.is_message(record):
                loose.append((line, record))
            elif items is None:
                skipped += 1
            else:
                if last is not None:
                    yield last
                last = with_damage(self.session(enumerate(items, 1), record), source.damage)
        if loose:
            if last is not None:
                yield last
            last = self.session(loose, {})
        if last is not None:
            yield _noted(last, source, skipped)


def chat_session(format: str, messages: Sequence[Message], known: dict[str, Any], **more: Any) -> Session:
    """The session of a chat, with the title and usage of its messages; `known` is the object around them, `more` wins."""
    models = Counter(m.model for m in messages if m.model)
    return Session(
        format=format,
        title=label(string(known.get("title")) or first_typed(messages)),
        model=most_used(models),
        messages=tuple(messages),
        **{"usage": total(m.usage for m in messages), **more},
    )


def _noted(last: Session, source: Source, skipped: int) -> Session:
    """The session with the damage of its file."""
    last = with_damage(last, source.damage)
    left = [f"{pluralize(skipped, 'record')} skipped: without a list of messages"] if skipped else []
    return last.model_copy(update={"notes": (*last.notes, *left), "malformed_lines": last.malformed_lines + skipped})
