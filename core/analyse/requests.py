"""Which of the user's requests neither the window nor a summary in it says any more once a compaction has made it."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.model.cached import cached
from core.model.own_text import own_text
from core.model.session import Message
from core.model.text import is_bare_command, prose
from core.origins.named import kept
from core.origins.remains import Remains
from core.origins.terms import terms
from core.trace.trace import Trace

_LONG = 400  # characters: of a longer request the code in it is passed over
_READ = 6_000  # characters of a request that are compared: behind those much is pasted
_FEW = 3  # distinct words: a shorter one, such as "yes, go on", is in any summary or in none by chance


@dataclass(frozen=True)
class Requests:
    """The requests of a few words or more that had been made when a compaction happened: their places, and of those `gone`.

    `lost` of these were still said until this one.
    """

    asked: tuple[int, ...] = ()
    gone: tuple[int, ...] = ()
    lost: int = 0

    @property
    def first_gone(self) -> bool:
        """Whether the first of all requests is gone."""
        return bool(self.gone) and self.gone[0] == self.asked[0]


def requests(trace: Trace, k: int) -> Requests:
    """The requests before compaction k, and those that nothing says any more then; none where its summary is unreadable."""
    return cached(trace, ("requests", k), lambda trace: _requests(trace, k))


def typed_kept(trace: Trace, k: int) -> tuple[int, int]:
    """How many of the user's messages before compaction k stayed in the window as they were, and of how many."""
    typed = [place for place in trace.measured.turn_starts if place < trace.compactions[k].at]
    stayed = set(kept(trace, k))
    return sum(place in stayed for place in typed), len(typed)


def _requests(trace: Trace, k: int) -> Requests:
    event = trace.compactions[k]
    if event.unreadable or not event.acted:
        return Requests()
    asked = tuple(place for place in trace.measured.turn_starts if place < event.at and _text(trace, place))
    stayed = set(kept(trace, k))
    window = [trace.messages[place] for place in sorted(stayed)]
    remains = Remains([message for message in event.after if message.injected in ("summary", "ack")], window)
    before = set(_gone_before(trace, k))
    gone = tuple(
        place for place in asked if place not in stayed and not _is_said(_text(trace, place), remains, place in before)
    )
    return Requests(asked, gone, len(set(gone) - before))


def _gone_before(trace: Trace, k: int) -> Sequence[int]:
    """What the newest readable compaction before this one left without a word."""
    return next((found.gone for j in range(k - 1, -1, -1) if (found := requests(trace, j)).asked), ())


def _is_said(text: str, remains: Remains, was_gone: bool) -> bool:
    """Whether a summary says a request, if only in part, or a message that stayed. Of one that was gone a part is chance."""
    verdict = remains.of(text).verdict
    return verdict in ("verbatim", "reworded") or (verdict == "partly" and not was_gone)


def _text(trace: Trace, place: int) -> str:
    """What was asked at a place, of a long request without its code; "" of one that says too little to be looked for."""
    return cached(trace.messages[place], "request", _request)


def _request(message: Message) -> str:
    text = own_text(message)
    if is_bare_command(text):
        return ""
    if len(text) > _LONG:
        text = prose(text)[:_READ].strip() or text[:_READ]
    return text if len(terms(text)) >= _FEW else ""
