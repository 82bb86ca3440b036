"""Semantic Kernel's summarization reducer, worked by hand."""

import pytest

from core import Message, Policy, compact, policy, simulate
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, RecordingSummarizer, broken, says, shown, window


def reducer(target: int, threshold: int = 0) -> Policy:
    """So many messages kept."""
    return policy("semantic_kernel.summary_reducer", target_count=target, threshold_count=threshold)


def after(text: str, target: int, threshold: int = 0) -> tuple[str, str]:
    """The window after a pass and what the summarizer was given."""
    asked = RecordingSummarizer()
    found = compact(window(text), reducer(target, threshold), meter=BY_HAND, summarizer=asked)
    return shown(found.after), asked.given[0][0] if asked.given else found.status


def test_the_newest_stay() -> None:
    """Of six messages four stay, behind the summary; of four of four nothing goes."""
    assert after("u1 a1 u1 a1 u1 a1", 4) == ("S u2 a2 u3 a3", "u1 a1")
    assert after("u1 a1 u1 a1", 4) == ("u1 a1 u2 a2", "not_triggered")
    assert after("u1 a1 u1 a1 u1 a1", 4, 2) == ("u1 a1 u2 a2 u3 a3", "not_triggered")


def test_the_system_message_counts_among_them() -> None:
    """With one in front three others stay."""
    assert after("s1 u1 a1 u1 a1 u1 a1", 4) == ("s1 S a2 u3 a3", "u1 a1 u2")
    assert after("s1 u1 a1 u1", 1) == ("s1 S", "u1 a1 u2")


TOOLS = "u1 a1(c1) t1(c1) a1 u1 a1(c2) t1(c2) a1(c3) t1(c3) a1"


@pytest.mark.parametrize("target", [2, 3, 4, 5])
def test_the_cut_moves_back_to_the_first_of_a_run_of_tools(target: int) -> None:
    """Calls and results that go are not given to the summarizer."""
    assert after(TOOLS, target) == ("S a3 t2 a4 t3 a5", "u1 a2 u2")


def test_with_a_threshold_it_looks_for_a_user_message() -> None:
    """Within three messages in front of where the sizes put the cut, a user message is where it falls."""
    assert after(TOOLS, 6) == ("S u2 a3 t2 a4 t3 a5", "u1 a2")
    assert after(TOOLS, 4, 3) == ("S u2 a3 t2 a4 t3 a5", "u1 a2")


def test_where_only_tools_could_go_nothing_happens() -> None:
    """A run of tools is one run: the cut moves to its start, or to a range without anything to read."""
    text = window("a1(c1) t1(c1) a1(c2) t1(c2) a1(c3) t1(c3) a1(c4) t1(c4)")
    assert compact(text, reducer(3), meter=BY_HAND, summarizer=says("x")).status == "nothing_to_do"
    mixed = window("a1(c1) t1(c1) u1 a1")
    found = compact(mixed, reducer(2), meter=BY_HAND, summarizer=says("x"))
    assert (found.status, found.after) == ("nothing_to_do", mixed)


def test_the_next_pass_folds_the_summary() -> None:
    """An earlier summary is an assistant message that goes like any other."""
    earlier = Message(id="S", role="assistant", content="old", injected="summary")
    asked = RecordingSummarizer()
    text = [
        *window("s1"),
        earlier,
        *window("u1 a1 u1"),
        *(m.model_copy(update={"id": f"n{m.id}"}) for m in window("u1 a1 u1")),
    ]
    found = compact(text, reducer(4), meter=BY_HAND, summarizer=asked)
    assert shown(found.after) == "s1 S nu1 na1 nu2"
    assert asked.given == [("S u1 a1 u2", None)]
    assert found.after[1].role == "assistant"


@pytest.mark.parametrize(("text", "status"), [("", "compacted"), (" ", "compacted"), ("x" * 99, "inflated")])
def test_any_text_is_accepted(text: str, status: str) -> None:
    """An empty summary loses what was said."""
    found = compact(window("u1 a1 u1 a1 u1 a1"), reducer(4), meter=BY_HAND, summarizer=says(text))
    assert (found.status, found.after[0].content) == (status, text)


def test_a_failure_is_raised() -> None:
    """With fail_on_error, which is the default, the history stays and the run ends."""
    text = window("u1 a1 u1 a1 u1 a1")
    found = compact(text, reducer(4), meter=BY_HAND, summarizer=broken)
    assert (found.status, found.after) == ("failed", text)
    assert found.reason.endswith("the run ends")


def test_five_in_a_row() -> None:
    """Each time a turn is written, the window is back at the summary and four messages."""
    trace = simulate(as_session(window("u1 a1 " * 8)), reducer(4), meter=BY_HAND, summarizer=RecordingSummarizer())
    assert [c.at for c in trace.compactions] == [6, 8, 10, 12, 14, 16]
    assert [shown(c.after) for c in trace.compactions][:2] == ["S u2 a2 u3 a3", "S u3 a3 u4 a4"]


def test_an_earlier_summary_is_waited_for_once_more() -> None:
    """Without a system message a summary in front does not count: twelve messages are over eleven, but nothing goes.

    With one message more there is room for the threshold behind the summary.
    """
    earlier = Message(id="S", role="assistant", content="old", injected="summary")
    text = [earlier, *window("u1 a1 u1 a1 u1 a1 u1 a1 u1 a1 u1")]
    assert compact(text, reducer(5, 6), meter=BY_HAND, summarizer=says("x")).status == "nothing_to_do"
    more = compact([*text, *window("a7")], reducer(5, 6), meter=BY_HAND, summarizer=says("x"))
    assert len(more.removed) == 7  # all in front of the user message within six of the newest five
