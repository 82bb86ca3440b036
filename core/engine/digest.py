"""Each tool group that goes becomes a line of text in its place."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from core.engine.compaction_builder import CompactionBuilder
from core.model.session import Message
from core.policy.vocabulary import Stage
from core.window.partition import partition
from core.window.ranges import Range, joined, replaced
from core.window.window import Window

MOST = 4096  # characters of a group's results


def digest(draft: CompactionBuilder, stage: Stage) -> bool:
    """Put one message of text in the place of each tool group that goes; whether there was any."""
    window = draft.window
    cut = partition(window, draft.policy, stage).tail
    groups = list(_groups(window, cut))
    if not groups:
        return draft.refuse("nothing_to_do", "no tool group is old enough to convert")
    put = [draft.put(draft.injected("assistant", _as_text(window.pool.slice(group)), "digest")) for group in groups]
    draft.edit("summarised", joined(tuple(groups)), "tool calls and results converted to text")
    freed = sum(map(window.pool.tokens, groups)) - sum(map(window.pool.tokens, put))
    draft.becomes(replaced(window.ranges, groups, put), window.tokens - freed)
    return True


def _groups(window: Window, cut: int) -> Iterator[Range]:
    """The tool groups in front of the cut: a reply that calls tools, and the results that follow it; none that is pinned."""
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
            if not any(place in window.pool.pinned for place in range(i, end)):
                yield (i + shift, end + shift)


def _as_text(group: Sequence[Message]) -> str:
    """A tool group as text: "[Tool results: read: …; grep: …]"."""
    called = {c.id: c.name for c in group[0].tool_calls}
    results = [_result(m, called.get(m.tool_call_id or "", "")) for m in group[1:]]
    text = "; ".join(results) or "no results"
    return f"[Tool results: {text if len(text) <= MOST else text[:MOST].rstrip() + '... [truncated]'}]"


def _result(message: Message, name: str) -> str:
    named = message.name or name
    return f"{named}: {message.content.strip()}" if named else message.content.strip()
