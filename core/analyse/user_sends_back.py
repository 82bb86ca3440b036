"""The user asks for what a compaction took, or has to put it back: nobody knows better that it was needed."""

from collections.abc import Iterator, Mapping

from core.analyse.finding import Finding, quoted
from core.analyse.window_change import WindowChange
from core.measure.standing import standing
from core.model.cached import cached
from core.model.text import counted
from core.trace.trace import Trace
from core.why.events import By
from core.why.sent_back import SentBack, sent_back

KINDS = ("user_sends_back",)

_NAMED = 6  # requests whose messages are the evidence
_TITLES: dict[By, str] = {
    "asked": "The user sends the agent back",
    "repeated": "The user has to say it again",
    "pasted": "The user pastes it back",
}
_DOES: dict[By, str] = {"asked": "sends the agent back to", "repeated": "says again", "pasted": "pastes back"}


def check_in_trace(change: WindowChange, trace: Trace, index: int) -> Iterator[Finding]:
    """The requests that send the agent back to what compaction `index` was the last to take."""
    if some := sent_back_to(trace, index):
        yield _finding(change, trace, some)


def sent_back_to(trace: Trace, index: int) -> list[SentBack]:
    """Where the user sends the agent back to what compaction `index` was the last to take."""
    known: Mapping[int, list[SentBack]] = cached(trace, "sent back by compaction", _by_compaction)
    return known.get(index, [])


def _by_compaction(trace: Trace) -> dict[int, list[SentBack]]:
    found: dict[int, list[SentBack]] = {}
    for one in sent_back(trace):
        found.setdefault(standing(trace).taken_by(one.sources[-1]), []).append(one)
    return found


def _finding(change: WindowChange, trace: Trace, some: list[SentBack]) -> Finding:
    first, places = some[0], dict.fromkeys(one.place for one in some)
    does, where, goes = _DOES[first.match], change.where, "goes" if len(places) == 2 else "go"
    more = (
        f" {counted(len(places) - 1, 'later message')} of the user {goes} back to what is gone, too."
        if len(places) > 1
        else ""
    )
    return Finding(
        kind="user_sends_back",
        concern="lost",
        severity="warning",
        title=_TITLES[first.match],
        text=f"At message {first.place + 1:,} the user {does} what was {where}: {quoted(first.quote)}.{more}",
        messages=tuple(
            dict.fromkeys(trace.messages[p].id for one in some[:_NAMED] for p in (one.sources[-1], one.place))
        ),
        numbers={"requests": len(places), "step": trace.message_step(first.place)},
        subject=first.sentence,
    )
