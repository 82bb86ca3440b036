"""A transcript that is still being written, or was cut short: every beginning of one real or sample file per format.

JSONL and Markdown open as soon as they hold a message, and from then on; what is one JSON value says that it breaks off.
"""

import json
from bisect import bisect_right
from collections.abc import Iterator

import pytest

from core.importers import importers, load_all
from core.model.errors import TranscriptError
from core.model.session import Session
from tests.fuzzing.checking import sound
from tests.fuzzing.originals import FILE, Transcript, originals
from tests.serving import EXAMPLES

MOST = 20 * EXAMPLES
"""About so many beginnings of each file are tried, of each kind."""

OPENING = 3
"""With so many messages a file opens at the latest: one, and what the harness puts around it."""


def files(format: str, kind: str) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of the smallest sample and the smallest real file of a format, where they are of this kind."""
    found = [t for t in originals(format) if not t.packed]
    samples, real = [t for t in found if t.is_sample], [t for t in found if not t.is_sample]
    for some in (samples, real):
        smallest = min((one for t in some for one in _parts(t)), key=lambda one: len(one[1]), default=("", b""))
        if smallest[1] and _kind(smallest[1]) == kind:
            yield smallest


def _parts(transcript: Transcript) -> Iterator[tuple[str, bytes]]:
    """The file, or the JSONL files of a folder."""
    for name, data in transcript.files.items():
        if name == FILE or name.endswith(".jsonl"):
            yield name or transcript.name, data


def _kind(data: bytes) -> str:
    if data.startswith((b"PK", b"SQLite")):
        return "packed"
    try:
        json.loads(data)
    except ValueError:
        return "lines"
    return "value"


FORMATS = sorted(importers())


def opened(data: bytes) -> list[Session]:
    """The sessions in a file that begins so, all sound; none where it is refused."""
    try:
        found = list(load_all(name="beginning", data=data))
    except TranscriptError:
        return []
    for session in found:
        sound(session)
    return found


def count(data: bytes) -> int:
    """The messages in it."""
    return sum(len(session.messages) for session in opened(data))


def line_ends(data: bytes) -> list[int]:
    """Where lines end: all of them in a short file, else those at the front and a spread of the others."""
    ends = [i + 1 for i, byte in enumerate(data) if byte == 0x0A]
    return ends if len(ends) <= MOST else [*ends[:30], *ends[30 :: len(ends) // (MOST - 30) + 1], ends[-1]]


def offsets(data: bytes) -> list[int]:
    """A spread of places, among them all kinds of bytes in the middle of a character."""
    inside = [i for i, byte in enumerate(data) if 0x80 <= byte < 0xC0]
    return sorted({*range(1, len(data), len(data) // MOST + 1), *inside[:: 3 * len(inside) // MOST + 1]})


@pytest.mark.parametrize("format", FORMATS)
def test_lines_open_from_the_first_message_on(format: str) -> None:
    """A file cut at a line end opens as soon as it holds a message, and however much is behind that."""
    for name, data in files(format, "lines"):
        counts = {end: count(data[:end]) for end in line_ends(data)}
        found = list(counts.values())
        first = next(i for i, n in enumerate(found) if n)
        assert all(found[first:]), f"{name}: opens at first, and not with more behind"
        assert found[first] <= OPENING or first == 0, f"{name}: opens with {found[first]} messages only"
        assert found[-1] == count(data)


@pytest.mark.parametrize("format", FORMATS)
def test_a_line_cut_anywhere_takes_nothing_from_those_before(format: str) -> None:
    """Wherever a file ends, be it in the middle of a character, it opens if the whole lines in it do."""
    for name, data in files(format, "lines"):
        ends = [0, *(i + 1 for i, byte in enumerate(data) if byte == 0x0A)]
        for at in offsets(data):
            whole = ends[bisect_right(ends, at) - 1]
            assert opened(data[:at]) or not opened(data[:whole]), f"{name}: cut at byte {at}"


@pytest.mark.parametrize("format", FORMATS)
def test_a_value_cut_anywhere_breaks_off(format: str) -> None:
    """What is one JSON value is refused wherever it ends, and told to break off: it is not taken for another format."""
    for name, data in files(format, "value"):
        for at in (at for at in offsets(data.rstrip()) if data[:at].strip()):
            with pytest.raises(TranscriptError, match="the JSON ends early") as caught:
                list(load_all(name="beginning", data=data[:at]))
            assert caught.value.hint, f"{name}: cut at byte {at}"


CUT = [
    '{"a": tru',
    '{"a": n',
    "[fals",
    "[1.",
    "[-",
    "[1e",
    "[2.5E-",
    '["\\u',
    '["\\u00e',
    '["\\ud83d\\ud',
    '["\\',
    "[NaN, I",
]


@pytest.mark.parametrize("text", CUT)
def test_a_word_a_number_or_an_escape_cut_short_breaks_off(text: str) -> None:
    """The place where the JSON stops making sense is in front of the end; nothing is wrong with it all the same."""
    with pytest.raises(TranscriptError, match="line 1: the JSON ends early"):
        list(load_all(name="x", data=text.encode()))


@pytest.mark.parametrize("text", ["[truth]", "[tru, 1]", "[1.]", '["\\u00"]', "[1 2]", "[-x"])
def test_json_that_is_wrong_does_not_break_off(text: str) -> None:
    """What follows shows that it was not cut short."""
    with pytest.raises(TranscriptError, match="not valid JSON"):
        list(load_all(name="x", data=text.encode()))
