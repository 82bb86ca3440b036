"""Whether the agent was at work on a request when a compaction happened, or a reply had answered it by then."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise

from core.model.cached import cached
from core.model.session import Message
from core.trace.trace import Trace

_PUT_IN = ("interruption", "aborted", "observation", "submission")
"""What of the messages that no person typed is part of the work: any other stands between two turns, too."""
_BY_SERVER = frozenset({"web_search", "file_search", "code_interpreter", "image_generation"})
"""Calls that OpenAI's server answers within the reply: no result follows them."""


def under_way(trace: Trace, place: int, at: int) -> bool:
    """Whether the turn that the request at a place begins went on behind the first `at` messages.

    A file that ends within a turn leaves it under way.
    """
    ends = _ends(trace)
    k = bisect_right(trace.measured.turn_starts, place) - 1
    if place >= at or ends[k] >= at:
        return place < at
    return k == len(ends) - 1 and not _answers(trace.messages[ends[k]])


def answered(trace: Trace, place: int, at: int) -> bool:
    """Whether a reply had ended the turn of a request, or a later turn, within the first `at` messages.

    A later one answers it, too: who stops the agent, or adds something while it works, is answered with the next request.
    """
    replies = cached(trace.measured, "replies that end turns", lambda _: _replies(trace))
    k = bisect_left(replies, place)
    return k < len(replies) and replies[k] < at


def _replies(trace: Trace) -> tuple[int, ...]:
    """The places of the replies that end a turn."""
    return tuple(end for end in _ends(trace) if _answers(trace.messages[end]))


def _ends(trace: Trace) -> tuple[int, ...]:
    """The place of the last message of each turn that is part of the work: at least its request."""
    return cached(trace.measured, "ends of turns", lambda measured: _last_places(trace.messages, measured.turn_starts))


def _last_places(messages: Sequence[Message], starts: Sequence[int]) -> tuple[int, ...]:
    return tuple(
        next((i for i in range(end - 1, begin, -1) if _works(messages[i])), begin)
        for begin, end in pairwise((*starts, len(messages)))
    )


def _works(message: Message) -> bool:
    """Whether a message is part of the work; `<synthetic>` ones Claude Code wrote itself."""
    return message.injected in ("", *_PUT_IN) and not message.model.startswith("<")


def _answers(last: Message) -> bool:
    """Whether the last message of a turn ends it with an answer: it calls nothing that a result would follow."""
    if last.injected:
        return last.injected == "submission"
    waits = any(call.name not in _BY_SERVER for call in last.tool_calls)
    return last.role == "assistant" and not last.is_error and bool(last.content.strip()) and not waits
