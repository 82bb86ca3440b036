"""Whether the agent was at work on a request when a compaction happened, or a reply or the user had ended that work by then."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from core.analyse.assent import only_goes_on
from core.model.cached import cached
from core.model.own_text import own_text
from core.model.session import Message
from core.trace.trace import Trace

Ending = Literal["answered", "stopped", ""]

_PUT_IN = ("interruption", "aborted", "observation", "submission")
"""What of the messages that no person typed is part of the work: any other stands between two turns, too."""
_STOPS = ("interruption", "aborted")
"""What of it says that the user stopped the agent."""
_BY_SERVER = frozenset({"web_search", "file_search", "code_interpreter", "image_generation"})
"""Calls that OpenAI's server answers within the reply: no result follows them."""


def under_way(trace: Trace, place: int, at: int) -> bool:
    """Whether the turn that the request at a place begins went on behind the first `at` messages.

    A file that ends within a turn leaves it under way, unless the user stopped the agent there.
    """
    ends = _ends(trace)
    k = bisect_right(trace.measured.turn_starts, place) - 1
    if place >= at or ends[k] >= at:
        return place < at
    last = trace.messages[ends[k]]
    return k == len(ends) - 1 and not _answers(last) and not stops(last)


def ended_by(trace: Trace, place: int, at: int) -> Ending:
    """What had ended the work on a request within the first `at` messages: a reply, the user who stopped the agent, or nothing.

    Where the user adds something while the agent works, or stops it and says to go on, the end of a later turn is that of the
    request, too.
    """
    endings = cached(trace.measured, "endings of turns", lambda _: _endings(trace))
    ending, end = endings[bisect_right(trace.measured.turn_starts, place) - 1]
    return ending if end < at else ""


def turn_end(trace: Trace, place: int) -> int:
    """The place of the last message that is part of the work of the turn that the request at a place begins."""
    return _ends(trace)[bisect_right(trace.measured.turn_starts, place) - 1]


def ended_in(messages: Sequence[Message], k: int) -> Ending:
    """The same of the k-th of some messages, a request behind which no other comes."""
    (end,) = last_places(messages, (k,))
    return ending_of(messages[end])


def ending_of(last: Message) -> Ending:
    """How the last message of a turn ends it."""
    return "answered" if _answers(last) else "stopped" if stops(last) else ""


def stops(message: Message) -> bool:
    """Whether a message says that the user stopped the agent."""
    return message.injected in _STOPS


def _endings(trace: Trace) -> tuple[tuple[Ending, int], ...]:
    """What ended the work on the request of each turn, and at which place."""
    ends, starts = _ends(trace), trace.measured.turn_starts
    found: list[tuple[Ending, int]] = [("", len(trace.messages))]  # behind the last turn, in reverse order
    for k in range(len(ends) - 1, -1, -1):
        last = trace.messages[ends[k]]
        goes_on = k + 1 < len(ends) and only_goes_on(own_text(trace.messages[starts[k + 1]]))
        ending = ending_of(last)
        found.append(found[-1] if not ending or (ending == "stopped" and goes_on) else (ending, ends[k]))
    return tuple(reversed(found))


def _ends(trace: Trace) -> tuple[int, ...]:
    """The place of the last message of each turn that is part of the work: at least its request."""
    return cached(trace.measured, "ends of turns", lambda measured: last_places(trace.messages, measured.turn_starts))


def last_places(messages: Sequence[Message], starts: Sequence[int]) -> tuple[int, ...]:
    """The place of the last message that is part of the work in each stretch that begins at these places."""
    return tuple(
        next((i for i in range(end - 1, begin, -1) if _works(messages[i])), begin)
        for begin, end in pairwise((*starts, len(messages)))
    )


def _works(message: Message) -> bool:
    """Whether a message is part of the work: a note that the harness put in is not."""
    return message.injected in ("", *_PUT_IN)


def _answers(last: Message) -> bool:
    """Whether the last message of a turn ends it with an answer: it calls nothing that a result would follow."""
    if last.injected:
        return last.injected == "submission"
    waits = any(call.name not in _BY_SERVER for call in last.tool_calls)
    return last.role == "assistant" and not last.is_error and bool(last.content.strip()) and not waits
