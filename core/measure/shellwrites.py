"""Which files shell commands plainly write: those behind `>` and `>>`, and those that `tee` is given.

This is a lower bound, as of what they remove: what a program writes when it runs cannot be seen, nor where a name that the
shell puts together (`$out`, `*.txt`) leads.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from core.measure.shellruns import base, shell_runs
from core.measure.shellwords import statements

_PLAIN = re.compile(
    r"(?![-&\d]+$)(?!/dev/|/proc/|-|&|NUL$)[^\x00-\x1f$`*?<>|(){}\[\]=;\"'\\]*[^\W_][^\x00-\x1f$`*?<>|(){}\[\]=;\"'\\]*"
)
_NAME = 400  # characters of a name: a longer one is none
_COMPARES = frozenset(("[[", "test", "["))
CONTROL = frozenset(
    ("if", "for", "while", "until", "case", "select", "function", "{", "set", "trap", "exit", "return", "exec")
)
"""Words with which some of a text may not run, or its end may not be what failed."""
_LONGEST = 20_000  # characters of a text that are read


@lru_cache(maxsize=4096)
def shell_writes(command: str) -> tuple[str, ...]:
    """The files that a shell command writes, in order, each once, by the names that it has for them."""
    if ">" not in command and "tee" not in command:
        return ()
    return plain_names(_targets((run.words, run.targets) for run in shell_runs(command)))


@lru_cache(maxsize=1024)
def writes_before_end(command: str) -> tuple[str, ...]:
    """The files that a shell command writes before its last statement: that may fail, these are written all the same.

    None where a word may end it earlier, or let it pass over some, nor what stands behind `&&` or `||`: `cd` alone is trusted.
    """
    if ">" not in command and "tee" not in command:
        return ()
    found = statements(command[:_LONGEST])
    if any(not CONTROL.isdisjoint(words) for statement in found for words, *_ in statement):
        return ()
    return plain_names(_targets(run for statement in found[:-1] for run in _surely_run(statement)))


def _surely_run(
    statement: Iterable[tuple[Sequence[str], Sequence[str], str]],
) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """The commands of a statement that run whatever others come to: up to the first `&&` (not behind `cd`) or `||`."""
    for words, targets, operator in statement:
        yield words, targets
        if operator == "||" or (operator == "&&" and words[:1] != ["cd"]):
            return


def plain_names(names: Iterable[str]) -> tuple[str, ...]:
    """The names that lead to a file as they stand, each once."""
    return tuple(dict.fromkeys(name for name in names if len(name) <= _NAME and _PLAIN.fullmatch(name)))


def _targets(runs: Iterable[tuple[Sequence[str], Sequence[str]]]) -> Iterator[str]:
    """What stands behind redirections, and what tee is given; what compares redirects nothing."""
    for words, targets in runs:
        if words and words[0] in _COMPARES:
            continue
        yield from targets
        yield from _teed(words)


def _teed(words: Sequence[str]) -> Iterator[str]:
    """The files that tee is given."""
    if words and base(words[0]) == "tee":
        yield from (word for word in words[1:] if not word.startswith("-"))
