"""What a clause denies: the words of a denial, those that say without one that something is not done, and where clauses end."""

import re
from functools import lru_cache

_DENIALS = """
not never no none without cannot nothing neither nor lacks lack missing excluded except unable refuses refused
"""
_HOLDING = """
stay stays stayed keep keeps kept remain remains remained untouched unchanged unmodified intact avoid avoids avoided only forbid
forbids forbidden instead rather preserve preserves preserved leave leaves left stop stops stopped ban banned off same
"""
DENIALS = frozenset(_DENIALS.split())
HOLDING = frozenset(_HOLDING.split())
"""Words by which a sentence says without a denial that something is not done, or stays as it is."""
_WORD = re.compile(r"[a-z]+(?:n['’]t)?|[^\W\d_a-z]+")
_CLAIM = re.compile(
    r"[;,]\s+(?:and |but |so |or )?|\s+(?:but|whereas|while|although)\s+|\s+[–—-]+\s+|(?<=\w)\s+\(|(?<=[.!?。])\s*"
)


def words_of(text: str) -> list[str]:
    """The words of a text in lower case."""
    return _WORD.findall(text.lower())


def claims(sentence: str) -> list[str]:
    """The clauses of a sentence that are each said of something."""
    return [part for part in _CLAIM.split(sentence) if part.strip()]


@lru_cache(maxsize=4096)
def denies(clause: str) -> bool:
    """Whether a clause denies something; a question denies nothing."""
    return not is_question(clause) and not DENIALS.isdisjoint(_spoken(clause))


@lru_cache(maxsize=4096)
def holds(clause: str) -> bool:
    """Whether a clause denies something, or says that it stays as it is."""
    return not (DENIALS | HOLDING).isdisjoint(_spoken(clause))


def is_question(text: str) -> bool:
    """Whether a text ends with a question mark."""
    return text.rstrip("*_`)\"' ").endswith(("?", "？"))


def _spoken(text: str) -> list[str]:
    return words_of(text.replace("n't", " not").replace("n’t", " not"))
