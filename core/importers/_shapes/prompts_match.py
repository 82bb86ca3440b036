"""Which messages of a window the next prompt repeats, by content, and which message replaced the others."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise, takewhile
from typing import Any, TypeVar

from core.model.session import Message

Key = tuple[Any, ...]
Pair = tuple[int, int]


def key(message: Message) -> Key:
    """What identifies a message in prompts: its content, as ids may change."""
    calls = tuple([(call.id, call.name) for call in message.tool_calls])
    return message.role, message.content.strip(), message.tool_call_id, calls, len(message.images)


def matched(window: Sequence[Key], prompt: Sequence[Key]) -> list[Pair]:
    """(place in the window, place in the prompt) of what stands in both, in order of both.

    What stands once in each is an anchor; the longest row of anchors in order is taken, then what is the same next to them.
    That takes n log n, and finds what a compaction left: rows of neighbours.
    """
    ours, theirs = Counter(window), Counter(prompt)
    place = {k: j for j, k in enumerate(prompt) if theirs[k] == 1}
    anchors = _rising([(i, place[k]) for i, k in enumerate(window) if ours[k] == 1 and k in place])
    ends = [(-1, -1), *anchors, (len(window), len(prompt))]
    found = [pair for before, after in pairwise(ends) for pair in _between(window, prompt, before, after)]
    return sorted([*anchors, *found])


def _rising(pairs: Sequence[Pair]) -> list[Pair]:
    """The longest row of pairs, given in order of the first number, in which the second rises too."""
    tails: list[int] = []
    rows: list[tuple[Pair, int]] = []
    last: list[int] = []
    for number, pair in enumerate(pairs):
        spot = bisect_left(tails, pair[1])
        rows.append((pair, last[spot - 1] if spot else -1))
        tails[spot : spot + 1] = [pair[1]]
        last[spot : spot + 1] = [number]
    return list(_back(rows, last[-1] if last else -1))[::-1]


def _back(rows: Sequence[tuple[Pair, int]], at: int) -> Iterator[Pair]:
    while at >= 0:
        pair, at = rows[at]
        yield pair


def _between(window: Sequence[Key], prompt: Sequence[Key], before: Pair, after: Pair) -> list[Pair]:
    """What is the same behind one anchor, and in front of the next."""
    (i, j), (end, stop) = (before[0] + 1, before[1] + 1), after
    found = []
    while i < end and j < stop and window[i] == prompt[j]:
        found.append((i, j))
        i, j = i + 1, j + 1
    while i < end and j < stop and window[end - 1] == prompt[stop - 1]:
        end, stop = end - 1, stop - 1
        found.append((end, stop))
    return found


def lighter(was: Message, now: Message) -> bool:
    """Whether this is the same tool result with less in it."""
    same = was.role == now.role == "tool" and was.tool_call_id == now.tool_call_id
    return same and len(now.content) < len(was.content)


def is_variant_of(was: Message, now: Message) -> bool:
    """Whether one may be the other said a little otherwise: a reminder behind it, its thinking cut out, a result redone."""
    if was.role != now.role:
        return False
    if was.tool_call_id or now.tool_call_id:
        return was.tool_call_id == now.tool_call_id
    ours, theirs = ([call.id or call.name for call in m.tool_calls] for m in (was, now))
    return ours == theirs and (bool(ours) or alike(was.content.strip(), now.content.strip()))


def alike(one: str, other: str) -> bool:
    """Whether one text begins or ends with the other, or they share half of the shorter one from an end, 20 characters."""
    short, long = sorted((one, other), key=len)
    half = max(len(short) // 2, min(len(short), 20))
    return bool(short) and (long.startswith(short[:half]) or long.endswith(short[-half:]))


def summary_in(now: Sequence[Message], old: Collection[int], ended: bool) -> list[int]:
    """Where the text stands that took the place of what is gone; empty where nothing did.

    It is new, and in front of something that was kept. Where nothing behind the change was kept it is the first message,
    with what acknowledges it, unless that one is alone and comes when a person's message was due.
    """
    last = max(old, default=-1)
    if last < 0:
        if not now or not _could_be(now[0]) or (ended and len(now) == 1):
            return []
        acks = takewhile(lambda j: now[j].role == "assistant" and _could_be(now[j]), range(1, len(now)))
        return [0, *acks]
    first = next((j for j in range(last) if j not in old and _could_be(now[j])), last)
    return list(takewhile(lambda j: j not in old, range(first, last)))


_Old = TypeVar("_Old")


def before_news(old: dict[int, _Old], now: Sequence[Message]) -> dict[int, _Old]:
    """What is old, without what stands behind a new call or result: those come last, so the like of it is new as well."""
    news = next((j for j, message in enumerate(now) if j not in old and not _could_be(message)), len(now))
    return {j: was for j, was in old.items() if j < news}


def _could_be(message: Message) -> bool:
    return message.role != "tool" and not message.tool_calls


def joined(found: Sequence[Message]) -> Message:
    """One summary of what stands in a row, marked as such."""
    text = "\n\n".join(message.content for message in found)
    return found[0].model_copy(update={"content": text, "injected": "summary"})
