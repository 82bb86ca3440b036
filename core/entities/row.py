"""Texts of messages in one row of UTF-8 bytes: a string with one emoji in it would take four bytes for each character."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import islice

_AT_ONCE = 1 << 18  # bytes whose case is folded in one go
_ASCII = bytes(range(128))


class Row:
    """Texts of messages in a row of bytes. A line end closes each message and parts its texts: no text has one."""

    def __init__(self) -> None:
        self._bytes, self._starts = bytearray(), array("Q", [0])
        self._cased = array("Q")  # places of the messages in which case changes other letters than A to Z

    def __len__(self) -> int:
        return len(self._starts) - 1

    def add(self, text: str) -> None:
        """Put the texts of the next message at the end."""
        written = text.encode("utf-8", "surrogatepass")
        if len(written) > len(text) and _has_case_beyond_ascii(written):
            self._cased.append(len(self))
        self._append(written)

    def follow(self, row: "Row") -> None:
        """Take over what another row has and this one has not, without case."""
        for place in row._cased[bisect_left(row._cased, len(self)) :]:
            self._lower(row, place)
            text = row._bytes[row._starts[place] : row._starts[place + 1] - 1].decode("utf-8", "surrogatepass")
            self._append(text.casefold().encode("utf-8", "surrogatepass"))
        self._lower(row, len(row))

    def places(self, text: str, count: int, most: int | None) -> list[int]:
        """Those of the first `count` messages that have the text, or the first `most` of those."""
        return list(islice(self._places(text.encode("utf-8", "surrogatepass"), self._starts[count]), most))

    def _append(self, written: bytes) -> None:
        self._bytes += written
        self._bytes += b"\n"
        self._starts.append(len(self._bytes))

    def _lower(self, row: "Row", behind: int) -> None:
        """Take over the messages before a place, in which only A to Z change: they keep their length."""
        first = len(self)
        start, end = row._starts[first], row._starts[behind]
        shift = len(self._bytes) - start
        for at in range(start, end, _AT_ONCE):
            self._bytes += row._bytes[at : min(end, at + _AT_ONCE)].lower()
        ends = row._starts[first + 1 : behind + 1]
        self._starts.extend([one + shift for one in ends] if shift else ends)

    def _places(self, wanted: bytes, end: int) -> Iterator[int]:
        at = self._bytes.find(wanted, 0, end)
        while at >= 0:
            place = bisect_right(self._starts, at) - 1
            yield place
            at = self._bytes.find(wanted, self._starts[place + 1], end)


def _has_case_beyond_ascii(written: bytes) -> bool:
    """Whether folding the case of a text changes other letters than A to Z, which are folded in a tenth of the time."""
    others = written.translate(None, _ASCII).decode("utf-8", "surrogatepass")
    return others != others.casefold()
