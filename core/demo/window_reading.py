"""Reads the window for the demo agent: which of the user's rules are still in it, and where."""

from collections.abc import Sequence
from typing import NamedTuple

from core.model.session import Message
from core.summaries.facts import is_earlier_summary


class Rule(NamedTuple):
    """A rule of the goal: a name that does not repeat it, its words, and what the agent did to follow it."""

    name: str
    words: str
    kept: str


class FoundRule(NamedTuple):
    """A rule and where it was found; `where` is "" for a rule that has left the window."""

    rule: Rule
    where: str


RULES = (
    Rule(
        "the rule on the API",
        "does not change the public API",
        "no name or argument in src/index.js changes, only one line behind it",
    ),
    Rule(
        "the rule on the ceiling",
        "a fine must never exceed 20.00",
        "fineFor still ends in Math.min with the ceiling, so one day more cannot go over it",
    ),
    Rule(
        "the rule on the form",
        "one line that begins with VERDICT",
        "see the last line",
    ),
)


def find_rules(messages: Sequence[Message]) -> list[FoundRule]:
    """Each rule, with the first place it was found in, or ""."""
    texts = [(_plain(message.content), message) for message in messages]
    return [FoundRule(rule, next((_where(m) for text, m in texts if _plain(rule.words) in text), "")) for rule in RULES]


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def _where(message: Message) -> str:
    if is_earlier_summary(message):
        return "a summary"
    named = {"user": "your message", "assistant": "my own words", "system": "the system message"}
    return named.get(message.role, "a tool's result")


def describe_window(messages: Sequence[Message]) -> str:
    """The size of the window: "12 messages, 1 of them a summary"."""
    summaries = sum(map(is_earlier_summary, messages))
    of_them = "none of them a summary" if not summaries else f"{summaries} of them a summary"
    return f"{len(messages)} message{'s' * (len(messages) != 1)}, {of_them}"


def count_rules(messages: Sequence[Message]) -> str:
    """Which rules are in the window, by number: repeating their words would put them back into it."""
    found = [str(i) for i, one in enumerate(find_rules(messages), 1) if one.where]
    rules = f"of the {len(RULES)} rules I was given I still see {_listed(found)}"
    return f"My window holds {describe_window(messages)}; {rules}."


def _listed(found: Sequence[str]) -> str:
    if len(found) == len(RULES):
        return "all"
    return f"number {' and '.join(found)}" if found else "none"


def report_rules(messages: Sequence[Message]) -> str:
    """One line for each rule: whether it is in the window, and so was followed."""
    return "\n".join(
        f"- {one.rule.name}: I see it in {one.where}; {one.rule.kept}."
        if one.where
        else f"- {one.rule.name}: it is no longer in my window, so I cannot say that I kept to it."
        for one in find_rules(messages)
    )
