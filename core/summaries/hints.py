"""Patterns that are searched only in texts that hold a word they need: to look for that word takes a hundredth of the time.

Words are compared whole and in lower case. A stem, written with a star behind it, may be any part of the text.
"""

import re
from functools import cached_property, lru_cache
from itertools import chain

OTHER = "é"  # stands among the words of a text for all that are not plain ASCII

_PLAIN = (
    *(("…", " "), ("’", "'"), *((sign, " ") for sign in "—→–“”•✅")),  # the commonest signs
    *(("ſ", "s"), ("K", "k"), ("İ", "i"), ("ı", "i")),  # the same to a pattern that ignores case
)
_SPACED = "".join(sign if sign.isalnum() or sign == "_" else " " for sign in map(chr, range(128)))
_WORD = re.compile(r"\w+")


def pattern(*parts: str) -> re.Pattern[str]:
    """One pattern of all parts, case aside; the apostrophe in them stands for both kinds."""
    return re.compile("|".join(parts).replace("'", "['’]"), re.IGNORECASE)


def lowered(text: str) -> str:
    """The text in lower case and, as far as that needs no look at each character, in plain ASCII."""
    for odd, plain in _PLAIN:
        if text.isascii():
            break
        text = text.replace(odd, plain)
    return text.lower()


@lru_cache(maxsize=128)
def words_of(text: str) -> frozenset[str]:
    """The words of a text in lower case, as `\\b` in a pattern separates them, and OTHER."""
    low = lowered(text)
    if low.isascii():
        return frozenset(low.translate(_SPACED).split())
    words = frozenset(_WORD.findall(low))
    return words if all(map(str.isascii, words)) else words | {OTHER}


class Hinted:
    """A pattern of some parts, and its hints: words or stems of which one stands in whatever it finds; none if none must."""

    def __init__(self, hints: str, *parts: str) -> None:
        self.parts = parts
        self.words = frozenset(hint for hint in hints.split() if not hint.endswith("*"))
        self.stems = tuple(hint[:-1] for hint in hints.split() if hint.endswith("*"))

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """All parts as one pattern."""
        return pattern(*self.parts)

    def may_hold(self, text: str) -> bool:
        """Whether a text is worth a search."""
        if not self.words.isdisjoint(words_of(text)):
            return True
        return any(stem in lowered(text) for stem in self.stems) if self.stems else not self.words

    def search(self, text: str) -> bool:
        """Whether the text holds what the pattern finds."""
        return self.may_hold(text) and self.pattern.search(text) is not None

    def match(self, text: str) -> bool:
        """Whether the text begins with what the pattern finds."""
        return self.may_hold(text) and self.pattern.match(text) is not None


class AnyOf:
    """Several hinted patterns, any of which will do."""

    def __init__(self, *hinted: Hinted) -> None:
        self.hinted = hinted
        self._words = frozenset(chain.from_iterable(one.words for one in hinted))
        self._by_words = all(one.words and not one.stems for one in hinted)

    def may_hold(self, text: str) -> bool:
        """Whether a text is worth a search."""
        return not (self._by_words and self._words.isdisjoint(words_of(text)))

    def search(self, text: str) -> bool:
        """Whether the text holds what one of the patterns finds."""
        return self.may_hold(text) and any(one.search(text) for one in self.hinted)

    def match(self, text: str) -> bool:
        """Whether the text begins with what one of the patterns finds."""
        return self.may_hold(text) and any(one.match(text) for one in self.hinted)
