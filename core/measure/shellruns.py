"""The simple commands that a shell's text runs: without what stands before their names, and those of a shell within it.

No shell is imitated: a command is known by its first word.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from core.measure.shellwords import with_targets

_LONGEST = 20_000  # characters of a text that are read
_DEPTH = 3  # shells within shells
_SHELLS = frozenset(("bash", "sh", "zsh", "dash"))
_BEFORE = frozenset(
    ("sudo", "env", "time", "nohup", "command", "exec", "if", "elif", "while", "until", "do", "then", "else", "!", "{")
)
_OPTIONS = {"sudo": ("EHnSib", "ug"), "env": ("i", "u"), "xargs": ("0rtx", "InPLsdaE"), "git": ("pP", "Cc")}
"""Of a command that names another: its options without a value, and those with one."""
_LONG = frozenset(("--", "--null", "--no-run-if-empty", "--no-pager"))
_ASSIGNED = re.compile(r"[A-Za-z_]\w*=")


class ShellRun(NamedTuple):
    """A simple command from its name on, none where only a redirection stands; where what it prints is written; what it reads.

    That is its here-document, with the line that ends it; "" without one.
    """

    words: Sequence[str]
    targets: Sequence[str]
    document: str = ""


@lru_cache(maxsize=1024)
def shell_runs(text: str) -> tuple[ShellRun, ...]:
    """What a text runs, in order; in the place of a shell that it starts what that is given to run."""
    return tuple(_runs(text[:_LONGEST], 0))


def _runs(text: str, depth: int) -> Iterator[ShellRun]:
    for given, targets, document in with_targets(text):
        words = _named(given)
        if words and base(words[0]) in _SHELLS and depth < _DEPTH:
            yield from _runs(_inner(words), depth + 1)
            words = []
        if words or targets:
            yield ShellRun(words, targets, document)


def _named(words: Sequence[str]) -> Sequence[str]:
    """A command without what stands before its name."""
    while words and (words[0] in _BEFORE or _ASSIGNED.match(words[0])):
        words = behind_options(words) if words[0] in _OPTIONS else words[1:]
    return words


def behind_options(words: Sequence[str]) -> Sequence[str]:
    """What stands behind a command's name and options: nothing where one of these is not known."""
    (flags, valued), words = _OPTIONS[base(words[0])], words[1:]
    while words and words[0].startswith("-"):
        option = words[0]
        if option[1:2] in valued and option != "-":
            words = words[2:] if len(option) == 2 else words[1:]
        elif option in _LONG or set(option[1:]) <= set(flags) or (option.startswith("--") and "=" in option):
            words = words[1:]
        else:
            return []
    return words


def inner_text(text: str) -> str:
    """A shell's text, or where it only starts another shell what that is given to run."""
    runs = list(with_targets(text[:_LONGEST]))
    words = runs[0][0] if len(runs) == 1 else []
    return _inner(words) if words and base(words[0]) in _SHELLS else text


def _inner(words: Sequence[str]) -> str:
    """What a shell is given to run: behind its option -c."""
    for before, word in pairwise(words):
        if re.fullmatch(r"-\w*c", before):
            return word
        if not word.startswith("-") and before != "-o":
            return ""
    return ""


def base(name: str) -> str:
    """The name of a program without its folders."""
    return name.rsplit("/", 1)[-1]
