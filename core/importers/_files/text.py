"""JSON as files hold it: records run together, cut short or too long, bytes that are not UTF-8, NaN."""

import json
import re
import threading
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import isfinite
from typing import IO, Any

from core.model.progress import progress
from core.model.session import sanitize_json

LIMIT = 64 * 1024 * 1024
"""The longest single JSON value (a line of JSONL, or a whole JSON file) that is read, in bytes."""

OWN_LIMIT = 1024 * 1024 * 1024
"""The same for a session or a trace that foldline saved, in bytes: what it wrote it can open."""

RUN_TOGETHER = 1000
"""The most records that are recovered from one line."""

_SHOWN = 10
"""The most lines that a note names."""

_ESCAPED_SURROGATE = re.compile(r"\\u[dD]")  # searched twice as fast as `in` would, on what is looked at all the time
_SPACE = re.compile(r"\s*")


class _Replaced(threading.local):
    """How many numbers this thread has read as null."""

    numbers = 0


_replaced = _Replaced()


def _number(text: str) -> float | None:
    """A float, or None where it is too large to be one: a session holds finite numbers only."""
    if isfinite(value := float(text)):
        return value
    _replaced.numbers += 1
    return None


def _not_a_number(_: str) -> None:
    """NaN, Infinity and -Infinity are no JSON: they become null."""
    _replaced.numbers += 1


def _as_it_is(value: dict[str, Any]) -> dict[str, Any]:
    """Called for each object: between two, other threads have their turns, while a large file is parsed too."""
    return value


_TOO_DEEP = "is nested too deeply to read"
_DECODER = json.JSONDecoder(parse_constant=_not_a_number, parse_float=_number, object_hook=_as_it_is)


def decoded(raw: bytes) -> tuple[str, bool]:
    """The bytes as text, and whether they were UTF-8; what is not becomes U+FFFD."""
    raw = raw.removeprefix(BOM_UTF8)
    try:
        return raw.decode(), True
    except UnicodeDecodeError:
        return raw.decode(errors="replace"), False


def parse(text: str) -> Any:
    """The one JSON value in a text. Raises ValueError for anything else, also for nesting too deep to be read."""
    before = _replaced.numbers
    try:
        return scrubbed(text, _whole(text))
    except (ValueError, RecursionError) as error:
        _replaced.numbers = before
        if isinstance(error, json.JSONDecodeError):
            raise
        deep = isinstance(error, RecursionError)  # the only other one: int() refuses thousands of digits
        raise ValueError(_TOO_DEEP if deep else "contains a number with thousands of digits") from None


def _whole(text: str) -> Any:
    """The JSON value that a text is. Where nothing stands around it, as in most lines, no white space is looked for."""
    try:
        value, end = _DECODER.raw_decode(text)
        if end == len(text) or text[end:].isspace():
            return value
    except json.JSONDecodeError:
        pass
    return _DECODER.decode(text)


def parse_many(text: str) -> tuple[list[Any], bool]:
    """The JSON values run together in a text, and whether that was all of it: `{…}{…` gives one and False."""
    values: list[Any] = []
    at = _skip(text, 0)
    while at < len(text) and len(values) < RUN_TOGETHER:
        before = _replaced.numbers
        try:
            value, at = _DECODER.raw_decode(text, at)
            values.append(value)
        except (ValueError, RecursionError):
            _replaced.numbers = before
            return scrubbed(text, values), False
        at = _skip(text, at)
    return scrubbed(text, values), at >= len(text)


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def scrubbed(text: str, value: Any) -> Any:
    """The value with lone surrogates, which no output can hold, as U+FFFD; looked for only where escapes allow them."""
    return sanitize_json(value) if _ESCAPED_SURROGATE.search(text) else value


_LINES = ("malformed", "run_together", "too_long", "not_utf8", "lost")


