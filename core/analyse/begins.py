"""Where the turns of a session begin, and how many of its messages are a copy of another session's."""

from collections.abc import Sequence
from itertools import takewhile

from core.trace.trace import Trace


def copied(trace: Trace) -> int:
    """How many of a trace's first messages were copied from the session that this one goes on from."""
    ids = {message.id for message in trace.session.messages[: trace.session.copied]}
    return sum(1 for _ in takewhile(lambda message: message.id in ids, trace.messages))


def begins(trace: Trace, since: int) -> Sequence[int]:
    """The places of the requests, each of which begins a turn: what a person typed.

    Where nobody typed anything from place `since` on, these are followed by what another agent asked from there on.
    """
    messages, typed = trace.messages, trace.measured.turn_starts
    if typed and typed[-1] >= since:
        return typed
    asked = (i for i in range(since, len(messages)) if messages[i].role == "user" and messages[i].injected == "agent")
    return [*typed, *asked]
