"""Whether a user's words state a rule that is to hold from then on, or ask for something once. Words are looked for alone."""

import re

from core.model.text import prose, sentences
from core.summaries import cues
from core.summaries.statements import kind_of

_LONGEST = 200  # characters: a longer sentence is about more than a rule
_PLAIN = re.compile(
    r"\b(?:must(?: not|n't)?|mustn't|never|do not|don't|always|not allowed|no new|without asking|only use|use only"
    r"|at most|no more than|not? (?:above|over)|should(?: not|n't)|keep"
    r"|auf keinen fall|verboten|prohibido|nunca \w+[ae]s|interdit|uniquement|ne \w+ jamais)\b",
    re.IGNORECASE,
)
# An order with its time: "from now on use pnpm", "use pnpm from now on", "bitte niemals auf main pushen".
_FROM_NOW = r"(?:from now on|going forward|henceforth|in (?:the )?future)"
_TIMED = re.compile(
    rf"\b{_FROM_NOW},? (?:please |we |you )?{cues.ORDERS}|^(?:please )?{cues.ORDERS}.*\b{_FROM_NOW}\b"
    r"|^(?:bitte )?(?:niemals|ausschließlich)\b",
    re.IGNORECASE,
)
_ONCE = re.compile(
    r"\b(?:this time|for now|once more|right now|currently|alternatively|start (?:by|with)|I don't|he|she|would)\b|\?"
    r"|^(?:can|could|would|now|then|this|find|look|tell|check)\b",
    re.IGNORECASE,
)
# An order for once or a report begins so, too: "if it fails, tell me", "when I save, it never ends", "you never ran the tests".
_OPENS = re.compile(r"^(?:you|if|when|write)\b", re.IGNORECASE)
_OPENS_RULE = re.compile(
    r"^(?:you must|(?:if|when)\b.*(?:\bmust|, (?:then |please )?(?:always|never))|write\b.*\b(?:must|always|never))\b",
    re.IGNORECASE | re.DOTALL,
)


def lasts(rule: str) -> bool:
    """Whether a rule forbids or demands for good, in plain words of its own."""
    plain = _PLAIN.search(rule) or _TIMED.search(rule)
    return bool(cues.LASTING.search(rule) and plain and not _is_once(rule)) and len(rule) <= _LONGEST


def is_standing(text: str) -> bool:
    """Whether half or more of a text's sentences state a rule or a fact for good: a long order with one rule in it does not."""
    parts = list(sentences(prose(text)))
    return bool(parts) and 2 * sum(map(_stands, parts)) >= len(parts)


def _stands(sentence: str) -> bool:
    kind = kind_of(sentence)
    return lasts(sentence) if kind == "rule" else kind == "told" and not _is_once(sentence)


def _is_once(sentence: str) -> bool:
    """Whether a sentence asks for something once, or reports, by a word in it or by how it begins."""
    return bool(_ONCE.search(sentence) or (_OPENS.match(sentence) and not _OPENS_RULE.match(sentence)))
