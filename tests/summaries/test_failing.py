"""The summarizers that fail on purpose: each in its one way, and no more than that."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import meter, policy, simulate
from core.model.errors import FoldlineError
from core.model.session import Session
from core.summaries.failing import FAILURES, Failing, NoSummaryError
from core.summaries.summarizers import summarizer, summarizers
from core.trace.trace import as_session
from tests.support import assistant, result, sessions, system, user


def test_each_has_a_name_and_a_line_that_says_what_it_is_for():
    """They stand among the summarizers, after those that work, and are marked as failures."""
    known = {info.name: info for info in summarizers()}
    assert (
        list(known)[-4:]
        == ["empty", "white space", "error", "too long"]
        == [n for n, one in known.items() if one.fails]
    )
    assert all(known[name].label and ", to see " in known[name].about for name in FAILURES)
    assert [summarizer(name).name for name in FAILURES] == list(FAILURES)


def test_what_they_say():
    """Nothing, white space alone, and an error that people can read."""
    assert Failing("empty")([user("a")], None) == ""
    assert (Failing("white space")([user("a")], None) or "x").strip() == ""
    with pytest.raises(NoSummaryError, match="did not answer"):
        Failing("error")([user("a")], None)
    assert issubclass(NoSummaryError, FoldlineError)


@given(session=sessions(), prior=st.one_of(st.none(), st.text(max_size=500)))
def test_too_long_is_longer_than_what_it_replaces_by_every_meter(session: Session, prior: str | None):
    """By any meter the text alone counts more than all the messages it was given."""
    text = Failing("too long")(session.messages, prior)
    for name in ("agentkit", "agentlib", "o200k_base"):
        counted = meter(name)
        given = sum(map(counted.count, session.messages)) + counted.count(user(prior or ""))
        assert counted.count(assistant(text)) > given


def test_too_long_does_not_grow_without_end():
    """Given its own long text among the messages or apart, it says a few words: a long run of passes stays small."""
    long = Failing("too long")([result("c", "x" * 100)], None)
    assert Failing("too long")([user(f"[summary]\n{long}"), user("go on")], None) == Failing("too long")([], long)
    assert len(Failing("too long")([], long)) < 60
    talk = as_session([system("s"), *(m for _ in range(2000) for m in (user("x" * 99), assistant("y" * 99)))])
    trace = simulate(talk, policy("agentkit.memory", budget=400, keep_recent=2), summarizer=Failing("too long"))
    assert {c.status for c in trace.compactions} >= {"inflated", "compacted"}
    assert sum(len(m.content) for c in trace.compactions for m in c.added) < 20 * sum(
        len(m.content) for m in talk.messages
    )


def test_a_policy_says_whether_it_writes_summaries():
    """One that only clears or drops has no use for a summarizer; one with a stage that summarizes does."""
    assert policy("agentkit.memory").writes_summaries
    assert not policy("anthropic.clear_tool_uses").writes_summaries
    assert not policy("langchain.trim").writes_summaries
