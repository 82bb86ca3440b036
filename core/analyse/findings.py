"""What is worth a person's attention in one compaction, each with its evidence: `findings(compaction)`.

Recorded and simulated compactions are looked at alike. Nothing is guessed from the policy's name: every finding follows
from the window before, the window after and the numbers of that one event.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

from pydantic import Field

from core.model import Frozen, Message
from core.text import clean, cut
from core.trace import Compaction

Severity = Literal["error", "warning", "info"]
Kind = Literal[
    "orphaned_tool_result",
    "orphaned_call",
    "net_negative",
    "still_over_budget",
    "empty_summary",
    "error_shaped_summary",
    "first_user_message_lost",
    "last_user_message_summarised",
]


class Finding(Frozen):
    """One thing worth attention: how bad, in a few words and in a sentence or two, the ids and numbers it rests on."""

    kind: Kind
    severity: Severity
    title: str
    text: str
    messages: tuple[str, ...] = ()
    numbers: dict[str, int] = Field(default_factory=dict)


class _Seen(NamedTuple):
    """A compaction with what several findings need: the window before, the places in it that left, where they went.

    Places and not ids: a window given to `compact` may hold the same message twice.
    """

    compaction: Compaction
    before: Sequence[Message]
    removed: frozenset[int]
    where: str


def findings(compaction: Compaction) -> tuple[Finding, ...]:
    """The findings of one compaction, errors first; none where the window was left alone. O(size of the window)."""
    if not compaction.acted:
        return ()
    seen = _Seen(compaction, compaction.before, frozenset(_removed(compaction)), _where(compaction))
    found = [finding for look in _LOOKS for finding in look(seen)]
    return tuple(sorted(found, key=lambda finding: _ORDER.index(finding.severity)))


_ORDER = ("error", "warning", "info")


def _removed(compaction: Compaction) -> Iterator[int]:
    """The places in the window before of what left it."""
    taken = {i for edit in compaction.edits if edit.action != "cleared" for part in edit.ranges for i in range(*part)}
    pool = (i for part in compaction.layout_before for i in range(*part))
    return (place for place, index in enumerate(pool) if index in taken)


def _where(compaction: Compaction) -> str:
    """What became of the messages taken out, as the end of a sentence."""
    if compaction.summary is None:
        return "left out of what was kept" if compaction.recorded else "dropped"
    return f"folded into summary #{compaction.number}" if compaction.number else "folded into the summary"


class _Pair(NamedTuple):
    """A tool call in the window before, with the places of the message that made it and the one that answers it."""

    call: str
    asked: int
    answered: int


def _pairs(messages: Sequence[Message]) -> Iterator[_Pair]:
    """Every call of the window that is answered in it; a result answers the newest open call of its id."""
    asked: dict[str, int] = {}
    for place, message in enumerate(messages):
        if message.role == "tool":
            call = message.tool_call_id or ""
            if call in asked:
                yield _Pair(call, asked.pop(call), place)
        elif message.tool_calls:
            asked.update((call.id, place) for call in message.tool_calls)


def _parted(seen: _Seen) -> Iterator[Finding]:
    """Pairs that were cut apart: of each exactly one half is still there."""
    if not seen.removed:
        return
    apart = [pair for pair in _pairs(seen.before) if (pair.asked in seen.removed) != (pair.answered in seen.removed)]
    results = [pair for pair in apart if pair.asked in seen.removed]
    calls = [pair for pair in apart if pair.answered in seen.removed]
    if results:
        yield _orphaned_results(results, seen)
    if calls:
        yield _orphaned_calls(calls, seen)


def _orphaned_results(pairs: Sequence[_Pair], seen: _Seen) -> Finding:
    one = len(pairs) == 1
    text = (
        f"The result {_named(pairs)} was kept, the call it answers was {seen.where}."
        if one
        else f"The results {_named(pairs)} were kept, the calls they answer were {seen.where}."
    )
    return Finding(
        kind="orphaned_tool_result",
        severity="error",
        title="Orphaned tool result" if one else f"{len(pairs)} orphaned tool results",
        text=f"{text} A real API rejects this window.",
        messages=tuple(seen.before[place].id for pair in pairs for place in (pair.answered, pair.asked)),
        numbers={"pairs": len(pairs)},
    )


def _orphaned_calls(pairs: Sequence[_Pair], seen: _Seen) -> Finding:
    one = len(pairs) == 1
    text = (
        f"The call {_named(pairs)} was kept, its result was {seen.where}."
        if one
        else f"The calls {_named(pairs)} were kept, their results were {seen.where}."
    )
    return Finding(
        kind="orphaned_call",
        severity="error",
        title="Tool call without its result" if one else f"{len(pairs)} tool calls without their results",
        text=f"{text} A real API rejects this window.",
        messages=tuple(seen.before[place].id for pair in pairs for place in (pair.asked, pair.answered)),
        numbers={"pairs": len(pairs)},
    )


def _named(pairs: Sequence[_Pair]) -> str:
    """The calls by their ids, three at most."""
    names = [cut(clean(pair.call), 40) for pair in pairs[:3]]
    if len(pairs) > 3:
        return f"{', '.join(names)} and {len(pairs) - 3:,} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _grew(seen: _Seen) -> Iterator[Finding]:
    """A compaction that freed nothing; recorded numbers where both are there, else those of the meter."""
    event = seen.compaction
    before, after, by = event.window_before, event.window_after, "by the meter"
    if event.recorded and event.tokens_before is not None and event.tokens_after is not None:
        before, after, by = event.tokens_before, event.tokens_after, "as recorded"
    if after < before:
        return
    grown = f"grew by {after - before:,} tokens" if after > before else "freed nothing"
    yield Finding(
        kind="net_negative",
        severity="warning",
        title="Net-negative compaction",
        text=f"The window {grown}, {before:,} -> {after:,} {by}: what was put in is no smaller than what was taken out.",
        messages=tuple(m.id for m in event.added),
        numbers={"before": before, "after": after, "added": event.summary_tokens},
    )


def _over(seen: _Seen) -> Iterator[Finding]:
    event = seen.compaction
    if event.status != "still_over_budget" or event.limit is None:
        return
    yield Finding(
        kind="still_over_budget",
        severity="warning",
        title="Still over budget",
        text=f"The window holds {event.window_after:,} tokens after the compaction, and the limit is {event.limit:,}: "
        "the part that stays is too large for it.",
        numbers={"after": event.window_after, "limit": event.limit},
    )


_HEAD = re.compile(r"^\[[^\]\n]{0,120}\]\s*")
_PLACEHOLDER = re.compile(
    r"\(?(?:no summary(?: was)?(?: returned| available| generated)?|none|null|n/?a|undefined|empty|\.{3}|…|-+)\)?\.?",
    re.I,
)
_ERROR_SHAPED = re.compile(
    r"(?:[A-Za-z]*(?:error|exception)\s*(?::|\(|\d|code|occurred|while|$)|traceback \(most"
    r"|rate limit (?:exceeded|reached|error)"
    r"|(?:api error|http|status)(?: code)?:? ?[45]\d\d|[45]\d\d (?:error|bad|unauthorized|forbidden|too many|internal|service)"
    r"|(?:internal )?server error|(?:request|connection|network|read)(?: has)? (?:timed out|timeout|error|failed|reset|refused)"
    r"|failed to (?:generate|summari[sz]e|connect|fetch)|prompt is too long|context length exceeded"
    r"|\{\s*\"(?:type\"\s*:\s*\")?error\b|i(?:'|’)m sorry, (?:but )?i can(?:'|’)?t|i cannot (?:help|assist|summari[sz]e))",
    re.IGNORECASE,
)


def _summary(seen: _Seen) -> Iterator[Finding]:
    """A summary with nothing in it, or with an error instead of a summary."""
    summary = seen.compaction.summary
    if summary is None:
        yield from _no_summary(seen)
        return
    text = _HEAD.sub("", summary.content.strip()).strip()
    if not text or _PLACEHOLDER.fullmatch(text):
        taken = len(seen.removed)
        said = f" but {cut(text, 40)!r}" if text else ""
        yield Finding(
            kind="empty_summary",
            severity="error",
            title="Empty summary",
            text=f"{taken:,} messages were taken out, and the summary that stands for them says nothing{said}.",
            messages=(summary.id,),
            numbers={"removed": taken},
        )
    elif _ERROR_SHAPED.match(text):
        yield Finding(
            kind="error_shaped_summary",
            severity="error",
            title="The summary looks like an error",
            text=f"The summary begins “{cut(clean(text[:300]), 90)}”, which reads like a failure and not like a summary.",
            messages=(summary.id,),
            numbers={"removed": len(seen.removed)},
        )


def _no_summary(seen: _Seen) -> Iterator[Finding]:
    """A pass that was to summarise and put nothing in; of a recorded one it is not known that nothing was there."""
    summarised = any(edit.action == "summarised" for edit in seen.compaction.edits)
    if summarised and not seen.compaction.recorded:
        yield Finding(
            kind="empty_summary",
            severity="error",
            title="No summary",
            text=f"{len(seen.removed):,} messages were to be summarised, and nothing stands for them.",
            numbers={"removed": len(seen.removed)},
        )


def _first_user(seen: _Seen) -> Iterator[Finding]:
    """The first message that a person typed, if it leaves now."""
    place = _first_typed(seen.before)
    if place not in seen.removed:
        return
    first, summary = seen.before[place], seen.compaction.summary
    words = _words(first.content)
    kept = len(words & _words(summary.content)) if summary else 0
    told = f" {kept} of its {len(words)} different words are in the summary." if summary and words else ""
    yield Finding(
        kind="first_user_message_lost",
        severity="info" if words and kept >= 0.6 * len(words) else "warning",
        title="First user message gone",
        text=f"“{cut(clean(first.content[:300]), 90)}”, the first thing the user asked for, was {seen.where}.{told}",
        messages=(first.id,),
        numbers={"words": len(words), "words_in_summary": kept},
    )


def _first_typed(messages: Sequence[Message]) -> int:
    """The place of the first typed message, -1 if there is none, or an earlier one is gone already: a summary is before it."""
    for place, message in enumerate(messages):
        if message.injected == "summary" or (message.role in ("system", "user") and _SUMMARY.match(message.content)):
            return -1
        if message.typed:
            return place
    return -1


_SUMMARY = re.compile(r"\[[^\]\n]{0,80}summary[^\]\n]{0,80}\]", re.IGNORECASE)


def _words(text: str) -> set[str]:
    """The different words of a text's first 2,400 characters that carry meaning: four letters or more, and numbers."""
    return {w for w in re.findall(r"\w+", text[:2400].casefold()) if len(w) > 3 or w.isdecimal()}


def _last_user(seen: _Seen) -> Iterator[Finding]:
    """The newest message that a person typed, if it leaves before it was answered."""
    places = range(len(seen.before) - 1, -1, -1)
    place = next((i for i in places if seen.before[i].typed and not _SUMMARY.match(seen.before[i].content)), -1)
    if place not in seen.removed or place == _first_typed(seen.before) or _answered(seen.before):
        return
    last = seen.before[place]
    yield Finding(
        kind="last_user_message_summarised",
        severity="warning",
        title="Newest user message gone",
        text=f"“{cut(clean(last.content[:300]), 90)}”, which the agent was still working on, was {seen.where}.",
        messages=(last.id,),
    )


def _answered(messages: Sequence[Message]) -> bool:
    """Whether the window ends with a reply that calls no tool: the turn is over."""
    return messages[-1].role == "assistant" and not messages[-1].tool_calls


_LOOKS: tuple[Callable[[_Seen], Iterator[Finding]], ...] = (
    _parted,
    _summary,
    _grew,
    _over,
    _first_user,
    _last_user,
)
