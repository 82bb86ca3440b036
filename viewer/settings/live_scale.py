"""How far the sliders of a live run reach: its length is not known yet, so a session like the one to be expected stands in."""

from functools import lru_cache

from core.drive import Drive
from core.meters.context_windows import limits_of
from core.model.session import Message, ToolCall
from core.window.measured import Measured

TURNS, CALLS = 12, 4
SHORT = 24_000  # tokens of a run whose model's window is not known
_SHARES = (1, 2, 7)  # of the tokens: what was asked, and of each call its reply and its result


def expected(drive: Drive) -> Measured:
    """A session of the run's tools, of as many tokens as are expected of the run."""
    return _session(expected_tokens(drive), tuple(tool.name for tool in drive.tools))


def expected_tokens(drive: Drive) -> int:
    """The context window of the run's model, doubled until the run so far fits: it changes seldom, and so do the sliders."""
    limits = limits_of(drive.settings.model) if drive.settings.model else None
    size = limits.window if limits else SHORT
    while size < drive.context.base.running[-1]:
        size *= 2
    return size


@lru_cache(maxsize=32)
def _session(total: int, tools: tuple[str, ...]) -> Measured:
    part = total // (1 + TURNS * (_SHARES[0] + CALLS * sum(_SHARES[1:])))
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
    tokens[0] += total - sum(tokens)
    return Measured(messages, tokens)
