"""Which of the user's requests neither the window nor a summary in it says any more once a compaction has made it."""

from collections.abc import Mapping
from dataclasses import dataclass

from core.analyse.answered import ended_by, under_way
from core.analyse.assent import only_goes_on
from core.entities.search import normalized
from core.model.cached import cached
from core.model.own_text import own_text
from core.model.session import Message
from core.model.text import is_bare_command, prose
from core.origins.follow import FOLLOWED
from core.origins.named import kept
from core.origins.remains import Remains, Verdict
from core.origins.terms import terms
from core.trace.trace import Trace

_READ = 6_000  # characters of a request that are compared: behind those much is pasted
_FEW = 3  # distinct words: a shorter one, such as "commit this", is in any summary or in none by chance


@dataclass(frozen=True)
class Requests:
    """The requests of a few words or more that had been made when a compaction happened: their places, those that are `gone`,
    those that stand `reworded`, in other words, and those that stand `partly`.

    `lost` are the gone ones that were still said until this one. `open` are the gone ones that the agent was working on when a
    compaction took them; of the others those are `answered` that a reply had come to by then: they may go without harm.
    Those are `stopped` at which the user had stopped the agent before a reply.
    """

    asked: tuple[int, ...] = ()
    gone: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()
    reworded: tuple[int, ...] = ()
    partly: tuple[int, ...] = ()
    open: tuple[int, ...] = ()
    answered: tuple[int, ...] = ()
    stopped: tuple[int, ...] = ()


def requests(trace: Trace, k: int) -> Requests:
    """The requests before compaction k, and those that nothing says any more then; none where its summary is unreadable."""
    known = cached(trace, "requests", lambda _: dict[int, Requests]())
    for j in range(len(known), k + 1):  # each asks those before it
        known[j] = _requests(trace, j, known)
    return known[k]


def newest_told(trace: Trace) -> int:
    """The newest compaction of which can be told what became of the requests, or -1."""
    events = trace.compactions
    told = (k for k in range(len(events) - 1, -1, -1) if events[k].acted and not events[k].unreadable)
    return next(told, -1)


def typed_kept(trace: Trace, k: int) -> tuple[int, int, int]:
    """How many of the user's messages before compaction k stayed in the window, of how many, and how many replies."""
    typed = [place for place in trace.measured.turn_starts if place < trace.compactions[k].at]
    stayed = set(kept(trace, k))
    return (
        sum(place in stayed for place in typed),
        len(typed),
        sum(_is_reply(trace.messages[place]) for place in stayed),
    )


def _is_reply(message: Message) -> bool:
    """Whether the model says something in it: a call alone is no reply."""
    return message.role == "assistant" and not message.injected and bool(own_text(message).strip())


def _requests(trace: Trace, k: int, known: Mapping[int, Requests]) -> Requests:
    event = trace.compactions[k]
    if event.unreadable or not event.acted:
        return Requests()
    asked = tuple(place for place in trace.measured.turn_starts if place < event.at and _text(trace, place))
    stayed = set(kept(trace, k))
    window = [trace.messages[place] for place in sorted(stayed)]
    remains = Remains([message for message in event.after if message.injected in ("summary", "ack")], window)
    before = _before(known, k)
    was_gone, was_open = set(before.gone), set(before.open)
    told = {place: _how_said(_text(trace, place), remains, place in was_gone) for place in asked if place not in stayed}
    gone, reworded, partly = (
        tuple(place for place, how in told.items() if how == one) for one in ("gone", "reworded", "partly")
    )
    lost = tuple(place for place in gone if place not in was_gone)
    at_work = was_open | {place for place in lost if under_way(trace, place, event.at)}
    still_open = tuple(place for place in gone if place in at_work)
    ended = {place: ended_by(trace, place, event.at) for place in gone if place not in at_work}
    answered, stopped = (tuple(place for place in ended if ended[place] == how) for how in ("answered", "stopped"))
    return Requests(asked, gone, lost, reworded, partly, still_open, answered, stopped)


def _before(known: Mapping[int, Requests], k: int) -> Requests:
    """What the newest readable compaction before this one left without a word."""
    return next((found for j in range(k - 1, -1, -1) if (found := known[j]).asked), Requests())


def _how_said(text: str, remains: Remains, was_gone: bool) -> Verdict:
    """How a summary says a request, or a message that stayed. Of one that was gone a part is chance."""
    verdict = remains.of(text).verdict
    return "gone" if was_gone and verdict == "partly" else verdict


def _text(trace: Trace, place: int) -> str:
    """What was asked at a place, of a long request without its code; "" of one that says too little to be looked for."""
    return cached(trace.messages[place], "request", _request)


def _request(message: Message) -> str:
    text = own_text(message)
    if is_bare_command(text) or only_goes_on(text):
        return ""
    long = len(text) > FOLLOWED
    text = (prose(text)[:_READ].strip() or text[:_READ]) if long else normalized(text)  # on one line, as Why follows it
    return text if len(terms(text)) >= _FEW else ""
