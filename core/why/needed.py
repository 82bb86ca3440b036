"""Where the model used a text: in what it wrote there is the text, a name in it, or enough of its rare words.

A name or a command has no other words, and code that a reply only shows uses no name: it may come from a file. A use is a
need if the window that the prompt was made of had lost the text, and nothing else in it had the name or the words, nor a
thought the name.
This is a match of words, never a proof. A reply of several messages counts once. A need is also where the user sends the agent
back to a text that is gone (`sent_back.py`).
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence, Set

from core.entities.entity import Entity
from core.entities.in_words import runs, uses_name
from core.entities.index import index_of
from core.entities.kinds import entities_of, whole_name
from core.entities.search import normalized
from core.entities.thoughts import NEAR, thinks
from core.measure.standing import standing
from core.model.cached import cached
from core.trace.trace import Trace
from core.why.events import By, Event
from core.why.hits import hits_at
from core.why.lane import Lane
from core.why.names import shown_in_added, shows
from core.why.rare_words import RareWords
from core.why.sent_back import sent_back
from core.window.measured import Measured

_CLAUSE = re.compile(r"[;:.!?。；：](?:\s|$)")
_SHORT = 240  # characters of a text that is one statement: what it begins with may be used alone


class Uses:
    """The replies that use the text, each once: as it is written first, then by a name, then by words."""

    def __init__(self, trace: Trace, lane: Lane, text: str) -> None:
        self._trace, self._lane, self._text = trace, lane, text
        self._name = whole_name(text)
        self._calls = trace.measured.calls
        self._thought = dict[int, bool]()  # whether the thought of a message has the name
        self._needed, self._used = dict[int, Event](), dict[int, Event]()
        if lane.first_said < len(trace):
            self._find()
            self._ask()

    @property
    def needed(self) -> list[Event]:
        """The uses of what was gone, in order."""
        return sorted(self._needed.values(), key=lambda event: event.step)

    @property
    def used(self) -> list[Event]:
        """The uses of what was still there, or of a name or words of it that were, in order."""
        return sorted(self._used.values(), key=lambda event: event.step)

    def _find(self) -> None:
        said = set(self._lane.hits.session.places)
        again = sorted({*self._lane.found_again(), *(said & self._trace.measured.continued)})
        self._take(again, None, "text", self._text)
        if said and runs(self._trace.messages[min(said)], normalized(self._text)):
            return
        for name in [self._name] if self._name else entities_of(self._text):
            places = index_of(self._trace.messages).where(name)
            if found := self._replies(i for i in places if i not in said):
                self._take(found, self._lane_of_name(name, places), "name", name.key)
        for part in () if self._name else dict.fromkeys((self._text, _head(self._text))):
            self._find_words(RareWords(self._trace, part), said)

    def _ask(self) -> None:
        """Keep as needs where the user sends the agent back to it while it is gone; to a file, not to each name in it."""
        said = set(self._lane.hits.session.places)
        for one in sent_back(self._trace):
            about = _is_about(self._text, one.sentence) if one.sentence else self._name is None
            if said.isdisjoint(one.sources) or not about:
                continue
            step = self._trace.message_step(one.place)
            if not self._lane.has(step - 1):
                message, tokens = self._trace.messages[one.place], self._trace.tokens[one.place]
                self._needed[one.place] = Event(
                    step, "needed", message.id, one.place, 0, tokens, one.match, (one.quote,)
                )

    def _find_words(self, words: RareWords, said: Set[int]) -> None:
        places = words.places()
        if found := self._replies(i for i in places if i not in said):
            lane = Lane(self._trace, hits_at(self._trace, places, words.added(), words.has))
            self._take(found, lane, "words", words)

    def _lane_of_name(self, name: Entity, places: Sequence[int]) -> Lane:
        """Where in the windows anything shows a name; in the session these messages do."""
        trace = self._trace
        return Lane(trace, hits_at(trace, places, shown_in_added(trace, name), lambda message: shows(message, name)))

    def _replies(self, places: Iterable[int]) -> list[int]:
        """Those of the places where the model wrote, of a name outside code that it only shows."""
        messages, name = self._trace.messages, self._name
        wrote = (i for i in places if messages[i].role == "assistant" and not messages[i].injected)
        return [i for i in wrote if name is None or uses_name(messages[i], name)]

    def _take(self, places: Iterable[int], other: Lane | None, match: By, evidence: str | RareWords) -> None:
        """Keep the replies among these messages: as needs where the prompt had lost the text and has not the `other` either."""
        for place in self._replies(places) if match == "text" else places:
            call = self._calls[bisect_right(self._calls, place) - 1]
            if call in self._needed:
                continue
            prompt = self._trace.message_step(call) - 1
            there = self._lane.has(prompt) or self._thought_of(call)
            if there or (other and prompt >= self._lane.first_said and other.has(prompt)):
                if match != "text" and call not in self._used:
                    self._used[call] = self._event(place, match, evidence)
            elif prompt >= self._lane.first_said:
                self._needed[call] = self._event(place, match, evidence)
                self._used.pop(call, None)

    def _thought_of(self, call: int) -> bool:
        """Whether a thought in the prompt of a reply has the name: thoughts stand in the window with their messages."""
        if self._name is None:
            return False
        places, messages = _thinking(self._trace.measured), self._trace.messages
        near = places[bisect_left(places, call - NEAR) : bisect_left(places, call)]
        text, windows, known = self._name.key.rpartition("/")[2], standing(self._trace), self._thought
        for i in near:
            if i not in known:
                known[i] = thinks((messages[i],), text)
            if known[i] and windows.stands(i, call):
                return True
        return False

    def _event(self, place: int, match: By, evidence: str | RareWords) -> Event:
        message, step = self._trace.messages[place], self._trace.message_step(place)
        words = (evidence,) if isinstance(evidence, str) else evidence.evidence(message)
        if not isinstance(evidence, str) and evidence.against(message):
            match = "against"
        return Event(step, "needed", message.id, place, 0, self._trace.tokens[place], match, words)


def _is_about(text: str, sentence: str) -> bool:
    """Whether a text has a sentence, or is part of it."""
    one, two = normalized(text).casefold(), normalized(sentence).casefold()
    return one in two or two in one


def _thinking(measured: Measured) -> Sequence[int]:
    """The places of the messages that have thoughts."""
    return cached(measured, "thinking", lambda known: [i for i, one in enumerate(known.messages) if one.thinking])


def _head(text: str) -> str:
    """The first clause of a statement; of a longer text all of it."""
    return (_CLAUSE.split(text, maxsplit=1)[0].strip() if len(text) <= _SHORT else "") or text
