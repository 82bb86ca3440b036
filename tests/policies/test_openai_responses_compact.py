"""OpenAI's compaction of the Responses API, worked by hand: an item of 50 tokens whose content nobody can read."""

from typing import Any

from core import Policy, compact, policy, simulate
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, RecordingSummarizer, broken, shown, window

LIST = "u20 a50 a10(c1) t200(c1) u15 a40"


def item(**settings: Any) -> Policy:
    """The policy with an item of 50 tokens."""
    return policy("openai.responses_compact", **{"compact_threshold": 1000, "item_tokens": 50, **settings})


def test_the_standalone_call_keeps_every_user_message_in_front_of_the_item():
    """What was typed stays in order, everything else is in the item behind it: 335 tokens become 35 and the item's."""
    found = compact(window(LIST), item(standalone=True), meter=BY_HAND, force=True)
    assert shown(found.after) == "u1 u2 S"
    assert (found.tokens_before, found.tokens_after) == (335, 85)
    assert found.removed == ("a1", "a2", "t1", "a3")


def test_a_second_standalone_call_folds_the_first_item():
    """The newer item takes the older one's place, behind all that was typed."""
    once = compact(window(LIST), item(standalone=True), meter=BY_HAND, force=True)
    more = [m.model_copy(update={"id": f"{m.id}'"}) for m in window("a90 u10")]
    again = compact([*once.after, *more], item(standalone=True), meter=BY_HAND, force=True)
    assert shown(again.after) == "u1 u2 u1' S"


def test_in_the_stream_the_item_stands_for_everything():
    """At 1,000 tokens all but the system prompt is in the item, what was just typed too; at 999 nothing is done."""
    found = compact(window("s10 u20 a900 u70"), item(), meter=BY_HAND)
    assert (found.status, shown(found.after), found.tokens_after) == ("compacted", "s1 S", 60)
    assert compact(window("s10 u20 a900 u69"), item(), meter=BY_HAND).status == "not_triggered"


def test_the_item_says_that_it_cannot_be_read():
    """Its content is no summary, its size is the one that was assumed, and no summarizer is asked."""
    asked = RecordingSummarizer()
    found = compact(window(LIST), item(item_tokens=7), meter=BY_HAND, summarizer=asked, force=True)
    assert (found.added[0].role, found.added[0].content[:10], found.added_tokens) == ("assistant", "(encrypted", (7,))
    assert asked.given == []
    assert compact(window(LIST), item(), meter=BY_HAND, summarizer=broken, force=True).status == "compacted"


def test_an_item_larger_than_what_it_replaces_is_called_inflated():
    """An assumed size beyond the window's makes it larger."""
    assert compact(window("u20 a20"), item(item_tokens=99), meter=BY_HAND, force=True).status == "inflated"


def test_passes_follow_each_other():
    """In the stream one item is left each time; standalone, everything that was typed gathers in front of it."""
    talk = as_session(window(" ".join(["u100 a100"] * 40)))
    trace = simulate(talk, item(), meter=BY_HAND)
    assert [c.at for c in trace.compactions] == [11, 21, 31, 41, 51, 61, 71]
    assert all(shown(c.after) == "S" for c in trace.compactions)
    alone = simulate(talk, item(standalone=True, compact_threshold=4000), meter=BY_HAND)
    assert len(alone.compactions) > 5
    assert shown(alone.window(len(alone) - 1)).split()[:40] != shown(alone.window(0)).split()
    assert all(c.after[-1].injected == "summary" for c in alone.compactions)
