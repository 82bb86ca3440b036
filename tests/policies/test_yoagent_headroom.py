"""yoagent.headroom: targets and windows worked out by hand from its formula."""

import pytest

from core import Compaction, compact, policy, simulate
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, broken, shown, window
from tests.policies.samples import CODING


def done(text: str, **settings: float) -> Compaction:
    """What the policy does to a window, of 100 tokens with none for the system prompt, unless the settings say else."""
    known = {"max_context_tokens": 100, "system_prompt_tokens": 0, "keep_recent": 1, "keep_first": 1, **settings}
    return compact(window(text), policy("yoagent.headroom", **known), meter=BY_HAND, summarizer=broken)


@pytest.mark.parametrize(
    ("turns", "after"),
    [
        (0, "u1 M u3 a3"),  # 70 of the budget of 100; 20 beside the first message hold three of 20, but not four
        (2, "u1 M a3"),  # 120 tokens in 3 turns, so 2 turns grow by 80: of 100, 20 stay full
        (30, "u1 M a3"),  # 30 turns grow by 1,200: the least, 15 tokens, hold nothing; the newest message stays
    ],
)
def test_the_room_that_is_left_grows_with_the_turns(turns: int, after: str) -> None:
    """An average turn counts 40 tokens here."""
    found = done("u20 a20 u20 a20 u20 a20", compact_headroom_turns=turns, compact_target_ratio=0.7)
    assert shown(found.after) == after


def test_the_marker_says_how_many_went_and_results_do_not_lead() -> None:
    """A result whose call went goes with it."""
    found = done("s50 u10 a40(c1) t30(c1) a10 u20", compact_headroom_turns=0)
    assert shown(found.after) == "s1 u1 M a2 u2"
    assert found.put_in[0].content == "[Context compacted: 2 messages removed to fit context window]"


def test_within_the_budget_nothing_goes() -> None:
    """The system prompt is beside the count."""
    assert done("s90 u50 a50").status == "not_triggered"


def test_a_sample_trips_it() -> None:
    """With a limit of 20,000 tokens, of which 4,000 are for the system prompt, a coding session is cut three times."""
    rule = policy("yoagent.headroom", max_context_tokens=20_000)
    trace = simulate(as_session(CODING.messages), rule, meter=BY_HAND, summarizer=broken)
    assert len(trace.compactions) > 1
    assert all(c.removed and c.tokens_after < c.tokens_before for c in trace.compactions)
