"""The names that messages use, and the places where each name stands."""

from array import array
from collections.abc import Collection, Sequence

from core.entities.entity import Entity, bare

_NOWHERE = -1


class NamePlaces:
    """The names of messages that go on arriving.

    Each name has a number. The numbers that a message uses stand in a row with those of all others; most names stand in one
    message only, and so have one place instead of a list.
    """

    def __init__(self) -> None:
        self._names, self._numbers = list[Entity](), dict[Entity, int]()
        self._places: list[int | array[int]] = []
        self._used, self._starts = array("I"), array("Q", [0])

    def add(self, names: Collection[Entity]) -> None:
        """Take in the names of the message that follows."""
        place = len(self._starts) - 1
        used = sorted(names)
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
