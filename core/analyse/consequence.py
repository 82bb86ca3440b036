"""How much it matters that a text of the user's is gone: the one order of all lists of what a compaction lost.

What came up again comes first, then the request that the agent was working on, then rules that nothing is seen to need, then
requests by what they say: something concrete, anything else, a question, a short word to go on. The text alone tells these
apart; nothing is judged.
"""

import re
from enum import IntEnum

from core.entities.kinds import entities_of
from core.origins.common import FILLING
from core.origins.facts import facts_of
from core.origins.terms import terms
from core.summaries.facts import ruled_out


class Consequence(IntEnum):
    """The first matters most. `OPEN` is the request that the agent was working on."""

    AGAIN = 0
    OPEN = 1
    RULE = 2
    CONCRETE = 3
    ASKED = 4
    QUESTION = 5
    SHORT = 6


_FEW = 4  # terms: so few and no name are a word to go on, such as "just keep going until done"
_FEWER = 1  # the same where somebody wants something: "can you go on?", but not "would you mind fixing the tests?"
_COUNT = re.compile(r"\d[a-z]+")  # "a 3pass check" names nothing
_READ = 2_000  # characters of a request: behind those much is pasted
_SENTENCES = re.compile(r"(?<=[.!?？。])\s+|\n+")
_SAID_FIRST = r"(?:(?:ok|okay|yes|no|so|and|but|hmm+|also|then|wait|now)\b[,.]?\s*)*"
_WHAT = (  # but "what is missing is a dark mode" says what is wanted
    r"what(?:'?s| (?:is|are|was|were|do|does|did|should|can|could|would|will|about(?! (?:you|we)\b)))\b(?!.*\b(?:is|was)\b)"
)
_ASKS = re.compile(  # also without a question mark
    _SAID_FIRST + rf"(?:{_WHAT}|why|how|who"
    r"|(?:can|could|would|will) you (?:please )?(?:explain|tell|describe|clarify|confirm))\b(?! about (?:you|we)\b)",
    re.IGNORECASE,
)
_ASKS_IF_MARKED = re.compile(  # with one: "do these changes now" and "does not work" ask nothing
    _SAID_FIRST + r"(?:what|is|are|was|were|does|did|should|do (?:i|we|you|they|these|those))\b", re.IGNORECASE
)
_ORDERS = re.compile(
    r"\b(?:(?:can|could|would|will|how about) you|(?:can|could|shall|should|how about) we|please|let'?s)\b",
    re.IGNORECASE,
)
_WANTS = re.compile(r"\b(?:(?:can|could|would|will) you|(?:i|we) (?:want|need)|what .+ is)\b", re.IGNORECASE)
_ONGOING = terms(f"{' '.join(FILLING)} yep no nope go going continue proceed keep done nice thanks try again mind")


def consequence_of(text: str) -> Consequence:
    """What a request says, by its words alone."""
    said = text[:_READ]
    sentences = [one for one in _SENTENCES.split(said) if terms(one)]
    if sentences and all(map(_is_question, sentences)):
        return Consequence.QUESTION
    if any(map(_is_concrete, sentences)):
        return Consequence.CONCRETE
    telling = [one for one in sentences if not _says_little(one)]
    if any(map(_is_question, sentences)) and all(map(_is_question, telling)):
        return Consequence.QUESTION
    return Consequence.SHORT if _says_little(said) else Consequence.ASKED


def consequence_of_decision(text: str) -> Consequence:
    """What a decision says: one that only asks, or says to go on, is none; however short, one that rules something out is."""
    said = consequence_of(text)
    return said if said >= Consequence.QUESTION and not ruled_out(text) else Consequence.RULE


def _says_little(text: str) -> bool:
    return len(terms(text) - _ONGOING) <= (_FEWER if _WANTS.search(text) else _FEW)


def _is_question(sentence: str) -> bool:
    """Whether a sentence asks to be told something: "can you fix it?" asks for something to be done."""
    if _ASKS.match(sentence):
        return True
    marked = sentence.rstrip().endswith(("?", "？"))
    return marked and bool(_ASKS_IF_MARKED.match(sentence) or not _ORDERS.search(sentence))


def _is_concrete(sentence: str) -> bool:
    """Whether a sentence names something: a file, a name, a number of more than one digit, words in quotation marks."""
    facts = any(len(fact.key) > 1 and not _COUNT.fullmatch(fact.key) for fact in facts_of(sentence))
    return facts or any(name.kind not in ("number", "identifier") for name in entities_of(sentence))
