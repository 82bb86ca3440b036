"""What shell commands remove or move, as far as their words tell: `rm`, `mv`, `git clean`, `find … -delete`, `DROP TABLE`, ….

No shell is imitated: the words are split as the standard library's `shlex` does it, and a command is known by its first word.
What a script or a program does when it runs cannot be seen, so this is a lower bound. Nor is it known whether a file was there.
"""

import re
import shlex
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from core.entities.lines import COMMANDS
from core.model.session import ToolCall
from core.model.text import cut

_LONGEST = 20_000  # characters of a command that are read
_SHOWN = 120  # characters of one that is told
_PLAIN = frozenset(("rm", "rmdir", "unlink", "shred", "trash", "mv", "Remove-Item", "Move-Item", "del", "erase"))
_GIT = frozenset(("rm", "mv", "clean"))
_BEFORE = frozenset(("sudo", "env", "time", "nohup", "command", "exec", "do", "then", "else", "!", "{"))
_SHELLS = frozenset(("bash", "sh", "zsh", "dash"))
_DATABASES = frozenset(("psql", "mysql", "mariadb", "sqlite3", "duckdb"))
_DROPS = re.compile(r"\b(?:DROP|TRUNCATE)\s+(?:TABLE|DATABASE|SCHEMA|VIEW|INDEX)\b|\bDELETE\s+FROM\b", re.IGNORECASE)
_MAY = re.compile(rf"\b(?:{'|'.join(sorted(_PLAIN | _GIT))}|reset)\b|-delete\b|{_DROPS.pattern}", re.IGNORECASE)
_ASSIGNED = re.compile(r"[A-Za-z_]\w*=")
_REDIRECTS = frozenset(("<", ">", ">>", ">&", "&>", "<<<"))
_OPERATORS = "();<>|&\n"
_HERE = re.compile(r"<<-?\s*(['\"]?)([A-Za-z_]\w*)\1")
_DEPTH = 3  # shells within shells, lists within lists


def commands_of(call: ToolCall) -> tuple[str, ...]:
    """The shell commands of a call; none of one that edits, whose `command` only says how."""
    if "editor" in call.name:
        return ()
    given = (call.arguments[name] for name in (*sorted(COMMANDS), "commands") if name in call.arguments)
    return tuple(text for value in given for text in _texts(value))


def _texts(value: Any, depth: int = 0) -> Iterator[str]:
    """A command as a text: one that is given in words is put together."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict) and depth < _DEPTH:
        yield from _texts(value.get("command"), depth + 1)
    elif isinstance(value, list) and value and all(isinstance(word, str) for word in value) and value[0] in _SHELLS:
        yield shlex.join(value)
    elif isinstance(value, list) and depth < _DEPTH:
        for one in value:
            yield from _texts(one, depth + 1)


@lru_cache(maxsize=4096)
def removals(command: str) -> tuple[str, ...]:
    """The parts of a shell command that remove or move something, in order."""
    command = command[:_LONGEST]
    if not _MAY.search(command):
        return ()
    return tuple(cut(" ".join(words), _SHOWN) for words in _simple(command, 0) if _removes(words))


def _simple(command: str, depth: int) -> Iterator[list[str]]:
    """The simple commands of a command as words, with those of a shell that it starts, as far as its quotes end."""
    lexer = shlex.shlex(_without_texts(command), posix=True, punctuation_chars=_OPERATORS)
    lexer.whitespace, lexer.whitespace_split, lexer.commenters = " \t\r", True, ""
    for part in _parts(lexer):
        if part[0] in _SHELLS and depth < _DEPTH and (inner := _inner(part)):
            yield from _simple(inner, depth + 1)
        else:
            yield part


def _without_texts(command: str) -> str:
    """A command without its comments, and without the texts that it hands on (<<EOF)."""
    kept, end = list[str](), ""
    for line in command.replace("\\\n", " ").split("\n"):
        if end:
            end = "" if line.strip() == end else end
        elif not line.lstrip().startswith("#"):
            found = _HERE.search(line)
            end = found[2] if found else ""
            kept.append(_HERE.sub(" ", line))
    return "\n".join(kept)


def _parts(lexer: shlex.shlex) -> Iterator[list[str]]:
    """The words between operators, without what stands before a command and behind a redirection."""
    part, skips = list[str](), False
    for word in (*_words(lexer), ";"):
        if word in _REDIRECTS:
            skips = True
            if part and part[-1] in ("0", "1", "2"):
                part.pop()  # which of the outputs goes there
        elif skips:
            skips = False
        elif set(word) <= set(_OPERATORS):
            while part and (part[0] in _BEFORE or _ASSIGNED.match(part[0])):
                part.pop(0)
            if part:
                yield part
            part = []
        else:
            part.append(word)


def _words(lexer: shlex.shlex) -> Iterator[str]:
    try:
        yield from lexer
    except ValueError:  # a quote that does not end
        return


def _inner(part: Sequence[str]) -> str:
    """What a shell is given to run: behind its option -c."""
    at = next((i for i, word in enumerate(part) if re.fullmatch(r"-\w*c", word)), len(part))
    return part[at + 1] if at + 1 < len(part) else ""


def _removes(words: Sequence[str]) -> bool:
    name, rest = words[0].rsplit("/", 1)[-1], words[1:]
    if name == "git":
        return _git_removes(rest)
    if name == "find":
        return "-delete" in rest or any(pair in (("-exec", "rm"), ("-execdir", "rm")) for pair in pairwise(rest))
    if name in _DATABASES:
        return any(_DROPS.search(word) for word in rest)
    if name == "xargs":
        return any(word in _PLAIN for word in rest)
    return name in _PLAIN and bool(rest) and rest[0] not in ("--help", "--version")


def _git_removes(rest: Sequence[str]) -> bool:
    """Whether git removes, moves or throws away: not the index alone."""
    given = rest[2:] if rest[:1] == ["-C"] else rest
    if not given or "--cached" in given:
        return False
    return given[0] in _GIT or (given[0] == "reset" and "--hard" in given)
