"""Texts of messages as they are written, and the same without case."""

from core.entities.row import Row, encoded

_ASCII = bytes(range(128))


class Written:
    """Texts of messages in a row, and in another one without case.

    A to Z are folded when first asked for, all together. Once case changes other letters in a text, that and all behind it are
    folded as they come: it takes ten times as long, and a question would wait for it.
    """

    def __init__(self) -> None:
        self.row, self._without_case = Row(), Row()
        self._other_letters = False

    def add(self, text: str) -> None:
        """Put the texts of the next message at the end."""
        written = encoded(text)
        if self._other_letters or (len(written) > len(text) and _has_case_beyond_ascii(written)):
            self._other_letters = True
            self.without_case().add(encoded(text.casefold()))
        self.row.add(written)

    def without_case(self) -> Row:
        """The texts of all that arrived, without case."""
        self._without_case.lower(self.row)
        return self._without_case


def _has_case_beyond_ascii(written: bytes) -> bool:
    """Whether folding the case of a text changes other letters than A to Z."""
    others = written.translate(None, _ASCII).decode("utf-8", "surrogatepass")
    return others != others.casefold()
