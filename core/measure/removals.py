"""What shell commands remove or move, as far as their words tell: `rm`, `mv`, `git clean`, `find … -delete`, `DROP TABLE`, ….

What a script or a program does when it runs cannot be seen, so this is a lower bound. Nor is it known whether a file was there.
"""

import re
import shlex
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from core.entities.lines import COMMANDS
from core.measure.shellruns import base, behind_options, shell_runs
from core.model.session import ToolCall
from core.model.text import cut

_SHOWN = 120  # characters of one that is told
_PLAIN = frozenset(("rm", "rmdir", "unlink", "shred", "trash", "mv", "Remove-Item", "Move-Item", "del", "erase"))
_GIT = frozenset(("rm", "mv", "clean"))
_HARMLESS = frozenset(("--help", "--version", "--dry-run", "-WhatIf"))
_DATABASES = frozenset(("psql", "mysql", "mariadb", "sqlite3", "duckdb"))
_DROPS = re.compile(r"\b(?:DROP|TRUNCATE)\s+(?:TABLE|DATABASE|SCHEMA|VIEW|INDEX)\b|\bDELETE\s+FROM\b", re.IGNORECASE)
_MAY = re.compile(rf"\b(?:{'|'.join(sorted(_PLAIN | _GIT))}|reset)\b|-delete\b|{_DROPS.pattern}", re.IGNORECASE)
_DEPTH = 3  # lists within lists


def commands_of(call: ToolCall) -> tuple[str, ...]:
    """The shell commands of a call; none of one that edits, whose `command` only says how."""
    if "editor" in call.name:
        return ()
    given = [call.arguments[name] for name in sorted(COMMANDS) if name in call.arguments]
    several = call.arguments.get("commands")
    given += several if isinstance(several, list) else [several]
    return tuple(text for value in given for text in _texts(value))


def _texts(value: Any, depth: int = 0) -> Iterator[str]:
    """A command as a text: one that is given in words is put together."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict) and depth < _DEPTH:
        yield from _texts(value.get("command"), depth + 1)
    elif isinstance(value, list) and len(value) > 1 and all(isinstance(word, str) for word in value):
        yield shlex.join(value)
    elif isinstance(value, list) and depth < _DEPTH:
        for one in value:
            yield from _texts(one, depth + 1)


@lru_cache(maxsize=4096)
def removals(command: str) -> tuple[str, ...]:
    """The parts of a shell command that remove or move something, in order."""
    if not _MAY.search(command):
        return ()
    return tuple(cut(" ".join(run.words), _SHOWN) for run in shell_runs(command) if run.words and _removes(run.words))


def _removes(words: Sequence[str]) -> bool:
    name, rest = base(words[0]), words[1:]
    if not _HARMLESS.isdisjoint(rest):
        return False
    if name == "git":
        return _git_removes(behind_options(words))
    if name == "find":
        return "-delete" in rest or any(
            option in ("-exec", "-execdir") and base(run) in _PLAIN for option, run in pairwise(rest)
        )
    if name in _DATABASES:
        return any(_DROPS.search(word) for word in rest)
    if name == "xargs":
        run = behind_options(words)
        return bool(run) and (base(run[0]) in _PLAIN or _removes(run))
    return name in _PLAIN and any(not word.startswith("-") for word in rest)


def _git_removes(words: Sequence[str]) -> bool:
    """Whether git removes, moves or throws away: not the index alone, nor in a dry run (-n)."""
    if not words or "--cached" in words:
        return False
    if words[0] in _GIT:
        return not any(re.fullmatch(r"-[A-Za-z]*n[A-Za-z]*", word) for word in words)
    return words[0] == "reset" and "--hard" in words
