"""The overview of a session as the browser gets it: lines cut to what is read at a glance, the long lists to their heads."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import chain, islice
from typing import Any

from core.analyse.assent import only_goes_on
from core.analyse.called import called
from core.analyse.overview import Overview, overview
from core.analyse.sub_agents import sub_agents
from core.analyse.sums import sums
from core.analyse.turns import READ, Stretch
from core.model.own_text import own_text
from core.model.text import ELLIPSIS, brief, prose
from core.trace.trace import Trace
from viewer.wire.lists import started_here
from viewer.wire.plain_words import quoted_words, told_words
from viewer.wire.preview import one_line

TURNS = 300  # turns in the answer
AGENTS = 100  # sub-agents in the answer
MOST = 300  # tools, files and parts of commands in the answer
NAMED = 24  # files of a turn that have a name, parts of its commands that have a text
PLACES = 8  # messages that a removal is linked to
LINE = 160  # characters of a request
SAID = 140  # characters of the model's last words in a turn
TASK = 1_500  # characters of the first task: its rules stand at its end as often as not
TEXT = 360  # characters of a later request and of the last words
_RAN = re.compile(r"Ran `[^`\n]+`(?=\n`{3,})")  # as pi records a command that the user ran
QUOTED = ("request", "command", "submission", "other")  # ends that are told in the words of their message


def session_overview(trace: Trace) -> dict[str, Any]:
    """The task, turns, tools and files, and the end of the trace's session; docs/wire.md."""
    found = overview(trace)
    return {
        "task": _request_of(trace, found.task, TASK),
        "later": _later(trace, found),
        "copied": _copied(trace, found),
        "began": found.began,
        "ended": found.ended,
        "active": found.active,
        "turns": [_turn(trace, turn) for turn in found.turns[:TURNS]],
        "turns_total": len(found.turns),
        "turns_end": found.turns[TURNS].at if len(found.turns) > TURNS else -1,
        "tools": [[one_line(name, LINE), times] for name, times in found.tools[:MOST]],
        "tools_total": len(found.tools),
        "sums": asdict(sums(trace)),
        "agents": _agents(trace),
        "files": _files(found),
        **_by_shell(found),
        "ended_with": trace.session.ended_with,
        "last": found.last,
        "newest": _newest(trace, found),
        "closing": _closing(trace, found.closing),
    }


def _copied(trace: Trace, found: Overview) -> dict[str, Any] | None:
    """How many messages were copied from another session, and the sums of what is behind them."""
    return {"messages": found.copied, "own": asdict(sums(trace, since=found.copied))} if found.copied else None


def _agents(trace: Trace) -> dict[str, Any] | None:
    """What the sub-agents come to, with the number, name and length of each window that is at hand."""
    found = sub_agents(trace)
    windows = [window for some in started_here(trace.session).values() for window in some]
    return {**asdict(found), "windows": sorted(windows)[:AGENTS]} if found else None


def called_body(trace: Trace) -> dict[str, dict[str, list[int]]]:
    """The messages behind the counts of the overview, by the names that it has; docs/wire.md."""
    places = {kind: defaultdict[str, list[int]](list) for kind in ("tool", "wrote", "is")}
    for kind, found in called(trace).items():
        for name, some in found.items():
            places[kind][one_line(name, LINE)] += some
    return {kind: dict(found) for kind, found in places.items()}


def _files(found: Overview) -> list[list[Any]]:
    """The files that were written, of one that was moved with the name that it had first."""
    first = dict(found.moved)
    named = [(name, times, first.get(name)) for name, times in found.written[:MOST]]
    return [[one_line(name, LINE), times, *([one_line(old, LINE)] if old else [])] for name, times, old in named]


def _by_shell(found: Overview) -> dict[str, Any]:
    """What shell commands committed or sent, removed or moved, and which files they wrote."""
    sent, sent_total = _places(chain.from_iterable(map(_sent, found.turns)))
    removed, removed_total = _places(dict.fromkeys(part for turn in found.turns for part in turn.removals))
    names = (name for turn in found.turns for name in (*turn.redirected, *turn.half_written))
    written, written_total = _places(dict.fromkeys(names))  # a call that does so twice does it once
    whole = {name for turn in found.turns for _, name in turn.redirected}
    half_written = {one_line(name, LINE) for turn in found.turns for _, name in turn.half_written if name not in whole}
    totals = {
        "published_total": sent_total,
        "removed_total": removed_total,
        "redirected_total": written_total,
        "half_written": [part for part, _, _ in written if part in half_written],
    }
    return {"published": sent, "removed": removed, "redirected": written, **totals}


def _sent(turn: Stretch) -> Sequence[tuple[int, str]]:
    """What a turn committed or sent; beside what has no result that is said."""
    unconfirmed = [(at, f"{part} (no result recorded)") for at, part in turn.unconfirmed]
    return sorted([*turn.published, *unconfirmed], key=lambda one: one[0])


