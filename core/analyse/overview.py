"""What happened in a session: the task, the turns, the tools and files, how it ended. Quoted and counted, not judged."""

from collections import Counter
from dataclasses import dataclass

from core.analyse.begins import begins, copied, first_task
from core.analyse.file_writes import file_writes
from core.analyse.last_message import Kind, last_message
from core.analyse.turns import Stretch, turns
from core.measure.active import active_seconds
from core.measure.tool_use import tool_uses
from core.model.cached import cached
from core.model.session import Message
from core.trace.trace import Trace


@dataclass(frozen=True)
class Overview:
    """A session in short. `tools` and `written` come with how often, the most frequent first; `began` and `ended` as recorded.

    The first `copied` messages are another session's, which this one goes on from: `task` is the first request behind them
    that says something, and the times are those of what is behind them. Where no request is, `task` is one of all, -1 without
    any.

    A file that shell commands moved later is one, by its name in the end; `moved` are these, with the name that it had first.

    `active` is for how many seconds it was worked on in between, a pause counting 5 minutes at most.

    `last` is what the newest message is, and `newest` its place: the model's `reply`, one that is an error (`failure`), a call
    of a tool that ends the run (`finish`), a tool `call` without its result, a `result` or a `request` that nothing answers, a
    `command` that the user ran, the user's `stop`, the `submission` of the work. `closing` is the place of the newest message
    in which the model says something, -1 where it never does.
    """

    task: int
    turns: tuple[Stretch, ...]
    tools: tuple[tuple[str, int], ...]
    written: tuple[tuple[str, int], ...]
    began: str
    ended: str
    last: Kind
    newest: int
    closing: int
    copied: int = 0
    active: int = 0
    moved: tuple[tuple[str, str], ...] = ()


def overview(trace: Trace) -> Overview:
    """The overview of a trace's session; computed once."""
    return cached(trace.measured, "overview", lambda _: _overview(trace))


def _overview(trace: Trace) -> Overview:
    messages, copies = trace.messages, copied(trace)
    times = [message.timestamp for message in messages[copies:] if message.timestamp]
    starts = begins(trace, copies)
    with_words = (i for i in range(len(messages) - 1, -1, -1) if _has_words(messages[i]))
    newest, last = last_message(trace)
    names = [(first, last) for _, first, last in file_writes(trace)]
    return Overview(
        task=first_task(trace, [at for at in starts if at >= copies] or starts),
        turns=turns(trace, starts),
        tools=tuple(Counter(use.call.name for use in tool_uses(trace)).most_common()),
        written=tuple(Counter(last for _, last in names).most_common()),
        moved=tuple({last: first for first, last in reversed(names) if first != last}.items()),
        began=times[0] if times else "",
        ended=times[-1] if times else "",
        last="submission" if trace.session.submission else last,
        newest=newest,
        closing=next(with_words, -1),
        copied=copies,
        active=active_seconds(messages[copies:]),
    )


def _has_words(message: Message) -> bool:
    """Whether the model says something in it, be it to a program."""
    return message.role == "assistant" and any(map(str.isalnum, message.content))
