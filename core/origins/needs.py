"""When the model used something after a compaction: the first message in which it wrote it again.

In a very long session names and commands are looked for in part of the messages (`named.py`), sentences not at all.
"""

from bisect import bisect_left
from collections.abc import Iterable
from functools import cached_property

from core.entities.search import TextSearch, search_of
from core.entities.texts import argument_texts
from core.model.cached import cached
from core.model.session import Message
from core.origins.in_words import in_words
from core.origins.named import BEHIND, Named
from core.origins.said import Item
from core.origins.thoughts import thinks
from core.summaries.facts import facts_of
from core.trace.trace import Trace
from core.why.fate import fate
from core.window.measured import Measured

_IN_OTHER_WORDS = ("constraint", "decision")  # what a person would follow without quoting it
_THOUGHT = 200  # messages before a use in whose thoughts a name is looked for
_LOOKS = 8  # sentences that are gone whose words are looked for, the heaviest: each takes several searches


class Needs:
    """The uses behind one compaction."""

    def __init__(self, trace: Trace, k: int, named: Named) -> None:
        self._trace, self._at = trace, trace.compactions[k].at
        self._step = trace.compaction_step(k)
        self._named, self._looks = named, 0
        self._ran: dict[str, int] | None = None

    def of(self, item: Item, gone: bool) -> int | None:
        """The step of the first use, or None; of what is gone, unless the model was told it again before."""
        place = self._first(item, gone)
        if place is not None and not (gone and item.name and self._told_again(item.text, place)):
            return self._trace.message_step(place)
        return self._followed(item.text) if gone and item.kind in _IN_OTHER_WORDS else None

    def _behind(self, item: Item) -> Iterable[int]:
        """The places behind the compaction that show an item, in order."""
        if item.name is not None:
            found = self._named.where(item.name)
            return found[bisect_left(found, self._at) :]
        if item.kind == "command":
            place = self._commands().get(item.text)
            return () if place is None else (place,)
        return self._search.among(item.text.rstrip("…."), self._at) if self._named.whole else ()

    def _told_again(self, text: str, before: int) -> bool:
        """Whether a message or thought behind the compaction has the text before this place: not all use it as a name."""
        if self._named.whole and any(True for _ in self._search.among(text, self._at, before)):
            return True
        return thinks(self._trace.messages[max(self._at, before - _THOUGHT) : before], text)

    @cached_property
    def _search(self) -> TextSearch:
        return search_of(self._trace.messages)

    def _followed(self, text: str) -> int | None:
        """The first step at which a sentence was needed while the window had lost it."""
        if self._looks >= _LOOKS or not self._named.whole:
            return None
        self._looks += 1
        events = fate(self._trace, text).events if text.strip() else ()
        return next((event.step for event in events if event.kind == "needed" and event.step > self._step), None)

    def _first(self, item: Item, gone: bool) -> int | None:
        for place in self._behind(item):
            message = self._trace.messages[place]
            if message.role == "assistant" and not message.injected:
                return place if _is_used(item, message) else None
            if gone:
                return None
        return None

    def _commands(self) -> dict[str, int]:
        """Where each command was first run behind the compaction."""
        if self._ran is None:
            self._ran = {}
            known = cached(self._trace.measured, "commands run", _Commands)
            for place in range(self._at, min(len(self._trace.messages), self._at + BEHIND)):
                for command in known[place]:
                    self._ran.setdefault(command, place)
        return self._ran


class _Commands(dict[int, tuple[str, ...]]):
    """The commands that each message ran, read when first asked for: many compactions stand in front of a message."""

    def __init__(self, measured: Measured) -> None:
        super().__init__()
        self._messages = measured.messages

    def __missing__(self, place: int) -> tuple[str, ...]:
        calls = facts_of(self._messages[place]).calls
        found = self[place] = tuple(call.targets[0] for call in calls if call.kind == "command")
        return found


def _is_used(item: Item, message: Message) -> bool:
    """Whether a reply uses an item outside code that it only shows: a name of that comes from a file as well."""
    said = in_words(message, acting=True)
    if item.name is None or said == message.content:
        return True
    text = item.text.rpartition("/")[2].casefold()
    return text in said.casefold() or any(text in one.casefold() for one in argument_texts(message))
