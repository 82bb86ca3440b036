"""Which text Why follows: as much of it as its message has word for word, up to the end of a sentence."""

import re
from collections.abc import Iterator

from core.entities.search import normalized
from core.entities.texts import texts
from core.model.session import Message
from core.model.text import ELLIPSIS
from core.origins.sentences import sentences_of

FOLLOWED = 400  # characters of a text that Why follows
_SHORTEST = 20  # characters of whole sentences that stand for a longer text
_WRAPPED = 30  # characters at least of a line that a text was wrapped to
_OPEN = re.compile(r"[^.!?;:。！？；：]$")
_GOES_ON = re.compile(r" [a-z(]")
_BETWEEN = 40  # characters that the message may have between two sentences beside what is quoted


def whole_sentences(line: str, most: int = FOLLOWED) -> str:
    """A text on one line, or as many whole sentences of it as fit; where not one does, as many whole words."""
    if len(line) <= most:
        return line
    ends = [one.end for one in sentences_of(line) if one.end <= most]
    if ends and ends[-1] >= _SHORTEST:
        return line[: ends[-1]]
    return line[: most + 1].rpartition(" ")[0] or line[:most]


def beginning(text: str, message: Message) -> str:
    """How what a person typed begins, on one line as its message has it; of a command, how what was asked with it begins.

    "" where the message has no such text. This is how a request is followed, and of it its words are counted.
    """
    said, line = normalized(message.content), normalized(text)
    whole = next((part for part in (line, line.partition(" ")[2]) if part and part in said), "")
    return whole_sentences(whole)


def ends_open(line: str) -> bool:
    """Whether a line ends within a sentence, as far as its last character says."""
    return _OPEN.search(line) is not None


def followed(text: str, message: Message) -> str:
    """A text as its message has it, of one that was cut to the end of its sentence or line; "" where the message has it not.

    Between its sentences the message may have a few words more, such as an "And".
    """
    line = normalized(text)
    if line.endswith(ELLIPSIS):
        line = line.rstrip(f" {ELLIPSIS}")
        line = next(_completed(line, message), line)
    for said in map(normalized, texts(message)):
        if found := _span(line, said):
            return whole_sentences(unwrapped(found, message))
    return ""


def unwrapped(line: str, message: Message) -> str:
    """A line of what a message says; where that breaks its lines within sentences, to the end of the sentence."""
    said = normalized(message.content)
    at = said.find(line)
    behind = at + len(line)
    if at < 0 or len(line) < _WRAPPED or not ends_open(line) or not _GOES_ON.match(said, behind):
        return line
    ends = (at + one.end for one in sentences_of(said[at : at + FOLLOWED]))
    return said[at : next((end for end in ends if end > behind), behind)]


def _completed(line: str, message: Message) -> Iterator[str]:
    """The lines of a message that have a text, from its beginning to the end of the sentence or of the line."""
    for said in (normalized(row) for text in texts(message) for row in text.splitlines()):
        if (at := said.find(line)) >= 0:
            behind = at + len(line)
            yield said[at : next((one.end for one in sentences_of(said) if one.end >= behind), len(said))]


def _span(line: str, said: str) -> str:
    """Where a text has a line, or its sentences from the first to the last, one soon after the other; case does not count."""
    low = said.casefold() if len(said.casefold()) == len(said) else said
    if (at := said.find(line)) >= 0 or (at := low.find(line.casefold())) >= 0:
        return said[at : at + len(line)]
    parts = [one.text.casefold() for one in sentences_of(line)]
    start, end = -1, 0
    for part in parts:
        at = low.find(part, end)
        if at < 0 or (start >= 0 and at > end + _BETWEEN):
            return ""
        start, end = (at if start < 0 else start), at + len(part)
    return said[start:end] if len(parts) > 1 else ""
