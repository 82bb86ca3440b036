"""llamaindex.summary_buffer: windows worked out by hand from the rules of the library."""

import pytest

from core import Compaction, compact, policy, simulate
from core.model.session import Message
from core.summaries.summarizers import Summarizer
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, RecordingSummarizer, broken, says, shown, window


def done(text: str | list[Message], limit: int = 25, summarizer: Summarizer | None = None) -> Compaction:
    """What the policy does to a window."""
    messages = window(text) if isinstance(text, str) else text
    rules = policy("llamaindex.summary_buffer", token_limit=limit)
    return compact(messages, rules, meter=BY_HAND, summarizer=summarizer or says("sum"))


@pytest.mark.parametrize(
    ("text", "limit", "after"),
    [
        ("u10 a10 u10 a10 u10", 25, "S u3"),  # a2 u3 fit, and a2 moves over to what goes
        ("u10 a10 u10 a10 u10", 50, "u1 a1 u2 a2 u3"),
        ("u10 a10 u10 a10 u10", 49, "S u2 a2 u3"),
        ("u10 a10 u50", 25, "S"),  # the question is folded with the rest
        ("u10 a10 u5 a5", 8, "S"),  # a2 fits and moves over: nothing is left
        ("s10 u10 a10", 25, "s1 u1 a1"),  # a lone system message is put back
        ("s10 u10 a10 u10 a10", 25, "S u2 a2"),
        ("s10 u10 a10 u10 a10 u10", 25, "S u3"),  # with others the system message is folded
        ("a5(c1) t5(c1) u5", 25, "S u1"),  # all fits, but nothing may begin with a reply or a result
        ("u10 a10(c1) t10(c1) a5 s5 u5", 25, "S s1 u2"),  # a system message may come first
    ],
)
def test_what_stays(text: str, limit: int, after: str) -> None:
    """The longest tail that fits, from a user or system message on."""
    assert shown(done(text, limit).after) == after


def test_the_summary_is_a_system_message_of_its_words_alone() -> None:
    """No prefix, no reply, and white space stays."""
    found = done("u10 a10 u10 a10 u10", summarizer=says(" sum\n"))
    assert (found.after[0].role, found.after[0].content) == ("system", " sum\n")


def test_a_summary_that_stands_alone_in_front_is_put_back() -> None:
    """Where only it no longer fits there is no second pass; with more it is folded into the next."""
    asked = RecordingSummarizer("x" * 80)  # 20 tokens
    first = done("u10 a10 u10 a10 u10", 25, asked)
    assert shown(first.after) == "S u3"
    assert (done(first.after, 25, asked).status, len(asked.given)) == ("nothing_to_do", 1)
    second = done([*first.after, *window("u1 a10 u10")[1:]], 25, asked)
    assert asked.given[1:] == [("S u3 a1", None)]
    assert shown(second.after) == "S u2"


@pytest.mark.parametrize(("reply", "status"), [("", "compacted"), ("  ", "compacted"), ("x" * 400, "inflated")])
def test_any_summary_is_stored(reply: str, status: str) -> None:
    """An empty one, and one that is longer than all it stands for."""
    found = done("u10 a10 u10 a10 u10", summarizer=says(reply))
    assert (found.status, found.after[0].content, shown(found.after)) == (status, reply, "S u3")


def test_a_summarizer_that_fails_ends_the_run() -> None:
    """What the library's own store loses then is not lost here."""
    found = done("u10 a10 u10 a10 u10", summarizer=broken)
    assert (found.status, shown(found.after)) == ("failed", "u1 a1 u2 a2 u3")


def test_many_reads_follow_each_other() -> None:
    """Before each reply 25 tokens hold the reply and question of before: the reply goes, and the question stays."""
    session = as_session(window("u10 a10 " * 8))
    rules = policy("llamaindex.summary_buffer", token_limit=25)
    trace = simulate(session, rules, meter=BY_HAND, summarizer=says("sum"))
    assert [c.at for c in trace.compactions] == [3, 5, 7, 9, 11, 13, 15]
    assert [shown(c.after) for c in trace.compactions][:3] == ["S u2", "S u3", "S u4"]


@pytest.mark.parametrize(("limit", "after"), [(21, "u1 a1 t1 u2 a2"), (20, "S u2 a2")])
def test_a_reply_that_only_calls_tools_counts_a_word(limit: int, after: str) -> None:
    """Its missing text is the word "None" to the library: five tokens four times, and one more."""
    assert shown(done("u5 a0(c1) t5(c1) u5 a5", limit).after) == after


def test_it_counts_a_word_in_a_window_that_was_compacted_too() -> None:
    """The sweep over a growing window and a look at each say the same; a call beside a text counts nothing more."""
    session = as_session(window("u9 a0(c1) t9(c1) a0(c2) t9(c2) a9(c3) t9(c3) " * 4))
    rules = policy("llamaindex.summary_buffer", token_limit=38)
    trace = simulate(session, rules, meter=BY_HAND, summarizer=says("sum"))
    assert trace.compactions
    sizes = [(trace.counted(i), trace.step(i).tokens, trace.window(i)) for i in range(len(trace))]
    assert {counted - tokens for counted, tokens, _ in sizes} == {0, 1, 2}
    assert all(counted - tokens == sum(not m.content for m in found) for counted, tokens, found in sizes)