def _places(told: Iterable[tuple[int, str]]) -> tuple[list[tuple[str, int, list[int]]], int]:
    """Each once, with how often it was done and the first messages that did it; and how many there are."""
    places = defaultdict[str, list[int]](list)
    for at, part in told:
        places[one_line(part, LINE)].append(at)
    return [(part, len(ats), ats[:PLACES]) for part, ats in islice(places.items(), MOST)], len(places)


def _part(at: int, part: str) -> tuple[int, str]:
    return at, one_line(part, LINE)


def _turn(trace: Trace, turn: Stretch) -> dict[str, Any]:
    """A turn, and where in it each call, error and written file stands: a compaction may part it."""
    written = turn.written
    number = {name: k for k, name in enumerate(written)}
    return {
        "at": turn.at,
        "asked": _request(turn.asked),
        "said": _words(trace, turn.said),
        "stopped": turn.stopped,
        "meanwhile": turn.meanwhile,
        "typed": turn.typed,
        "pictures": turn.pictures,
        "calls": list(turn.calls),
        "errors": list(turn.errors),
        "empty_searches": list(turn.empty_searches),
        "unrun": turn.unrun,
        "commands": list(turn.commands),
        "commits": list(turn.commits),
        "files": [one_line(name, LINE) for name in written[:NAMED]],
        "wrote": [[at, number[name]] for at, name in turn.writes],
        "removed": [_part(at, part if k < NAMED else "") for k, (at, part) in enumerate(turn.removals)],
        "redirected": _redirected(turn),
    }


def _redirected(turn: Stretch) -> list[tuple[int, str]]:
    """The files that shell commands wrote; beside one that only failed commands wrote that is said."""
    whole = {name for _, name in turn.redirected}
    remarks = [
        (at, name, "" if name in whole else " (written before its command failed)") for at, name in turn.half_written
    ]
    found = sorted([*((at, name, "") for at, name in turn.redirected), *remarks], key=lambda one: one[0])
    return [(at, f"{one_line(name, LINE)}{said}" if k < NAMED else "") for k, (at, name, said) in enumerate(found)]


def _request(text: str) -> str:
    """A request as one line, from the first line on that says something: more than a mark, or a short word, if there is one."""
    lines = text[:READ].splitlines()
    telling = [i for i, line in enumerate(lines) if any(map(str.isalnum, line))]
    begin = next((i for i in telling if len(lines[i].strip()) > 3), telling[0] if telling else 0)
    return _line("\n".join(lines[begin:]), len(text) > READ, LINE)


def _words(trace: Trace, place: int, most: int = SAID) -> str:
    """How the model's words begin, without the marks of Markdown, to the end of a sentence where one ends in time.

    Where it said something before its final answer, how that begins.
    """
    if place < 0:
        return ""
    return brief(one_line(told_words(prose(own_text(trace.messages[place])[:READ])), 2 * most), most)


def _later(trace: Trace, found: Overview) -> dict[str, Any] | None:
    """The newest request that is more than a word to go on, and not the task; which turn it begins, counted from 1.

    Of a session that goes on from another one, as of the task, no request of that one.
    """
    begin = found.copied if found.task >= found.copied else 0
    asks = [turn for turn in found.turns if (turn.typed or turn.asked) and turn.at >= begin]
    numbered = zip(range(len(asks), 0, -1), reversed(asks), strict=True)
    newest = next(((k, turn) for k, turn in numbered if not only_goes_on(turn.asked)), None)
    if newest is None or newest[1].at == found.task:
        return None
    return {"turn": newest[0], "of": len(asks), **(_request_of(trace, newest[1].at, TEXT) or {})}


def _request_of(trace: Trace, place: int, most: int) -> dict[str, Any] | None:
    """A request as it is quoted; of one that another agent made, that it did."""
    told = _quote(trace, place, most)
    return {**told, "agent": True} if told and not trace.messages[place].typed else told


def _closing(trace: Trace, place: int) -> dict[str, Any] | None:
    """The model's newest words, told as those of a turn; quoted where they are code alone, or an object for a program."""
    words = _words(trace, place, TEXT)
    return {"at": place, "text": words} if words else _quote(trace, place)


def _newest(trace: Trace, found: Overview) -> dict[str, Any] | None:
    """The message that it ends with, where words say it best: its own, or what was submitted apart from the messages."""
    told = _quote(trace, found.newest, LINE) if found.last in QUOTED else None
    submitted = trace.session.submission
    return {**told, "text": _line(submitted[:READ], len(submitted) > READ, LINE)} if told and submitted else told


def _quote(trace: Trace, place: int, most: int = TEXT) -> dict[str, Any] | None:
    """The beginning of a message without the marks of Markdown, and its place; of a command without what it printed."""
    if place < 0:
        return None
    text = own_text(trace.messages[place])
    command = _RAN.match(text)
    return {"at": place, "text": _line(command[0] if command else text[:READ], not command and len(text) > READ, most)}


def _line(text: str, goes_on: bool, most: int) -> str:
    """A text that is quoted on one line; "…" where it was cut, or is one of a longer text."""
    line = one_line(quoted_words(text), most)
    return f"{line.removesuffix(ELLIPSIS)}{ELLIPSIS}" if goes_on else line
