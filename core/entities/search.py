"""Search for any text over a whole session, in a few milliseconds.

Two texts are the same if they are the same once every run of white space is one space. A text is sought as it is written;
where nothing has it so, without regard to case.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from core.entities.said import Said, said_in
from core.entities.texts import texts
from core.model.session import Message, Session

Match = Literal["exact", "case", "none"]


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
    return TextSearch(messages, said_in(messages)) if messages else TextSearch()


class TextSearch:
    """A search over messages. Threads may share it."""

    def __init__(self, messages: Sequence[Message] = (), said: Said | None = None) -> None:
        self._said, self._count = said or Said(messages), len(messages)

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

    def among(self, text: str, first: int, behind: int | None = None) -> Iterator[int]:
        """Those of `places` from one message on, or from it up to another, one after the other: no more is looked through."""
        end = self._count if behind is None else min(behind, self._count)
        match self.places(text, most=1).match:
            case "exact":
                yield from self._said.written.among(normalized(text), first, end)
            case "case":
                yield from self._said.without_case().among(normalized(text).casefold(), first, end)
