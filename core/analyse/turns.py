"""The turns of a session: the request that begins each, and what came of it, each thing with its place."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any, TypeVar

from core.analyse.answered import ending_of, last_places, stops
from core.analyse.commands_run import half_written, in_replies, parts_run, results_of
from core.measure.empty_searches import empty_searches
from core.measure.published import published
from core.measure.removals import removals
from core.measure.shellwrites import shell_writes
from core.measure.tool_use import tool_uses
from core.measure.unrun import Why, why_unrun
from core.model.failure import is_failure
from core.model.own_text import own_text
from core.model.session import QUEUED, Message
from core.model.text import prose
from core.trace.trace import Trace

T = TypeVar("T")

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

    @property
    def commits(self) -> tuple[int, ...]:
        """The places of calls and replies that committed, once for each commit."""
        return tuple(at for at, part in self.published if part.startswith("git commit"))


def turns(trace: Trace, starts: Sequence[int]) -> tuple[Stretch, ...]:
    """The turns that begin at some places; what the model did before the first request is one of its own."""
    messages, requests = trace.messages, frozenset(starts)
    parts = _begins(messages, starts)
    lasts = last_places(messages, parts)
    unrun = _unrun(trace)
    found = _places(trace, parts, dict(unrun)) | _named(trace, parts, unrun)
    return tuple(
        Stretch(
            *_request(messages[at], at, is_request=at in requests),
            said=_last_words(messages, at, end),
            stopped=stops(messages[lasts[k]]),
            meanwhile=k > 0 and messages[at].injected == QUEUED and not ending_of(messages[lasts[k - 1]]),
            **{name: of[k] for name, of in found.items()},
        )
        for k, (at, end) in enumerate(pairwise((*parts, len(messages))))
    )


def _begins(messages: Sequence[Message], starts: Sequence[int]) -> Sequence[int]:
    first = next((i for i, message in enumerate(messages) if message.role == "assistant"), len(messages))
    return [*([0] if first < (starts[0] if starts else len(messages)) else []), *starts]


def _places(trace: Trace, begins: Sequence[int], unrun: Mapping[int, Why]) -> dict[str, Mapping[int, Any]]:
    """The facts of a `Stretch` that are places alone, each by the turn."""
    messages = trace.messages
    errors = (i for i, one in enumerate(messages) if one.role != "assistant" and i not in unrun and is_failure(one))
    found: Mapping[str, Iterable[int]] = {
        "calls": (use.at for use in tool_uses(trace)),
        "errors": errors,
        "empty_searches": empty_searches(messages, results_of(trace)),
        "commands": (one.at for one in in_replies(trace) if one.command),
    }
    return {name: _by_turn(begins, places, int) for name, places in found.items()}


def _named(trace: Trace, begins: Sequence[int], unrun: Sequence[tuple[int, Why]]) -> dict[str, Mapping[int, Any]]:
    """The facts of a `Stretch` that have a name or a reason with each place, by the turn."""
    sent = list(parts_run(trace, partial(published, project=trace.session.project)))
    found: Mapping[str, Iterable[tuple[int, str]]] = {
        "unrun": unrun,
        "writes": ((use.at, name) for use in tool_uses(trace) for name in use.written),
        "removals": ((part.at, part.does) for part in parts_run(trace, removals)),
        "redirected": ((part.at, part.does) for part in parts_run(trace, shell_writes) if part.answered),
        "half_written": half_written(trace),
        "published": ((part.at, part.does) for part in sent if part.answered),
        "unconfirmed": ((part.at, part.does) for part in sent if not part.answered),
    }
    return {name: _by_turn(begins, named, itemgetter(0)) for name, named in found.items()}


def _unrun(trace: Trace) -> Sequence[tuple[int, Why]]:
    """The results of calls that never ran, with why."""
    calls = bool(tool_uses(trace))
    return [(i, why) for i, message in enumerate(trace.messages) if (why := why_unrun(message, calls=calls))]


def _by_turn(begins: Sequence[int], found: Iterable[T], place: Callable[[T], int]) -> Mapping[int, tuple[T, ...]]:
    """What was found, by the turn that the place of each is in."""
    turns = defaultdict[int, tuple[T, ...]](tuple)
    for turn, some in groupby(found, key=lambda one: bisect_right(begins, place(one)) - 1):
        turns[turn] += tuple(some)
    return turns


def _last_words(messages: Sequence[Message], begin: int, end: int) -> int:
    """The place of the last message of a turn in which the model says something, -1 where none does."""
    return next((i for i in range(end - 1, begin - 1, -1) if _says(messages[i])), -1)


def _says(message: Message) -> bool:
    """Whether the model says something in prose: neither code alone, nor an object for a program, nor an error of the API."""
    if message.role != "assistant" or message.injected or message.is_error:
        return False
    text = prose(message.content[:READ]).lstrip()
    return not text.startswith("{") and any(map(str.isalnum, text))


def _request(message: Message, at: int, *, is_request: bool) -> tuple[int, str, bool, int]:
    """Place, text, whether a person typed it, pictures; of what is no request its place alone."""
    return (at, own_text(message), message.typed, len(message.images)) if is_request else (at, "", False, 0)
