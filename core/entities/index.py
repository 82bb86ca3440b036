"""Which names each message of a session uses and shows, and where each name stands."""

from bisect import bisect_left
from collections.abc import Sequence

from core.entities.entity import Entity, bare
from core.entities.said import Said, said_in
from core.model.session import Message, Session


def index_of(said: Session | Sequence[Message]) -> "EntityIndex":
    """The index of a trace's messages, or a session's: made once, and carried on for a list that begins with these."""
    messages = said.messages if isinstance(said, Session) else said
    return EntityIndex(messages, said_in(messages)) if messages else EntityIndex()


class EntityIndex:
    """The names in messages, by their places. Threads may share it."""

    def __init__(self, messages: Sequence[Message] = (), said: Said | None = None) -> None:
        self._said, self._count = said or Said(messages), len(messages)

    def __len__(self) -> int:
        return self._count

    def uses(self, place: int) -> tuple[Entity, ...]:
        """The names that the message at a place uses, in order."""
        return self._said.names.uses(self._checked(place))

    def shows(self, place: int) -> tuple[Entity, ...]:
        """What it shows: the names it uses, and the files among them without their folders."""
        used = self.uses(place)
        return tuple(dict.fromkeys((*used, *map(bare, used))))

    def where(self, name: Entity) -> Sequence[int]:
        """The places of the messages that show a name, in order."""
        places = self._said.names.where(name)
        return places if not places or places[-1] < self._count else places[: bisect_left(places, self._count)]

    def _checked(self, place: int) -> int:
        if not 0 <= place < self._count:
            raise IndexError(f"no message {place} among {self._count}")
        return place
