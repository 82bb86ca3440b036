"""Each tool group that goes becomes a line of text in its place."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from core.compact.draft import Draft
from core.model import Message
from core.partition import partition
from core.vocabulary import Digest, Stage
from core.window import Range, Window, joined, replaced


def digest(draft: Draft, stage: Stage) -> bool:
    """Put one message of text in the place of each tool group that goes; whether there was any."""
    window, rule = draft.window, stage.transform
    assert isinstance(rule, Digest)
    cut = partition(window, draft.policy, stage).tail
    groups = list(_groups(window, cut))
    if not groups:
        return draft.refuse("nothing_to_do", "no tool group is old enough to go")
    put = [draft.put(_digested(draft, window.pool.slice(group), rule)) for group in groups]
    draft.edit("summarised", joined(tuple(groups)), "tool calls and results put down as text")
    freed = sum(map(window.pool.tokens, groups)) - sum(map(window.pool.tokens, put))
    draft.becomes(replaced(window.ranges, groups, put), window.tokens - freed)
    return True


def _digested(draft: Draft, group: Sequence[Message], rule: Digest) -> Message:
    return draft.said("assistant", _told(group, rule.most), "digest")


def _groups(window: Window, cut: int) -> Iterator[Range]:
    """The tool groups in front of the cut: a reply that calls tools, and the results that follow it; none that is held."""
    base = window.pool.base
    for first, (a, b) in window.origins():
        stop, shift = (
            min(b, a + cut - first),
            window.at(first) - a,
        )  # as the pool has them, emptied by another policy or not
        for i in base.groups[bisect_left(base.groups, a) : bisect_left(base.groups, stop)] if a < stop else ():
            end = i + 1
            while end < b and base.messages[end].role == "tool":
                end += 1
            if not any(place in window.pool.held for place in range(i, end)):
                yield (i + shift, end + shift)


def _told(group: Sequence[Message], most: int) -> str:
    """A tool group as text: "[Tool results: read: …; grep: …]"."""
    called = {c.id: c.name for c in group[0].tool_calls}
    told = [_result(m, called.get(m.tool_call_id or "", "")) for m in group[1:]]
    text = "; ".join(told) or "no results"
    return f"[Tool results: {text if len(text) <= most else text[:most].rstrip() + '... [truncated]'}]"


def _result(message: Message, name: str) -> str:
    named = message.name or name
    return f"{named}: {message.content.strip()}" if named else message.content.strip()
