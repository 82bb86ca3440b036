"""Finds the importers in this folder; `load(path)` or `load(name=…, data=…)` returns the session in a transcript.

An importer is one module or package in this folder. It has

    LABEL        the name of the format for people
    DOCS         the address of its description
    recognises   (head) -> whether the file is of this format, by its content alone
    read         (source) -> the Session, or an iterator of Sessions where one file may hold several; raises TranscriptError

and may have

    GROUP, COVERS         the format's row in README.md, and what that row says of it in brackets
    AGENT                 the name of the agent that writes such files, where it is one
    KEEPS                 what a user of that agent can do so that it does not forget a rule of theirs: an Advice
    KEEPS_ONCE            the same of an order for once, with `{words}` for what it says, if there is more than to say it again
    RECORDS_COMPACTIONS   True if the format records compactions; in others they are inferred from prompts that shrink
    GENERAL               True if other formats build on this shape: it claims only what no other importer claims
    is_part               (head) -> whether a file belongs to the session of another file, and is read with that
    TOGETHER              a pattern of paths: files called so are one session where they lie in one folder, read from the first

core/README.md shows how to add one. Exactly one importer may claim a file; names with a leading _ are helpers. A folder or a
zip archive that no importer claims as a whole is a folder of transcripts, each read on its own; those left out are counted in
a note of the last session (`_files/members.py`). `_listing.py` lists such a folder, to read one file when it is chosen.
"""

import importlib
import os
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Protocol, cast

from core.importers._files.folder import Folder, InMemory
from core.importers._files.source import Head, Source, head_of, opened
from core.importers._shapes.compaction_tokens import with_compaction_tokens
from core.importers._shapes.inferred_compactions import with_inferred
from core.importers._shapes.midway import with_beginning
from core.model.advice import Advice
from core.model.errors import NoTranscriptError, TranscriptError
from core.model.gc_pause import gc_paused
from core.model.session import Frozen, Session, id_of

SAY_AGAIN = Advice("Say it again after the compaction: the agent reads your newest message word for word.")


class Importer(Protocol):
    """What every importer has."""

    LABEL: str
    DOCS: str

    def recognises(self, head: Head) -> bool:
        """Whether a file with this beginning is of this format."""
        ...

    def read(self, source: Source) -> Session | Iterable[Session]:
        """The session in the file, or each of several. Raises TranscriptError."""
        ...


class FormatInfo(Frozen):
    """A format that can be read: its name, its label for people, and the address of its description.

    `agent` is the name of the agent that writes it; empty where many do.
    """

    name: str
    label: str
    docs: str
    agent: str = ""


@cache
def importers() -> dict[str, Importer]:
    """Every importer by the name of its format, in order of name."""
    found = sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))
    return {n.replace("_", "-"): cast(Importer, importlib.import_module(f"{__name__}.{n}")) for n in found}


def agent_of(session: Session) -> str:
    """The name of the agent whose session it is: as its file tells, else as its format does; empty where neither does."""
    return session.agent or next((f.agent for f in formats() if f.name == session.format), "")


def advice_to_users(format: str) -> Advice | None:
    """What a user of the agent that writes this format can do to keep a rule; None where no page of its makers is known."""
    return getattr(importers().get(format), "KEEPS", None)


def advice_for_once(format: str) -> Advice:
    """What a user of the agent that writes this format can do to keep an order, of which it says `{words}`."""
    return getattr(importers().get(format), "KEEPS_ONCE", SAY_AGAIN)


def label_of(session: Session) -> str:
    """What the format of a session is called, or the agent that wrote it where its file tells."""
    return session.agent or next((f.label for f in formats() if f.name == session.format), session.format)


def formats() -> list[FormatInfo]:
    """Every format that can be read, in order of name."""
    return [
        FormatInfo(name=n, label=m.LABEL, docs=m.DOCS, agent=getattr(m, "AGENT", "")) for n, m in importers().items()
    ]


