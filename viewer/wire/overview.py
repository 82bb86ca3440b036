"""The overview of a session as the browser gets it: lines cut to what is read at a glance, the long lists to their heads."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import islice
from typing import Any

from core.analyse.assent import only_goes_on
from core.analyse.called import called
from core.analyse.overview import READ, Overview, Stretch, overview
from core.model.own_text import own_text
from core.model.text import ELLIPSIS, brief, prose
from core.trace.trace import Trace
from viewer.wire.plain_words import quoted_words, told_words
from viewer.wire.preview import one_line

TURNS = 300  # turns in the answer
MOST = 300  # tools, files and parts of commands in the answer
NAMED = 24  # files of a turn that have a name, parts of its commands that have a text
PLACES = 8  # messages that a removal is linked to
LINE = 160  # characters of a request
SAID = 140  # characters of the model's last words in a turn
TASK = 1_500  # characters of the first task: its rules stand at its end as often as not
TEXT = 360  # characters of a later request and of the last words
_RAN = re.compile(r"Ran `[^`\n]+`(?=\n`{3,})")  # as pi records a command that the user ran
QUOTED = ("request", "command", "submission")  # ends that are told in the words of their message


def session_overview(trace: Trace) -> dict[str, Any]:
    """The task, turns, tools and files, and the end of the trace's session; docs/wire.md."""
    found = overview(trace)
    return {
        "task": _quote(trace, found.task, TASK),
        "later": _later(trace, found),
        "began": found.began,
        "ended": found.ended,
        "active": found.active,
        "turns": [_turn(trace, turn) for turn in found.turns[:TURNS]],
        "turns_total": len(found.turns),
        "turns_end": found.turns[TURNS].at if len(found.turns) > TURNS else -1,
        "tools": [[one_line(name, LINE), times] for name, times in found.tools[:MOST]],
        "tools_total": len(found.tools),
        "calls": sum(len(turn.calls) for turn in found.turns),
        "errors": sum(len(turn.errors) for turn in found.turns),
        "empty_searches": sum(len(turn.empty_searches) for turn in found.turns),
        "unrun": Counter(why for turn in found.turns for _, why in turn.unrun),
        **_files(found),
        "shell": found.shell,
        "commands": sum(len(turn.commands) for turn in found.turns),
        **_by_shell(found),
        "last": found.last,
        "newest": _quote(trace, found.newest, LINE) if found.last in QUOTED else None,
        "closing": _closing(trace, found.closing),
    }


def called_body(trace: Trace) -> dict[str, dict[str, list[int]]]:
    """The messages behind the counts of the overview, by the names that it has; docs/wire.md."""
    places = {kind: defaultdict[str, list[int]](list) for kind in ("tool", "wrote", "is")}
    for kind, found in called(trace).items():
        for name, some in found.items():
            places[kind][one_line(name, LINE)] += some
    return {kind: dict(found) for kind, found in places.items()}


def _files(found: Overview) -> dict[str, Any]:
    """The files that were written, of one that was moved with the name that it had first."""
    first = dict(found.moved)
    named = [(name, times, first.get(name)) for name, times in found.written[:MOST]]
    files = [[one_line(name, LINE), times, *([one_line(old, LINE)] if old else [])] for name, times, old in named]
    return {"files": files, "files_total": len(found.written)}


def _by_shell(found: Overview) -> dict[str, Any]:
    """What shell commands committed or sent, removed or moved, and which files they wrote."""
    sent, sent_total = _places(part for turn in found.turns for part in turn.published)
    removed, removed_total = _places(part for turn in found.turns for part in turn.removals)
    written, written_total = _places(name for turn in found.turns for name in (*turn.redirected, *turn.half_written))
    whole = {name for turn in found.turns for _, name in turn.redirected}
    half_written = {one_line(name, LINE) for turn in found.turns for _, name in turn.half_written if name not in whole}
    commits = sum(part.startswith("git commit") for turn in found.turns for _, part in turn.published)
    totals = {
        "commits": commits,
        "published_total": sent_total,
        "removed_total": removed_total,
        "redirected_total": written_total,
        "half_written": [part for part, _, _ in written if part in half_written],
    }
    return {"published": sent, "removed": removed, "redirected": written, **totals}


def _places(told: Iterable[tuple[int, str]]) -> tuple[list[tuple[str, int, list[int]]], int]:
    """Each once, with how many messages did it and the first of these; and how many there are."""
    places = defaultdict[str, dict[int, None]](dict)
    for at, part in told:
        places[one_line(part, LINE)].setdefault(at)
    return [(part, len(ats), list(ats)[:PLACES]) for part, ats in islice(places.items(), MOST)], len(places)


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
        "typed": turn.typed,
        "pictures": turn.pictures,
        "calls": list(turn.calls),
        "errors": list(turn.errors),
        "empty_searches": list(turn.empty_searches),
        "unrun": turn.unrun,
        "commands": list(turn.commands),
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
    """The newest request that is more than a word to go on, and not the task; which turn it begins, counted from 1."""
    typed = [turn for turn in found.turns if turn.typed]
    numbered = zip(range(len(typed), 0, -1), reversed(typed), strict=True)
    newest = next(((k, turn) for k, turn in numbered if not only_goes_on(turn.asked)), None)
    if newest is None or newest[1].at == found.task:
        return None
    return {"turn": newest[0], "of": len(typed), **(_quote(trace, newest[1].at) or {})}


def _closing(trace: Trace, place: int) -> dict[str, Any] | None:
    """The model's newest words, told as those of a turn; quoted where they are code alone, or an object for a program."""
    words = _words(trace, place, TEXT)
    return {"at": place, "text": words} if words else _quote(trace, place)


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
