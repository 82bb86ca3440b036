"""What was said, with the id of the message that says it: `All tests pass. [m12]`; and a request with its answer."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from core.model.text import ELLIPSIS, brief, cut

ARROW = " → "
_LONGEST = 16  # characters of an id that is cited whole
_PART = re.compile(r"(?:-[a-z]{3,8})?(?:-\d{1,4})?$")  # "-result-2": what tells the messages of one reply apart
_ODD = re.compile(r"[^\w.:+@/#~-]")
_SOURCE = re.compile(r"[\w.:+@/#~…–-]{1,50}")
_ANSWER = 20  # characters: of an answer cut shorter than this nobody learns anything


@lru_cache(maxsize=1 << 16)  # of a session's messages, each of which many settings summarize
def cite(id: str) -> str:
    """The id of a message as a summary cites it: whole if it is short, else its two ends, as of a UUID: 290f…820b2f."""
    name = _ODD.sub("_", id)
    if len(name) <= _LONGEST:
        return name
    found = _PART.search(name)
    part = found[0] if found else ""
    stem = name.removesuffix(part)
    return f"{stem[:4]}{ELLIPSIS}{stem[-6:]}{part}" if len(stem) > _LONGEST else name


class Quote(NamedTuple):
    """A text, and the id as cited of the message it is from; "" where that is not known."""

    text: str = ""
    source: str = ""

    @property
    def mark(self) -> str:
        """What stands behind the text: the id in brackets."""
        return f" [{self.source}]" if self.source else ""

    def fit(self, room: int) -> str:
        """The text with its id in at most `room` characters; "" where no word fits."""
        mark = self.mark
        text = cut(self.text, room - len(mark))
        return text + mark if text else ""

    def whole_sentences(self, room: int) -> str:
        """Like `fit`, but rather a sentence less than a sentence cut."""
        text = brief(self.text, max(0, room - len(self.mark)))
        return text + self.mark if text else ""


NOTHING = Quote()


@lru_cache(maxsize=1 << 13)  # most lines of a summary stood in the one before it
def parse_quote(line: str) -> Quote:
    """The quote that was written as this line."""
    start = line.rfind(" [") if line.endswith("]") else -1
    cited = start >= 0 and _SOURCE.fullmatch(line, start + 2, len(line) - 1)
    return Quote(line[:start], line[start + 2 : -1]) if cited else Quote(line)


@dataclass
class Exchange:
    """A request, and the reply that closed the turn it began; the reply is empty where it is not known to be its own."""

    ask: Quote
    answer: Quote = NOTHING

    def fit(self, room: int) -> str:
        """The request in at most `room` characters, and behind an arrow as much of the answer as still says something."""
        ask = self.ask.fit(room)
        space = room - len(ask) - len(ARROW)
        short = len(self.answer.text) + len(self.answer.mark) <= space
        if not ask or not self.answer.text or (not short and space < _ANSWER + len(self.answer.mark)):
            return ask
        return f"{ask}{ARROW}{self.answer.whole_sentences(space)}"


def parse_exchange(line: str) -> Exchange:
    """The exchange that was written as this line. An answer without the id of its message is not taken over.

    Summaries written before ids were cited paired requests with answers that were not theirs.
    """
    ask, _, answer = line.partition(ARROW)
    said = parse_quote(answer)
    return Exchange(parse_quote(ask), said if said.source else NOTHING)


class Span(NamedTuple):
    """The first and the last message that a line is gathered from."""

    first: str = ""
    last: str = ""

    def extended_to(self, source: str) -> "Span":
        """The span with one more message at its end."""
        return Span(self.first or source, source)

    @property
    def source(self) -> str:
        """As cited: `m3–m40`, or one id."""
        return self.first if self.first == self.last else f"{self.first}–{self.last}"


def parse_span(source: str) -> Span:
    """The span that was cited like this."""
    first, _, last = source.partition("–")
    return Span(first, last or first)
