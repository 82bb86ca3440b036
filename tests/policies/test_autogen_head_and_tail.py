"""autogen.head_and_tail: windows worked out by hand from the rules of the library."""

import pytest

from core import Compaction, compact, policy, simulate
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, broken, shown, window


def done(text: str, head_size: int, tail_size: int) -> Compaction:
    """What the policy does to a window."""
    rule = policy("autogen.head_and_tail", head_size=head_size, tail_size=tail_size)
    return compact(window(text), rule, meter=BY_HAND, summarizer=broken)


@pytest.mark.parametrize(
    ("text", "head", "tail", "after", "told"),
    [
        ("u9 a9 u9 a9 u9 a9", 1, 2, "u1 M u3 a3", "Skipped 3 messages."),
        ("s5 u9 a9 u9 a9 u9 a9", 1, 2, "s1 u1 M u3 a3", "Skipped 3 messages."),  # the system prompt is beside it
        ("u9 a9(c1) t9(c1) a9 u9 a9", 2, 2, "u1 M u2 a3", "Skipped 2 messages."),  # its call goes from the head
        ("u9 a9 u9 a9(c1) t9(c1) a9", 1, 2, "u1 M a3", "Skipped 3 messages."),  # the result from the tail
        ("u9 a9(c1) t9(c1) a9(c2) t9(c2) a9", 2, 2, "u1 M a3", "Skipped 2 messages."),  # four are gone
        (
            "u9 a9(c1,c2) t9(c1) t9(c2)",
            1,
            1,
            "u1 M",
            "Skipped 1 messages.",
        ),  # the results are one message, the whole tail
        ("u9 a9(c1,c2) t9(c1) t9(c2) a9", 1, 2, "u1 M a2", "Skipped 1 messages."),  # the two results are one message
        ("u9 a9(c1,c2) t9(c1) t9(c2) a9 u9", 3, 1, "u1 a1 t1 t2 M u2", "Skipped 1 messages."),
        ("a9(c1) t9(c1) u9 a9", 1, 1, "M a2", "Skipped 2 messages."),
    ],
)
def test_what_is_sent(text: str, head: int, tail: int, after: str, told: str) -> None:
    """Head, a message that says how many were skipped, tail; no call or result stands alone at the gap."""
    found = done(text, head, tail)
    assert shown(found.after) == after
    assert [m.content for m in found.after if m.role == "user" and m.injected == "marker"] == [told]


def test_a_short_history_is_sent_whole() -> None:
    """With no more messages than head and tail hold nothing goes, also where the head ends with a call."""
    found = done("s9 u9 a9(c1) t9(c1) a9", 2, 2)
    assert (found.status, shown(found.after)) == ("nothing_to_do", "s1 u1 a1 t1 a2")


def test_each_call_is_sent_a_view_of_the_whole_history() -> None:
    """The number grows with the history: what was skipped once is counted again."""
    session = as_session(window("u20 a20 " * 4))
    rule = policy("autogen.head_and_tail", head_size=1, tail_size=2)
    trace = simulate(session, rule, meter=BY_HAND, summarizer=broken)
    assert [(c.at, shown(c.after), c.put_in[0].content) for c in trace.compactions] == [
        (5, "u1 M a2 u3", "Skipped 2 messages."),
        (7, "u1 M a3 u4", "Skipped 4 messages."),
    ]
