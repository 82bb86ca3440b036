"""What happened in a session: the task, the turns, the tools and files, how it ended. Quoted and counted, not judged."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from itertools import chain, groupby, pairwise
from typing import Literal, TypeVar

from core.analyse.answered import ending_of, last_places, stops
from core.analyse.begins import begins, copied, first_task
from core.measure.active import active_seconds
from core.measure.empty_searches import empty_searches
from core.measure.moves import moves, names_at_end
from core.measure.published import published
from core.measure.removals import commands_of, removals
from core.measure.reply_commands import ReplyCommand, reply_commands
from core.measure.shellwrites import shell_writes, writes_before_end
from core.measure.tool_use import Use, tool_uses
from core.measure.unrun import Why, why_unrun
from core.model.cached import cached
from core.model.failure import is_failure
from core.model.own_text import own_text
from core.model.session import QUEUED, Message
from core.model.text import prose
from core.summaries.outcomes import exit_code
from core.trace.trace import Trace

T = TypeVar("T")
Kind = Literal["reply", "failure", "finish", "call", "result", "request", "command", "stop", "submission", "other"]
_FINISHING = frozenset({"finish", "submit", "attempt_completion", "task_complete"})
"""Tools by which an agent ends its run: of OpenHands, SWE-agent, Cline, Copilot CLI. At most its result follows such a call."""
_SERVERS = "srvtoolu_"
"""How the ids of calls begin that Anthropic's server answers within the reply: that goes on behind the result."""
_PUT_IN: Mapping[str, Kind] = {
    "command": "command",
    "interruption": "stop",
    "aborted": "stop",
    "observation": "result",
    "submission": "submission",
    "failure": "failure",
}
"""What of the messages that no person typed may be how a session ends; all others are passed over."""

_OWN_CODES = range(1, 124)
"""Exit codes of a command itself: from 124 on somebody ended it, or it was not found."""

READ = 4_000
"""Characters of a message to look through for words that say something."""


@dataclass(frozen=True)
class Stretch:
    """A turn: where it begins, the request that began it, and what came of it, each thing with its place.

    `typed` is whether a person began it: not so before the first request, nor where another agent asked. `asked` is the text of
    the request, "" where it is only `pictures`. `calls` are the places of the tool calls, `errors` those of results of calls,
    or of commands in replies, that are errors (core/model/failure.py), `empty_searches` those of them that say that a search
    found nothing, `unrun` those of results of calls that never ran, with why: they are no errors,
    `writes` the files that calls wrote, with the place of the call, in order. `removals` are the parts of shell commands that
    remove or move something, with the same. `commands` are the places of replies whose text held a command that was run.
    `said` is the place of the last message in which the model says something, -1 where it only calls tools.
    `redirected` are the files that shell commands plainly wrote, `half_written` those that one wrote before its last statement
    failed, `published` what they committed, pushed or sent to a code host, with the place of each call, `unconfirmed` the same
    of calls that have no result. `stopped` is whether the turn ends where the user stopped the agent. `meanwhile` is whether
    its request was sent while the agent worked on the turn before, which it had not answered: the work of that turn goes on in
    this one, and one reply answers both.
    """

    at: int
    asked: str
    typed: bool
    pictures: int
    calls: tuple[int, ...]
    errors: tuple[int, ...]
    writes: tuple[tuple[int, str], ...]
    removals: tuple[tuple[int, str], ...] = ()
    commands: tuple[int, ...] = ()
    said: int = -1
    redirected: tuple[tuple[int, str], ...] = ()
    published: tuple[tuple[int, str], ...] = ()
    unconfirmed: tuple[tuple[int, str], ...] = ()
    stopped: bool = False
    meanwhile: bool = False
    unrun: tuple[tuple[int, Why], ...] = ()
    half_written: tuple[tuple[int, str], ...] = ()
    empty_searches: tuple[int, ...] = ()

    @property
    def written(self) -> tuple[str, ...]:
        """The files that calls wrote, in order, each once."""
        return tuple(dict.fromkeys(name for _, name in self.writes))


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
    messages, uses, copies = trace.messages, tool_uses(trace), copied(trace)
    times = [message.timestamp for message in messages[copies:] if message.timestamp]
    starts = begins(trace, copies)
    said = (i for i in range(len(messages) - 1, -1, -1) if _has_words(messages[i]))
    commands = _reply_commands(trace)
    newest, last = _last(messages, {one.at for one in commands if one.ends})
    names = [(first, last) for _, first, last in file_writes(trace)]
    return Overview(
        task=first_task(trace, [at for at in starts if at >= copies] or starts),
        turns=_turns(messages, uses, commands, starts, trace.session.project),
        tools=tuple(Counter(use.call.name for use in uses).most_common()),
        written=tuple(Counter(last for _, last in names).most_common()),
        moved=tuple({last: first for first, last in reversed(names) if first != last}.items()),
        began=times[0] if times else "",
        ended=times[-1] if times else "",
        last="submission" if trace.session.submission else last,
        newest=newest,
        closing=next(said, -1),
        copied=copies,
        active=active_seconds(messages[copies:]),
    )


