"""What the demo agent can still see of what it was told: looked for in the window it is given, and nowhere else."""

from collections.abc import Sequence
from typing import NamedTuple

from core.facts import is_earlier_summary
from core.model import Message


class Rule(NamedTuple):
    """A rule of the goal: what to call it without saying it again, and the words that must be in the window."""

    name: str
    words: str
    kept: str


class Seen(NamedTuple):
    """A rule and where it stands; `where` is "" for one that has left the window."""

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


def seen(messages: Sequence[Message]) -> list[Seen]:
    """Each rule, with the place in the window it was found in first, or ""."""
    texts = [(_plain(message.content), message) for message in messages]
    return [Seen(rule, next((_where(m) for text, m in texts if _plain(rule.words) in text), "")) for rule in RULES]


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def _where(message: Message) -> str:
    if is_earlier_summary(message):
        return "a summary"
    named = {"user": "your message", "assistant": "my own words", "system": "the system message"}
    return named.get(message.role, "a tool's result")


def window_told(messages: Sequence[Message]) -> str:
    """How much there is to see: "12 messages, 1 of them a summary"."""
    summaries = sum(map(is_earlier_summary, messages))
    of_them = "none of them a summary" if not summaries else f"{summaries} of them a summary"
    return f"{len(messages)} message{'s' * (len(messages) != 1)}, {of_them}"


def in_short(messages: Sequence[Message]) -> str:
    """Which rules are in view, by number and not by what they say: saying them again would put them back."""
    found = [str(i) for i, one in enumerate(seen(messages), 1) if one.where]
    rules = f"of the {len(RULES)} rules I was given I still see {_listed(found)}"
    return f"My window holds {window_told(messages)}; {rules}."


def _listed(found: Sequence[str]) -> str:
    if len(found) == len(RULES):
        return "all"
    return f"number {' and '.join(found)}" if found else "none"


def account(messages: Sequence[Message]) -> str:
    """Rule by rule, whether it is in view and so was kept to; one line each."""
    return "\n".join(
        f"- {one.rule.name}: I see it in {one.where}; {one.rule.kept}."
        if one.where
        else f"- {one.rule.name}: it is no longer in my window, so I cannot say that I kept to it."
        for one in seen(messages)
    )
