"""How far the sliders of a live run reach: its length is not known yet, so a session like the one to be expected stands in."""

from functools import lru_cache

from core.drive import Drive
from core.meters.context_windows import limits_of
from core.model.session import Message, ToolCall
from core.window.measured import Measured

TURNS, CALLS = 12, 4
SHORT = 24_000  # tokens of a run whose model's window is not known
_SHARES = (1, 2, 7)  # of a call's tokens: what was asked, the reply, the result


def expected(drive: Drive) -> Measured:
    """A session of the run's tools, as large as its model's context window, or as the run has become."""
    limits = limits_of(drive.settings.model) if drive.settings.model else None
    total = max(limits.window if limits else SHORT, 2 * drive.context.base.running[-1])
    return _session(_rounded(total), tuple(tool.name for tool in drive.tools))


def _rounded(total: int) -> int:
    """A length that changes seldom, so that sliders do not move under the hand."""
    size = SHORT
    while size < total:
        size *= 2
    return size


@lru_cache(maxsize=32)
def _session(total: int, tools: tuple[str, ...]) -> Measured:
    part = max(1, total // (TURNS * CALLS * sum(_SHARES)))
    messages, tokens = [Message(role="system", content="expected", id="s")], [part]
    for turn in range(TURNS):
        messages.append(Message(role="user", content="asked", id=f"u{turn}"))
        tokens.append(part * _SHARES[0])
        for k in range(CALLS):
            name = tools[(turn + k) % len(tools)] if tools else "tool"
            call = ToolCall(id=f"c{turn}.{k}", name=name)
            messages.append(Message(role="assistant", tool_calls=(call,), id=f"a{turn}.{k}"))
            messages.append(Message(role="tool", content="found", tool_call_id=call.id, name=name, id=f"t{turn}.{k}"))
            tokens += [part * _SHARES[1], part * _SHARES[2]]
    return Measured(messages, tokens)
