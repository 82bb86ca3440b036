"""A mask for a secret: as many characters, as many tokens, and another one for every secret.

Letters and digits alone: they need no escape in JSON, and no renderer of Markdown acts on them.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, product

_DENSE = ("xX", "Xq", "x9", "Zx", "X_")
"""Pairs of characters that o200k_base counts as a token or half a token each; a run of x is a token for every eight."""

_NAMES = (
    *("foo", "abc"),
    *("user", "name"),
    *("admin", "owner", "guest"),
    *("member", "person", "author", "writer"),
    *("account", "default", "visitor", "unknown"),
    *("customer", "employee", "username"),
    *("developer", "anonymous"),
    *("programmer", "individual"),
)
"""Words of o200k_base: many a user's name is one as well, and then nothing that looks like a mask has as few tokens."""

_AROUND = 9  # masks that are tried on either side: the tokens of a mask do not grow quite evenly

_MASK = re.compile(r"(x\d+x)?[xXqZ9_]*")

Count = Callable[[str], int]
"""The tokens of a text."""


def mask(
    secret: str, number: int, before: str, after: str, count: Count, more: int = 0, words: Sequence[str] = ()
) -> str:
    """A mask for the secret of this number between two pieces of text, which keeps their tokens, or changes them by `more`.

    `words` are masks as well where no other has as many tokens. Where no mask has as many tokens, the one that comes
    nearest. Of a very short secret the mask does not tell its number.
    A number stays one, for the sake of JSON: all nines, whose tokens are as many as those of any other.
    """
    if secret.isascii() and secret.isdecimal():
        return "9" * len(secret)
    wanted = count(f"{before}{secret}{after}") + more
    best, nearest = "x" * len(secret), 1 << 60
    for candidate in chain(
        _candidates(len(secret), number, lambda text: count(f"{before}{text}{after}") < wanted), words
    ):
        off = abs(count(f"{before}{candidate}{after}") - wanted)
        if off < nearest:
            best, nearest = candidate, off
        if not off:
            break
    return best


def is_mask(text: str, is_user: bool = False) -> bool:
    """Whether a text has the form of a mask: what has been masked before is not secret."""
    return bool(_MASK.fullmatch(text)) or (is_user and text in _NAMES)


def words_for(name: str, number: int) -> list[str]:
    """The words that may stand for the name of a user, such as "member", another one first for every user."""
    words = [word for word in _NAMES if len(word) == len(name)]
    return words[number % len(words) :] + words[: number % len(words)] if words else []


def _candidates(length: int, number: int, too_few: Callable[[str], bool]) -> Iterator[str]:
    """Masks of this length around the one that has enough tokens: the more of it is dense, the more tokens it has."""
    name = f"x{number}x"
    heads = (name, f"{name}9", f"{name}X9", "") if length >= len(name) + 4 else ("",)
    for head in heads:
        rest = length - len(head)
        for made, pair in product((_dense_first, _dense_last), _DENSE):
            yield from _around(partial(made, head, (pair * rest)[:rest]), rest, too_few)


def _around(made: Callable[[int], str], most: int, too_few: Callable[[str], bool]) -> Iterator[str]:
    """The masks that are about as dense as they have to be."""
    k = bisect_left(range(most + 1), True, key=lambda k: not too_few(made(k)))
    return (made(near) for near in range(max(0, k - _AROUND), min(most, k + _AROUND) + 1))


def _dense_first(head: str, dense: str, k: int) -> str:
    return head + dense[:k] + "x" * (len(dense) - k)


def _dense_last(head: str, dense: str, k: int) -> str:
    """What stands before a mask may take its first letters into a token: then only its end can be dense."""
    return head + "x" * (len(dense) - k) + dense[:k]
