"""opencode.prune: results older than the newest 40,000 tokens of them are emptied when a turn is over."""

from core import compact, policy, simulate
from core.policies.opencode_prune import POLICY
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, broken, shown, window

RULES = policy("opencode.prune")
EMPTY = "[Old tool result content cleared]"


def after(text: str) -> str:
    """What is left of a window when it is asked."""
    return shown(compact(window(text), RULES, meter=BY_HAND, force=True).after)


def test_the_result_that_crosses_is_emptied_whole() -> None:
    """10,000 + 25,000 are protected; 20,000 more cross 40,000, so they go, and the 15,000 before them."""
    found = compact(
        window("u1 a1(a) t15000(a) a1(b) t20000(b) u1 a1(c) t25000(c) a1(d) t10000(d) u1 a1 u1 a1"),
        RULES,
        meter=BY_HAND,
        force=True,
    )
    assert shown(found.after) == "u1 a1 t1* a2 t2* u2 a3 t3 a4 t4 u3 a5 u4 a6"
    assert [m.content for m in found.after if m.injected == "cleared"] == [EMPTY, EMPTY]
    assert (found.removed, found.cleared) == ((), ("t1", "t2"))


def test_exactly_20_000_tokens_are_not_worth_it() -> None:
    """4,000 and 16,000 would be emptied: not more than 20,000, so nothing is; one token more is."""
    assert "*" not in after("u1 a1(a,b,c) t4000(a) t16000(b) t25000(c) u1 a1 u1 a1")
    assert after("u1 a1(a,b,c) t4001(a) t16000(b) t25000(c) u1 a1 u1 a1") == "u1 a1 t1* t2* t3 u2 a2 u3 a3"


def test_exactly_40_000_tokens_are_protected() -> None:
    """A result with which 40,000 are full stays, the next one crosses."""
    assert after("u1 a1(a,b,c) t30000(a) t15000(b) t25000(c) u1 u1") == "u1 a1 t1* t2 t3 u2 u3"


def test_the_last_two_turns_are_safe_and_do_not_count() -> None:
    """Results behind the last but one typed message stay however large; protected tools stay and do not count."""
    text = "u1 a1(a) t30000(a) a1(b:skill) t50000(b:skill) a1(c) t45000(c) u1 a1(d) t90000(d) u1 a1(e) t90000(e)"
    assert after(text) == "u1 a1 t1* a2 t2 a3 t3* u2 a4 t4 u3 a5 t5"


def test_a_protected_tool_does_not_fill_what_is_protected() -> None:
    """3,000 and 30,000 are within 40,000, whatever a protected tool answered between them."""
    assert "*" not in after("u1 a1(a) t30000(a) a1(b:skill) t50000(b:skill) a1(c) t3000(c) u1 u1")


def test_one_or_two_turns_are_never_pruned() -> None:
    """A single long turn, and two of them, stay as they are."""
    assert "*" not in after("u1 a1(a,b,c) t90000(a) t90000(b) t90000(c)")
    assert "*" not in after("u1 a1(a,b,c) t90000(a) t90000(b) t90000(c) u1 a1")


def test_a_failed_result_stays_and_does_not_count() -> None:
    """Of three results of 30,000 in front of the newest, the failed one is left alone; the next one crosses."""
    given = window("u1 a1(a,b,c,d) t30000(a) t30000(b) t30000(c) t15000(d) u1 u1")
    given[3] = given[3].model_copy(update={"is_error": True})
    found = compact(given, RULES, meter=BY_HAND, force=True)
    assert shown(found.after) == "u1 a1 t1* t2 t3* t4 u2 u3"
    assert found.cleared == ("t1", "t3")


def test_calls_keep_their_arguments_and_no_summarizer_is_asked() -> None:
    """Only the result's body goes; a summarizer that fails makes no difference."""
    given = window("u1 a1(a,b) t30000(a) t50000(b) u1 u1")
    found = compact(given, RULES, meter=BY_HAND, summarizer=broken, force=True)
    assert found.status == "compacted"
    assert found.after[1] == given[1]
    assert [m.tool_call_id for m in found.after if m.role == "tool"] == ["a", "b"]


def test_it_looks_at_no_limit() -> None:
    """A trace of many turns is pruned whenever enough has piled up, however small the window; it is switched on by choice."""
    turn = "u1 a1({0}) t300({0}) a1 "
    session = as_session(window("".join(turn.format(i) for i in range(40))))
    rules = policy("opencode.prune", PRUNE_PROTECT=600, PRUNE_MINIMUM=900)
    trace = simulate(session, rules, meter=BY_HAND)
    assert POLICY.limit is None
    assert len(trace.compactions) >= 5
    assert [len(c.cleared) for c in trace.compactions[:3]] == [4, 4, 4]
    assert trace.compactions[0].at == 8 * 4
    assert not any(m.injected == "cleared" for m in trace.window(4 * 8 - 1))


def test_what_was_emptied_is_not_emptied_again() -> None:
    """A second look at the same window finds nothing to do."""
    once = compact(window("u1 a1(a,b) t30000(a) t50000(b) u1 u1"), RULES, meter=BY_HAND, force=True)
    assert compact(once.after, RULES, meter=BY_HAND, force=True).status == "nothing_to_do"
