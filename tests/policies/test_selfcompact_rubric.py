"""selfcompact.rubric: when it acts, by what the messages show."""

import pytest

from core import Message, compact, policy, simulate
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, says, shown, window
from tests.policies.samples import CODING

RULE = policy("selfcompact.rubric", min_tokens=50)


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("s5 u20 a20(c1) t20(c1) a5", "s1 u1 S"),  # answered after a call that went well
        ("u20 a20 u20 a20", "u1 S"),  # answered without a call
        ("u20 a20(c1) t20(c1)", "u1 a1 t1"),  # in the middle
        ("u20 a20(c1) t20(c1) a5 u5", "u1 a1 t1 a2 u2"),  # asked again, not answered
        ("u20 a20(c1:compact) t20(c1)", "u1 S"),  # the model's own choice
        ("u20 a20(c1:compact,c2) t20(c1) t9(c2)", "u1 S"),
        ("u20 a20(c1:compact) t20(c1) a5(c2) t5(c2)", "u1 a1 t1 a2 t2"),  # an earlier one is no choice now
        ("u20 a5", "u1 a1"),  # too small
    ],
)
def test_when_it_acts(text: str, after: str) -> None:
    """Everything behind the first message becomes the summary, or nothing."""
    assert shown(compact(window(text), RULE, meter=BY_HAND, summarizer=says("sum")).after) == after


def test_after_a_failure_it_waits() -> None:
    """The answer behind a call that failed is no end of a part."""
    *front, result, answer = window("u20 a20(c1) t20(c1) a5")
    failed = result.model_copy(update={"is_error": True})
    found = compact([*front, failed, answer], RULE, meter=BY_HAND, summarizer=says("sum"))
    assert found.status == "nothing_to_do"


def test_a_sample_trips_it() -> None:
    """Each time at the end of a turn: the newest message is an answer."""
    rule = policy("selfcompact.rubric", min_tokens=8_000)
    trace = simulate(as_session(CODING.messages), rule, meter=BY_HAND, summarizer=says("sum"))
    newest: list[Message] = [c.before[-1] for c in trace.compactions if c.acted]
    assert newest
    assert all(m.role == "assistant" and not m.tool_calls for m in newest)
