"""A form that a trace can be written in."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from core.trace.trace import Trace


class Form(NamedTuple):
    """A form: its name, which is what --form takes, what it holds in a few words, its file's ending and media type.

    `write` makes the bytes of the file from a trace, the step that is looked at (None where none is) and the texts that are
    followed. It raises FoldlineError where the form cannot hold what is there. `left_out` says in sentences what
    it does not hold.
    """

    name: str
    about: str
    suffix: str
    media: str
    write: Callable[[Trace, int | None, Sequence[str]], bytes]
    left_out: Callable[[Trace], list[str]] = lambda trace: []


def utf8(text: str) -> bytes:
    """The text as UTF-8; a lone surrogate, which has none, becomes a question mark."""
    return text.encode("utf-8", "replace")
