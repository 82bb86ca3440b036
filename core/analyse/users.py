"""What a person asked: the first request, which states the task, and the newest, which the agent is working on."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from core.analyse.finding import Finding, quoted
from core.analyse.window_change import WindowChange
from core.model.own_text import own_text
from core.model.session import Message
from core.model.text import command_as_typed, is_bare_command
from core.summaries.phrases import SUMMARY_HEADER

KINDS = ("first_user_message_lost", "last_user_message_summarised")

_FOLLOWED = 400  # characters of a request that Why follows
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")


def check(change: WindowChange) -> Iterator[Finding]:
    """The first thing a person asked, if it is removed now; the newest, if it is removed before it was answered."""
    if not change.removed:
        return
    places, messages = list(change.before), list(change.before.values())
    first, last = _first(places, messages), _last(places, messages)
    if first and first.place in change.removed and not _carried(change, first):
        yield _first_lost(change, first)
    if (
        last
        and last != first
        and last.place in change.removed
        and not _answered(messages)
        and not _carried(change, last)
    ):
        yield _last_lost(change, last)


class _Asked(NamedTuple):
    """A message in which a person asked for something, its place, and what they asked for as it was typed."""

    place: int
    message: Message
    text: str


def _asked(places: list[int], messages: list[Message], k: int) -> _Asked | None:
    """What was asked in the k-th message of a window; None where nothing was. A bare command asks for nothing."""
    message = messages[k]
    text = own_text(message) if message.typed else _command(messages, k)
    return _Asked(places[k], message, text) if (message.typed or text) and not is_bare_command(text) else None


_RAN = "<local-command-"
"""How the output of a command begins that the harness ran itself."""


def _command(messages: list[Message], k: int) -> str:
    """A slash command with its arguments, where the model was what it was meant for; else empty.

    One after which a person types again, or whose output the harness prints, set something and asked for nothing.
    """
    message = messages[k]
    if message.role != "user" or message.injected != "command" or _said_next(messages, k) in ("user", "output"):
        return ""
    text = command_as_typed(message.content) or message.content.strip()
    return text if text.startswith("/") else ""


def _said_next(messages: list[Message], k: int) -> str:
    """Who speaks next behind the k-th message: a role, or "output" where the harness prints that of a command."""
    for message in islice(messages, k + 1, None):
        by_harness = bool(message.injected) and not message.typed
        if not by_harness or message.content.lstrip().startswith(_RAN):
            return "output" if by_harness else message.role
    return ""


def _first(places: list[int], messages: list[Message]) -> _Asked | None:
    """What was asked first; None if there is nothing, or if an earlier one may be gone already.

    That is so if a summary comes before it, or if places before it are no longer in the window.
    """
    for k, message in enumerate(messages):
        if message.injected == "summary" or (
            message.role in ("system", "user") and SUMMARY_HEADER.match(message.content)
        ):
            return None
        if found := _asked(places, messages, k):
            return found if found.place == k else None
    return None


def _last(places: list[int], messages: list[Message]) -> _Asked | None:
    """What was asked last, if anything was."""
    asked = (_asked(places, messages, k) for k in range(len(messages) - 1, -1, -1))
    return next((one for one in asked if one and not SUMMARY_HEADER.match(one.message.content)), None)


def _answered(messages: list[Message]) -> bool:
    """Whether the window ends with a reply that calls no tool: the turn is over."""
    return messages[-1].role == "assistant" and not messages[-1].tool_calls


def _carried(change: WindowChange, asked: _Asked) -> bool:
    """Whether the added messages quote it in full, as recorded or as typed; a short text only on a line of its own."""
    return any(_quoted(change, text) for text in {asked.message.content.strip(), asked.text.strip()} if text)


def _quoted(change: WindowChange, text: str) -> bool:
    if len(text) >= 20:
        return not _left_out(change, text)
    line = re.compile(rf"^(?:\[?\w+[\]:]+\s+)?{re.escape(text)}\s*$", re.MULTILINE)
    return any(line.search(put.content) for put in change.put)


def _left_out(change: WindowChange, text: str) -> str:
    """A text on one line, from the first of its sentences on that no added message quotes; "" where all are quoted."""
    said, line, at = [_on_line(put.content) for put in change.put], _on_line(text), 0
    for part in map(_on_line, _SENTENCE_END.split(text)):
        at = line.index(part, at)
        if not any(part in one for one in said):
            return line[at:]
    return ""


def _on_line(text: str) -> str:
    return " ".join(text.split())


def _first_lost(change: WindowChange, first: _Asked) -> Finding:
    """A warning; an info if the summary has at least 60 % of its words."""
    words = _words(first.text)
    summary = None if change.compaction.unreadable else change.compaction.summary
    kept = len(words & _words(summary.content)) if summary else 0
    coverage = f" {kept} of its {len(words)} distinct words are in the summary." if summary and words else ""
    return Finding(
        kind="first_user_message_lost",
        concern="lost",
        severity="info" if words and kept >= 0.6 * len(words) else "warning",
        title="First user message gone",
        text=f"{quoted(first.text)}, the first thing the user asked for, was {change.where}.{coverage}",
        messages=(first.message.id,),
        numbers={"words": len(words), "words_in_summary": kept},
        subject=_subject(change, first),
    )


def _last_lost(change: WindowChange, last: _Asked) -> Finding:
    return Finding(
        kind="last_user_message_summarised",
        concern="lost",
        severity="warning",
        title="Newest user message gone",
        text=f"{quoted(last.text)}, which the agent was still working on, was {change.where}.",
        messages=(last.message.id,),
        subject=_subject(change, last),
    )


def _subject(change: WindowChange, asked: _Asked) -> str:
    """What of the request went, on one line, as its message has it, cut behind a word; of a command, what was asked with it."""
    said, line = _on_line(asked.message.content), _left_out(change, asked.text) or _on_line(asked.text)
    whole = next((part for part in (line, line.partition(" ")[2]) if part and part in said), "")
    return whole if len(whole) <= _FOLLOWED else whole[: _FOLLOWED + 1].rpartition(" ")[0] or whole[:_FOLLOWED]


def _words(text: str) -> set[str]:
    """The distinct words in the first 2,400 characters of a text: numbers, and words of four letters or more."""
    return {w for w in re.findall(r"\w+", text[:2400].casefold()) if len(w) > 3 or w.isdecimal()}
