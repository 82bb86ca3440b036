"""Long work asks between its pieces whether to wait, where it was told to."""

from core import Message, ToolCall, policy, simulate
from core.analyse.findings import trace_findings
from core.model.give_way import give_way, giving_way
from core.trace.trace import as_session


def test_only_a_thread_that_gives_way_waits() -> None:
    """And only as long as it is told to."""
    asked: list[int] = []
    give_way()
    with giving_way(lambda: asked.append(1)):
        give_way()
        give_way()
    give_way()

    assert asked == [1, 1]


def test_findings_give_way_all_along() -> None:
    """Within each of the long steps: reading the names, the tool calls, what was asked again, and each compaction."""
    calls = [ToolCall(id=f"c{i}", name="read", arguments={"path": f"a{i % 3}.py"}) for i in range(40)]
    messages = [
        message
        for i, call in enumerate(calls)
        for message in (
            Message(id=f"a{i}", role="assistant", tool_calls=(call,)),
            Message(id=f"t{i}", role="tool", tool_call_id=call.id, content="word " * 20),
        )
    ]
    trace = simulate(as_session(messages), policy("agentkit.memory", budget=300, keep_recent=4))
    asked: list[int] = []
    with giving_way(lambda: asked.append(1)):
        trace_findings(trace)

    names, replies, uses, repeats = 80, 40, 40, 40
    assert len(trace.compactions) > 5
    assert len(asked) >= names + 2 * replies + 2 * uses + len(trace.compactions) + repeats // 2
