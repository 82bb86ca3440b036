"""Which files and folders shell commands plainly move, and which of a session's files that leaves with another name.

This is a lower bound, as of what they write: where `*.txt` or `$out` leads cannot be seen, nor what a loop or a condition runs.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from posixpath import basename, join, normpath, splitext
from typing import NamedTuple

from core.measure.shellfolders import within
from core.measure.shellruns import base, behind_options, shell_runs
from core.measure.shellwrites import plain_names

_MAY_NOT_RUN = re.compile(r"\|\||\(\s*cd\b|(?:^|[;&|(\n])\s*(?:if|for|while|until|case)\b")
_FLAGS = frozenset(("-f", "-v", "-fv", "-vf", "--force", "--verbose", "--"))
_HERE = re.compile(r"[./]*")
_MOST = 200  # moves that are followed


class Move(NamedTuple):
    """What had the name `old` has the name `new`, or is in that folder where the command says so: `into`."""

    old: str
    new: str
    into: bool


@lru_cache(maxsize=4096)
def moves(command: str) -> tuple[Move, ...]:
    """The moves of a shell command in order, by the names that `cd` gives them; none where a part of it may not run."""
    if "mv" not in command or _MAY_NOT_RUN.search(command):
        return ()
    return tuple(_moves(command))


def _moves(command: str) -> Iterator[Move]:
    folder: str | None = ""
    for words, *_ in shell_runs(command):
        if words and base(words[0]) in ("cd", "pushd", "popd"):
            folder = within(folder, words[1]) if len(words) == 2 and plain_names(words[1:]) else None
        yield from (
            Move(old, new, move.into)
            for move in _named(words)
            if (old := within(folder, move.old)) and (new := within(folder, move.new))
        )


def _named(words: Sequence[str]) -> Iterator[Move]:
    """What `mv` and `git mv` move, as their words say."""
    given = behind_options(words) if words and base(words[0]) == "git" else words
    elsewhere = "-C" in words[: len(words) - len(given)]  # another folder than the names are said to be in
    if not given or base(given[0]) != "mv" or elsewhere:
        return
    names = [word for word in given[1:] if word not in _FLAGS]
    *olds, new = names or [""]
    if any(name.startswith("-") for name in names) or not (_HERE.fullmatch(new) or plain_names([new])):
        return
    into = len(olds) > 1 or new.endswith("/") or _HERE.fullmatch(new) is not None
    yield from (Move(old, new, into) for old in plain_names(olds))


def names_at_end(
    written: Iterable[tuple[int, str]], moved: Sequence[tuple[int, Move]], known: Collection[tuple[int, str]]
) -> Iterator[tuple[str, str]]:
    """Of each file that was written at a place its name then and in the end; `known` are all files, with their places."""
    settled = [(at, one) for at, move in moved[:_MOST] if (one := _settled(move, at, known))]
    for at, name in written:
        last = name
        for place, move in settled:
            last = _renamed(last, move) if place >= at else last
        yield name, last


def _settled(move: Move, at: int, known: Collection[tuple[int, str]]) -> Move | None:
    """A move to the name that it gives; None where that may be a folder, or the name of a file, and nothing tells which."""
    inside = join(move.new, basename(move.old))
    into = move.into or any(
        _behind(name, inside) is not None or (place < at and _behind(name, move.new)) for place, name in known
    )
    if not into and splitext(move.old)[1] and not splitext(move.new)[1]:
        return None
    return move._replace(new=inside if into else move.new)


def _renamed(name: str, move: Move) -> str:
    """What a file is called behind a move."""
    rest = _behind(name, move.old)
    if rest is None:
        return name
    before = name.removesuffix(rest).removesuffix(move.old)
    return normpath(join(before, move.new) + rest)


def _behind(name: str, path: str) -> str | None:
    """What of a name stands behind a path that it is, or is within: "" of the very same; None where it is elsewhere.

    A path from an unknown folder is looked for at the end of a longer name, where it says more than one name.
    """
    if name == path or name.startswith(f"{path}/"):
        return name[len(path) :]
    place = name.find(f"/{path}/") if "/" in path and not path.startswith(("/", "..")) else -1
    if place >= 0:
        return name[place + 1 + len(path) :]
    return "" if "/" in path and not path.startswith("..") and name.endswith(f"/{path}") else None
