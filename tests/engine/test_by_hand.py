"""Messages as people make them by hand."""

import pytest
from pydantic import ValidationError

from core import Message, ToolCall, Trace, compact, meter, policy, simulate
from core.trace.trace import as_session


def test_none_is_the_default_everywhere() -> None:
    """A message written as the wire has it, with null for what is not there, is one."""
    nothing = dict.fromkeys(Message.model_fields.keys() - {"role"}, None)
    message = Message(role="user", **nothing)

    assert (message.content, message.tool_calls, message.model, message.is_error) == ("", (), "", False)
    assert ToolCall(id=None, name="f", arguments=None) == ToolCall(name="f")


def test_arguments_may_be_json_text() -> None:
    """As OpenAI writes them; text that is no object is kept raw."""
    assert ToolCall(name="f", arguments='{"a": 1}').arguments == {"a": 1}
    assert ToolCall(name="f", arguments="[1").raw == "[1"
    assert ToolCall(name="f", arguments={"a": float("nan")}).arguments == {"a": None}


def test_an_id_is_made_of_what_is_said() -> None:
    """The same words give the same id, however the call was written; other words another; a number becomes text."""
    call = {"id": "c", "name": "f", "arguments": {"a": 1}}
    one, same = (Message(role="assistant", tool_calls=[c]) for c in (call, ToolCall(**call)))

    assert one.id == same.id
    assert one.id != Message(role="assistant", tool_calls=[call | {"name": "g"}]).id
    assert Message(id=7, role="user").id == "7"


def test_the_contract_may_be_called_by_place() -> None:
    """compact(window, policy, meter, summarizer, force), simulate(session, policy, meter); any iterable will do."""
    talk = [Message(role="user", content=f"message number {i}") for i in range(6)]
    rules = policy("agentkit.memory", budget=10, keep_recent=2)

    found = compact(iter(talk), rules, meter("agentkit"), lambda messages, prior: "short", True)

    assert (found.status, len(found.removed), len(found.after)) == ("still_over_budget", 4, 3)
    assert compact(talk, rules).tokens_before == sum(map(meter("agentkit").count, talk))
    assert simulate(as_session(talk), rules, meter("agentkit")).meter == "agentkit"


def test_a_trace_from_the_future_is_refused() -> None:
    """A newer version is not read as if it were this one."""
    trace = simulate(as_session([Message(role="user", content="a")]), policy("agentkit.memory"))
    with pytest.raises(ValidationError, match="version"):
        Trace.model_validate(trace.model_dump() | {"version": 99})
