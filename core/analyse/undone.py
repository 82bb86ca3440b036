"""An edit that a later one takes back word for word, once the first is gone: what was decided then is decided anew."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from core.analyse.finding import Finding, quoted
from core.analyse.window_change import WindowChange
from core.measure.replacements import replacements
from core.measure.standing import standing
from core.measure.tool_use import Use, tool_uses
from core.model.cached import cached
from core.model.text import counted
from core.trace.trace import Trace

KINDS = ("decision_reversed",)

_NAME = re.compile(r"\w{4,}")
_LEAST = 12  # letters and digits of both texts: a brace may be put in and taken out anywhere


class _Edit(NamedTuple):
    file: str
    old: str
    new: str


class _Undone(NamedTuple):
    """A change to a file, the place of the call that made it, and of the one that took it back."""

    edit: _Edit
    made: int
    back: int


def check_in_trace(change: WindowChange, trace: Trace, index: int) -> Iterator[Finding]:
    """The edits that compaction `index` took from the window, and that were taken back later."""
    known: Mapping[int, list[_Undone]] = cached(trace, "undone", _by_compaction)
    if some := known.get(index):
        yield _finding(change, trace, some)


def _by_compaction(trace: Trace) -> dict[int, list[_Undone]]:
    """The edits that were taken back once they were gone, by the compaction that took them."""
    found: dict[int, list[_Undone]] = {}
    if not trace.compactions:
        return found
    windows = standing(trace)
    for one in cached(trace.measured, "edits undone", lambda _: tuple(_undone(trace))):
        if not windows.stands(one.made, one.back):
            found.setdefault(windows.taken_by(one.made), []).append(one)
    return found


def _undone(trace: Trace) -> Iterator[_Undone]:
    """The edits that were taken back, whatever the window held; the same for every policy."""
    made = dict[_Edit, int]()
    for use in tool_uses(trace):
        for edit in _edits(use):
            back = _Edit(edit.file, edit.new, edit.old)
            if (at := made.pop(back, None)) is not None and not _is_moved(back, use):
                yield _Undone(back, at, use.at)
            made[edit] = use.at


def _is_moved(edit: _Edit, use: Use) -> bool:
    """Whether the call that takes an edit out writes a name of it elsewhere: then it was moved, or renamed."""
    put_in = _new_names(edit)
    return any(put_in & _new_names(one) for one in _edits(use))


def _new_names(edit: _Edit) -> set[str]:
    """The names that an edit brings in, whatever their case: a function may become public."""
    return {name.casefold() for name in {*_NAME.findall(edit.new)} - {*_NAME.findall(edit.old)}}


def _edits(use: Use) -> Iterator[_Edit]:
    """The replacements that a call makes in a file: one, or a list of them."""
    if not use.written:
        return
    for texts in replacements(use.call):
        old, new = (" ".join(text.split()) for text in texts)
        if old != new and sum(map(str.isalnum, old + new)) >= _LEAST:
            yield _Edit(use.written[0], old, new)


def _finding(change: WindowChange, trace: Trace, some: list[_Undone]) -> Finding:
    first = some[0]
    step = trace.message_step(first.back)
    return Finding(
        kind="decision_reversed",
        concern="lost",
        severity="info",
        title="An edit is undone after it left the window",
        text=f"{counted(len(some), 'edit')} that {'was' if len(some) == 1 else 'were'} {change.where} "
        f"{'was' if len(some) == 1 else 'were'} taken back later, word for word. The first is in {quoted(first.edit.file)}: "
        f"message {first.back + 1:,} puts back {quoted(first.edit.old)}.",
        messages=tuple(dict.fromkeys(trace.messages[place].id for one in some[:6] for place in (one.made, one.back))),
        numbers={"edits": len(some), "step": step},
    )
