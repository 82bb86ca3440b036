"""Which of the user's requests neither the window nor a summary in it says any more once a compaction has made it."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import RLock

from core.analyse.answered import Ending, ended_by, under_way
from core.analyse.no_request import NoRequest, sought, why_none
from core.model.cached import cached
from core.model.own_text import own_text
from core.model.session import Message
from core.origins.named import kept
from core.origins.remains import Remains, Verdict, bare_text
from core.trace.trace import Trace
from core.window.measured import is_reply

_SOUGHT = 8  # compactions in a row that leave a request unsaid: behind so many it is looked for word for word alone


@dataclass(frozen=True)
class Requests:
    """The requests that had been made when a compaction happened and can be looked for: their places, those that are `gone`,
    those that stand `reworded`, in other words, and those that stand `partly`.

    `lost` are the gone ones that were still said until this one. `open` are the gone ones that the agent was working on when a
    compaction took them; of the others those are `answered` that a reply had come to by then: they may go without harm.
    Those are `stopped` at which the user had stopped the agent before a reply.

    A message is a request where it asks for something, be it that it states a rule, too. So is the first one, and one that the
    agent was working on when it went. `stated` are the places of other messages that this compaction left unsaid.
    """

    asked: tuple[int, ...] = ()
    gone: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()
    reworded: tuple[int, ...] = ()
    partly: tuple[int, ...] = ()
    open: tuple[int, ...] = ()
    answered: tuple[int, ...] = ()
    stopped: tuple[int, ...] = ()
    stated: tuple[int, ...] = ()


def requests(trace: Trace, k: int) -> Requests:
    """The requests before compaction k, and those that nothing says any more then; none where its summary is unreadable."""
    reading = cached(trace, "requests", _Reading)
    with reading.lock:  # findings and overview may ask at once
        while len(reading.found) <= k:  # each asks those before it
            reading.found.append(reading.next(trace))
    return reading.found[k]


def others(trace: Trace, k: int) -> dict[int, NoRequest]:
    """Why each message of the user's before compaction k is no request, by its place; none where no request is known."""
    asked, at = set(requests(trace, k).asked), trace.compactions[k].at
    typed = (place for place in trace.measured.turn_starts if place < at and place not in asked) if asked else ()
    reasons = ((place, why_none(trace.messages[place])) for place in typed)
    return {place: why for place, why in reasons if why}


def newest_told(trace: Trace) -> int:
    """The index of the newest compaction that acted and whose summary can be read, or -1: there the requests can be told."""
    events = trace.compactions
    told = (k for k in range(len(events) - 1, -1, -1) if events[k].acted and not events[k].unreadable)
    return next(told, -1)


def typed_kept(trace: Trace, k: int) -> tuple[int, int, int]:
    """Three counts at compaction k: the user's messages that stayed in the window, all before it, replies that stayed."""
    typed = [place for place in trace.measured.turn_starts if place < trace.compactions[k].at]
    stayed = set(kept(trace, k))
    return (
        sum(place in stayed for place in typed),
        len(typed),
        sum(_is_reply(trace.messages[place]) for place in stayed),
    )


def _is_reply(message: Message) -> bool:
    """Whether the model says something in it: a call alone is no reply, nor is a note that the harness put in."""
    return is_reply(message) and bool(own_text(message).strip())


class _Reading:
    """The compactions of a trace in order: `found` is what was found of each so far.

    A text that is gone is looked for in other words behind the next compactions, so many (_SOUGHT) in a row: no summary says
    again as a whole what nobody told its model. Then only its own words bring it back: in a summary, asked again, or as its
    message.
    """

    def __init__(self, trace: Trace) -> None:
        self.found: list[Requests] = []
        self.lock = RLock()
        self._texts = {place: text for place in trace.measured.turn_starts if (text := sought(trace.messages[place]))}
        self._places = list(self._texts)
        self._bare = {text: bare_text(text) for text in self._texts.values()}
        self._unsaid: dict[str, int] = {}  # the texts that are gone, by how many compactions in a row, at most so many
        self._newest = Requests()  # of the newest compaction that can be read
        self._ended: dict[int, Ending] = {}  # how the work on those that are gone had ended: once and for all

    def next(self, trace: Trace) -> Requests:
        """The requests of the next compaction."""
        event, newest = trace.compactions[len(self.found)], self._newest
        if event.unreadable or not event.acted:
            return Requests()
        asked = tuple(self._places[: bisect_left(self._places, event.at)])
        for place in asked[len(newest.asked) :]:
            self._unsaid.pop(self._texts[place], None)
        told = self._verdicts_at(trace, asked, len(self.found))
        gone, reworded, partly = (
            tuple(place for place, how in told.items() if how == one) for one in ("gone", "reworded", "partly")
        )
        was_gone = set(newest.gone)
        lost = tuple(place for place in gone if place not in was_gone)
        at_work = {*newest.open, *(place for place in lost if under_way(trace, place, event.at))}
        still_open = tuple(place for place in gone if place in at_work)
        answered, stopped = self._endings(trace, [place for place in gone if place not in at_work], event.at)
        self._newest = Requests(asked, gone, lost, reworded, partly, still_open, answered, stopped)
        return _without_statements(trace, self._newest)

    def _verdicts_at(self, trace: Trace, asked: Sequence[int], k: int) -> dict[int, Verdict]:
        """How compaction k left each of the requests whose message it did not keep: those in the same words the same."""
        stayed, put = set(kept(trace, k)), trace.compactions[k].after
        window = [trace.messages[place] for place in sorted(stayed)]
        remains = Remains([message for message in put if message.injected in ("summary", "ack")], window)
        texts = {place: self._texts[place] for place in asked if place not in stayed}
        said = {text: self._how_said(text, remains) for text in dict.fromkeys(texts.values())}
        took = bool(
            trace.compactions[k].ranges_of("summarised", "dropped")
        )  # no message goes where results are cleared
        gone = (text for text, how in said.items() if how == "gone")
        self._unsaid = {text: min(_SOUGHT, self._unsaid.get(text, 0) + took) for text in gone}
        return {place: said[text] for place, text in texts.items()}

    def _how_said(self, text: str, remains: Remains) -> Verdict:
        """How a summary says a request, or a message that stayed. Of one that was gone a part is chance."""
        times = self._unsaid.get(text, 0)
        if times == _SOUGHT:
            return "verbatim" if remains.has(self._bare[text]) else "gone"
        verdict = remains.of(text).verdict
        return "gone" if times and verdict == "partly" else verdict

    def _endings(self, trace: Trace, gone: Sequence[int], at: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Those of the gone that a reply had come to within the first `at` messages, and those the user had stopped."""
        ended = self._ended
        for place in gone:
            if place not in ended and (ending := ended_by(trace, place, at)):
                ended[place] = ending
        answered, stopped = (
            tuple(place for place in gone if ended.get(place) == how) for how in ("answered", "stopped")
        )
        return answered, stopped


def _without_statements(trace: Trace, found: Requests) -> Requests:
    """What is found of those that are requests, and the others that went here."""
    messages, task = trace.messages, trace.measured.turn_starts[:1]
    only = (place for place in found.asked if why_none(messages[place]) == "stated")
    stated = set(only).difference(found.open, task)
    rest = {name: tuple(place for place in places if place not in stated) for name, places in vars(found).items()}
    return replace(found, **(rest | {"stated": tuple(place for place in found.lost if place in stated)}))
