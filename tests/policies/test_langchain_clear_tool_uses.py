"""langchain.clear_tool_uses: windows worked out by hand from the rules of the library."""

from typing import Any

import pytest

from core import Compaction, compact, policy, simulate
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, broken, shown, window

TEXT = "u10 a10(c1:f,c2:h) t50(c1) t50(c2) a5(c3:f) t50(c3) a10 t5(c3)"  # 190 tokens


def done(text: str = TEXT, **settings: Any) -> Compaction:
    """What the policy does to a window."""
    return compact(window(text), policy("langchain.clear_tool_uses", **settings), meter=BY_HAND, summarizer=broken)


@pytest.mark.parametrize(
    ("settings", "after"),
    [
        ({"trigger": 100, "keep": 1}, "u1 a1 t1* t2* a2 t3* a3 t4"),
        ({"trigger": 100, "keep": 2}, "u1 a1 t1* t2* a2 t3 a3 t4"),  # t4 counts although it is never cleared
        ({"trigger": 100, "keep": 0}, "u1 a1 t1* t2* a2 t3* a3 t4"),  # t4 stands behind a3, which called nothing
        ({"trigger": 100, "keep": 0, "exclude_tools": ["h"]}, "u1 a1 t1* t2 a2 t3* a3 t4"),
        ({"trigger": 100, "keep": 0, "clear_at_least": 47}, "u1 a1 t1* t2 a2 t3 a3 t4"),  # 50 to 3: 47 freed
        ({"trigger": 100, "keep": 0, "clear_at_least": 48}, "u1 a1 t1* t2* a2 t3 a3 t4"),
        ({"trigger": 100, "keep": 0, "clear_at_least": 900}, "u1 a1 t1* t2* a2 t3* a3 t4"),  # what is cleared stays so
        ({"trigger": 190}, "u1 a1 t1 t2 a2 t3 a3 t4"),  # 190 is not more than 190
        ({"trigger": 189, "keep": 4}, "u1 a1 t1 t2 a2 t3 a3 t4"),
    ],
)
def test_what_is_cleared(settings: dict[str, Any], after: str) -> None:
    """The oldest results of calls made right before them, but for the newest keep, until enough is freed."""
    assert shown(done(**settings).after) == after


def test_a_cleared_body_is_the_placeholder() -> None:
    """Results keep their role and the call they answer; nothing is added or removed."""
    found = done(trigger=100, keep=1, placeholder="gone")
    assert [m.content for m in found.after if m.injected == "cleared"] == ["gone"] * 3
    assert [(m.id, m.tool_call_id) for m in found.after] == [(m.id, m.tool_call_id) for m in window(TEXT)]


def test_inputs_are_emptied_call_by_call() -> None:
    """With c2's tool excluded only c1 and c3 lose their arguments."""
    messages = window(TEXT)
    for i in (1, 4):
        made = tuple(c.model_copy(update={"arguments": {"x": 1}}) for c in messages[i].tool_calls)
        messages[i] = messages[i].model_copy(update={"tool_calls": made})
    rules = policy("langchain.clear_tool_uses", trigger=100, keep=0, exclude_tools=["h"], clear_tool_inputs=True)
    found = compact(messages, rules, meter=BY_HAND)
    assert [[c.arguments for c in m.tool_calls] for m in found.after if m.tool_calls] == [[{}, {"x": 1}], [{}]]


def test_a_call_whose_result_stays_keeps_its_inputs() -> None:
    """The cut falls between the two results of one reply: only the first call is emptied."""
    messages = window("u10 a10(c1:f,c2:f) t50(c1) t50(c2)")
    made = tuple(c.model_copy(update={"arguments": {"x": 1}}) for c in messages[1].tool_calls)
    messages[1] = messages[1].model_copy(update={"tool_calls": made})
    rules = policy("langchain.clear_tool_uses", trigger=100, keep=1, clear_tool_inputs=True)
    found = compact(messages, rules, meter=BY_HAND)
    assert [c.arguments for c in found.after[1].tool_calls] == [{}, {"x": 1}]
    assert shown(found.after) == "u1 a1* t1* t2"


def test_a_placeholder_can_be_longer_than_what_it_stands_for() -> None:
    """Three tokens for one: the window is larger than before, and that is said."""
    assert done("u100 a1(c1) t1(c1) a1", trigger=100, keep=0).status == "inflated"


def test_the_history_is_counted_and_each_view_made_anew() -> None:
    """Cleared or not, what arrived counts: from more than 100 tokens on, each call is sent with one whole result."""
    session = as_session(window("u10 " + " ".join(f"a5(c{i}) t45(c{i})" for i in range(8)) + " a5"))
    trace = simulate(
        session, policy("langchain.clear_tool_uses", trigger=100, keep=1), meter=BY_HAND, summarizer=broken
    )
    assert [shown(c.after) for c in trace.compactions][:2] == ["u1 a1 t1* a2 t2", "u1 a1 t1* a2 t2* a3 t3"]
    assert [c.at for c in trace.compactions] == [5, 7, 9, 11, 13, 15, 17]
    assert [c.cleared for c in trace.compactions][:3] == [("t1",), ("t2",), ("t3",)]
    assert trace.steps[-1].tokens == 10 + 9 * 5 + 7 * 3 + 45