@dataclass
class Damage:
    """What was wrong with the lines of a file, by line number, and `before`: numbers replaced before it was read."""

    malformed: list[int] = field(default_factory=list)
    run_together: list[int] = field(default_factory=list)
    too_long: list[int] = field(default_factory=list)
    not_utf8: list[int] = field(default_factory=list)
    lost: list[int] = field(default_factory=list)
    recovered: int = 0
    cut: int = 0
    torn: bool = False
    before: int = field(default_factory=lambda: _replaced.numbers)
    _reported: dict[str, int] = field(default_factory=dict)

    def unreported(self) -> "Damage":
        """What was found since this was asked before: for files of many sessions. Its notes are to be read at once."""
        was = self._reported
        self._reported = {name: len(getattr(self, name)) for name in _LINES} | {
            "recovered": self.recovered,
            "cut": self.cut,
            "torn": self.torn,
            "numbers": _replaced.numbers,
        }
        lines: dict[str, Any] = {name: getattr(self, name)[was.get(name, 0) :] for name in _LINES}
        return Damage(
            **lines,
            recovered=self.recovered - was.get("recovered", 0),
            cut=0 if was.get("cut") else self.cut,
            torn=self.torn and not was.get("torn"),
            before=was.get("numbers", self.before),
        )

    @property
    def malformed_lines(self) -> int:
        """Lines that were not one JSON record."""
        return len({*self.malformed, *self.run_together, *self.too_long}) + bool(self.cut)

    def notes(self) -> Iterator[str]:
        """The damage as notes for people."""
        if self.run_together:
            recovered = f"{self.recovered:,} {'was' if self.recovered == 1 else 'were'} recovered"
            yield f"{places(self.run_together)} had several records run together; {recovered}"
        if self.lost:
            yield f"{places(self.lost)} could be recovered only in part; the rest was skipped"
        if self.malformed:
            yield f"{places(self.malformed)} could not be read and {_was(self.malformed)} skipped"
        if self.too_long:
            yield f"{places(self.too_long)} {_was(self.too_long)} longer than {LIMIT >> 20} MB and skipped"
        if self.not_utf8:
            yield f"{places(self.not_utf8)} had bytes that are not UTF-8, shown as \ufffd"
        if numbers := _replaced.numbers - self.before:
            yield f"NaN, Infinity or a number too large was read as null ({numbers:,} {'time' if numbers == 1 else 'times'})"
        if self.cut:
            yield f"the last line ({self.cut}) is cut short: the file may still be being written"
        if self.torn:
            yield "the compressed file is cut short; this is what could be unpacked"


def places(numbers: Iterable[int | None], what: str = "line") -> str:
    """Where something stands, in order and nowhere twice: "line 4", "lines 2, 3"; ten of them at most are named."""
    found = sorted({number for number in numbers if number is not None})
    shown = ", ".join(map(str, found[:_SHOWN]))
    more = f" and {len(found) - _SHOWN:,} more" if len(found) > _SHOWN else ""
    return f"{what}{'' if len(found) == 1 else 's'} {shown}{more}"


_OF_DAMAGE = re.compile(
    r"lines? \d[\d, ]*(?: and \d+ more)? (?:had|could|was|were) |NaN, Infinity|the last line \("
    r"|the compressed file is cut short|\d[\d,]* [\w ]+ (?:skipped|left out): "
)


def tells_of_damage(note: str) -> bool:
    """Whether a note is about damage in the file, or about records or files that belong to no session."""
    return _OF_DAMAGE.match(note) is not None


def _was(numbers: list[int]) -> str:
    return "were" if len(numbers) > 1 else "was"


def raw_lines(file: IO[bytes]) -> Iterator[tuple[int, bytes | None, bool]]:
    """(number from 1, the line, whether it is the last one without a line end); a line over LIMIT comes as None."""
    number, read, seen = 0, 0, progress()
    while line := file.readline(LIMIT + 1):
        number, read = number + 1, read + len(line)
        seen.reach(read)
        if len(line) > LIMIT and not line.endswith(b"\n"):
            while (rest := file.readline(1 << 20)) and not rest.endswith(b"\n"):
                read += len(rest)
            yield number, None, False
        elif not line.isspace():
            yield number, line, not line.endswith(b"\n")


def records(file: IO[bytes], damage: Damage) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line number, record) of every JSON object of a JSONL file; what is wrong with the others is put into `damage`."""
    for number, raw, last in raw_lines(file):
        if raw is None:
            damage.too_long.append(number)
            continue
        text, clean = decoded(raw)
        if not clean:
            damage.not_utf8.append(number)
        try:
            found = [parse(text)]
        except ValueError:
            found = _recovered(text, number, last, damage)
        for record in found:
            if isinstance(record, dict):
                yield number, record
            elif number not in damage.malformed[-1:]:
                damage.malformed.append(number)


def _recovered(text: str, number: int, last: bool, damage: Damage) -> list[Any]:
    """The records that a damaged line still holds."""
    found, whole = parse_many(text)
    found = [value for value in found if isinstance(value, dict)]
    damage.recovered += len(found)
    if found:
        damage.run_together.append(number)
    if last and not whole:
        damage.cut = number
    elif not found:
        damage.malformed.append(number)
    elif not whole:
        damage.lost.append(number)
    return found


def counted(names: Counter[str]) -> dict[str, int]:
    """The counts in order of name, as a session keeps them."""
    return dict(sorted(names.items()))
