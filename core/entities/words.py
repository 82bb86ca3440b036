"""Hashes, numbers and identifiers in a word. Each reader gives the word back with what it has taken as blanks."""

import re

from core.entities.entity import Entity

_STOP = """
JavaScript TypeScript GitHub GitLab OpenAI ChatGPT YouTube LinkedIn PostgreSQL MySQL MongoDB DevOps macOS iPhone node_modules
file_path old_string new_string old_str new_str tool_use tool_result sha256 sha512 base64 utf16 utf32 int16 int32 int64 uint32
uint64 float32 float64 x86_64 amd64 arm64 win32 SHA-256 SHA-512 AES-256 UTF-16 ISO-8601 SHA256 SHA512
"""
_STOPPED = frozenset(_STOP.split())
_HASH = re.compile(
    r"(?<![\w-])(?:[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
    r"|(?=[0-9a-fA-F]*\d)(?=[0-9a-fA-F]*[a-fA-F])[0-9a-fA-F]{7,64})(?![\w-])"
)
_NUMBER = re.compile(r"(?<![\w.,])(?:\d{1,3}(?:[,_]\d{3})+|\d{4,})(?:\.\d+)?(?!\w)(?!\.\d)")
_POWERS = (1024, 2048, 4096, 8192)
_TICKET = re.compile(
    r"(?<!\w)[A-Z](?=[0-9]*[A-Z])[A-Z0-9]++-\d{2,}+(?!\w)"
)  # possessive: else quadratic in a long word
_WORD = re.compile(r"(?<!\w)\w{4,80}+(?!\w)")
_HUMP = re.compile(r"[a-z0-9][A-Z]")


_DIGIT = re.compile(r"\d")
_MADE_UP = re.compile(r"([a-z]{3,8})[_-]?(\d{3,9})", re.IGNORECASE)  # "abc123": letters and digits as one counts them


def words_of(word: str, found: list[Entity]) -> None:
    """Add the hashes, numbers and identifiers of a word without blanks. A ticket is taken before its number could be."""
    if _DIGIT.search(word):
        word = _HASH.sub(lambda match: _hash(match[0], found), word)
        word = _TICKET.sub(lambda match: _ticket(match[0], found), word)
        word = _NUMBER.sub(lambda match: _number(match[0], found), word)
    for name in _WORD.findall(word):
        if _is_name(name) and name not in _STOPPED and not is_made_up(name):
            found.append(Entity("identifier", name))


def is_made_up(word: str) -> bool:
    """Whether a word is one that stands for any name in an example: the first letters of the alphabet, and 1, 2, 3."""
    found = _MADE_UP.fullmatch(word)
    return found is not None and "abcdefgh".startswith(found[1].lower()) and "123456789".startswith(found[2])


def _hash(written: str, found: list[Entity]) -> str:
    if not is_made_up(written):
        found.append(Entity("hash", written.lower()))
    return " " * len(written)


def _ticket(written: str, found: list[Entity]) -> str:
    if written not in _STOPPED:
        found.append(Entity("identifier", written))
    return " " * len(written)


def _number(written: str, found: list[Entity]) -> str:
    """A number without its separators, if it has four digits and is neither a year nor round."""
    key = written.replace(",", "").replace("_", "")
    whole, _, part = key.partition(".")
    if len(whole) >= 4 and (part or not _is_common(whole)):
        found.append(Entity("number", key))
    return " " * len(written)


def _is_common(whole: str) -> bool:
    """Whether a whole number is one that stands everywhere: a year, a digit and zeros, a power of two."""
    if len(whole) == 4 and (1900 <= int(whole) <= 2100 or int(whole) in _POWERS):
        return True
    return not whole[1:].strip("0")


def _is_name(word: str) -> bool:
    """Whether a word is one that somebody made up: snake_case, camelCase, letters with digits."""
    if "_" in word.strip("_") or _HUMP.search(word):
        return True
    return word[0].isalpha() and len(_DIGIT.findall(word)) >= 2
