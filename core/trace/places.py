"""What the steps of a trace are called: one that brought a message is "message 116", another "compaction 2" or "edit 1".

A message has the same number everywhere, and under every policy: its place in the session, from 1.
"""

from collections import Counter
from collections.abc import Sequence

from core.model.cached import cached
from core.trace.compaction import Compaction
from core.trace.trace import Trace


def step_name(trace: Trace, step: int) -> str:
    """What a step is called in a sentence: "message 116", "compaction 2"."""
    k = trace.compaction_at(step)
    return f"message {trace.arrived(step):,}" if k is None else compaction_name(trace, k)


def compaction_name(trace: Trace, k: int) -> str:
    """What compaction k, from 0, is called: compactions, microcompactions and edits by hand are counted apart."""
    names: list[str] = cached(trace, "compaction names", lambda found: names_of(found.compactions))
    return names[k]


def compaction_number(trace: Trace, k: int) -> str:
    """The same in a table of compactions: "2", "microcompaction 1"."""
    return compaction_name(trace, k).removeprefix("compaction ")


def compaction_place(trace: Trace, k: int) -> str:
    """The same with how many there are of its kind: "compaction 2 of 9"."""
    name = compaction_name(trace, k)
    kind = name.rpartition(" ")[0]
    many = sum(found.counted_as == kind for found in trace.compactions)
    return f"{name} of {many:,}"


def names_of(compactions: Sequence[Compaction]) -> list[str]:
    """The names of compactions, in order."""
    counts, names = Counter[str](), list[str]()
    for found in compactions:
        counts[found.counted_as] += 1
        names.append(f"{found.counted_as} {counts[found.counted_as]:,}")
    return names


def span_name(trace: Trace, start: int, stop: int) -> str:
    """From one step to another, both included: "messages 9 to 12", "compaction 2 to message 131"."""
    first, last = step_name(trace, start), step_name(trace, stop)
    if first == last:
        return first
    if first.startswith("message ") and last.startswith("message "):
        return f"messages {first.removeprefix('message ')} to {last.removeprefix('message ')}"
    return f"{first} to {last}"
