"""What a session, or its sub-agents, come to: requests, calls, errors, files and commits, counted."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from core.analyse.file_writes import file_writes
from core.analyse.overview import overview
from core.measure.removals import commands_of
from core.measure.tool_use import tool_uses
from core.measure.unrun import Why
from core.trace.trace import Trace


@dataclass(frozen=True)
class Sums:
    """How many messages a person typed, how many tool calls there are, how many of their results are errors, and so on.

    `empty_searches` are those of the errors that say that a search found nothing, `unrun` counts the results of calls that
    never ran, by why. `commands` are commands that the text of replies held, `shell` the calls that ran a shell command.
    """

    typed: int
    calls: int
    errors: int
    empty_searches: int
    unrun: Mapping[Why, int]
    commands: int
    files: int
    shell: int
    commits: int


def sums(*traces: Trace, since: int = 0) -> Sums:
    """The sums over the sessions of traces, from the message at place `since` of each on; a file is counted once."""
    turns = [turn for trace in traces for turn in overview(trace).turns]
    uses = [use for trace in traces for use in tool_uses(trace) if use.at >= since]

    def here(places: Iterable[int]) -> int:
        return sum(place >= since for place in places)

    return Sums(
        typed=here(turn.at for turn in turns if turn.typed),
        calls=len(uses),
        errors=sum(here(turn.errors) for turn in turns),
        empty_searches=sum(here(turn.empty_searches) for turn in turns),
        unrun=dict(Counter(why for turn in turns for at, why in turn.unrun if at >= since)),
        commands=sum(here(turn.commands) for turn in turns),
        files=len({name for trace in traces for name in _written(trace, since)}),
        shell=sum(bool(commands_of(use.call)) for use in uses),
        commits=here(at for turn in turns for at in turn.commits),
    )


def _written(trace: Trace, since: int) -> Iterator[str]:
    """The files that calls wrote from a place on, by the names that they have in the end."""
    return (last for use, _, last in file_writes(trace) if use.at >= since)
