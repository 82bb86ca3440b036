"""Where the turns of a session begin, and how many of its messages are a copy of another session's."""

from collections.abc import Sequence
from itertools import takewhile

from core.analyse.assent import only_goes_on
from core.model.own_text import own_text
from core.model.session import Message
from core.model.text import is_bare_command
from core.trace.trace import Trace
from core.window.measured import is_reply


def copied(trace: Trace) -> int:
    """How many of a trace's first messages were copied from the session that this one goes on from."""
    ids = {message.id for message in trace.session.messages[: trace.session.copied]}
    return sum(1 for _ in takewhile(lambda message: message.id in ids, trace.messages))


def first_task(trace: Trace, starts: Sequence[int]) -> int:
    """The place of the first of these requests that says something, else of the first one; -1 without any.

    In a file that begins midway it is the first one, whatever that says.
    """
    ends = (*starts[1:], len(trace.messages))
    telling = (at for at, end in zip(starts, ends, strict=False) if _says_something(trace.messages[at:end]))
    first = starts[0] if starts else -1
    return first if trace.session.starts_midway else next(telling, first)


def _says_something(turn: Sequence[Message]) -> bool:
    """Whether a turn has work, or its request is more than a greeting, or a command without a word that nobody answered."""
    text = own_text(turn[0])
    idle = only_goes_on(text) or (is_bare_command(text) and not any(map(is_reply, turn)))
    return bool(turn[0].images) or not idle or any(message.tool_calls for message in turn)


def begins(trace: Trace, since: int) -> Sequence[int]:
    """The places of the requests, each of which begins a turn: what a person typed.

    Where nobody typed anything from place `since` on, these are followed by what another agent asked from there on.
    """
    messages, typed = trace.messages, trace.measured.turn_starts
    if typed and typed[-1] >= since:
        return typed
    asked = (i for i in range(since, len(messages)) if messages[i].role == "user" and messages[i].injected == "agent")
    return [*typed, *asked]
