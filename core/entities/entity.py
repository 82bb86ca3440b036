"""A name that means the same wherever it stands."""

from typing import Literal, NamedTuple

Kind = Literal["command", "quoted", "url", "path", "hash", "number", "identifier"]

KINDS: tuple[Kind, ...] = ("command", "quoted", "url", "path", "hash", "number", "identifier")
"""Every kind, in the order in which a text is read for them."""


class Entity(NamedTuple):
    """One name: its kind, and its text in the form in which it is compared."""

    kind: Kind
    key: str


def shortened(name: Entity) -> str:
    """How a text may write a name that it does not write in full: a number with commas, a path by its last part."""
    return f"{int(name.key):,}" if name.key.isdecimal() else name.key.rpartition("/")[2]


def bare(entity: Entity) -> Entity:
    """What a path is called without its folder; any other name is itself."""
    if entity.kind != "path" or "/" not in entity.key:
        return entity
    return Entity("path", entity.key.rpartition("/")[2])
