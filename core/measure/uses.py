"""What replies name that stood in a message before: what the agent needed of its past."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.entities.entity import Entity
from core.entities.index import EntityIndex, index_of
from core.measure.calls import calls_of
from core.model.cached import cached
from core.window.measured import Measured


class Use(NamedTuple):
    """A name in the reply of a call that a message before it shows. `shown` are the places of those messages, in order."""

    call: int
    name: Entity
    shown: Sequence[int]

    @property
    def last(self) -> int:
        """The place of the newest of them."""
        return self.shown[-1]


def uses_of(base: Measured) -> tuple[Use, ...]:
    """Every use, once a reply, in order of the calls. The same for every policy; worked out once."""
    return cached(base, "uses", lambda base: tuple(_uses(base)))


def _uses(base: Measured) -> Iterator[Use]:
    index = index_of(base.messages) if base.messages else EntityIndex()
    for n, call in enumerate(calls_of(base)):
        names = dict.fromkeys(name for place in call.parts for name in index.uses(place))
        for name in names:
            places = index.where(name)
            before = bisect_left(places, call.at)
            if before:
                yield Use(n, name, places[:before])
