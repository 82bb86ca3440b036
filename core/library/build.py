"""Builds the index: reads new and changed files, the newest first, and forgets those that are gone."""

import hashlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from itertools import chain, islice
from pathlib import Path

from filelock import FileLock, Timeout

from core.engine.counts import counts_of
from core.engine.default_meter import default_meter
from core.engine.replay import replay
from core.importers import formats, is_part, load_all
from core.library.bodies import packed, searched
from core.library.index import Index, Progress, Row, SearchText, damaged, drop, forget_removed, note, noted, put
from core.library.places import Looked, Place, places
from core.meters import meter
from core.model import private
from core.model.call_texts import call_texts
from core.model.errors import FoldlineError, format_error
from core.model.session import Message
from core.trace.trace import Trace

MOST_MESSAGES, MOST_TOOLS = 400_000, 800_000
"""Characters of each session's messages, and of its tool calls with their output, that can be searched."""

MOST = 2_000
"""Sessions of one file that are listed."""

BEAT = 0.5
"""Seconds between two commits of a build: the sessions it has read by then can be listed."""

ALIVE = 15.0
"""Seconds after its last commit for which a build is shown as running."""

Report = Callable[[Progress], None]


@dataclass(frozen=True)
class _File:
    path: Path
    stamp: str
    time: float
    parts: bool = False
    agent: str = ""


def build(
    index: Index | None = None,
    among: Sequence[Place] | None = None,
    report: Report | None = None,
    wait: bool = False,
) -> Progress:
    """Bring the index up to date; returns how many files were read. Does nothing while another process builds, or waits for it.

    `report` is called before each file is read. Raises sqlite3.Error or OSError where the index cannot be written.
    """
    index = index or Index()
    try:
        return _build(index, among, report, wait)
    except sqlite3.DatabaseError as error:
        if not damaged(error):
            raise
        return _build(index, among, report, wait)  # it was removed: everything is read again


def _build(index: Index, among: Sequence[Place] | None, report: Report | None, wait: bool) -> Progress:
    private.make_folder(index.path.parent)
    try:
        with FileLock(index.path.with_suffix(".lock"), timeout=-1 if wait else 0, mode=private.FILE):
            return _update(index, among, report)
    except Timeout:  # another process builds
        return index.progress()


def _update(index: Index, among: Sequence[Place] | None, report: Report | None) -> Progress:
    with index.open() as connection:
        _beat(connection, Progress(pid=os.getpid()))
    among = places() if among is None else among
    looked = [(place, place.look()) for place in among]
    files = _files(looked)
    known = index.known()
    new = [f for f in files if known.get(str(f.path)) != f.stamp]
    done = Progress(len(new), len(new))
    with index.open() as connection:
        forget_removed(connection, among)
        note(connection, looked)
    _name(index, [f for f in new if f.agent and str(f.path) not in known], len(new))
    try:
        _drop_gone(index, known.keys() - {str(f.path) for f in files})
        with index.open() as connection:
            _read_all(connection, new, report)
    finally:
        with index.open() as connection:
            _beat(connection, done)
    if report is not None:
        report(done)
    return done


def _drop_gone(index: Index, others: Set[str]) -> None:
    with index.open() as connection:
        gone = _gone(connection, others)
        drop(connection, gone)
    if gone:
        index.shrink()


def _gone(connection: sqlite3.Connection, others: Set[str]) -> list[str]:
    """Of files that are in none of these places, those that are gone, and those that no other place holds either."""
    held = noted(connection)
    return sorted(path for path in others if path not in held or not os.path.isfile(path))


def _name(index: Index, files: Sequence[_File], total: int) -> None:
    """List new files of agents at once, by their names alone: reading them takes seconds. Without a stamp they are read."""
    with index.open() as connection:
        for file in files:
            put(connection, str(file.path), "", [(_unread(file), SearchText())], "")
        _beat(connection, Progress(0, total, "", os.getpid()))


def _unread(file: _File) -> Row:
    """What is known of a file before it is read: no meter has counted it."""
    return Row(
        path=str(file.path),
        number=0,
        agent=file.agent,
        format="",
        title=file.path.name,
        project="",
        model="",
        messages=0,
        turns=0,
        tokens=0,
        meter="",
        compactions=0,
        subagents=0,
        ended=_iso(file.time),
        changed=_iso(file.time),
    )


