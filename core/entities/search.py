"""Search for any text over a whole session, in a few milliseconds.

Two texts are the same if they are the same once every run of white space is one space. A text is sought as it is written;
where nothing has it so, without regard to case.

All texts stand in one row of UTF-8 bytes: a string with one emoji in it would take four bytes for each character.
"""

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from threading import RLock
from typing import Literal

from core.entities.kept import kept
from core.entities.texts import texts
from core.model.session import Message, Session

Match = Literal["exact", "case", "none"]

_AT_ONCE = 64  # messages whose case is folded in one go, if all are ASCII
_ASCII = bytes(range(128))


@dataclass(frozen=True)
class Found:
    """Where a text is: the places of the messages that have it, in order, and how it matched."""

    match: Match
    places: Sequence[int] = ()


@dataclass(frozen=True)
class Wanted:
    """A text to look for in single messages, and how: "exact", "case" to leave case aside, or "none" to find nothing."""

    text: str
    match: Match = "exact"

    @cached_property
    def spelled(self) -> str:
        """The text as it is compared; empty if nothing has it."""
        text = "" if self.match == "none" else normalized(self.text)
        return text.casefold() if self.match == "case" else text

    def spellings(self, message: Message) -> tuple[str, ...]:
        """How a message may write it: a summary may begin a sentence with what stood within one, or the other way round."""
        exact_in_summary = self.match == "exact" and message.injected == "summary"
        return (self.spelled, begun(self.spelled)) if exact_in_summary else (self.spelled,)


def begun(text: str) -> str:
    """The text with its first letter in the other case, if it is three words or more: a name is as it is written."""
    return text[:1].swapcase() + text[1:] if text.count(" ") > 1 else text


def normalized(text: str) -> str:
    """The text with every run of white space as one space, and none at the ends."""
    return " ".join(text.split())


def says(message: Message, wanted: Wanted) -> bool:
    """Whether the content of a message, or one value of its calls, has the text. Nothing has a blank one."""
    if not wanted.spelled:
        return False
    spellings = wanted.spellings(message)
    for text in map(normalized, texts(message)):
        written = text.casefold() if wanted.match == "case" else text
        if any(spelling in written for spelling in spellings):
            return True
    return False


def search_of(said: Session | Sequence[Message]) -> "TextSearch":
    """The search over a trace's messages, or a session's: made once, and carried on for a list that begins with these.

    A session that recorded summaries has other messages than its traces: ask with those of a trace, to make one search.
    """
    messages = said.messages if isinstance(said, Session) else said
    return TextSearch(messages, kept(_Texts, messages)) if messages else TextSearch()


class TextSearch:
    """A search over messages. Threads may share it."""

    def __init__(self, messages: Sequence[Message] = (), said: "_Texts | None" = None) -> None:
        self._said, self._count = said or _Texts(messages), len(messages)

    def __len__(self) -> int:
        return self._count

    def places(self, text: str, match: Match | None = None, most: int | None = None) -> Found:
        """The messages that have the text: as written, else without regard to case; with a `match`, in that way alone.

        None has a text that is blank. No more than the first `most` of them are given.
        """
        wanted, count = normalized(text), self._count
        if not wanted:
            return Found("none")
        if match in (None, "exact") and (exact := self._said.written.places(wanted, count, most)):
            return Found("exact", exact)
        if match in (None, "case") and (folded := self._said.without_case().places(wanted.casefold(), count, most)):
            return Found("case", folded)
        return Found("none")


class _Texts:
    """The texts of messages that go on arriving, and the same without case, made when first asked for."""

    def __init__(self, messages: Sequence[Message] = ()) -> None:
        self.messages: list[Message] = []
        self.written, self._folded = _Row(), _Row()
        self._lock = RLock()
        self.take(messages)

    def take(self, messages: Sequence[Message]) -> None:
        """Take in messages that follow."""
        with self._lock:
            for message in messages:
                self.written.add("\n".join(map(normalized, texts(message))))
                self.messages.append(message)

    def without_case(self) -> "_Row":
        """The texts of all that arrived, without case."""
        with self._lock:
            self._folded.follow(self.written)
        return self._folded


def _has_case_only_in_ascii(block: bytearray) -> bool:
    """Whether folding the case of a text changes no letter but A to Z, which are folded in a tenth of the time."""
    others = "" if block.isascii() else block.translate(None, _ASCII).decode("utf-8", "surrogatepass")
    return all(letter == letter.casefold() for letter in set(others))


class _Row:
    """Texts of messages in a row of bytes. A line end closes each message and parts its texts: no text has one."""

    def __init__(self) -> None:
        self._bytes, self._starts = bytearray(), array("Q", [0])

    def __len__(self) -> int:
        return len(self._starts) - 1

    def add(self, text: str) -> None:
        """Put the texts of the next message at the end."""
        self._bytes += text.encode("utf-8", "surrogatepass") + b"\n"
        self._starts.append(len(self._bytes))

    def follow(self, row: "_Row") -> None:
        """Take over what another row has and this one has not, without case."""
        for first in range(len(self), len(row), _AT_ONCE):
            self._fold(row, first, min(first + _AT_ONCE, len(row)))

    def _fold(self, row: "_Row", first: int, behind: int) -> None:
        block = row._bytes[row._starts[first] : row._starts[behind]]
        if _has_case_only_in_ascii(block):  # keeps its length
            shift = len(self._bytes) - row._starts[first]
            self._bytes += block.lower()
            self._starts.extend([start + shift for start in row._starts[first + 1 : behind + 1]])
        elif behind - first > 1:
            middle = (first + behind) // 2
            self._fold(row, first, middle)
            self._fold(row, middle, behind)
        else:
            self.add(block[:-1].decode("utf-8", "surrogatepass").casefold())

    def places(self, text: str, count: int, most: int | None) -> list[int]:
        """Those of the first `count` messages that have the text, or the first `most` of those."""
        return list(islice(self._places(text.encode("utf-8", "surrogatepass"), self._starts[count]), most))

    def _places(self, wanted: bytes, end: int) -> Iterator[int]:
        at = self._bytes.find(wanted, 0, end)
        while at >= 0:
            place = bisect_right(self._starts, at) - 1
            yield place
            at = self._bytes.find(wanted, self._starts[place + 1], end)
