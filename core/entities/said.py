"""What messages say: their texts in one row, and the names in them, of one reading.

To part all texts into words takes longest, and both need it.
"""

from collections.abc import Sequence
from threading import RLock

from core.entities.kept import kept
from core.entities.kinds import Names
from core.entities.places import NamePlaces
from core.entities.row import Row
from core.entities.written import Written
from core.model.give_way import give_way
from core.model.session import Message


def said_in(messages: Sequence[Message]) -> "Said":
    """What these messages say, of which there is at least one: read once, and carried on for a list that begins with them."""
    return kept(Said, messages)


class Said:
    """The texts of messages that go on arriving, as written and without case, and their names."""

    def __init__(self, messages: Sequence[Message] = ()) -> None:
        self.messages: list[Message] = []
        self._written, self.names = Written(), NamePlaces()
        self._read, self._lock = Names(), RLock()
        self.take(messages)

    def take(self, messages: Sequence[Message]) -> None:
        """Take in messages that follow."""
        with self._lock:
            for message in messages:
                give_way()
                text, names = self._read.read(message)
                self._written.add(text)
                self.names.add(names)
                self.messages.append(message)

    @property
    def written(self) -> Row:
        """The texts of all that arrived, as they are written."""
        return self._written.row

    def without_case(self) -> Row:
        """The texts of all that arrived, without case."""
        with self._lock:
            return self._written.without_case()
