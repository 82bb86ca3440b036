"""The names in a text: files, identifiers, numbers, addresses, hashes, quotations and commands.

A name is read from the form of the text alone, with no list of words of any language. Only quotations and commands hold
blanks, so that every other name is found by looking at words; each different word is looked at once.
"""

import json
import re
from collections.abc import Iterator
from itertools import filterfalse
from typing import Any
from unicodedata import normalize

from core.entities.entity import KINDS, Entity
from core.entities.lines import COMMANDS, command_of, lines_of
from core.entities.paths import paths_of
from core.entities.texts import texts, values
from core.entities.words import words_of
from core.model.session import Message, ToolCall, sanitize_json

_KNOWN = 1 << 17  # words to remember
_LONGEST = 80  # letters of a word that may well come again
_SAYS = re.compile(r"[\d_/]|[a-z][A-Z]|\.\w|:\\")
"""What a word has that holds a name."""
_WHOLE = ("path", "url", "hash", "number", "identifier")
_JSON = ("{}", "[]", '""')  # how the text of a value begins and ends


def entities_of(text: str) -> list[Entity]:
    """The names in a text, each once, by kind."""
    return sorted(Names().of_text(text), key=lambda name: (KINDS.index(name.kind), name.key))


class Names:
    """Reads names, and remembers the words it has seen: those of a session come again and again."""

    def __init__(self) -> None:
        self._plain = set[str]()
        self._named = dict[str, tuple[Entity, ...]]()

    def of_message(self, message: Message) -> set[Entity]:
        """The names in the texts of a message, those of decoded content among them; commands of its calls as well."""
        return self.read(message)[1]

    def of_text(self, text: str) -> set[Entity]:
        """The names in a text."""
        found = set[Entity]()
        self._add(text, text.split(), found)
        return found

    def read(self, message: Message) -> tuple[str, set[Entity]]:
        """The texts of a message as lines, each with one space for a run of white space, and the names in it."""
        lines, found = list[str](), set[Entity]()
        for place, text in enumerate(texts(message)):
            words = text.split()
            lines.append(" ".join(words))
            value_of = decoded(text) if message.content and not place else None
            if value_of is None:
                self._add(text, words, found)
            else:
                for value in values(value_of):
                    self._add(value, value.split(), found)
        for call in message.tool_calls:
            found.update(_commands(call))
        return "\n".join(lines), found

    def _add(self, text: str, words: list[str], found: set[Entity]) -> None:
        """Add the names in a text, which is made of these words."""
        if not text.isascii() and (plain := normalize("NFKC", text)) != text:
            text, words = plain, plain.split()
        found.update(lines_of(text))
        named = self._named
        for word in set(filterfalse(self._plain.__contains__, words)):
            known = named.get(word)
            found.update(self._read(word) if known is None else known)

    def _read(self, word: str) -> tuple[Entity, ...]:
        """The names in a word that is not known yet."""
        found = tuple(names_of(word))
        if len(word) <= _LONGEST:
            if len(self._plain) + len(self._named) >= _KNOWN:
                self._plain.clear()
                self._named.clear()
            if found:
                self._named[word] = found
            else:
                self._plain.add(word)
        return found


def whole_name(text: str) -> Entity | None:
    """The name that a text is, such as a path, an identifier or a number: nothing says it in other words."""
    if len(text.split()) != 1:
        return None
    bare = text.strip(" \t\n`'\"“”.,;:()")
    return next((name for name in entities_of(bare) if name.kind in _WHOLE and len(name.key) >= len(bare) - 2), None)


def names_of(word: str) -> list[Entity]:
    """The names in a word without blanks, in the order of their kinds."""
    found = list[Entity]()
    if _SAYS.search(word):
        words_of(paths_of(word, found), found)
    return found


def decoded(content: str) -> Any:
    """Content that is a JSON object, list or string, decoded; None for any other."""
    text = content.strip()
    if text[:1] + text[-1:] not in _JSON:
        return None
    try:
        return sanitize_json(json.loads(text))
    except (ValueError, RecursionError):
        return None


def _commands(call: ToolCall) -> Iterator[Entity]:
    """The commands among the arguments of a call, at any depth."""
    waiting: list[Any] = [call.arguments]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            for name in COMMANDS & value.keys():
                yield from command_of(value[name])
            waiting.extend(value.values())
        elif isinstance(value, list | tuple):
            waiting.extend(value)