def load(
    path: str | os.PathLike[str] | None = None,
    *,
    name: str = "",
    data: bytes | str | None = None,
    files: Mapping[str, bytes] | None = None,
    session: int | str | None = None,
) -> Session:
    """The session in the file or folder at `path`, in `data`, or in several `files`; `name` is shown in errors.

    The content decides the format. Where it holds several sessions, `session` chooses by number, from 0, or by id; without it
    the first is given, with a note. Raises TranscriptError where the file cannot be read, is damaged beyond use, is of a format
    nobody here reads, or holds no such session.
    """
    found = load_all(path, name=name, data=data, files=files)
    first = next(found)
    if session is None:
        more = next(found, None) is not None
        return first.model_copy(update={"notes": (*first.notes, MORE)}) if more else first
    for number, one in enumerate(chain((first,), found)):
        if session in (number, str(number)) or session == id_of(one):
            return one
    raise TranscriptError(f"{name or path}: has no session {session!r}", "`foldline show` lists its sessions")


def load_all(
    path: str | os.PathLike[str] | None = None,
    *,
    name: str = "",
    data: bytes | str | None = None,
    files: Mapping[str, bytes] | None = None,
) -> Iterator[Session]:
    """Every session in a file or folder, one after the other: at least one. Raises what `load` does.

    Notes of the last one say which files of a folder or an archive were left out.
    """
    source = given_source(path, name, data, files)
    yield from _with_left_out(_all(source), source)


def _with_left_out(found: Iterator[Session], source: Source) -> Iterator[Session]:
    """The sessions, the last one with what was left out: only then is all of it known."""
    held: Session | None = None
    try:
        for session in found:
            if held is not None:
                yield held
            held = session
    except TranscriptError:
        if held is not None:
            yield held
        raise
    if held is not None:
        notes = tuple(source.members.notes())
        yield held.model_copy(update={"notes": (*held.notes, *notes)}) if notes else held


def _all(source: Source) -> Iterator[Session]:
    count = 0
    for session in guarded(source, _sessions(source)):
        if session.messages or source.value == []:  # an empty list is what a run begins with; a file is damaged
            count += 1
            yield session
    if not count:
        raise source.refuse("contains no messages", "is it the beginning of a session, or its settings only?")


def guarded(source: Source, found: Iterator[Session]) -> Iterator[Session]:
    """The sessions, with an error of ours where one is too deep or too large to be read."""
    while True:
        try:
            with gc_paused():
                session = next(found, None)
        except (RecursionError, MemoryError) as error:
            raise source.fail(f"is too large to read ({type(error).__name__})") from None
        if session is None:
            return
        yield session


def is_part(path: str | os.PathLike[str]) -> bool:
    """Whether a file belongs to the session of another, and is read with that one. Raises TranscriptError."""
    source = given_source(path, "", None, None)
    return is_part_by(head_of(opened(source)))


def is_part_by(head: Head) -> bool:
    """Whether a file with this beginning belongs to the session of another."""
    return any(getattr(importers()[name], "is_part", _never)(head) for name in claimed_by(head))


MOST_TRIED = 5_000
"""The most files of a folder that are tried."""

MORE = "the file contains more sessions: this is the first"


def _sessions(given: Source, later: list[str] | None = None) -> Iterator[Session]:
    """The sessions in a source. With `later`, a file that is part of another adds its name there and gives none."""
    source = opened(given)
    try:
        yield from _read(source, given.place, later)
    finally:
        if source.folder is not None and source.folder is not given.folder:  # an archive opened here
            source.folder.close()


def _read(source: Source, name: str = "", later: list[str] | None = None) -> Iterator[Session]:
    head = head_of(source)
    if source.is_folder and not claimed_by(head):
        yield from _each(source)
        return
    reader = _reader(source, head)
    if later is not None and getattr(reader, "is_part", _never)(head):
        later.append(name)
        return
    found = reader.read(source)
    if isinstance(found, Session) and found.messages:
        head.value = source.value = None  # freed before the collector goes over it, which may take as long as reading
    for session in (found,) if isinstance(found, Session) else found:
        recorded = getattr(reader, "RECORDS_COMPACTIONS", False)
        yield with_beginning(with_compaction_tokens(session if recorded else with_inferred(session)))


def _never(_: Head) -> bool:
    return False


def _each(source: Source) -> Iterator[Session]:
    """The sessions of a folder of transcripts, without parts of other files and without files of other kinds."""
    for _, found in each_member(source):
        yield from found


