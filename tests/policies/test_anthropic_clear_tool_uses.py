"""Anthropic's clearing of tool uses, worked by hand: above 100 tokens all results but the newest are emptied."""

from typing import Any

import pytest

from core import Policy, compact, policy, simulate
from core.model.errors import ParameterError
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, shown, window

# 10 + 10 + 5 + 40 + 5 + 30 + 5 + 20 = 125; the placeholder counts 7
THREE = "s10 u10 a5(c1:read) t40(c1:read) a5(c2:grep) t30(c2:grep) a5(c3:read) t20(c3:read)"


def clears(**settings: Any) -> Policy:
    """The policy that acts above 100 tokens and keeps one result."""
    return policy("anthropic.clear_tool_uses", **{"trigger": {"input_tokens": 100}, "keep": 1, **settings})


def test_all_results_but_the_newest_are_emptied():
    """Two of three results become the placeholder; nothing else changes, and nothing is put in."""
    found = compact(window(THREE), clears(), meter=BY_HAND)
    assert shown(found.after) == "s1 u1 a1 t1* a2 t2* a3 t3"
    assert (found.tokens_before, found.tokens_after) == (125, 125 - 70 + 2 * 7)
    assert found.after[3].content == "[cleared to save context]"
    assert [m.tool_call_id for m in found.after if m.role == "tool"] == ["c1", "c2", "c3"]
    assert [m.tool_calls[0].id for m in found.after if m.tool_calls] == ["c1", "c2", "c3"]


def test_the_trigger_must_be_exceeded():
    """125 tokens of 125 are none too many, and three tool uses not more than three; two are exceeded by three."""
    assert compact(window(THREE), clears(trigger={"input_tokens": 125}), meter=BY_HAND).status == "not_triggered"
    assert compact(window(THREE), clears(trigger={"input_tokens": 124}), meter=BY_HAND).acted
    assert compact(window(THREE), clears(trigger={"tool_uses": 3}), meter=BY_HAND).status == "not_triggered"
    assert compact(window(THREE), clears(trigger="tool_uses:2"), meter=BY_HAND).reason == "3 tool results > 2"


@pytest.mark.parametrize(("least", "cleared"), [(56, ("t1", "t2")), (57, ())])
def test_what_is_freed_must_be_worth_it(least, cleared):
    """Two results of 70 tokens become two placeholders of 7: 56 are freed, and not one more."""
    found = compact(window(THREE), clears(clear_at_least=least), meter=BY_HAND)
    assert found.cleared == cleared
    assert found.status == ("compacted" if cleared else "nothing_to_do")


def test_excluded_tools_keep_their_results():
    """The results of an excluded tool stay, however old."""
    assert compact(window(THREE), clears(exclude_tools=["read"]), meter=BY_HAND).cleared == ("t2",)


def test_inputs_are_emptied_with_their_results():
    """With clear_tool_inputs the calls lose their arguments too, those whose results stay do not."""
    messages = [
        m.model_copy(update={"tool_calls": tuple(c.model_copy(update={"arguments": {"x": 1}}) for c in m.tool_calls)})
        for m in window(THREE)
    ]
    found = compact(messages, clears(clear_tool_inputs=True), meter=BY_HAND)
    assert [c.arguments for m in found.after for c in m.tool_calls] == [{}, {}, {"x": 1}]
    kept = compact(messages, clears(), meter=BY_HAND)
    assert [c.arguments for m in kept.after for c in m.tool_calls] == [{"x": 1}] * 3


def test_the_history_is_counted_not_what_was_sent():
    """Once the history is over the trigger every request is edited anew, though what is sent is far below it."""
    talk = window("u10 " + " ".join(f"a5(c{i}) t40(c{i})" for i in range(12)) + " a5")
    trace = simulate(as_session(talk), clears(trigger={"input_tokens": 150}), meter=BY_HAND)
    assert [c.at for c in trace.compactions] == [9, 11, 13, 15, 17, 19, 21, 23, 25]
    assert [c.cleared for c in trace.compactions[:3]] == [("t1", "t2", "t3"), ("t4",), ("t5",)]
    last = trace.window(len(trace) - 1)
    assert shown(last).count("*") == 11
    assert (
        trace.compactions[0].tokens_after + 45 < 150
    )  # what is sent next is below the trigger, and is edited all the same


def test_a_request_is_whole_again_where_too_little_could_be_cleared():
    """The first result frees 33 tokens; with the second, smaller than the placeholder, 29, which is less than 30."""
    talk = window("u10 a5(c1) t40(c1) a5(c2) t3(c2) a5(c3) t3(c3) a5")
    trace = simulate(as_session(talk), clears(trigger={"tool_uses": 1}, clear_at_least=30), meter=BY_HAND)
    assert [(c.at, shown(c.after)) for c in trace.compactions] == [
        (5, "u1 a1 t1* a2 t2"),
        (7, "u1 a1 t1 a2 t2 a3 t3"),
    ]


def test_settings():
    """The defaults of the documentation, and what cannot be asked for."""
    assert policy("anthropic.clear_tool_uses").settings == {
        "trigger": [{"input_tokens": 100_000}],
        "keep": 3,
        "clear_at_least": None,
        "exclude_tools": [],
        "clear_tool_inputs": False,
    }
    with pytest.raises(ParameterError):
        clears(trigger={"messages": 3})
