"""What happened in a session: the task, the turns, the tools and files, how it ended. Quoted and counted, not judged."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from core.measure.removals import commands_of, removals
from core.measure.reply_commands import ReplyCommand, reply_commands
from core.measure.shellwrites import shell_writes
from core.measure.tool_use import Use, tool_uses
from core.model.cached import cached
from core.model.own_text import own_text
from core.model.session import Message
from core.model.text import prose
from core.trace.trace import Trace

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
}
"""What of the messages that no person typed may be how a session ends; all others are passed over."""

READ = 4_000
"""Characters of a message to look through for words that say something."""


@dataclass(frozen=True)
class Stretch:
    """A turn: where it begins, the request that began it, and what came of it, each thing with its place.

    `typed` is whether a person began it: not so before the first request. `asked` is the text of the request, "" where it is
    only `pictures`. `calls` are the places of the tool calls, `errors` those of results that the transcript marks as errors,
    `writes` the files that calls wrote, with the place of the call, in order. `removals` are the parts of shell commands that
    remove or move something, with the same. `commands` are the places of replies whose text held a command that was run.
    `said` is the place of the last message in which the model says something, -1 where it only calls tools.
    `redirected` are the files that shell commands plainly wrote, with the place of each call.
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

    @property
    def written(self) -> tuple[str, ...]:
        """The files that calls wrote, in order, each once."""
        return tuple(dict.fromkeys(name for _, name in self.writes))


@dataclass(frozen=True)
class Overview:
    """A session in short. `tools` and `written` come with how often, the most frequent first; `began` and `ended` as recorded.

    `last` is what the newest message is, and `newest` its place: the model's `reply`, one that is an error (`failure`), a call
    of a tool that ends the run (`finish`), a tool `call` without its result, a `result` or a `request` that nothing answers, a
    `command` that the user ran, the user's `stop`, the `submission` of the work. `closing` is the place of the newest message
    in which the model says something, -1 where it never does. `shell` is how many calls ran a shell command.
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
    shell: int = 0


def overview(trace: Trace) -> Overview:
    """The overview of a trace's session; computed once."""
    return cached(trace.measured, "overview", lambda _: _overview(trace))


def _overview(trace: Trace) -> Overview:
    messages, uses = trace.messages, tool_uses(trace)
    times = [message.timestamp for message in messages if message.timestamp]
    starts = trace.measured.turn_starts
    said = (
        i for i in range(len(messages) - 1, -1, -1) if messages[i].role == "assistant" and messages[i].content.strip()
    )
    commands = tuple(reply_commands(messages))
    newest, last = _last(messages, {one.at for one in commands if one.ends})
    return Overview(
        task=starts[0] if starts else -1,
        turns=_turns(messages, uses, commands, starts),
        tools=tuple(Counter(use.call.name for use in uses).most_common()),
        written=tuple(Counter(name for use in uses for name in use.written).most_common()),
        began=times[0] if times else "",
        ended=times[-1] if times else "",
        last=last,
        newest=newest,
        closing=next(said, -1),
        shell=sum(bool(commands_of(use.call)) for use in uses),
    )


def _turns(
    messages: Sequence[Message], uses: Sequence[Use], commands: Sequence[ReplyCommand], starts: Sequence[int]
) -> tuple[Stretch, ...]:
    """The turns; what the model did before the first request is one of its own."""
    first = next((i for i, message in enumerate(messages) if message.role == "assistant"), len(messages))
    begins = [*([0] if first < (starts[0] if starts else len(messages)) else []), *starts]
    calls, writes = defaultdict[int, list[int]](list), defaultdict[int, list[tuple[int, str]]](list)
    errors, removed = defaultdict[int, list[int]](list), defaultdict[int, list[tuple[int, str]]](list)
    ran, redirected = defaultdict[int, list[int]](list), defaultdict[int, list[tuple[int, str]]](list)
    for use in uses:
        turn = bisect_right(begins, use.at) - 1
        calls[turn].append(use.at)
        writes[turn] += [(use.at, name) for name in use.written]
        removed[turn] += [(use.at, part) for part in _by_shell(use, removals)]
        redirected[turn] += [(use.at, name) for name in _by_shell(use, shell_writes)]
    for one in commands:
        turn = bisect_right(begins, one.at) - 1
        ran[turn] += [one.at] if one.command else []
        removed[turn] += [(one.at, part) for part in removals(one.command)]
        redirected[turn] += [(one.at, name) for name in shell_writes(one.command)]
    for i, message in enumerate(messages):
        if message.role == "tool" and message.is_error:
            errors[bisect_right(begins, i) - 1].append(i)
    done: tuple[Mapping[int, list[Any]], ...] = (calls, errors, writes, removed, ran)
    said = _last_words(messages, begins)
    return tuple(
        _turn(messages[at], at, *(tuple(of[k]) for of in done), said[k], tuple(redirected[k]))
        for k, at in enumerate(begins)
    )


def _last_words(messages: Sequence[Message], begins: Sequence[int]) -> list[int]:
    """Of each turn the place of the last message in which the model says something, -1 where none does."""
    return [
        next((i for i in range(end - 1, begin - 1, -1) if _says(messages[i])), -1)
        for begin, end in pairwise((*begins, len(messages)))
    ]


def _says(message: Message) -> bool:
    """Whether the model says something in prose: neither code alone, nor an object for a program, nor an error of the API."""
    if message.role != "assistant" or message.injected or message.is_error or message.model.startswith("<"):
        return False  # "<synthetic>": Claude Code itself wrote it
    text = prose(message.content[:READ]).lstrip()
    return not text.startswith("{") and any(map(str.isalnum, text))


def _by_shell(use: Use, told: Callable[[str], Sequence[str]]) -> Iterator[str]:
    """What is told of the shell commands of a call that did not fail."""
    if not use.failed:
        for command in commands_of(use.call):
            yield from told(command)


def _turn(asked: Message, at: int, *done: Any) -> Stretch:
    """A turn that a message begins; what a person did not type is no request."""
    if not asked.typed:
        return Stretch(at, "", False, 0, *done)
    return Stretch(at, own_text(asked), True, len(asked.images), *done)


def _last(messages: Sequence[Message], ends: Set[int]) -> tuple[int, Kind]:
    """The place of the newest message that is more than a note of the harness, and what it is; -1 without one.

    `ends` are the places of replies whose command ends the run.
    """
    told = (i for i in range(len(messages) - 1, -1, -1) if not messages[i].injected or messages[i].injected in _PUT_IN)
    at = next(told, -1)
    if at > 0 and messages[at].role == "tool" and _finishes(messages[at - 1]):
        return at, "finish"
    if {at, at - 1} & ends:
        return at, "finish"
    return at, _kind(messages[at]) if at >= 0 else "other"


def _finishes(message: Message) -> bool:
    return any(call.name in _FINISHING for call in message.tool_calls)


def _kind(newest: Message) -> Kind:
    if newest.injected:
        return _PUT_IN[newest.injected]
    if newest.role == "assistant":
        if _finishes(newest):
            return "finish"
        return "call" if newest.tool_calls else "failure" if newest.is_error else "reply"
    if newest.role == "tool":
        return "reply" if (newest.tool_call_id or "").startswith(_SERVERS) else "result"
    return "request" if newest.role == "user" else "other"
