"""Which compactions take messages out of the window, or put them elsewhere."""

from core import Message, fate, policy, simulate
from core.trace.trace import Trace, as_session
from core.why.moves import moves
from tests.support import assistant, calls, result, system, user, with_ids


def _trace(name: str, text: str = "the port is 48213", **settings: int) -> Trace:
    """Eight calls of a tool, each answered with the text, under a policy."""
    talk: list[Message] = [system("You are a coder."), user(f"Look: {text}.")]
    for k in range(8):
        talk += [assistant("", calls(f"c{k}", "read_file", path=f"{k}.py")), result(f"c{k}", f"{text} " + "x " * 200)]
    return simulate(as_session(with_ids(talk)), policy(name, **settings))


def test_a_policy_that_clears_results_takes_no_message_out() -> None:
    """So the lane of a text that all of them keep is looked at once, though the window changes at every call."""
    trace = _trace("langchain.clear_tool_uses", trigger=500, keep=1)

    assert len(trace.compactions) == 3
    assert set(moves(trace)) == {False}
    assert fate(trace, "Look: the port").lane.changes == {}
    assert [event.kind for event in fate(trace, "the port is 48213").events].count("taken") == 3


def test_a_policy_that_summarizes_does() -> None:
    """Each compaction puts a summary in, and takes messages out."""
    trace = _trace("agentkit.memory", budget=400, keep_recent=2)

    assert len(trace.compactions) > 1
    assert set(moves(trace)) == {True}
