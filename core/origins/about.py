"""What a text says about a code name: the sentence or clause that has the name, and its other words that tell something."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from core.entities.denials import claims
from core.origins.facts import facts_of
from core.origins.sense import LIGHT, Part, part_of

_CODE = re.compile(r"\w*(?:[a-z][A-Z]|[A-Za-z0-9]_\w)\w*", re.ASCII)


class About(NamedTuple):
    """A sentence or a clause that has code names, the words of each of these, and those words that tell something of them."""

    part: Part
    names: tuple[frozenset[str], ...]
    telling: frozenset[str]


def abouts_of(parts: Iterable[Part]) -> tuple[About, ...]:
    """Those of the clauses of some sentences, and of the sentences, that have a code name or a file's."""
    clauses = (part_of(clause) for part in parts for clause in claims(part.text))
    return tuple(chain.from_iterable(map(_about, (*clauses, *parts))))


def _about(part: Part) -> Iterator[About]:
    files = (fact.text for fact in facts_of(part.text) if fact.sort == "file")
    names = tuple(part_of(name).words for name in (*_CODE.findall(part.text), *files))
    if names:
        yield About(part, names, part.words - part.named - LIGHT - frozenset().union(*names))
