"""Searches that found nothing: `rg` and `grep` end with code 1 then, which agents mark as an error.

A call counts only where its words leave no doubt: it ends with the search, nothing before that may have failed in its
place, and its result has that code and no output.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from core.measure.shellruns import base, inner_text
from core.measure.shellwords import statements
from core.measure.shellwrites import CONTROL
from core.model.failure import is_failure
from core.model.session import Message

_SEARCHES = frozenset(("rg", "grep", "egrep", "fgrep"))
_LONGEST = 20_000  # characters of a text that are read
_CODE = re.compile(
    r"(?:Process exited with code|Exit code:?|Command exited with code) 1"
    r"|<returncode>1</returncode>"
    r"|\[(?:The command completed|Command finished) with exit code 1\.?\]"
)
_HEAD = re.compile(
    r"(?:Command: .*|Chunk ID: \S+|Wall time: .*|Original token count: 0|Output:|\(no output\)|</?output>|\s*"
    rf"|\[(?:Current working directory|Python interpreter): .*\]|{_CODE.pattern})"
)


def empty_searches(messages: Sequence[Message], answers: Iterable[tuple[int, Sequence[str]]]) -> Iterator[int]:
    """The places of the results of commands that searched and found nothing, though they are marked as errors.

    `answers` are results, each with the commands that it answers; -1 where there is none.
    """
    for place, commands in answers:
        bare = place >= 0 and is_failure(messages[place]) and _is_bare(messages[place].content)
        if bare and len(commands) == 1 and ends_in_search(commands[0]):
            yield place


def _is_bare(text: str) -> bool:
    """Whether a result has nothing but its head, with exit code 1."""
    lines = text.split("\n", 20)
    return all(map(_HEAD.fullmatch, lines)) and any(map(_CODE.fullmatch, lines))


@lru_cache(maxsize=1024)
def ends_in_search(command: str) -> bool:
    """Whether the exit code of a shell command is that of the search at its end; not of one that asks for the contrary."""
    text = inner_text(command)
    found = statements(text[:_LONGEST]) if len(text) <= _LONGEST else []
    if not found or any(not CONTROL.isdisjoint(words) for statement in found for words, *_ in statement):
        return False
    *before, (words, targets, end) = found[-1]
    sure = all(operator == "|" or (operator == "&&" and words[:1] == ["cd"]) for words, _, operator in before)
    return sure and end in (";", "\n") and not targets and _searches(words)


def _searches(words: Sequence[str]) -> bool:
    return bool(words) and (base(words[0]) in _SEARCHES or list(words[:2]) == ["git", "grep"])
