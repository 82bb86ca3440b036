"""Which files shell commands plainly write: those behind `>` and `>>`, and those that `tee` is given.

This is a lower bound, as of what they remove: what a program writes when it runs cannot be seen, nor where a name that the
shell puts together (`$out`, `*.txt`) leads.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from core.measure.shellruns import base, shell_runs

_PLAIN = re.compile(
    r"(?![-&\d]+$)(?!/dev/|/proc/|-|&|NUL$)[^\x00-\x1f$`*?<>|(){}\[\]=;\"'\\]*[^\W_][^\x00-\x1f$`*?<>|(){}\[\]=;\"'\\]*"
)
_NAME = 400  # characters of a name: a longer one is none
_COMPARES = frozenset(("[[", "test", "["))


@lru_cache(maxsize=4096)
def shell_writes(command: str) -> tuple[str, ...]:
    """The files that a shell command writes, in order, each once, by the names that it has for them."""
    if ">" not in command and "tee" not in command:
        return ()
    found = (name for name in _targets(command) if len(name) <= _NAME and _PLAIN.fullmatch(name))
    return tuple(dict.fromkeys(found))


def _targets(command: str) -> Iterator[str]:
    """What stands behind redirections, and what tee is given; what compares redirects nothing."""
    for words, targets in shell_runs(command):
        if words and words[0] in _COMPARES:
            continue
        yield from targets
        yield from _teed(words)


def _teed(words: Sequence[str]) -> Iterator[str]:
    """The files that tee is given."""
    if words and base(words[0]) == "tee":
        yield from (word for word in words[1:] if not word.startswith("-"))
