"""A transcript before anybody knows its format: where it is, how it begins, and what is wrong with it."""

import io
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from core.errors import TranscriptError
from core.importers._text import LIMIT, OWN_LIMIT, Damage, decoded, parse, parse_many, raw_lines, records

HEAD_BYTES = 64 * 1024
HEAD_RECORDS = 50
HEAD_READ = 8 * 1024 * 1024

_OWN = re.compile(r'\s*\{\s*"(?:foldline": *"|version": *\d+, *"(?:id|kind)": *")')  # as save and the models write

_MAGIC = {
    b"PK\x03\x04": "a zip archive (an Inspect .eval log is one)",
    b"\x1f\x8b": "compressed with gzip",
    b"\x28\xb5\x2f\xfd": "compressed with zstd",
    b"SQLite format 3\x00": "an SQLite database",
    b"%PDF": "a PDF",
}


@dataclass
class Head:
    """How a file begins, for an importer to recognise it by.

    `text` is the first 64 KB; `records` the first JSON objects of a JSONL file; `value` the whole of a file that is one
    JSON value, else None.
    """

    text: str
    records: list[dict[str, Any]] = field(default_factory=list)
    value: Any = None


class Source:
    """The bytes of a transcript, on disk or in memory, with the name to show in errors.

    `value` is the parsed file where it is one JSON value; a JSONL file is read through `records()`.
    """

    def __init__(self, name: str, path: Path | None = None, data: bytes | None = None) -> None:
        self.name, self.path, self.data = name, path, data
        self.damage = Damage()
        self.value: Any = None

    def fail(self, what: str, hint: str = "") -> TranscriptError:
        """The error that says what is wrong with this file."""
        return TranscriptError(f"{self.name}: {what}", hint)

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """The file, for reading. Raises TranscriptError where it cannot be read."""
        try:
            with io.BytesIO(self.data) if self.data is not None else self._open_path() as file:
                yield file
        except OSError as error:
            raise self._refusal(error) from None

    def records(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """(line number, record) of a JSONL file; `damage` then says what was wrong with the other lines."""
        self.damage = Damage()
        with self.open() as file:
            yield from records(file, self.damage)

    def _open_path(self) -> IO[bytes]:
        assert self.path is not None
        if not stat.S_ISREG(os.stat(self.path).st_mode):
            if self.path.is_dir():
                raise self.fail("is a folder, not a transcript", "give a file inside it")
            raise self.fail("is not a regular file", "copy what it gives into a file, and open that")
        return open(self.path, "rb", buffering=1 << 20)

    def _refusal(self, error: OSError) -> TranscriptError:
        if isinstance(error, FileNotFoundError):
            return self.fail("no such file", "check the path; a relative one starts where foldline was started")
        if isinstance(error, PermissionError):
            return self.fail("may not be read by this user", "check the permissions of the file")
        return self.fail(f"could not be read ({error.strerror or type(error).__name__})")


def head_of(source: Source) -> Head:
    """How the file begins. Raises TranscriptError for what is no JSON at all, or is cut short or too large."""
    with source.open() as file:
        start = file.read(HEAD_BYTES)
    if not start.strip():
        raise source.fail("is empty", "a session that has not begun yet has nothing to show")
    _refuse_binary(source, start)
    text, _ = decoded(start)
    head, is_jsonl = _sniffed(source, text)
    if head.value is None and not (head.records and is_jsonl):
        head = _whole(source, head)
    source.value = head.value
    return head


def _refuse_binary(source: Source, start: bytes) -> None:
    for magic, what in _MAGIC.items():
        if start.startswith(magic):
            raise source.fail(f"is {what}, which is not read", "unpack or export it as JSON or JSONL first")
    if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise source.fail("is text in UTF-16", "save it again as UTF-8")
    odd = start.count(0) + decoded(start)[0].count("\ufffd")
    if odd > len(start) // 10:
        raise source.fail("is not text", "a transcript is JSON or JSONL in UTF-8")


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
    """The head of a file that is one number, string, true, false or null. Raises TranscriptError for anything else."""
    try:
        return Head(head.text, [], parse(head.text))
    except ValueError:
        raise source.fail("is neither JSON nor JSONL", f"it begins with {head.text.strip()[:40]!r}") from None


def _read(source: Source, limit: int) -> bytes:
    """The whole file. Raises TranscriptError where it is longer than the limit."""
    with source.open() as file:
        if file.seek(0, os.SEEK_END) > limit:
            hint = "split the file, or leave out what is not text (embedded pictures, for instance)"
            most = f"{limit >> 20} MB, the most that is read at once"
            raise source.fail(f"its one JSON value is longer than {most}", hint)
        file.seek(0)
        return file.read()


def _broken(source: Source, text: str, error: ValueError) -> TranscriptError:
    place, position = getattr(error, "lineno", None), getattr(error, "pos", 0)
    if place is None:
        return source.fail(str(error), "no transcript needs that: look at how it was written")
    unfinished = str(error).startswith("Unterminated") or position >= len(text.rstrip())
    if unfinished:
        return source.fail(f"line {place}: the JSON breaks off", "the file is cut short; export it again")
    return source.fail(f"line {place}: not valid JSON ({error.args[0].split(':')[0]})", "is it JSON or JSONL?")
