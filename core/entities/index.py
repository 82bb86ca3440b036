"""Which names each message of a session uses and shows, and where each name stands."""

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from threading import RLock

from core.entities.entity import Entity, bare
from core.entities.kept import kept
from core.entities.kinds import Names
from core.model.session import Message, Role, Session

_NOWHERE = -1


def index_of(said: Session | Sequence[Message]) -> "EntityIndex":
    """The index of a trace's messages, or a session's: made once, and carried on for a list that begins with these."""
    messages = said.messages if isinstance(said, Session) else said
    return EntityIndex(messages, kept(_Named, messages)) if messages else EntityIndex()


class EntityIndex:
    """The names in messages, by their places. Threads may share it."""

    def __init__(self, messages: Sequence[Message] = (), told: "_Named | None" = None) -> None:
        self._told, self._count = told or _Named(messages), len(messages)

    def __len__(self) -> int:
        return self._count

    def uses(self, place: int) -> tuple[Entity, ...]:
        """The names that the message at a place uses, in order."""
        return self._told.uses(self._checked(place))

    def shows(self, place: int) -> tuple[Entity, ...]:
        """What it shows: the names it uses, and the files among them without their folders."""
        used = self.uses(place)
        return tuple(dict.fromkeys((*used, *map(bare, used))))

    def where(self, name: Entity) -> Sequence[int]:
        """The places of the messages that show a name, in order."""
        places = self._told.where(name)
        return places if not places or places[-1] < self._count else places[: bisect_left(places, self._count)]

    def by_whom(self, name: Entity) -> list[Role]:
        """Who wrote the messages that show a name: their roles, in the order of `where`."""
        return [self._told.messages[place].role for place in self.where(name)]

    def _checked(self, place: int) -> int:
        if not 0 <= place < self._count:
            raise IndexError(f"no message {place} among {self._count}")
        return place


class _Named:
    """The names of messages that go on arriving.

    Each name has a number. The numbers that a message uses stand in a row with those of all others; most names stand in one
    message only, and so have one place instead of a list.
    """

    def __init__(self, messages: Sequence[Message] = ()) -> None:
        self.messages: list[Message] = []
        self._lock = RLock()
        self._read = Names()
        self._names, self._numbers = list[Entity](), dict[Entity, int]()
        self._places: list[int | array[int]] = []
        self._used, self._starts = array("I"), array("Q", [0])
        self.take(messages)

    def take(self, messages: Sequence[Message]) -> None:
        """Take in messages that follow."""
        with self._lock:
            for message in messages:
                self._add(message, len(self.messages))
                self.messages.append(message)

    def _add(self, message: Message, place: int) -> None:
        used = sorted(self._read.of_message(message))
        self._used.extend([self._number(name) for name in used])
        self._starts.append(len(self._used))
        for name in dict.fromkeys((*used, *map(bare, used))):
            number = self._number(name)
            known = self._places[number]
            if known == _NOWHERE:
                self._places[number] = place
            elif isinstance(known, int):
                self._places[number] = array("I", (known, place))
            else:
                known.append(place)

    def _number(self, name: Entity) -> int:
        number = self._numbers.setdefault(name, len(self._names))
        if number == len(self._names):
            self._names.append(name)
            self._places.append(_NOWHERE)
        return number

    def uses(self, place: int) -> tuple[Entity, ...]:
        """The names that a message uses."""
        return tuple(self._names[number] for number in self._used[self._starts[place] : self._starts[place + 1]])

    def where(self, name: Entity) -> Sequence[int]:
        """The places of a name."""
        known = self._places[self._numbers[name]] if name in self._numbers else ()
        return (known,) if isinstance(known, int) else known
