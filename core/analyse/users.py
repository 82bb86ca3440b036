"""What a person asked: the first request, which states the task, and the newest, which the agent is working on."""

import re
from collections.abc import Iterator

from core.analyse.finding import Finding, quoted
from core.analyse.window_change import WindowChange
from core.model.session import Message
from core.model.text import command_as_typed, is_bare_command
from core.summaries.phrases import SUMMARY_HEADER

KINDS = ("first_user_message_lost", "last_user_message_summarised")


def check(change: WindowChange) -> Iterator[Finding]:
    """The first thing a person asked, if it is removed now; the newest, if it is removed before it was answered."""
    if not change.removed:
        return
    asked = _typed_texts(change.before)
    first, last = _first(change.before, asked), _last(change.before, asked)
    if first in change.removed and not _carried(change, change.before[first], asked[first]):
        yield _first_lost(change, change.before[first], asked[first])
    if (
        last in change.removed
        and last != first
        and not _answered(change.before)
        and not _carried(change, change.before[last], asked[last])
    ):
        yield _last_lost(change, change.before[last], asked[last])


def _typed_texts(before: dict[int, Message]) -> dict[int, str]:
    """What a person asked for, as it was typed, by the place of the message. A bare command asks for nothing."""
    texts, said_next = dict[int, str](), ""
    for place in reversed(before):
        message = before[place]
        text = message.content if message.typed else _command(message, said_next)
        if (message.typed or text) and not is_bare_command(text):
            texts[place] = text
        by_harness = bool(message.injected) and not message.typed
        if not by_harness or message.content.lstrip().startswith(_RAN):
            said_next = "output" if by_harness else message.role
    return texts


_RAN = "<local-command-"
"""How the output of a command begins that the harness ran itself."""


def _command(message: Message, said_next: str) -> str:
    """A slash command with its arguments, where the model was what it was meant for; else empty.

    One after which a person types again, or whose output the harness prints, set something and asked for nothing.
    """
    if message.role != "user" or message.injected != "command" or said_next in ("user", "output"):
        return ""
    text = command_as_typed(message.content) or message.content.strip()
    return text if text.startswith("/") else ""


def _first(before: dict[int, Message], asked: dict[int, str]) -> int:
    """The place of what was asked first; -1 if there is none, or if an earlier one may be gone already.

    That is so if a summary comes before it, or if places before it are no longer in the window.
    """
    for known, (place, message) in enumerate(before.items()):
        if message.injected == "summary" or (
            message.role in ("system", "user") and SUMMARY_HEADER.match(message.content)
        ):
            return -1
        if place in asked:
            return place if place == known else -1
    return -1


def _last(before: dict[int, Message], asked: dict[int, str]) -> int:
    """The place of what was asked last, -1 if nothing was."""
    return next((i for i in reversed(before) if i in asked and not SUMMARY_HEADER.match(before[i].content)), -1)


def _answered(before: dict[int, Message]) -> bool:
    """Whether the window ends with a reply that calls no tool: the turn is over."""
    last = before[next(reversed(before))]
    return last.role == "assistant" and not last.tool_calls


def _carried(change: WindowChange, message: Message, asked: str) -> bool:
    """Whether an added message quotes it in full, as recorded or as typed; a short text only on a line of its own."""
    return any(_quoted(change, text) for text in {message.content.strip(), asked.strip()} if text)


def _quoted(change: WindowChange, text: str) -> bool:
    if len(text) >= 20:
        return any(text in put.content for put in change.put)
    line = re.compile(rf"^(?:\[?\w+[\]:]+\s+)?{re.escape(text)}\s*$", re.MULTILINE)
    return any(line.search(put.content) for put in change.put)


def _first_lost(change: WindowChange, first: Message, asked: str) -> Finding:
    """A warning; an info if the summary has at least 60 % of its words."""
    words = _words(asked)
    summary = None if change.compaction.unreadable else change.compaction.summary
    kept = len(words & _words(summary.content)) if summary else 0
    coverage = f" {kept} of its {len(words)} distinct words are in the summary." if summary and words else ""
    return Finding(
        kind="first_user_message_lost",
        concern="lost",
        severity="info" if words and kept >= 0.6 * len(words) else "warning",
        title="First user message gone",
        text=f"{quoted(asked)}, the first thing the user asked for, was {change.where}.{coverage}",
        messages=(first.id,),
        numbers={"words": len(words), "words_in_summary": kept},
    )


def _last_lost(change: WindowChange, last: Message, asked: str) -> Finding:
    return Finding(
        kind="last_user_message_summarised",
        concern="lost",
        severity="warning",
        title="Newest user message gone",
        text=f"{quoted(asked)}, which the agent was still working on, was {change.where}.",
        messages=(last.id,),
    )


def _words(text: str) -> set[str]:
    """The distinct words in the first 2,400 characters of a text: numbers, and words of four letters or more."""
    return {w for w in re.findall(r"\w+", text[:2400].casefold()) if len(w) > 3 or w.isdecimal()}
