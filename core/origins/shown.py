"""Names that a tool result showed first and that a reply writes only later: rare ones, which nobody knows without it."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.entities.entity import Entity
from core.entities.index import index_of
from core.model.cached import cached
from core.model.give_way import give_way
from core.trace.trace import Trace
from core.window.measured import Measured

_RARE = 4  # messages: a name that more of them show is a word that everybody knows
_LONG = 14  # characters of a word that is made up of several
_SNAKE = re.compile(r"[a-z\d]+(?:_[a-z\d]+)+")
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_EVERYWHERE = re.compile(r"dev/\w+|bin/(?:env|\w*sh|python3?|node|ls|cat)|\w+_(?:API_KEY|TOKEN)")
_MADE_UP = re.compile(r"(?:[a-f]\d)+")  # a hash such as a1b2c3d4, as examples have


class Shown(NamedTuple):
    """A name, the messages that show it before the first reply that writes it, and where that reply begins."""

    name: Entity
    places: Sequence[int]
    call: int


def shown_by_tools(trace: Trace) -> Sequence[Shown]:
    """The names of a session that tool results showed first, in the order in which replies write them; found once for it."""
    return cached(trace.measured, "names that tools showed", lambda measured: tuple(_shown(measured)))


def _shown(measured: Measured) -> Iterator[Shown]:
    index, messages, known = index_of(measured.messages), measured.messages, set[Entity]()
    for call, behind in zip(measured.calls, (*measured.calls[1:], len(messages)), strict=True):
        give_way()
        parts = (i for i in range(call, behind) if messages[i].role == "assistant" and not messages[i].injected)
        new = [name for i in parts for name in index.uses(i) if name not in known]
        known.update(new)
        for name in dict.fromkeys(filter(is_of_this_session, new)):
            where = index.where(name)
            places = where[: bisect_left(where, call)]
            if 0 < len(places) <= _RARE and messages[places[0]].role == "tool":
                yield Shown(name, places, call)


def is_of_this_session(name: Entity) -> bool:
    """Whether a name is hardly one that everybody knows, such as PowerShell or file.txt."""
    if _EVERYWHERE.fullmatch(name.key):
        return False
    if name.kind == "identifier":
        parts = 2 if _SNAKE.fullmatch(name.key) else 3
        return len(_PARTS.findall(name.key)) >= parts and len(name.key) >= _LONG
    if name.kind == "path":
        return "/" in name.key or (len(name.key) >= _LONG and ("_" in name.key or "-" in name.key))
    return name.kind in ("hash", "number", "url") and len(name.key) >= _LONG // 2 and not _MADE_UP.fullmatch(name.key)
