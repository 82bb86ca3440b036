"""Which files shell commands plainly write: those behind `>` and `>>`, and those that `tee` is given.

This is a lower bound, as of what they remove: what a program writes when it runs cannot be seen, nor where a name that the
shell puts together (`$out`, `*.txt`) leads.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from core.measure.removals import DEPTH, LONGEST, SHELLS, base, inner, named
from core.measure.shellwords import with_targets

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
    found = (name for name in _targets(command[:LONGEST], 0) if len(name) <= _NAME and _PLAIN.fullmatch(name))
    return tuple(dict.fromkeys(found))


def _targets(command: str, depth: int) -> Iterator[str]:
    """What stands behind the redirections of a command, with those of a shell that it starts."""
    for words, targets in with_targets(command):
        run = named(words)
        if run and run[0] in _COMPARES:
            continue
        if run and base(run[0]) in SHELLS and depth < DEPTH:
            yield from _targets(inner(run), depth + 1)
        yield from targets
        yield from _teed(run)


def _teed(words: Sequence[str]) -> Iterator[str]:
    """The files that tee is given."""
    if words and base(words[0]) == "tee":
        yield from (word for word in words[1:] if not word.startswith("-"))
