"""What a person asked: the first request, which states the task, and the newest, which the agent is working on."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from core.analyse.answered import ended_in
from core.analyse.finding import Finding, quoted
from core.analyse.window_change import WindowChange
from core.model.own_text import own_text
from core.model.session import Message
from core.model.text import command_as_typed, is_bare_command, prose
from core.origins.follow import FOLLOWED, beginning, whole_sentences
from core.origins.remains import Kept, remains_in
from core.origins.says import share
from core.summaries.phrases import SUMMARY_HEADER

KINDS = ("first_user_message_lost", "last_user_message_summarised")

_READ = 6_000  # characters of a request that are compared: behind those much is pasted
_PASSAGE = 60  # characters of a paragraph that says something
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_PARAGRAPH = re.compile(r"\n\s*\n")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")


def check(change: WindowChange) -> Iterator[Finding]:
    """The first thing a person asked, if it is removed now; the newest, if it is removed while the agent was at work on it.

    What a person asked first is not in a file that begins in the middle of its session.
    """
    if not change.removed:
        return
    places, messages = list(change.before), list(change.before.values())
    first, last = None if change.starts_midway else _first(places, messages), _last(places, messages)
    if first and first.place in change.removed and not _carried(change, first):
        yield _first_lost(change, first)
    if (
        last
        and last != first
        and last.place in change.removed
        and not ended_in(messages, places.index(last.place))
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
    """Who speaks next behind the k-th message: a role, or "output" where the harness prints that of a command.

    A command that follows is typed by a person, too.
    """
    for message in islice(messages, k + 1, None):
        if message.injected == "command" and (command_as_typed(message.content) or message.content).startswith("/"):
            return "user"
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


def _carried(change: WindowChange, asked: _Asked) -> bool:
    """Whether the added messages quote it in full, as recorded or as typed; a short text only on a line of its own."""
    return any(_quoted(change, text) for text in {asked.message.content.strip(), asked.text.strip()} if text)


def _quoted(change: WindowChange, text: str) -> bool:
    if len(text) >= 20:
        return all(any(_says(put.content, part) for put in change.put) for part in _sentences(text))
    line = re.compile(rf"^(?:\[?\w+[\]:]+\s+)?{re.escape(text)}\s*$", re.MULTILINE)
    return any(line.search(put.content) for put in change.put)


def _says(text: str, sentence: str) -> bool:
    """Whether a text has the sentence; a short one, such as "No.", only where one begins."""
    if len(sentence) >= 20:
        return sentence in _on_line(text)
    return bool(re.search(rf"(?:^|[.!?:>\"'“‘*-])\s*{re.escape(sentence)}(?!\w)", _on_line(text)))


def _sentences(text: str) -> list[str]:
    return [_on_line(one) for one in _SENTENCE_END.split(text)]


def _on_line(text: str) -> str:
    return " ".join(text.split())


def _first_lost(change: WindowChange, first: _Asked) -> Finding:
    return _lost(
        change,
        first,
        Finding(
            kind="first_user_message_lost",
            concern="lost",
            severity="warning",
            title="First user message gone",
            text=f"{quoted(first.text)}, the first thing the user asked for, was {change.where}.",
        ),
    )


def _last_lost(change: WindowChange, last: _Asked) -> Finding:
    return _lost(
        change,
        last,
        Finding(
            kind="last_user_message_summarised",
            concern="lost",
            severity="warning",
            title="Newest user message gone",
            text=f"{quoted(last.text)}, which the agent was still working on, was {change.where}.",
        ),
    )


def _lost(change: WindowChange, asked: _Asked, found: Finding) -> Finding:
    """The finding with its evidence: an info if the summary says the request in other words, or a good part of it."""
    subject, words, gone = beginning(asked.text, asked.message), dict[str, int](), ""
    summary = None if change.compaction.unreadable else change.compaction.summary
    text, severity, title = found.text, found.severity, found.title
    if summary and (kept := _kept(summary, asked, subject)).words:
        words = {"words": kept.words, "words_in_summary": kept.kept}
        text += f" {_share(summary, asked, subject, kept)}."
        gone = _passage(summary, asked) if 3 * kept.kept < kept.words else ""
        severity = "warning" if gone or kept.verdict == "gone" else "info"
        left = " in part" if kept.verdict == "partly" else " in other words"
        title = title if severity == "warning" else title.replace(" gone", left)
    if gone and gone != subject:
        text += f" {quoted(gone)} is a part of it that is gone."
    return found.model_copy(
        update={
            "title": title,
            "text": text,
            "severity": severity,
            "messages": (asked.message.id,),
            "numbers": words,
            "subject": gone or subject,
        }
    )


def _share(summary: Message, asked: _Asked, subject: str, kept: Kept) -> str:
    """How many words of a request the summary has; of a long one first of its beginning, which Why follows."""
    begins = remains_in(summary).of(subject) if subject and _is_long(asked) else None
    if begins is None or not begins.words:
        return f"The summary has {share(kept.kept, kept.words)}"
    begin = f"{begins.kept:,} of the {begins.words:,} content words of its beginning"
    whole = f"{kept.kept:,} of the {kept.words:,} of {_whole(asked)}"
    return f"In the sentences nearest to the request the summary has {begin}, and {whole}"


def _is_long(asked: _Asked) -> bool:
    """Whether it is longer than what Why follows of it."""
    return len(_on_line(asked.text)) > FOLLOWED


def _whole(asked: _Asked) -> str:
    """What of a long request is compared."""
    text = prose(asked.text)
    if len(text) > _READ:
        return f"its first {_READ:,} characters"
    return "the whole" if _on_line(text) == _on_line(asked.text) else "the whole without its code"


def _kept(summary: Message, asked: _Asked, subject: str) -> Kept:
    """What a summary has of a request; of a long one, whose beginning may say little, of all its text without the code."""
    if _is_long(asked) and (whole := prose(asked.text)[:_READ].strip()):
        return remains_in(summary).of(whole)
    return remains_in(summary).of(subject or asked.text[:FOLLOWED])


def _passage(summary: Message, asked: _Asked) -> str:
    """The longest paragraph of a long request that the summary does not say, as Why follows it; "" where there is none."""
    if not _is_long(asked):
        return ""
    said, remains = _on_line(asked.message.content), remains_in(summary)
    parts = map(_on_line, _PARAGRAPH.split(_COMMENT.sub("", prose(asked.text))[:_READ]))
    for part in sorted((part for part in parts if part in said), key=len, reverse=True):
        if len(part) >= _PASSAGE and remains.of(part).verdict == "gone":
            return whole_sentences(part)
    return ""
