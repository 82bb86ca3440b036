"""swe_agent.last_n: windows worked out by hand from the rules of the real one."""

import pytest

from core import Compaction, compact, policy, simulate
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, broken, shown, window


def results(count: int) -> str:
    """A task, and so many calls with a result of a hundred tokens each."""
    return "s10 u50 " + " ".join(f"a1(c{i}) t100(c{i})" for i in range(1, count + 1))


def done(count: int, **settings: int) -> Compaction:
    """What the policy does to that window."""
    return compact(window(results(count)), policy("swe_agent.last_n", **settings), meter=BY_HAND, summarizer=broken)


def masked(found: Compaction) -> str:
    """Which results are masked."""
    return " ".join(part for part in shown(found.after).split() if part.endswith("*"))


@pytest.mark.parametrize(
    ("count", "n", "polling", "gone"),
    [
        (5, 5, 1, ""),  # with the task six observations: the first and five more
        (6, 5, 1, "t1*"),
        (5, 2, 1, "t1* t2* t3*"),
        (5, 2, 3, "t1* t2* t3*"),  # six observations: 6 - 2 = 4, less the task
        (6, 2, 3, "t1* t2* t3*"),
        (7, 2, 3, "t1* t2* t3*"),
        (8, 2, 3, "t1* t2* t3* t4* t5* t6*"),  # nine: 9 - 2 = 7
        (1, 2, 3, ""),
        (9, 1, 50, ""),
    ],
)
def test_what_is_masked(count: int, n: int, polling: int, gone: str) -> None:
    """All results but the newest n, in steps of polling."""
    assert masked(done(count, n=n, polling=polling)) == gone


def test_a_mask_says_how_many_lines_there_were() -> None:
    """In place of the text; the message stays what it was else."""
    messages = window("u9 a9(c1) t9(c1) a9(c2) t9(c2) a9(c3) t9(c3)")
    messages[2] = messages[2].model_copy(update={"content": "one\ntwo\n\nfour\n"})
    messages[4] = messages[4].model_copy(update={"content": ""})
    found = compact(messages, policy("swe_agent.last_n", n=1), meter=BY_HAND)
    texts = [(m.content, m.tool_call_id) for m in found.after if m.injected == "cleared"]
    assert texts == [
        ("Old environment output: (4 lines omitted)", "c1"),
        ("Old environment output: (0 lines omitted)", "c2"),
    ]


def test_tokens() -> None:
    """Three masks of 41 characters, eleven tokens each, for three results of a hundred."""
    found = done(5, n=2)
    assert (found.window_before, found.window_after) == (565, 565 - 300 + 33)


def test_each_call_is_sent_another_view() -> None:
    """From the third result on, one more is masked before every call; none comes back."""
    session = as_session(window(results(9) + " a1"))
    trace = simulate(session, policy("swe_agent.last_n", n=2), meter=BY_HAND, summarizer=broken)
    assert [c.cleared for c in trace.compactions] == [(f"t{i}",) for i in range(1, 8)]
    assert [c.at for c in trace.compactions] == [8, 10, 12, 14, 16, 18, 20]
