"""OpenHands' condenser, worked by hand; the golden vectors are in test_parity_openhands."""

from typing import Any

import pytest

from core import Policy, compact, policy, simulate
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, RecordingSummarizer, broken, says, shown, window


def condenser(**settings: Any) -> Policy:
    """Eight messages at most, the first one kept."""
    return policy("openhands.llm_summarizing", **{"max_size": 8, "keep_first": 1, "max_tokens": 10_000, **settings})


NINE = window("u1 a1 u1 a1 u1 a1 u1 a1 u1")


def test_the_first_and_the_newest_stay() -> None:
    """Of nine messages the first stays and the newest 8 // 2 - 1 - 1 = 2; the summary is the user's, its text alone."""
    asked = RecordingSummarizer("what was said")
    found = compact(NINE, condenser(), meter=BY_HAND, summarizer=asked)
    assert shown(found.after) == "u1 S a4 u5"
    assert (found.after[1].role, found.after[1].content) == ("user", "what was said")
    assert asked.given == [("a1 u2 a2 u3 a3 u4", None)]
    assert found.reason == "9 messages > 8"


def test_both_ends_move_forward_off_open_calls() -> None:
    """The head takes both calls' results with it, the cut too: 12 // 2 - 2 - 1 = 3 stay at most."""
    text = "u1 a1(c1,c2) t1(c1) t1(c2) a1 u1 a1(c3,c4) t1(c3) t1(c4) a1 u1"
    rules = condenser(max_size=10, keep_first=2)  # two of eleven stay at most: from the answer on
    assert shown(compact(window(text), rules, meter=BY_HAND, summarizer=says("")).after) == "u1 a1 t1 t2 S a4 u3"


def test_a_call_that_is_never_answered_stops_it() -> None:
    """No place behind the open call will do: nothing happens, again and again."""
    text = window("u1 a1 a1(c1) u1 a1 u1 a1 u1 a1")
    found = compact(text, condenser(), meter=BY_HAND, summarizer=says("x"))
    assert (found.status, found.after) == ("nothing_to_do", text)


def test_too_many_tokens_take_what_leaves_half() -> None:
    """Of 100 tokens 90 are allowed: more than 100 - 45 = 55 go behind the system prompt, which takes four messages."""
    text = window("s10 u10 a20 u20 a20 u10 a10")
    found = compact(text, condenser(max_tokens=90), meter=BY_HAND, summarizer=says(""))
    assert shown(found.after) == "s1 S u3 a3"


def test_where_no_cut_will_do_over_the_limit_everything_goes() -> None:
    """Over max_tokens an open call does not stop it: all but the system prompt becomes the summary."""
    text = window("s10 u30 a30(c1) u30 a30")
    found = compact(text, condenser(max_tokens=100, keep_first=2), meter=BY_HAND, summarizer=says("x"))
    assert (shown(found.after), found.tiers) == ("s1 S", ("hard reset",))


def test_a_tenth_of_the_messages_must_go() -> None:
    """One message of eleven is less than a tenth: nothing happens; with a smaller share it goes."""
    text = window("u1 a1 u1 a1 u1 a1 u1 a1 u1 a1 u1")
    close = {"max_size": 10, "keep_first": 3}  # one stays behind: seven go
    assert len(compact(text, condenser(**close), meter=BY_HAND, summarizer=says("x")).removed) == 7
    most = compact(text, condenser(**close, minimum_progress=0.7), meter=BY_HAND, summarizer=says("x"))
    assert (most.status, most.after) == ("nothing_to_do", text)


def test_asked_by_hand_it_halves_what_there_is() -> None:
    """Forced on six messages with one kept, 6 // 2 - 1 - 1 = 1 stays behind the summary."""
    found = compact(NINE[:6], condenser(), meter=BY_HAND, summarizer=says("x"), force=True)
    assert shown(found.after) == "u1 S a3"


@pytest.mark.parametrize(("text", "status"), [("", "compacted"), (" \n", "compacted"), ("x" * 400, "inflated")])
def test_any_text_is_accepted(text: str, status: str) -> None:
    """An empty summary, white space or one longer than what it replaces goes in as it is."""
    found = compact(NINE, condenser(), meter=BY_HAND, summarizer=says(text))
    assert (found.status, shown(found.after), found.after[1].content) == (status, "u1 S a4 u5", text)


def test_a_failure_changes_nothing() -> None:
    """Where the summarizer fails the window stays; above the limit of tokens the reset is tried and fails too."""
    for rules in (condenser(), condenser(max_tokens=5)):
        found = compact(NINE, rules, meter=BY_HAND, summarizer=broken)
        assert (found.status, found.after) == ("failed", NINE)


def test_five_in_a_row() -> None:
    """Each pass folds the earlier summary again; between them five messages arrive."""
    session = as_session(window("u1 a1 " * 20))
    trace = simulate(session, condenser(), meter=BY_HAND, summarizer=RecordingSummarizer())
    assert [c.at for c in trace.compactions] == [9, 15, 21, 27, 33, 39]
    assert [shown(c.after) for c in trace.compactions][:2] == ["u1 S a4 u5", "u1 S a7 u8"]


def test_each_call_of_a_reply_is_an_event() -> None:
    """Seven messages are nine events: with eight allowed the first stays and the newest two, less what parts a reply."""
    text = window("u1 a1(c1,c2,c3) t1(c1) t1(c2) t1(c3) a1 u1")
    found = compact(text, condenser(), meter=BY_HAND, summarizer=says(""))
    assert (shown(found.after), found.reason) == ("u1 S a2 u2", "9 messages > 8")
    assert compact(text, condenser(max_size=9), meter=BY_HAND).status == "not_triggered"


def test_events_make_the_share_that_is_worth_it() -> None:
    """Eight of ten events would go, the first and the last stay: less than the share that is asked for."""
    text = window("u1 a1(c1,c2,c3) t1(c1) t1(c2) t1(c3) a1 u1 a1")
    found = compact(text, condenser(max_size=6, minimum_progress=0.85), meter=BY_HAND, summarizer=says(""))
    assert (found.status, "8 of 10 messages are too few" in found.reason) == ("nothing_to_do", True)
