"""A transcript before its format is known: its bytes, its beginning, and its damage."""

import io
import os
import re
import stat
import struct
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any
from zipfile import BadZipFile

from core.importers._files.folder import MOST_FILES, Folder, OnDisk, Zipped, is_plain
from core.importers._files.members import Members
from core.importers._files.near import near_name
from core.importers._files.text import LIMIT, OWN_LIMIT, Damage, decoded, parse, parse_many, raw_lines, records
from core.importers._files.unpack import NoRoomError, TooLargeError, read_of, unpacked
from core.model.errors import NoTranscriptError, TranscriptError
from core.model.progress import progress

HEAD_BYTES = 64 * 1024
HEAD_RECORDS = 50
HEAD_READ = 8 * 1024 * 1024
MOST_DEEP = 2
_PIECE = 1 << 20
MOST_ABOVE = 4

SQLITE = b"SQLite format 3\x00"

_REPLACEMENT = "\ufffd".encode()

_OWN = re.compile(r'\s*\{\s*"(?:foldline": *"|version": *\d+, *"(?:id|kind)": *")')  # as save and the models write

_WORDS = ("true", "false", "null", "NaN", "-Infinity", "Infinity")
_HALF = re.compile(r"\.|[eE][+-]?|u[0-9a-fA-F]{0,3}")  # of a number, or of an escape, as Python's reader leaves it

_MAGIC = {
    SQLITE: "an SQLite database",
    b"%PDF": "a PDF",
    b"BZh": "compressed with bzip2",
    b"\xfd7zXZ": "compressed with xz",
}


@dataclass
class Head:
    """How a file begins, for an importer to recognize it by.

    `text` is the first 64 KB; `records` the first JSON objects of a JSONL file; `value` the whole of a file that is one
    JSON value, else None. Of a folder or an archive there are `names`, the paths of its files, and `source` to open
    one by (`head.source.inside(name)`); a single file has no names. `binary` is "sqlite" for such a database, which has
    nothing else to show here. `problem` is what is wrong with a file that is neither JSON nor JSONL, to be said where nobody
    claims it.
    """

    text: str
    records: list[dict[str, Any]] = field(default_factory=list)
    value: Any = None
    names: Sequence[str] = ()
    source: "Source | None" = None
    problem: TranscriptError | None = None
    binary: str = ""


