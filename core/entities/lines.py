"""Names that may hold blanks: commands, and what stands in quotation marks. Both are looked for in the text as it is."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from core.entities.entity import Entity

COMMANDS = frozenset(("command", "cmd", "script", "shell_command", "commandline"))
"""Arguments that hold a command, by their names."""

_LEAST, _MOST = 8, 200  # characters of a command
_HERE_DOCUMENT = re.compile(r"(?<!<)<<(?!<)")
_SHELLS = frozenset(("sh", "bash", "zsh", "dash", "fish"))
_PROMPT = re.compile(r"^[ \t]*\$ (.+)$", re.MULTILINE)
_FENCE = re.compile(
    r"^[ \t]*(?:```+|~~~+)[ \t]*(?:bash|sh|shell|zsh|console|mswea_bash_command)[ \t]*\n\s*+(?!```|~~~)(?:\$ )?(.+)",
    re.MULTILINE,
)
_SHORTEST, _LONGEST = 8, 80  # characters between quotation marks
_QUOTED = {
    '"': re.compile(r'"([^"\n]+)"'),
    "`": re.compile(r"`([^`\n]+)`"),
    "“": re.compile(r"“([^“”\n]+)”"),
    "«": re.compile(r"«([^«»\n]+)»"),
    "「": re.compile(r"「([^「」\n]+)」"),
    "『": re.compile(r"『([^『』\n]+)』"),
}
_ASCII = tuple(filter(str.isascii, _QUOTED))


def lines_of(text: str) -> Iterator[Entity]:
    """The commands that a text shows, and what it quotes."""
    if "$" in text and "$ " in text:  # one letter is looked for ten times as fast as two
        yield from _commands(_PROMPT.findall(text))
    if ("`" in text and "```" in text) or ("~" in text and "~~~" in text):
        yield from _commands(_FENCE.findall(text))
    for mark in _QUOTED if not text.isascii() else _ASCII:
        if mark in text:
            yield from _quotes(_QUOTED[mark].findall(text))


def command_of(value: Any) -> Iterator[Entity]:
    """The command in an argument of a call: a text, or a list of words, of which `[bash, -lc, x]` runs x."""
    if isinstance(value, list | tuple):
        words = [word for word in value if isinstance(word, str)]
        shell = len(words) > 2 and words[0].rpartition("/")[2] in _SHELLS and words[1].startswith("-")
        value = words[2] if shell else " ".join(words)
    if isinstance(value, str):
        yield from _commands([next((line for line in value.splitlines() if line.strip()), "")])


def _commands(lines: Sequence[str]) -> Iterator[Entity]:
    """The lines as commands: blanks squeezed, cut where they are long.

    Short ones say too little, and a line that begins a here-document is one of many: what it works on stands below it.
    """
    for line in lines:
        key = " ".join(line.split())
        if len(key) >= _LEAST and not is_elided(key) and not _HERE_DOCUMENT.search(key):
            yield Entity("command", key[:_MOST])


def is_elided(text: str) -> bool:
    """Whether words of a text are left out, as in "python ...": it stands for many, and is the name of none."""
    return ("..." in text or "…" in text) and not {"...", "…"}.isdisjoint(text.split(" "))


def _quotes(quotes: Sequence[str]) -> Iterator[Entity]:
    """What is quoted, blanks squeezed: several words, or one of another script."""
    for quote in quotes:
        if _SHORTEST <= len(quote) <= _LONGEST and (" " in quote or "\t" in quote or not quote.isascii()):
            key = " ".join(quote.split())
            if len(key) >= _SHORTEST and any(map(str.isalnum, key)) and not is_elided(key):
                yield Entity("quoted", key)
