"""Names that the recorded model wrote, and that no message of a simulated window shows any more."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from core.analyse.finding import Finding, listed
from core.analyse.window_change import WindowChange
from core.entities.entity import Entity
from core.entities.index import index_of
from core.entities.search import search_of
from core.measure.standing import Standing, standing
from core.model.cached import cached
from core.model.give_way import give_way
from core.trace.trace import Trace
from core.window.ranges import ADDED, SPACE

KINDS = ("lost_reference",)

_RARE = 4  # messages: a name that more of them show is a word that everybody knows
_LONG = 14  # characters of a word that is made up of several
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_EVERYWHERE = re.compile(r"dev/\w+|bin/(?:env|\w*sh|python3?|node|ls|cat)|\w+_(?:API_KEY|TOKEN)")
_MADE_UP = re.compile(r"(?:[a-f]\d)+")  # a hash such as a1b2c3d4, as examples have
_THOUGHT = 200  # messages before a reply in whose thinking a name is looked for
_LOOKED_AT = 10**9  # bytes of text to look through for a name that stands within another one, over all names


class Need(NamedTuple):
    """A name in the reply whose first message stands at `call`, and the places of the messages before that show it."""

    name: Entity
    call: int
    shown: Sequence[int]


def check_in_trace(change: WindowChange, trace: Trace, index: int) -> Iterator[Finding]:
    """The names of which compaction `index` took the last message that showed them, and that a later reply wrote.

    Only under a policy: in a recorded run the model wrote what something had told it, though the transcript may not have it.
    """
    if trace.policy is None or trace.kind != "simulate":
        return
    known: Mapping[int, list[Need]] = cached(trace, "lost references", _by_compaction)
    if some := known.get(index):
        yield _finding(change, trace, some)


def _by_compaction(trace: Trace) -> dict[int, list[Need]]:
    found: dict[int, list[Need]] = {}
    if not trace.compactions:
        return found
    windows, lost = standing(trace), set[Entity]()
    left = max(20, _LOOKED_AT // (1 + 4 * trace.measured.running[-1]))
    for need in cached(trace.measured, "needs", lambda _: tuple(_needs(trace))):
        if need.name in lost or any(windows.stands(place, need.call) for place in reversed(need.shown)):
            continue
        if left == 0:
            return found
        left -= 1
        lost.add(need.name)
        if not _is_said(trace, windows, need):
            found.setdefault(windows.taken_by(need.shown[-1]), []).append(need)
    return found


def _needs(trace: Trace) -> Iterator[Need]:
    """The rare names that replies use, and that the user or a tool said first."""
    index, messages, calls = index_of(trace.messages), trace.messages, trace.measured.calls
    for number, call in enumerate(calls):
        give_way()
        behind = calls[number + 1] if number + 1 < len(calls) else len(messages)
        parts = (i for i in range(call, behind) if messages[i].role == "assistant" and not messages[i].injected)
        for name in dict.fromkeys(name for i in parts for name in index.uses(i)):
            if _is_of_this_session(name):
                where = index.where(name)
                shown = where[: bisect_left(where, call)]
                if 0 < len(shown) <= _RARE and messages[shown[0]].role in ("user", "tool"):
                    yield Need(name, call, shown)


def _is_of_this_session(name: Entity) -> bool:
    """Whether a name is hardly one that everybody knows, such as PowerShell or file.txt."""
    if _EVERYWHERE.fullmatch(name.key):
        return False
    if name.kind == "identifier":
        return len(_PARTS.findall(name.key)) >= 3 and len(name.key) >= _LONG
    if name.kind == "path":
        return "/" in name.key or (len(name.key) >= _LONG and ("_" in name.key or "-" in name.key))
    return name.kind in ("hash", "number", "url") and len(name.key) >= _LONG // 2 and not _MADE_UP.fullmatch(name.key)


def _is_said(trace: Trace, windows: Standing, need: Need) -> bool:
    """Whether the prompt has a name after all: within a longer one, in a summary, in what is left of a cleared message."""
    text = need.name.key.rpartition("/")[2]
    found = search_of(trace.messages).places(text).places
    if any(windows.stands(place, need.call) for place in found[: bisect_left(found, need.call)]):
        return True
    near = range(max(0, need.call - _THOUGHT), need.call)
    if any(text in trace.messages[i].thinking and windows.stands(i, need.call) for i in near):
        return True
    layout = trace.compactions[windows.compactions_before(need.call) - 1].layout_after
    put = [trace.pool.added[k] for a, b in layout if ADDED <= a < SPACE for k in range(a - ADDED, b - ADDED)]
    return any(text.casefold() in message.content.casefold() for message in put)


def _written(trace: Trace, name: Entity) -> str:
    """A name as a message writes it: of a path that none writes in full, its last part."""
    return name.key if search_of(trace.messages).places(name.key).places else name.key.rpartition("/")[2]


def _finding(change: WindowChange, trace: Trace, some: Sequence[Need]) -> Finding:
    first = some[0]
    step = trace.message_step(first.call)
    replies = {need.call for need in some}
    one = len(some) == 1
    names = listed([need.name.key for need in some])
    return Finding(
        kind="lost_reference",
        concern="lost",
        severity="info",
        title="Names that were needed later are gone",
        text=f"{names}: the last {'message that names it was' if one else 'messages that name them were'} {change.where}, "
        f"and {'1 later reply uses' if len(replies) == 1 else f'{len(replies):,} later replies use'} "
        f"{'it' if one else 'them'}, the first at step {step:,}.",
        messages=tuple(
            dict.fromkeys(trace.messages[place].id for need in some[:6] for place in (need.shown[-1], need.call))
        ),
        numbers={"names": len(some), "step": step},
        subject=_written(trace, first.name),
    )