@dataclass
class _Tally:
    """What is known on the way through a folder: how many sessions it gave, the files to be tried last, the first error."""

    count: int = 0
    later: list[str] = field(default_factory=list)  # the parts of others: those may have taken them by then
    first: TranscriptError | None = None


def each_member(source: Source) -> Iterator[tuple[str, Iterator[Session]]]:
    """The files of a folder of transcripts in order, each with the sessions in it: to be taken before the next file is.

    Between two files no session is held. Raises TranscriptError at the end where none was found.
    """
    assert source.folder is not None
    folder, tally = source.folder, _Tally()
    source.members.limit(folder.size())
    names = folder.names[:MOST_TRIED]
    for name, again in chain(((name, False) for name in names), ((name, True) for name in tally.later)):
        if name not in folder.read_with_others:
            yield name, _member(source.inside(name), again, tally)
    for name in folder.names[MOST_TRIED:]:
        if name not in folder.read_with_others:
            source.members.leave("late", source.inside(name).name, name)
    source.members.take_back(source.inside(name).name for name in folder.read_with_others)
    if not tally.count:
        raise source.refuse("contains no transcript", f"{tally.first} · {tally.first.hint}" if tally.first else "")


def _member(file: Source, again: bool, tally: _Tally) -> Iterator[Session]:
    """The sessions in one file of a folder; a file that gives none is left out, or tried again at the end."""
    before, left = tally.count, file.members.count
    try:
        for session in titled(file, _sessions(file, None if again else tally.later)):
            tally.count += 1
            yield session
        if tally.count == before and (again or file.place not in tally.later[-1:]):
            raise file.refuse("contains no messages")
    except TranscriptError as error:
        tally.first = tally.first or error
        if file.members.count == left:  # else it is an archive, whose files were left out one by one
            leave_out(file, error)


def alone(source: Source, name: str) -> Iterator[Session]:
    """The sessions in one file of a folder of transcripts, read by itself. Raises TranscriptError where there are none."""
    assert source.folder is not None
    source.members.limit(source.folder.size())
    file, count = source.inside(name), 0
    for session in guarded(file, titled(file, _sessions(file))):
        count += 1
        yield session
    if not count:
        raise file.refuse("contains no messages")


def titled(file: Source, found: Iterator[Session]) -> Iterator[Session]:
    """The sessions in a file of a folder that are not empty; one without a title has the name of its file."""
    for session in found:
        if session.messages:
            yield session.model_copy(update={"title": session.title or file.place})


def leave_out(file: Source, error: TranscriptError) -> None:
    """Note that a file of a folder gave no session, and why."""
    if isinstance(error, NoTranscriptError):
        file.members.leave("other", file.name, file.place)
    else:
        file.members.leave("unread", file.name, f"{file.place}: {str(error).removeprefix(f'{file.name}: ')}")


def claimed_by(head: Head) -> list[str]:
    """The names of the importers that claim a file with this beginning; general shapes count only where no other claims it."""
    found = [name for name, importer in importers().items() if importer.recognises(head)]
    return [name for name in found if not getattr(importers()[name], "GENERAL", False)] or found


def given_source(
    path: str | os.PathLike[str] | None, name: str, data: bytes | str | None, files: Mapping[str, bytes] | None
) -> Source:
    """What `load` is given, not opened yet. Raises TranscriptError where it is no path."""
    if files is not None:
        return Source(name or "files", folder=Folder(InMemory(files)))
    if data is not None:
        return Source(name or "transcript", data=data.encode("utf-8", "replace") if isinstance(data, str) else data)
    if path is None:
        raise TranscriptError("no transcript given", "load(path) or load(name=…, data=…)")
    if "\0" in str(path):
        raise TranscriptError(f"{str(path)!r} is not a path")
    return Source(name or str(path), path=Path(path))


def _reader(source: Source, head: Head) -> Importer:
    claims = claimed_by(head)
    if len(claims) == 1:
        return importers()[claims[0]]
    if claims:
        raise source.fail(f"could be {' or '.join(claims)}", "please report it: only one importer may claim a file")
    known = f"formats that foldline reads: {', '.join(info.label for info in formats())}"
    if head.problem:
        raise head.problem
    if not head.records and not isinstance(head.value, (dict, list)):
        raise source.refuse("is JSON, but neither a list of messages nor a session", known)
    raise source.refuse("is of an unknown format", known)
