"""The messages behind what the overview counts: the calls of each tool, those that wrote each file, those that failed.

Of a call that is its result, as each answers one call; without a result it is the message of the call.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from core.analyse.file_writes import file_writes
from core.analyse.overview import overview
from core.measure.removals import commands_of
from core.measure.tool_use import Use, tool_uses
from core.model.cached import cached
from core.trace.trace import Trace

Called = Mapping[str, Mapping[str, Sequence[int]]]
"""Places of messages, once for each call, by a kind and a name of that kind.

A `tool` has its name, a file that was written (`wrote`) the one in the end. What calls are (`is`) is "error", "refused",
"blocked", "cancelled" or "rejected", as in the overview, or "shell".
"""


def called(trace: Trace) -> Called:
    """What is behind the counts of a trace's overview; worked out once."""
    return cached(trace.measured, "called", lambda _: _called(trace))


def _called(trace: Trace) -> Called:
    uses = tool_uses(trace)
    tools, files, states = (defaultdict[str, list[int]](list) for _ in range(3))
    for use in uses:
        tools[use.call.name].append(_place(use))
        if commands_of(use.call):
            states["shell"].append(_place(use))
    for use, _, last in file_writes(trace):
        files[last].append(_place(use))
    for turn in overview(trace).turns:
        states["error"] += turn.errors
        for at, why in turn.unrun:
            states[why].append(at)
    return {"tool": tools, "wrote": files, "is": {name: found for name, found in states.items() if found}}


def _place(use: Use) -> int:
    return use.result if use.result >= 0 else use.at
