"""What a clause denies: the words of a denial, those that say without one that something is not done, and where clauses end."""

import re
from functools import lru_cache

_DENIALS = """
not never no none without cannot nothing neither nor lacks lack missing excluded except unable refuses refused
"""
DENIALS = frozenset(_DENIALS.split())
_STAYING = r"\b(?:keep|keeps|kept|stay|stays|stayed|remain|remains|remained|leave|leaves|left)\b"
_UNTOUCHED = re.compile(r"\b(?:untouched|unchanged|unmodified|intact)\b")
_HOLDING: tuple[tuple[str, str], ...] = (
    (r"\b(?:avoid|avoids|avoided|forbid|forbids|forbidden|ban|bans|banned)\b", r"\b(?:avoid|forbid|ban)"),
    (r"\bstop(?:s|ped)?\b", r"\bstop"),
    (r"\bpreserve[sd]?\b", r"\bpreserv"),
    (r"\b(?:instead of|rather than)\b", r"\b(?:instead|rather)\b"),
    (r"\bonly (?:when|if|after|once|with|by|via|through|inside|within|in|where|as)\b", r"\bonly\b"),
    (r"\b(?:turn\w*|switch\w*|is|are|was|were|be)\W+(?:\w+\W+){0,3}off\b", r"\boff\b"),
    (
        _STAYING
        + r"(?!\s+(?!exist)\w+ing\b)\W+(?:\w+\W+){0,8}?(?:as (?:is|it|they|before)|alone|out|away|off|in place|the same)\b",
        r"\b(?:keep|stay|remain|leav)",
    ),
)
_HOLDS = tuple((re.compile(how), re.compile(same)) for how, same in _HOLDING)
"""How a clause says without a denial that something is not done, and what the denied clause must not itself have for that."""
_STAYS = re.compile(_STAYING + r"(?!\s+(?!exist)(?:on\s+)?\w+ing\b)")
_CHANGE = re.compile(
    r"\b(?:chang|touch|modif|alter|break|edit|remov|delet|drop|renam|mov(?:e|ing)|rewrit|replac|los(?:e|ing)|discard|overwrit|eras|shorten)"
)
"""Words for what is not done to something that stays."""
_OF_A_NAME = re.compile(r"\b(the|an?)\s+not\b", re.IGNORECASE)  # "the not so useful tests" denies nothing of the clause
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
    return not is_question(clause) and not DENIALS.isdisjoint(_words_with_not(clause))


@lru_cache(maxsize=4096)
def holds(clause: str, denied: str) -> bool:
    """Whether a clause denies something too, or says that what another one denied is not done: "left as it is", "stopped".

    What is "kept" or "stays" without more is only not changed or removed: to keep pushing is to push.
    """
    low, other = clause.lower(), denied.lower()
    if not DENIALS.isdisjoint(_words_with_not(clause)) or _UNTOUCHED.search(low):
        return True
    if any(how.search(low) and not same.search(other) for how, same in _HOLDS):
        return True
    return bool(_STAYS.search(low) and _CHANGE.search(other))


def is_question(text: str) -> bool:
    """Whether a text ends with a question mark."""
    return text.rstrip("*_`)\"' ").endswith(("?", "？"))


def _words_with_not(text: str) -> list[str]:
    return words_of(_OF_A_NAME.sub(r"\1", text.replace("n't", " not").replace("n’t", " not")))
