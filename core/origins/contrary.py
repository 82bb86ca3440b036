"""What speaks against a sentence in a source that shares its words: a denial, an opposite, a question, another speaker."""

import re
from collections.abc import Iterable

from core.entities.denials import DENIALS, claims, words_of
from core.origins.common import OPPOSITES, OUTCOMES
from core.origins.terms import term

_SPLIT = re.compile(
    r"(?<=[.!?;])\s+|\n+|(?<=[。！？；])|\s+(?:but|whereas|while|although|instead of|rather than|→|—|–)\s+|,\s+(?:so|which)\s+"
)
_ALSO = ("n't", "n’t", "不", "没", "沒", "未", "無", "ない", "ません")


def _table() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for pair in OPPOSITES:
        one, other = (term(word) or word for word in pair)
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in found.items()}


_OPPOSITE = _table()


_OUTCOMES = frozenset(term(word) or word for word in OUTCOMES)


def sentences_in(text: str) -> list[str]:
    """The sentences and lines of a text."""
    return [part for part in _SPLIT.split(text) if part.strip()]


def clauses(text: str) -> list[str]:
    """The parts of a text that a denial in one of them does not leave."""
    return [piece for part in sentences_in(text) for piece in claims(part)]


def denials(text: str) -> int:
    """How often a text denies something."""
    low = text.lower()
    return sum(low.count(mark) for mark in _ALSO) + sum(word in DENIALS for word in words_of(low))


def denied(sentence: str, source: str) -> bool:
    """Whether one of the two denies what the other says."""
    here, there = denials(sentence), denials(source)
    return bool(here) != bool(there) or (here != there and len(clauses(source)) == 1)


def unheard(sentence: str, sources: Iterable[str]) -> bool:
    """Whether the sentence has a word for an outcome, such as rejected or deleted, that no source has."""
    said = {term(word) or word for word in words_of(sentence)} & _OUTCOMES
    heard = {term(word) or word for text in sources for word in words_of(text)} if said else set()
    return not said <= heard


def opposed(sentence: str, source: str) -> bool:
    """Whether the source has the opposite of a word of the sentence, and not the word itself."""
    said, words = ({term(word) or word for word in words_of(text)} for text in (sentence, source))
    return any(word not in words and not _OPPOSITE[word].isdisjoint(words - said) for word in said if word in _OPPOSITE)


_VERBS = (
    "ask|want|request|say|choose|prefer|decide|explain|tell|report|confirm|agree|note|reject|approve|point|suggest|propose|state"
    "|decline|redirect|invoke|insist|recommend|offer|present|notice|find|investigate|add|implement|create|fix|write|update|run"
)
_SAID = (
    rf"(?:(?:{_VERBS})(?:e?d|e?s)|(?:clarif|identif|verif)(?:ied|ies)"
    r"|said|chose|preferred|told|found|wrote|ran)\b"
)
_NOUNS = r"(?:requests|reports|notes|states|points|offers|finds|fixes|updates|runs)\b"
_THEN = r"\s+(?:also |then |first |explicitly )*"


def _acts(who: str) -> str:
    """A pattern for somebody who said or did something; a verb that may be a noun needs "the" or a beginning in front."""
    sure = rf"\b{who}{_THEN}(?!{_NOUNS}){_SAID}"
    return rf"{sure}|(?:(?:^|:)\W{{0,8}}|\bthe\s+){who}{_THEN}{_NOUNS}(?!\s+(?:are|were)\b)"


_USER = re.compile(_acts("user"), re.IGNORECASE)
_I = rf"\bi{_THEN}(?:{_SAID}|(?:{_VERBS}|clarify|identify|verify)\b)"
_AGENT = re.compile(rf"{_I}|{_acts('(?:assistant|agent|claude)')}", re.IGNORECASE)
_TO_USER = re.compile(
    r"\b(?:i|(?:the )?(?:assistant|agent)|claude)\s+(?:told|instructed|advised)\s+(?:the )?user\b", re.IGNORECASE
)


def other_speaker(sentence: str, near: Iterable[str], speakers: Iterable[str]) -> bool:
    """Whether a sentence says that the user, or the agent, said or did something, and only the other one did.

    `speakers` said most of it; what the agent is said to have told the user must not be `near` what the user said.
    """
    said = set(speakers)
    if "summary" in said:
        return False
    if _USER.search(sentence):
        return "user" not in said
    if _TO_USER.search(sentence) and "user" in near:
        return True
    return bool(_AGENT.search(sentence)) and said == {"user"}


_NO_NAME = (
    "The|This|That|These|Those|Some|None|Nobody|Nothing|Someone|Everyone|Anyone|Users?|Assistant|Agent|Model|Claude|You|They|What|Who"
    "|Which|When|Whenever|Where|While|Unless|Until|Once|Since|Because|After|Before|Than|Not|Never|Only|Also|Then|And|But|For|Was|Were"
    r"|Has|Have|Had|Tests?|Code|Changes?|Features?|Review|Feedback|Approval|Permission|Git|Python|Rust|Node|Docker|Linux|Windows|[A-Z]\w+ly"
)
_WISH = re.compile(
    rf"\b(?:[Ss]?[Hh]e|(?!(?:{_NO_NAME})\b)[A-Z][a-z]{{2,15}})\s+(?:also |then |first |explicitly |really |just )*"
    r"(?:ask(?:s|ed)|wants?|wanted|requested|insist(?:s|ed)|prefers|preferred|demand(?:s|ed)|would (?:like|prefer))\b"
    r"(?!\W*$|\s+by\b|\s*:)"
)


def wish_in(sentence: str) -> str:
    """The first clause of a sentence that says what a person, named or "she", asked for; "" where there is none.

    What "the user" asked for is often said in other words than theirs: see `other_speaker`.
    """
    return next((part.strip() for part in claims(sentence) if _WISH.search(part)), "")
