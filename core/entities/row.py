"""Texts of messages in one row of UTF-8 bytes: a string with one emoji in it would take four bytes for each character."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import islice

_AT_ONCE = 1 << 18  # bytes whose case is folded in one go
_REMEMBERED = 1 << 18  # places of texts to remember, of each text so many more as it takes itself
_ITSELF = 16


class Row:
    """Texts of messages in a row of bytes. A line end closes each message and parts its texts: no text has one."""

    def __init__(self) -> None:
        self._bytes, self._starts = bytearray(), array("Q", [0])
        self._known, self._held = dict[str, tuple[int, list[int]]](), 0

    def __len__(self) -> int:
        return len(self._starts) - 1

    def add(self, written: bytes) -> None:
        """Put the texts of the next message at the end."""
        self._bytes += written
        self._bytes += b"\n"
        self._starts.append(len(self._bytes))

    def lower(self, row: "Row") -> None:
        """Put what another row has more of at the end, with a to z for A to Z."""
        first = len(self)
        if first == len(row):
            return
        start, end = row._starts[first], row._starts[-1]
        shift = len(self._bytes) - start
        for at in range(start, end, _AT_ONCE):
            self._bytes += row._bytes[at : min(end, at + _AT_ONCE)].lower()
        self._starts.extend([one + shift for one in row._starts[first + 1 :]])

    def places(self, text: str, count: int, most: int | None) -> list[int]:
        """Those of the first `count` messages that have the text, or the first `most` of those."""
        if most is not None:
            return list(islice(self.among(text, 0, count), most))
        found = self._found(text, count)
        return found[: bisect_left(found, count)]

    def _found(self, text: str, count: int) -> list[int]:
        """The same, and maybe some behind them: what was found is remembered, as a text is asked about again and again."""
        seen, places = self._known.get(text, (0, []))
        if seen < count:
            places = [*places, *self.among(text, seen, count)]
            self._held += _ITSELF + len(places)
            if self._held > _REMEMBERED:
                self._known, self._held = {}, 0
            self._known[text] = count, places
        return places

    def among(self, text: str, first: int, behind: int) -> Iterator[int]:
        """Those of the messages from `first` up to `behind`, without it, that have the text, in order."""
        if first >= behind:
            return
        wanted, end = encoded(text), self._starts[behind]
        at = self._bytes.find(wanted, self._starts[first], end)
        while at >= 0:
            place = bisect_right(self._starts, at) - 1
            yield place
            at = self._bytes.find(wanted, self._starts[place + 1], end)


def encoded(text: str) -> bytes:
    """The text as a row has it."""
    return text.encode("utf-8", "surrogatepass")
