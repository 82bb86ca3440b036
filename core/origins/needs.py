"""When the model used something after a compaction: the first reply in which it wrote it again, as Why tells it.

In a very long session names and commands are looked for in part of the messages (`named.py`), sentences not at all.
"""

from bisect import bisect_left
from collections.abc import Iterable
from typing import Literal

from core.entities.in_words import uses_name
from core.entities.kinds import whole_name
from core.entities.search import search_of
from core.entities.thoughts import NEAR, thinks
from core.model.cached import cached
from core.model.session import Message
from core.origins.named import Named
from core.origins.reworded import reworded
from core.origins.said import Item
from core.origins.story import story
from core.trace.trace import Trace
from core.why.fate import fate

_Moment = tuple[int, Literal["needed", "used", "wrote", "said"]]
"""A step at which the model used a text that was gone, or that was there, or wrote it, or at which somebody said it."""


def needed_after(trace: Trace, text: str, step: int, gone: bool) -> int | None:
    """The step of the first use behind a step, None where there is none: of what is gone, before anything says it again."""
    told = cached(trace, ("moments", text), lambda trace: _moments(trace, text)) if text else []
    ends = ("needed", "wrote", "said") if gone else ("needed", "used", "wrote")
    first = next(((at, kind) for at, kind in told if at > step and kind in ends), None)
    return None if first is None or (gone and first[1] != "needed") else first[0]


def _moments(trace: Trace, text: str) -> list[_Moment]:
    """What Why tells of the uses of a text, in order."""
    found, told, name = fate(trace, text), list[_Moment](), whole_name(text)
    events, uses = story(found, reworded(found))
    for event in events:
        if event.kind == "needed":
            told.append((event.step, "needed"))
        elif event.kind in ("said", "read_again") and event.match != "words":
            message = trace.pool.message(event.place)
            wrote = _replies(message) and (name is None or uses_name(message, name))
            told.append((event.step, "wrote" if wrote else "said"))
    return sorted([*told, *((event.step, "used") for event in uses)])


def _replies(message: Message) -> bool:
    return message.role == "assistant" and not message.injected


class Needs:
    """The uses behind one compaction."""

    def __init__(self, trace: Trace, k: int, named: Named) -> None:
        self._trace, self._at = trace, trace.compactions[k].at
        self._step = trace.compaction_step(k)
        self._named = named

    def of(self, item: Item, gone: bool) -> int | None:
        """The step of the first use, or None; of what is gone, unless the model was told it again before."""
        if not self._named.whole:
            return self._in_part(item, gone)
        if (whole_name(item.text) or item.kind == "command") and not any(self._replies_behind(item)):
            return None
        return needed_after(self._trace, item.text.rstrip(" …"), self._step, gone)

    def _replies_behind(self, item: Item) -> Iterable[bool]:
        """Whether each message behind the compaction that shows a name or a command is a reply."""
        return (_replies(self._trace.messages[place]) for place in self._behind(item))

    def _behind(self, item: Item) -> Iterable[int]:
        """The places behind the compaction that show a name or a command, in order."""
        if item.name is None:
            return search_of(self._trace.messages).among(item.text.rstrip(" …"), self._at)
        found = self._named.where(item.name)
        return found[bisect_left(found, self._at) :]

    def _in_part(self, item: Item, gone: bool) -> int | None:
        """The same of a name in a session that is not read as a whole: the first message that shows it tells."""
        for place in self._behind(item) if item.name else ():
            message = self._trace.messages[place]
            if _replies(message):
                thought = self._trace.messages[max(self._at, place - NEAR) : place] if gone else ()
                used = item.name is not None and uses_name(message, item.name) and not thinks(thought, item.text)
                return self._trace.message_step(place) if used else None
            if gone:
                return None
        return None
