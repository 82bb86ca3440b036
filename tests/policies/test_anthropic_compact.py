"""Anthropic's server-side compaction, worked by hand at its least trigger of 50,000 tokens."""

import pytest

from core import Policy, compact, policy, simulate
from core.model.errors import ParameterError
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, RecordingSummarizer, broken, says, shown, window

FULL = "s5000 u10000 a20000 u15000"


def block(trigger: int = 50_000) -> Policy:
    """The policy at this trigger."""
    return policy("anthropic.compact", trigger=trigger)


def test_everything_becomes_a_block_of_the_assistant():
    """At 50,000 tokens all but the system prompt goes, the current question too, and the block is the summary as it is."""
    asked = RecordingSummarizer(" all of it\n")
    found = compact(window(FULL), block(), meter=BY_HAND, summarizer=asked)
    assert (found.status, shown(found.after)) == ("compacted", "s1 S")
    assert (found.after[1].role, found.after[1].content) == ("assistant", " all of it\n")
    assert asked.given == [("u1 a1 u2", None)]


def test_the_trigger_need_only_be_reached():
    """One token less, and nothing is done."""
    assert compact(window("s5000 u10000 a20000 u14999"), block(), meter=BY_HAND).status == "not_triggered"


def test_no_smaller_trigger_is_taken():
    """The API refuses less than 50,000, and 150,000 is its default."""
    assert policy("anthropic.compact").settings == {"trigger": 150_000, "instructions": None}
    with pytest.raises(ParameterError):
        block(49_999)


@pytest.mark.parametrize("summarizer", [broken, says(""), says(" \n")])
def test_a_block_without_content_changes_nothing(summarizer):
    """A summary that failed leaves the prompt as it is."""
    found = compact(window(FULL), block(), meter=BY_HAND, summarizer=summarizer)
    assert (found.status, shown(found.after)) == ("failed", "s1 u1 a1 u2")


def test_a_block_longer_than_what_it_replaces_is_taken():
    """No rule against it is documented."""
    found = compact(window(FULL), block(), meter=BY_HAND, summarizer=says("x" * 300_000))
    assert (found.status, shown(found.after)) == ("inflated", "s1 S")


def test_passes_follow_each_other_and_failures_too():
    """Each pass folds the block before it; where none comes, each call asks again."""
    talk = as_session(window(" ".join(["u5000 a5000"] * 30)))
    asked = RecordingSummarizer("x" * 4000)
    trace = simulate(talk, block(), meter=BY_HAND, summarizer=asked)
    assert [c.at for c in trace.compactions] == [11, 21, 31, 41, 51]
    assert [given.split()[0] for given, _ in asked.given] == ["u1", "S", "S", "S", "S"]
    failed = simulate(talk, block(), meter=BY_HAND, summarizer=broken)
    assert (failed.compactions, len(failed.failed)) == ((), 1)
    assert failed.notes[-1].startswith("25 compaction attempts failed")