def file_writes(trace: Trace) -> Sequence[tuple[Use, str, str]]:
    """Each call that wrote a file, in order, with its name then, and the one that later moves leave it with; computed once."""
    return cached(trace.measured, "file writes", lambda _: tuple(_file_writes(trace)))


def _file_writes(trace: Trace) -> Iterator[tuple[Use, str, str]]:
    uses, commands = tool_uses(trace), _reply_commands(trace)
    moved = [told for _, told in _by_shell(uses, commands, moves)]
    written = [(use, name) for use in uses for name in use.written]
    known = {name: use.at for use in reversed(uses) for name in use.files} if moved else {}
    places = [(use.at, name) for use, name in written]
    names = names_at_end(places, moved, [(at, name) for name, at in known.items()])
    return ((use, first, last) for (use, _), (first, last) in zip(written, names, strict=True))


def _reply_commands(trace: Trace) -> Sequence[ReplyCommand]:
    return cached(trace.measured, "reply commands", lambda _: tuple(reply_commands(trace.messages)))


def _turns(
    messages: Sequence[Message],
    uses: Sequence[Use],
    commands: Sequence[ReplyCommand],
    starts: Sequence[int],
    project: str = "",
) -> tuple[Stretch, ...]:
    """The turns; what the model did before the first request is one of its own."""
    first = next((i for i, message in enumerate(messages) if message.role == "assistant"), len(messages))
    requests = frozenset(starts)
    parts = [*([0] if first < (starts[0] if starts else len(messages)) else []), *starts]
    why = {i: why for i, message in enumerate(messages) if (why := why_unrun(message, calls=bool(uses)))}
    errors = (
        (i, i)
        for i, message in enumerate(messages)
        if message.role != "assistant" and i not in why and is_failure(message)
    )
    calls = _by_turn(parts, ((use.at, use.at) for use in uses))
    failed = _by_turn(parts, errors)
    empty = _by_turn(parts, ((i, i) for i in empty_searches(messages, _answers(uses, commands))))
    unrun = _by_turn(parts, ((i, (i, reason)) for i, reason in why.items()))
    writes = _by_turn(parts, ((use.at, (use.at, name)) for use in uses for name in use.written))
    removed = _by_turn(parts, _by_shell(uses, commands, removals, unanswered=True))
    ran = _by_turn(parts, ((one.at, one.at) for one in commands if one.command))
    redirected = _by_turn(parts, _by_shell(uses, commands, shell_writes))
    half_written = _by_turn(parts, _half_written(messages, uses, commands))
    send = partial(published, project=project)
    sent = _by_turn(parts, _by_shell(uses, commands, send))
    unconfirmed = _by_turn(parts, _by_shell([use for use in uses if use.unanswered], (), send, unanswered=True))
    lasts = last_places(messages, parts)
    return tuple(
        Stretch(
            *_request(messages[at], at, is_request=at in requests),
            calls=calls[k],
            errors=failed[k],
            writes=writes[k],
            removals=removed[k],
            commands=ran[k],
            said=_last_words(messages, at, end),
            redirected=redirected[k],
            half_written=half_written[k],
            published=sent[k],
            unconfirmed=unconfirmed[k],
            stopped=stops(messages[lasts[k]]),
            meanwhile=k > 0 and messages[at].injected == QUEUED and not ending_of(messages[lasts[k - 1]]),
            unrun=unrun[k],
            empty_searches=empty[k],
        )
        for k, (at, end) in enumerate(pairwise((*parts, len(messages))))
    )


