"""Names in a summary that a model wrote, and that nothing before it says."""

import re
from collections.abc import Iterator

from core.analyse.finding import Finding, listed
from core.analyse.window_change import WindowChange
from core.entities.entity import Entity
from core.entities.kinds import Names
from core.entities.search import search_of
from core.model.call_texts import call_texts
from core.model.session import Message
from core.model.text import counted
from core.summaries.summarizers import summarizers
from core.trace.before_file import held_before_file
from core.trace.trace import Trace

KINDS = ("summary_without_source",)

_KINDS = ("path", "identifier", "number", "hash", "url")  # what is quoted, and a command, a summary may word anew
_MOST = 40  # names of a summary to look for
_KNOWN = 0.7  # the share of its names that the file must have: else the file does not hold what was summarised
_FEWEST = 5  # names that tell a share
_OF_HARNESS = re.compile(r"\bfull transcript\b", re.IGNORECASE)  # a line that says where the session is kept


def check_in_trace(change: WindowChange, trace: Trace, index: int) -> Iterator[Finding]:
    """The names in the summary of compaction `index` that no message, call, thought or summary before it has."""
    event = change.compaction
    summary = event.summary
    if (
        summary is None
        or event.unreadable
        or not (event.recorded or _is_by_model(trace))
        or held_before_file(trace, index)
    ):
        return
    text = "\n".join(line for line in summary.content.split("\n") if not _OF_HARNESS.search(line))
    names = sorted({name for name in Names().of_text(text) if _is_exact(name)})[:_MOST]
    unknown = [name for name in names if not _is_said(trace, name, event.at)]
    if not unknown or len(names) < _FEWEST or len(names) - len(unknown) < _KNOWN * len(names):
        return
    missing = _without_others(trace, index, unknown)
    if missing:
        yield _finding(change, summary, missing, len(names))


def _is_exact(name: Entity) -> bool:
    """Whether a name is one that a summary may not word anew: "read/write" is a path by its form alone."""
    return name.kind in _KINDS and (name.kind != "path" or "." in name.key)


def _is_by_model(trace: Trace) -> bool:
    """Whether a model wrote the summaries of a run: those that need none only quote."""
    return trace.summarizer not in {known.name for known in summarizers()}


def _is_said(trace: Trace, name: Entity, at: int) -> bool:
    """Whether one of the first `at` messages has a name: as it is compared, or as the last part of its path."""
    found = search_of(trace.messages).places(_spelled(name), most=1).places
    return bool(found) and found[0] < at


def _spelled(name: Entity) -> str:
    return name.key.rpartition("/")[2] if name.kind == "path" else name.key


def _without_others(trace: Trace, index: int, unknown: list[Entity]) -> list[Entity]:
    """The names that neither an earlier summary nor thinking, the name of a tool or one of its arguments has."""
    event = trace.compactions[index]
    left = {name: _spelled(name).casefold() for name in unknown}
    earlier = [message.content for before in trace.compactions[:index] for message in before.added]
    for text in (*earlier, *(text for m in trace.messages[: event.at] for text in _others(m))):
        low = text.casefold()
        left = {name: spelled for name, spelled in left.items() if spelled not in low}
        if not left:
            break
    return list(left)


def _others(message: Message) -> Iterator[str]:
    if message.thinking:
        yield message.thinking
    for call in message.tool_calls:
        yield from call_texts(call)


def _finding(change: WindowChange, summary: Message, missing: list[Entity], names: int) -> Finding:
    number = f" #{change.compaction.number}" if change.compaction.number else ""
    return Finding(
        kind="summary_without_source",
        concern="summary",
        severity="info",
        title="The summary names something that no earlier message says",
        text=f"Summary{number} says {listed([name.key for name in missing])}. Nothing before it in this file does; "
        f"it has {counted(names - len(missing), 'other name')} from there.",
        messages=(summary.id,),
        numbers={"names": names, "without_source": len(missing)},
        subject=_spelled(missing[0]),
    )
