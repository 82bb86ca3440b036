"""Typed messages: the first, which states the task, and the newest, which the agent is working on."""

import re
from collections.abc import Iterator

from core.analyse.finding import Finding, quoted
from core.analyse.window_change import WindowChange
from core.model.session import Message
from core.summaries.phrases import SUMMARY_HEADER

KINDS = ("first_user_message_lost", "last_user_message_summarised")


def check(change: WindowChange) -> Iterator[Finding]:
    """The first typed message, if it is removed now; the newest, if it is removed before it was answered."""
    if not change.removed:
        return
    first, last = _first(change.before), _last(change.before)
    if first in change.removed and not _carried(change, change.before[first]):
        yield _first_lost(change, change.before[first])
    if (
        last in change.removed
        and last != first
        and not _answered(change.before)
        and not _carried(change, change.before[last])
    ):
        yield _last_lost(change, change.before[last])


def _first(before: dict[int, Message]) -> int:
    """The place of the first typed message; -1 if there is none, or if an earlier one may be gone already.

    That is so if a summary comes before it, or if places before it are no longer in the window.
    """
    for known, (place, message) in enumerate(before.items()):
        if message.injected == "summary" or (
            message.role in ("system", "user") and SUMMARY_HEADER.match(message.content)
        ):
            return -1
        if message.typed:
            return place if place == known else -1
    return -1


def _last(before: dict[int, Message]) -> int:
    """The place of the newest typed message, -1 if there is none."""
    typed = (i for i in reversed(before) if before[i].typed and not SUMMARY_HEADER.match(before[i].content))
    return next(typed, -1)


def _answered(before: dict[int, Message]) -> bool:
    """Whether the window ends with a reply that calls no tool: the turn is over."""
    last = before[next(reversed(before))]
    return last.role == "assistant" and not last.tool_calls


def _carried(change: WindowChange, message: Message) -> bool:
    """Whether an added message quotes it in full; a short one only on a line of its own."""
    text = message.content.strip()
    if not text:
        return False
    if len(text) >= 20:
        return any(text in put.content for put in change.put)
    line = re.compile(rf"^(?:\[?\w+[\]:]+\s+)?{re.escape(text)}\s*$", re.MULTILINE)
    return any(line.search(put.content) for put in change.put)


def _first_lost(change: WindowChange, first: Message) -> Finding:
    """A warning; an info if the summary has at least 60 % of its words."""
    words = _words(first.content)
    summary = None if change.compaction.unreadable else change.compaction.summary
    kept = len(words & _words(summary.content)) if summary else 0
    coverage = f" {kept} of its {len(words)} distinct words are in the summary." if summary and words else ""
    return Finding(
        kind="first_user_message_lost",
        severity="info" if words and kept >= 0.6 * len(words) else "warning",
        title="First user message gone",
        text=f"{quoted(first.content)}, the first thing the user asked for, was {change.where}.{coverage}",
        messages=(first.id,),
        numbers={"words": len(words), "words_in_summary": kept},
    )


def _last_lost(change: WindowChange, last: Message) -> Finding:
    return Finding(
        kind="last_user_message_summarised",
        severity="warning",
        title="Newest user message gone",
        text=f"{quoted(last.content)}, which the agent was still working on, was {change.where}.",
        messages=(last.id,),
    )


def _words(text: str) -> set[str]:
    """The distinct words in the first 2,400 characters of a text: numbers, and words of four letters or more."""
    return {w for w in re.findall(r"\w+", text[:2400].casefold()) if len(w) > 3 or w.isdecimal()}
