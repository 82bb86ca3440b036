"""What a user states for good: rules, preferences and facts, told from requests by the words they are put in.

Words are looked for, nothing is understood. A short message that begins with such a statement is quoted whole, as half
of it may mean something else: "Budget cap is $500. Never exceed it without approval." Of a longer one the sentences are
taken that can be read alone.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from core.model.text import cut, join_sentences, sentences
from core.summaries import cues

SHORT, LONGEST, SENTENCE, _BEFORE, _KEY = 200, 400, 300, 80, 120  # characters
_MOST_RULES, _MOST_TOLD = 8, 2
_TYPED = 600  # characters: of a longer text much is pasted, and what it states is not what the user states

Kind = Literal["rule", "told", ""]
Stated = tuple[tuple[str, str], ...]  # what tells a statement from others, and the statement


class Statements(NamedTuple):
    """The rules and the facts that a message states; `only` where it asks for nothing beside."""

    rules: Stated = ()
    told: Stated = ()
    only: bool = False


def statements_of(text: str, ask: str) -> Statements:
    """What the text of a user's message states; `ask` is its beginning on one line, all of it where it is short."""
    parts = list(sentences(text))
    typed = len(text) <= _TYPED
    kinds = [kind_of(part, typed) for part in parts]
    if (
        parts
        and kinds[0]
        and len(text.strip()) <= SHORT
        and not any(map(_asks, parts))
        and not cues.MANY_ELSE.match(ask)
    ):
        whole = ((statement_key(ask), ask),)
        return Statements(whole, only=not _for_once(parts)) if "rule" in kinds else Statements(told=whole, only=True)
    rules = [alone for i, kind in enumerate(kinds) if kind == "rule" and (alone := _alone(parts, i))]
    told = [part for part, kind in zip(parts, kinds, strict=True) if kind == "told"]
    rules.sort(key=lambda rule: not cues.STRONG.search(rule))
    return Statements(_keyed(rules[:_MOST_RULES]), _keyed(told[:_MOST_TOLD]))


def kind_of(sentence: str, typed: bool = True) -> Kind:
    """Whether a sentence states a rule (or a preference), a fact, or neither; of a text that is not `typed`, orders alone."""
    if not 10 <= len(sentence) <= LONGEST or sentence[-1] in "?:":
        return ""
    label = cues.LABEL.match(sentence)
    if label and typed:  # it says itself what it is
        return "rule" if cues.RULE_LABEL.search(label[0]) else "told"
    if (cues.RULE if typed else cues.ORDER).search(sentence) and not cues.NO_RULE.search(sentence):
        return "rule"
    fact = typed and (cues.STATE.search(sentence) or (cues.FACT.search(sentence) and not cues.NO_FACT.search(sentence)))
    return "told" if fact else ""


def statement_key(text: str) -> str:
    """Equal for two spellings of a statement, and for the same statement with another amount or date: the later counts."""
    return "".join(filter(str.isalnum, cues.AMOUNT.sub("#", text)[:_KEY])).casefold()


def _for_once(parts: Sequence[str]) -> bool:
    """Whether what is said may be an order for this once: it is one by its verb or its day, and nothing makes it last."""
    return bool(cues.PASSING.match(parts[0])) and not any(cues.LASTING.search(part) for part in parts)


def _asks(sentence: str) -> bool:
    return sentence.endswith(("?", "？"))


def _keyed(found: Sequence[str]) -> Stated:
    return tuple((statement_key(sentence), cut(sentence, SENTENCE + _BEFORE)) for sentence in found)


def _alone(parts: Sequence[str], place: int) -> str:
    """A rule that can be read alone: with the sentence before it where it speaks of "one of them"; "" if there is none."""
    rule = parts[place]
    if lead := cues.AND.match(rule):
        rule = rule[lead.end() :][:1].upper() + rule[lead.end() + 1 :]
    rule = cut(rule, SENTENCE)
    many = cues.MANY_ELSE.match(rule)
    if not many and not cues.ONE_ELSE.match(rule):
        return rule
    if place:
        return join_sentences(cut(parts[place - 1], _BEFORE), rule)
    return "" if many else rule  # "it" may well be the task itself
