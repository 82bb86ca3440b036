"""Claude Code's microcompaction by time, worked by hand: two results are kept, after a pause of more than an hour."""

from typing import Any

from core import Message, Policy, compact, policy, simulate
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, shown, window

FIVE = "u9 a9(c1:Read) t500(c1:Read) a9(c2:Bash) t300(c2:Bash) a9(c3:mcp__x) t400(c3:mcp__x) a9(c4:Grep) t200(c4:Grep)"
CLEARED = "[Old tool result content cleared]"


def micro(**settings: Any) -> Policy:
    """The policy that keeps two results."""
    return policy("claude_code.microcompact", **{"keepRecent": 2, **settings})


def at(clock: str, message: Message) -> Message:
    """The message at a time of the day."""
    return message.model_copy(update={"timestamp": f"2026-01-01T{clock}:00Z"})


def talk(text: str, clock: str = "09:59", reply: str = "10:00", last: str = "11:01") -> list[Message]:
    """Messages of one time, the last assistant message and the last message of all at times of their own."""
    messages = [at(clock, m) for m in window(text)]
    newest = max(i for i, m in enumerate(messages) if m.role == "assistant")
    messages[newest] = at(reply, messages[newest])
    return [*messages[:-1], at(last, messages[-1])]


def test_after_61_minutes_all_but_the_newest_two_of_its_own_tools_are_emptied():
    """The oldest of Read, Bash and Grep is emptied; the tool of another server is neither counted nor touched."""
    found = compact(talk(f"{FIVE} u5"), micro(), meter=BY_HAND)
    assert shown(found.after) == "u1 a1 t1* a2 t2 a3 t3 a4 t4 u2"
    assert (found.after[2].content, found.after[2].tool_call_id) == (CLEARED, "c1")
    assert (found.tokens_before, found.tokens_after) == (1450, 1450 - 500 + 9)
    assert found.reason == "61 minutes since the last reply > 60"
    assert (found.cleared, found.removed, found.summary) == (("t1",), (), None)


def test_minutes_are_told_to_a_tenth():
    """61 minutes and 2 seconds are 61.1: no more digits than a person reads, and never below the limit that was passed."""
    *messages, newest = talk(f"{FIVE} u5")
    late = newest.model_copy(update={"timestamp": "2026-01-01T11:01:02Z"})
    assert compact([*messages, late], micro(), meter=BY_HAND).reason == "61.1 minutes since the last reply > 60"


def test_60_minutes_are_not_more_than_60():
    """At 60 minutes nothing is done, and nothing either where times are missing or nobody has replied."""
    assert compact(talk(f"{FIVE} u5", last="11:00"), micro(), meter=BY_HAND).status == "not_triggered"
    assert compact(window(f"{FIVE} u5"), micro(), meter=BY_HAND).status == "not_triggered"
    unanswered = [at(clock, m) for clock, m in zip(("09:00", "11:30"), window("u9 u9"), strict=True)]
    assert compact(unanswered, micro(), meter=BY_HAND).status == "not_triggered"


def test_tokens_play_no_part():
    """A window of a million tokens without a pause is left alone."""
    assert compact(talk(f"{FIVE} u1000000", last="10:02"), micro(), meter=BY_HAND).status == "not_triggered"


def test_at_least_one_result_is_kept():
    """With keepRecent 0 the newest result stays all the same."""
    found = compact(talk(f"{FIVE} u5"), micro(keepRecent=0), meter=BY_HAND)
    assert found.cleared == ("t1", "t2")


def test_where_no_more_than_are_kept_are_there_nothing_is_done():
    """Three results of its own tools and keepRecent 3: nothing to clear."""
    assert compact(talk(f"{FIVE} u5"), micro(keepRecent=3), meter=BY_HAND).status == "nothing_to_do"


def test_results_without_a_token_are_not_worth_it():
    """Emptying empty results saves nothing, so there is no pass."""
    empty = "u9 a9(c1:Read) t0(c1:Read) a9(c2:Read) t0(c2:Read) a9(c3:Read) t0(c3:Read) u5"
    assert compact(talk(empty), micro(), meter=BY_HAND).status == "nothing_to_do"


def test_a_result_shorter_than_the_placeholder_grows():
    """Results are not weighed one by one: a window can become larger."""
    short = "u9 a9(c1:Read) t2(c1:Read) a9(c2:Read) t2(c2:Read) a9(c3:Read) t2(c3:Read) u5"
    found = compact(talk(short), micro(), meter=BY_HAND)
    assert (found.status, found.cleared) == ("inflated", ("t1",))


def test_pause_after_pause():
    """Six pauses of two hours with a read between: each empties what is no longer among the newest two, once."""
    messages = []
    for i in range(8):
        hour = f"{2 * i:02}"
        turn = window(f"u9 a9(c{i}:Read) t100(c{i}:Read) a9")
        messages += [at(f"{hour}:{k}0", m).model_copy(update={"id": f"{m.id}-{i}"}) for k, m in enumerate(turn)]
    trace = simulate(as_session(messages), micro(), meter=BY_HAND)
    assert [c.cleared for c in trace.compactions] == [(f"t1-{i}",) for i in range(5)]
    assert [c.at for c in trace.compactions] == [13, 17, 21, 25, 29]
    assert len(trace.window(len(trace) - 1)) == len(messages)


def test_nothing_new_is_cleared_twice():
    """A second pause with only a reply in between finds nothing left to empty."""
    messages = [*talk(f"{FIVE} u5"), at("11:02", window("a7")[0].model_copy(update={"id": "x"}))]
    messages += [at("13:30", window("u7")[0].model_copy(update={"id": "y"})), at("13:31", window("a7")[0])]
    assert len(simulate(as_session(messages), micro(), meter=BY_HAND).compactions) == 1
