"""What a message says around the words that matter: one line of at most 120 characters."""

import re
from collections.abc import Iterable

from core.entities.search import normalized
from core.entities.texts import texts
from core.model.session import Message
from core.model.text import ELLIPSIS, cut

LONGEST = 120
_BEFORE = 32  # characters in front of the words, where the rest does not fit


def quote(message: Message, wanted: str, exact: bool = True) -> str:
    """The part of a message around the words; how it begins if it does not have them."""
    said = texts(message)
    found = _around(said, normalized(wanted), exact) if wanted.strip() else ""
    return found or _cut(normalized(next(texts(message), "")[: 8 * LONGEST]), 0)


def _around(said: Iterable[str], wanted: str, exact: bool) -> str:
    pattern = re.compile(re.escape(wanted).replace(r"\ ", r"\s+"), 0 if exact else re.IGNORECASE)
    for text in said:
        if match := pattern.search(text):
            start = max(0, match.start() - 4 * LONGEST)
            front = normalized(text[start : match.start()] + "|")[:-1]
            behind = normalized("|" + text[match.start() : match.start() + 8 * LONGEST])[1:]
            return _cut(front + behind, len(front), cut_before=start > 0)
    return ""


def _cut(line: str, at: int, cut_before: bool = False) -> str:
    """The line cut between words to its longest length, so that what begins at a place is in it."""
    if len(line) <= LONGEST and not cut_before:
        return line
    start = max(0, min(at - _BEFORE, len(line) - LONGEST + 1)) if at else 0
    if start and (space := line.find(" ", start, at)) >= 0:
        start = space + 1
    part = line[start:]
    front = ELLIPSIS if start or cut_before else ""
    return front + cut(part, LONGEST - len(front))