def _read_all(connection: sqlite3.Connection, files: Sequence[_File], report: Report | None) -> None:
    """Read these files. Commits every BEAT: a commit for each file would take most of the time."""
    last = 0.0
    for done, file in enumerate(files):
        progress = Progress(done, len(files), file.path.name, os.getpid())
        if time.monotonic() - last >= BEAT:
            _beat(connection, progress)
            connection.commit()
            last = time.monotonic()
        if report is not None:
            report(progress)
        _read_file(connection, file)


def _beat(connection: sqlite3.Connection, progress: Progress) -> None:
    values = (progress.pid, time.time(), progress.done, progress.total, progress.now)
    connection.execute("REPLACE INTO progress VALUES (1, ?, ?, ?, ?, ?)", values)


def _files(looked: Iterable[tuple[Place, Looked]]) -> list[_File]:
    """The files of these places, each once, the newest first."""
    found: dict[Path, _File] = {}
    formats_digest = _formats_digest()
    for place, seen in looked:
        for path in seen.files:
            stats = [stat for other in (path, *place.also(path)) if (stat := _stat(other))]
            if path in found or not stats:
                continue
            marks = [f"{stat.st_mtime_ns}:{stat.st_size}" for stat in stats]
            found[path] = _File(
                path,
                ":".join((*marks, formats_digest)),
                max(stat.st_mtime for stat in stats),
                place.parts,
                place.agent,
            )
    return sorted(found.values(), key=lambda file: (-file.time, str(file.path)))


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None


def _formats_digest() -> str:
    """A digest of the known formats: with a new one, files that could not be read are tried again."""
    return hashlib.sha256(" ".join(info.name for info in formats()).encode()).hexdigest()[:8]


def _read_file(connection: sqlite3.Connection, file: _File) -> None:
    """Read one file. Its error is kept, so that it is not tried again until it changes."""
    problem, rows = "", list[tuple[Row, SearchText]]()
    try:
        found = () if file.parts and is_part(file.path) else islice(load_all(file.path), MOST)
        for number, session in enumerate(found):
            trace = replay(session, meter=meter(default_meter(session)))
            text, left = _search_text(trace)
            rows.append((_row(file, number, trace, left), text))
    except FoldlineError as error:
        problem = str(error)
    except Exception as error:  # an unforeseen file must not keep the others out
        problem = format_error(error)
    put(connection, str(file.path), file.stamp, rows, problem)


def _row(file: _File, number: int, trace: Trace, unsearched: int) -> Row:
    session, counted = trace.session, counts_of(trace)
    return Row(
        path=str(file.path),
        number=number,
        agent=_label(session.format),
        format=session.format,
        title=session.title or file.path.name,
        project=session.project,
        model=session.model,
        messages=counted.messages,
        turns=counted.turns,
        tokens=counted.tokens,
        meter=default_meter(session),
        compactions=counted.all_compactions,
        subagents=session.subagents,
        ended=_ended(session.messages),
        unsearched=unsearched,
        changed=_iso(file.time),
    )


@cache
def _label(name: str) -> str:
    return next((info.label for info in formats() if info.name == name), name)


def _ended(messages: Sequence[Message]) -> str:
    """The last recorded time, in UTC to the second; "" if none can be read."""
    for message in reversed(messages):
        try:
            when = datetime.fromisoformat(message.timestamp)
        except ValueError:
            continue
        return _iso(when.timestamp() if when.tzinfo else when.replace(tzinfo=UTC).timestamp())
    return ""


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _search_text(trace: Trace) -> tuple[SearchText, int]:
    """What of a session can be searched, and how many characters cannot: those beyond the limits."""
    session = trace.session
    typed = (m.content for m in session.messages if m.typed)
    others = (m.content for m in session.messages if m.role in ("user", "assistant") and not m.typed)
    messages, left = _joined(chain(typed, others), MOST_MESSAGES)
    tools, more = _joined(chain.from_iterable(map(_tool_texts, session.messages)), MOST_TOOLS)
    return SearchText(messages, tools, packed(searched(trace))), left + more


def _tool_texts(message: Message) -> Iterator[str]:
    """The names and arguments of the message's tool calls, or the output that it holds."""
    for call in message.tool_calls:
        yield from call_texts(call)
    if message.role == "tool":
        yield message.content


def _joined(texts: Iterable[str], most: int) -> tuple[str, int]:
    """The texts on lines of their own, cut to `most` characters, and how many were cut off."""
    whole = "\n".join(filter(None, texts))
    return whole[:most], max(0, len(whole) - most)