def _by_turn(begins: Sequence[int], told: Iterable[tuple[int, T]]) -> Mapping[int, tuple[T, ...]]:
    """What is told of places, by the turn that each is in."""
    found = defaultdict[int, tuple[T, ...]](tuple)
    for turn, some in groupby(told, key=lambda one: bisect_right(begins, one[0]) - 1):
        found[turn] += tuple(what for _, what in some)
    return found


def _by_shell(
    uses: Sequence[Use],
    commands: Sequence[ReplyCommand],
    parts: Callable[[str], Sequence[T]],
    *,
    unanswered: bool = False,
) -> Iterator[tuple[int, tuple[int, T]]]:
    """Parts of the shell commands of calls that did not fail, and of such in replies, with their places.

    Those of calls that have no result only where these are asked for.
    """
    done = (use for use in uses if not use.failed and (unanswered or not use.unanswered))
    ran = ((use.at, command) for use in done for command in commands_of(use.call))
    for at, command in chain(ran, ((one.at, one.command) for one in commands if not one.failed)):
        yield from ((at, (at, part)) for part in parts(command))


def _half_written(
    messages: Sequence[Message], uses: Sequence[Use], commands: Sequence[ReplyCommand]
) -> Iterator[tuple[int, tuple[int, str]]]:
    """The files that shell commands wrote before their last statement failed, as an exit code of its own says."""
    failed = chain(
        ((use.at, use.result, commands_of(use.call)) for use in uses if use.failed),
        ((one.at, one.at + 1, (one.command,)) for one in commands if one.failed),
    )
    for at, result, ran in failed:
        if (exit_code(messages[result].content) or 0) in _OWN_CODES:
            yield from ((at, (at, name)) for command in ran for name in writes_before_end(command))


def _answers(uses: Sequence[Use], commands: Sequence[ReplyCommand]) -> Iterator[tuple[int, Sequence[str]]]:
    """The results of calls and of commands that failed in replies, with the shell commands that they answer."""
    yield from ((use.result, commands_of(use.call)) for use in uses)
    yield from ((one.at + 1, (one.command,)) for one in commands if one.failed)


def _last_words(messages: Sequence[Message], begin: int, end: int) -> int:
    """The place of the last message of a turn in which the model says something, -1 where none does."""
    return next((i for i in range(end - 1, begin - 1, -1) if _says(messages[i])), -1)


def _has_words(message: Message) -> bool:
    """Whether the model says something in it, be it to a program."""
    return message.role == "assistant" and any(map(str.isalnum, message.content))


def _says(message: Message) -> bool:
    """Whether the model says something in prose: neither code alone, nor an object for a program, nor an error of the API."""
    if message.role != "assistant" or message.injected or message.is_error:
        return False
    text = prose(message.content[:READ]).lstrip()
    return not text.startswith("{") and any(map(str.isalnum, text))


def _request(message: Message, at: int, *, is_request: bool) -> tuple[int, str, bool, int]:
    """Place, text, whether a person typed it, pictures; of what is no request its place alone."""
    return (at, own_text(message), message.typed, len(message.images)) if is_request else (at, "", False, 0)


def _last(messages: Sequence[Message], ends: Set[int]) -> tuple[int, Kind]:
    """The place of the newest message that is more than a note of the harness, and what it is; -1 without one.

    `ends` are the places of replies whose command ends the run.
    """
    told = (i for i in range(len(messages) - 1, -1, -1) if _tells(messages[i]))
    at = next(told, -1)
    if at > 0 and messages[at].role == "tool" and _finishes(messages[at - 1]):
        return at, "finish"
    if {at, at - 1} & ends:
        return at, "finish"
    return at, _kind(messages[at]) if at >= 0 else "other"


def _tells(message: Message) -> bool:
    return message.typed or not message.injected or message.injected in _PUT_IN


def _finishes(message: Message) -> bool:
    return any(call.name in _FINISHING for call in message.tool_calls)


def _kind(newest: Message) -> Kind:
    if newest.injected in _PUT_IN:
        return _PUT_IN[newest.injected]
    if newest.role == "assistant":
        if _finishes(newest):
            return "finish"
        return "call" if newest.tool_calls else "failure" if newest.is_error else "reply"
    if newest.role == "tool":
        return "reply" if (newest.tool_call_id or "").startswith(_SERVERS) else "result"
    return "request" if newest.role == "user" else "other"