class Source:
    """The bytes of a transcript, on disk or in memory, with the name to show in errors.

    `value` is the parsed file where it is one JSON value; a JSONL file is read through `records()`, any text through
    `lines()`. Of a folder or an archive, `folder` holds the files. A file that lies in one has it as `folder` too, with
    its own path in `place`. `members` says what was left out of all the files that are read together with this one.
    """

    def __init__(
        self,
        name: str,
        path: Path | None = None,
        data: bytes | None = None,
        folder: Folder | None = None,
        place: str = "",
        depth: int = 0,
        members: Members | None = None,
    ) -> None:
        self.name, self.path, self.data = name, path, data
        self.folder, self.place, self.depth = folder, place, depth
        self.members = folder.members if folder is not None else members or Members()
        self.damage = Damage()
        self.value: Any = None

    def fail(self, what: str, hint: str = "") -> TranscriptError:
        """The error for this file: what is wrong, and a hint."""
        return TranscriptError(f"{self.name}: {what}", hint)

    def refuse(self, what: str, hint: str = "") -> TranscriptError:
        """The error for a file that is no transcript."""
        return NoTranscriptError(f"{self.name}: {what}", hint)

    @property
    def is_folder(self) -> bool:
        """Whether this is several files."""
        return self.folder is not None and not self.place

    def inside(self, name: str) -> "Source":
        """One file of a folder."""
        assert self.folder is not None
        return Source(f"{self.name}/{name}", folder=self.folder, place=name, depth=self.depth)

    def near(self, pattern: str) -> list["Source"]:
        """The files that match a pattern like `agents/*.jsonl` from where this one lies, in order of name.

        They are taken to belong to this one: a folder of transcripts does not list them again. Of a file from memory there
        are none.
        """
        if self.folder is not None:
            below = self.place.rpartition("/")[0]
            found = self.folder.matching(pattern, below)
            self.folder.read_with_others.update(name for name in found if name != self.place)
            top = self.name.removesuffix(self.place).rstrip("/")
            return [Source(f"{top}/{name}", folder=self.folder, place=name, depth=self.depth) for name in found]
        if self.path is None or ".." in pattern:
            return []
        try:
            found_here = sorted(p for p in self.path.parent.glob(pattern) if is_plain(p))
        except (OSError, ValueError):
            return []
        return [Source(str(p), path=p, members=self.members) for p in found_here[:MOST_FILES]]

    def above(self, name: str) -> "tuple[Folder, str, str] | None":
        """The folder called so in which the file lies, MOST_ABOVE folders up at most; None where there is none.

        With it the path of that folder in it ("" on disk), and the path from there to the file. On disk nothing outside of
        that folder can be reached through it; where the file lies in an opened folder, nothing outside of that one.
        """
        if self.folder is not None:
            parts = self.place.split("/")
            top = max((n for n, part in enumerate(parts[:-1], 1) if part == name), default=0)
            return self.folder, "/".join(parts[:top]), "/".join(parts[top:])
        if self.path is None:
            return None
        path = self.path.resolve() if ".." in self.path.parts else self.path.absolute()
        found = next((up for up in path.parents[:MOST_ABOVE] if up.name == name), None)
        return (Folder(OnDisk(found)), "", path.relative_to(found).as_posix()) if found else None

    @property
    def local(self) -> Path | None:
        """Where the file lies on disk; None where it lies in memory or in an archive."""
        if self.folder is not None:
            return self.folder.store.root / self.place if isinstance(self.folder.store, OnDisk) else None
        return self.path if self.data is None else None

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """The file, for reading, unpacked. Raises TranscriptError where it cannot be read."""
        try:
            with self._raw() as raw:
                file = unpacked(raw, self.members.room(self.name))
                try:
                    yield file
                finally:
                    self.members.took(self.name, read_of(file))
                if getattr(file, "torn", False):
                    self.damage.torn = True
        except NoRoomError:
            self.members.leave("no room", self.name, self.place)
            raise self.fail("exceeds what is read of one folder or archive", "open it separately") from None
        except TooLargeError:
            raise self.fail(
                "expands to far more than a transcript could be", "unpack it yourself and check the content"
            ) from None
        except (BadZipFile, zlib.error, EOFError):
            raise self.fail("is a damaged zip archive", "create the archive again") from None
        except (OSError, NotImplementedError) as error:
            raise self._refusal(error) from None

    def _raw(self) -> IO[bytes]:
        if self.data is not None:
            return io.BytesIO(self.data)
        if self.folder is not None:
            room = self.members.room(self.name)
            if room is not None and self.folder.store.size(self.place) > room:
                raise NoRoomError
            file = self.folder.store.open(self.place)
            return file if file.seekable() else io.BytesIO(_up_to(file, LIMIT + 1))
        return self._open_path()

    def records(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """(line number, record) of a JSONL file; `damage` then says what was wrong with the other lines."""
        self.damage = Damage()
        with self.open() as file:
            yield from records(file, self.damage)

    def lines(self) -> Iterator[tuple[int, str]]:
        """(line number from 1, text without its line end) of every line of a text; `damage` says what was no UTF-8."""
        self.damage = Damage()
        with self.open() as file:
            for number, line in enumerate(iter(lambda: file.readline(LIMIT), b""), 1):
                text, clean = decoded(line)
                if not clean:
                    self.damage.not_utf8.append(number)
                yield number, text.rstrip("\r\n")

    def text(self) -> str:
        """The whole file as text. Raises TranscriptError where it is longer than LIMIT."""
        self.damage = Damage()
        raw = _read(self, LIMIT)
        text, clean = decoded(raw)
        if not clean:
            self.damage.not_utf8.extend(n for n, line in enumerate(raw.split(b"\n"), 1) if not decoded(line)[1])
        return text

    def parsed(self) -> Any:
        """The whole file as one JSON value: for a part of a folder. Raises TranscriptError where it is none."""
        text = self.text()
        try:
            return parse(text)
        except ValueError as error:
            raise _broken(self, text, error) from None

    def _open_path(self) -> IO[bytes]:
        assert self.path is not None
        if not stat.S_ISREG(os.stat(self.path).st_mode):
            raise self.fail("is not a regular file", "copy its output into a file, and open that")
        return open(self.path, "rb", buffering=1 << 20)

    def _refusal(self, error: Exception) -> TranscriptError:
        if isinstance(error, FileNotFoundError):
            return self.fail("no such file", self._way_to_a_file())
        if isinstance(error, PermissionError):
            return self.fail("is not readable by this user", "check the permissions of the file")
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        return self.fail(f"could not be read ({reason})")

    def _way_to_a_file(self) -> str:
        near = near_name(self.path) if self.path is not None and self.folder is None else ""
        return f"did you mean {near}?" if near else "check the path; a relative one starts where foldline was started"


def opened(source: Source) -> Source:
    """The source, or the folder that it is: one on disk, or a zip archive. An archive of one file is that file.

    Raises TranscriptError where there is nothing to read.
    """
    if source.is_folder:
        return source
    if (
        source.folder is None and source.path is not None and os.path.isdir(source.path)
    ):  # False where it may not be known
        folder = Folder(OnDisk(source.path, source.members), members=source.members)
        return _some(Source(source.name, path=source.path, folder=folder))
    with source.open() as file:
        if file.read(4) not in (b"PK\x03\x04", b"PK\x05\x06"):
            return source
    return _archive(source)


def _archive(source: Source) -> Source:
    if source.depth >= MOST_DEEP:
        raise source.fail("is an archive inside an archive inside an archive", "unpack it first")
    raw = _unpacked_archive(source)
    source.members.limit(raw.seek(0, os.SEEK_END))
    try:
        folder = Folder(Zipped(raw), members=source.members)
        found = _some(Source(source.name, path=source.path, folder=folder, depth=source.depth + 1))
    except (BadZipFile, NotImplementedError, ValueError, struct.error):
        raw.close()
        raise source.fail("is a damaged zip archive", "create the archive again") from None
    except (OSError, TranscriptError) as error:
        raw.close()
        raise error if isinstance(error, TranscriptError) else source._refusal(error) from None
    assert found.folder is not None
    names = found.folder.names
    if len(names) != 1:
        return found
    alone = opened(found.inside(names[0]))
    if alone.folder is not found.folder and alone.folder is not None:
        alone.folder.outer = found.folder
    return alone


def _unpacked_archive(source: Source) -> IO[bytes]:
    """An archive as a file that can be looked up; one that is packed once more, also in another, is unpacked into memory."""
    if source.folder is not None and isinstance(source.folder.store, Zipped):
        return io.BytesIO(_read(source, OWN_LIMIT))
    raw = source._raw()
    start = raw.read(2)
    raw.seek(0)
    if start == b"PK":
        return raw
    raw.close()
    return io.BytesIO(_read(source, LIMIT))


def _some(source: Source) -> Source:
    if source.folder is not None and not source.folder.names:
        if notes := "; ".join(source.members.notes()):
            raise source.fail("is a folder without a readable file", notes)
        raise source.refuse("is an empty folder", "choose one with a transcript in it")
    return source


def head_of(source: Source) -> Head:
    """How the file begins. Raises TranscriptError for what is no text at all, or is cut short or too large."""
    if source.is_folder:
        assert source.folder is not None
        return Head("", names=source.folder.names, source=source)
    with source.open() as file:
        start = file.read(HEAD_BYTES)
    if not start.strip():
        if source.damage.torn:
            raise source.fail("is compressed, and cut short before anything can be read", "compress or copy it again")
        raise source.refuse("is empty", "perhaps the session has not begun yet")
    if start.startswith(SQLITE):
        return Head("", source=source, binary="sqlite", problem=_unread(source, _MAGIC[SQLITE]))
    _refuse_binary(source, start)
    text, _ = decoded(start)
    head, is_jsonl = _sniffed(source, text)
    if head.value is None and not (head.records and is_jsonl):
        head = _whole(source, head)
    source.value, head.source = head.value, source
    return head


def _refuse_binary(source: Source, start: bytes) -> None:
    for magic, what in _MAGIC.items():
        if start.startswith(magic):
            raise _unread(source, what)
    if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise source.fail("is text in UTF-16", "save it again as UTF-8")
    if _undecodable(start) > len(start) // 10:
        raise source.refuse("is not text", "a transcript is JSON, JSONL or Markdown in UTF-8")


def _undecodable(start: bytes) -> int:
    """How much of it no text holds. A U+FFFD that the file holds itself is text: another program put it there, or foldline."""
    return start.count(0) + decoded(start)[0].count("\ufffd") - start.count(_REPLACEMENT)


def _unread(source: Source, what: str) -> TranscriptError:
    return source.refuse(f"is {what}, which is not read", "unpack or export it as JSON or JSONL first")


def _sniffed(source: Source, text: str) -> tuple[Head, bool]:
    """What the first lines hold as JSONL, and whether the first one did: else the file may be one JSON value."""
    head, lines, read, is_jsonl = Head(text), 0, 0, False
    with source.open() as file:
        for number, raw, _ in raw_lines(file):
            lines, read = lines + 1, read + len(raw or b"")
            values, whole = _values(raw or b"", number, source.damage)
            is_jsonl = is_jsonl or raw is None or (lines == 1 and bool(values) and isinstance(values[0], dict))
            if whole and lines == 1 and len(values) == 1:
                head.value = values[0]
            if whole or lines == 1:
                head.records += [v for v in values if isinstance(v, dict)]
            if len(head.records) >= HEAD_RECORDS or read > HEAD_READ or lines >= HEAD_RECORDS:
                break
    if lines > 1:
        head.value = None
    return head, is_jsonl


def _values(raw: bytes, number: int, damage: Damage) -> tuple[list[Any], bool]:
    """The JSON values on one line, and whether they were all of it. Indented lines are part of something larger."""
    text, clean = decoded(raw)
    if not clean:
        damage.not_utf8.append(number)
    return parse_many(text) if text[:1] in "{[" else ([], False)


def _whole(source: Source, head: Head) -> Head:
    """The head of a file that is one JSON value over many lines; of JSONL with a damaged first line, failing that."""
    begins = head.text.lstrip()[:1]
    if begins not in ("{", "["):
        return _scalar(source, head)
    raw, source.damage = _read(source, OWN_LIMIT if _OWN.match(head.text) else LIMIT), Damage()
    text, clean = decoded(raw)
    if not clean:
        source.damage.not_utf8.extend(n for n, line in enumerate(raw.split(b"\n"), 1) if not decoded(line)[1])
    try:
        return Head(head.text, [], parse(text))
    except ValueError as error:
        if begins == "{" and head.records:
            return head
        raise _broken(source, text, error) from None


def _scalar(source: Source, head: Head) -> Head:
    """The head of a file that is one number, string, true, false or null; of any other text with the problem it is."""
    try:
        return Head(head.text, [], parse(head.text))
    except ValueError:
        problem = source.refuse("is neither JSON nor JSONL", f"it begins with {head.text.strip()[:40]!r}")
        return Head(head.text, problem=problem)


def _read(source: Source, limit: int) -> bytes:
    """The whole file. Raises TranscriptError where it is longer than the limit."""
    with source.open() as file:
        data = _up_to(file, limit + 1)
    if len(data) > limit:
        hint = "split the file, or leave out what is not text (embedded pictures, for instance)"
        raise source.fail(f"is longer than {limit >> 20} MB, the limit for one file", hint)
    progress().reach(len(data))
    return data


def _is_begun(rest: str) -> bool:
    """Whether what could not be read is nothing, or the beginning of a word, a number or an escape."""
    rest = rest.rstrip()
    return any(word.startswith(rest) for word in _WORDS) or bool(_HALF.fullmatch(rest))


def _up_to(file: IO[bytes], size: int) -> bytes:
    """The next bytes, at most so many. A file asked for many at once takes memory for all of them, however few it has."""
    pieces, step = [file.read(min(size, _PIECE))], _PIECE
    while len(pieces[-1]) == step and (size := size - step) > 0:
        step = min(size, step * 4)
        pieces.append(file.read(step))
    return b"".join(pieces) if pieces[1:] else pieces[0]


def _broken(source: Source, text: str, error: ValueError) -> TranscriptError:
    place, position = getattr(error, "lineno", None), getattr(error, "pos", 0)
    if place is None:
        return source.fail(str(error), "check how the file was written")
    if str(error).startswith("Unterminated") or _is_begun(text[position : position + len("-Infinity")]):
        return source.fail(f"line {place}: the JSON ends early", "the file is cut short; export it again")
    return source.fail(f"line {place}: not valid JSON ({error.args[0].split(':')[0]})", "is it JSON or JSONL?")
