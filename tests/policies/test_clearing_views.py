"""Views that empty results and the inputs of their calls, over parallel calls: what a trace keeps is enough to read it back."""

import random

import pytest

from core import Message, ToolCall, Trace, policy, simulate
from core.trace.trace import as_session


def history(seed: int) -> list[Message]:
    """Some twenty messages: parallel calls, most answered at once, some late or never."""
    rng, made, waiting = random.Random(seed), list[Message](), list[str]()
    while len(made) < 20:
        i, turn = len(made), rng.random()
        if turn < 0.25:
            made.append(Message(id=f"m{i}", role="user", content="go on"))
        elif turn < 0.35 and waiting:
            made.append(Message(id=f"m{i}", role="tool", content="late " * 20, tool_call_id=waiting.pop()))
        else:
            calls = [
                ToolCall(id=f"c{i}.{k}", name="read", arguments={"path": "x" * 40}) for k in range(rng.randint(0, 3))
            ]
            made.append(Message(id=f"m{i}", role="assistant", content="ok", tool_calls=tuple(calls)))
            for call in calls:
                if rng.random() < 0.8:
                    text = "x" * rng.choice((5, 300))
                    made.append(Message(id=f"m{len(made)}", role="tool", content=text, tool_call_id=call.id))
                else:
                    waiting.append(call.id)
    return made


def test_the_inputs_of_a_call_that_is_still_open_stay() -> None:
    """Its result comes later, so at this call there is nothing to empty: a simulation sees no further than the agent did."""
    asked = Message(
        id="a",
        role="assistant",
        tool_calls=(
            ToolCall(id="now", name="read", arguments={"p": 1}),
            ToolCall(id="late", name="read", arguments={"p": 2}),
        ),
    )
    told = [Message(id=f"t{c}", role="tool", content="x" * 300, tool_call_id=c) for c in ("now", "late")]
    talk = [Message(id=f"{role}{k}", role=role, content="go on") for k in range(3) for role in ("user", "assistant")]
    rule = policy("anthropic.clear_tool_uses", trigger={"tool_uses": 0}, keep=0, clear_tool_inputs=True)
    trace = simulate(as_session([asked, told[0], *talk[:2], told[1], *talk[2:]]), rule)
    seen = [trace.window(i)[0].tool_calls for i in range(len(trace)) if trace.step(i).kind == "compaction"]
    assert [[bool(call.arguments) for call in calls] for calls in seen] == [[False, True], [False, False]]


@pytest.mark.parametrize("seed", range(60))
def test_a_trace_of_emptied_inputs_is_read_back_the_same(seed: int) -> None:
    """Nothing is left in the pool by a look that came to nothing, so every layout names what the trace holds."""
    anthropic = {"trigger": [{"tool_uses": 2}], "keep": seed % 4, "clear_at_least": (None, 1, 10)[seed % 3]}
    langchain = {"trigger": 2, "keep": seed % 4, "clear_at_least": (0, 5, 100)[seed % 3]}
    for name, settings in (("anthropic.clear_tool_uses", anthropic), ("langchain.clear_tool_uses", langchain)):
        trace = simulate(as_session(history(seed)), policy(name, **settings, clear_tool_inputs=True))
        back = Trace.model_validate_json(trace.model_dump_json())
        assert back == trace
        assert [back.window(i) for i in range(len(back))] == [trace.window(i) for i in range(len(trace))]
