"""The shell commands that a session ran, in calls and in the text of replies, and what parts of them did."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Generic, NamedTuple, TypeVar

from core.measure.removals import commands_of
from core.measure.reply_commands import ReplyCommand, reply_commands
from core.measure.shellwrites import writes_before_end
from core.measure.tool_use import tool_uses
from core.model.cached import cached
from core.summaries.outcomes import exit_code
from core.trace.trace import Trace

T = TypeVar("T")

_OWN_CODES = range(1, 124)
"""Exit codes of a command itself: from 124 on somebody ended it, or it was not found."""


class Part(NamedTuple, Generic[T]):
    """A part of a command that did not fail: the place of its call or reply, and whether it has a result."""

    at: int
    does: T
    answered: bool


def in_replies(trace: Trace) -> Sequence[ReplyCommand]:
    """The commands that the text of replies held; computed once."""
    return cached(trace.measured, "reply commands", lambda _: tuple(reply_commands(trace.messages)))


def parts_run(trace: Trace, parts: Callable[[str], Sequence[T]]) -> Iterator[Part[T]]:
    """What `parts` finds in the commands of calls and of replies that did not fail, in order."""
    called = (
        (use.at, command, not use.unanswered)
        for use in tool_uses(trace)
        if not use.failed
        for command in commands_of(use.call)
    )
    replied = ((one.at, one.command, True) for one in in_replies(trace) if not one.failed)
    for at, command, answered in chain(called, replied):
        yield from (Part(at, part, answered) for part in parts(command))


def half_written(trace: Trace) -> Iterator[tuple[int, str]]:
    """The files that commands wrote before their last statement failed, as an exit code of its own says, with their places."""
    failed = chain(
        ((use.at, use.result, commands_of(use.call)) for use in tool_uses(trace) if use.failed),
        ((one.at, one.at + 1, (one.command,)) for one in in_replies(trace) if one.failed),
    )
    for at, result, ran in failed:
        if (exit_code(trace.messages[result].content) or 0) in _OWN_CODES:
            yield from ((at, name) for command in ran for name in writes_before_end(command))


def results_of(trace: Trace) -> Iterator[tuple[int, Sequence[str]]]:
    """The results of calls and of commands that failed in replies, with the shell commands that they answer."""
    yield from ((use.result, commands_of(use.call)) for use in tool_uses(trace))
    yield from ((one.at + 1, (one.command,)) for one in in_replies(trace) if one.failed)
