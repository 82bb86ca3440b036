"""codex.remote: what was typed stays within 64,000 tokens, and an item of assumed size that nobody can read comes last."""

from core import compact, policy, simulate
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, broken, says, shown, window

ITEM = "[compaction item: only the server can read it]"


def test_what_was_typed_stays_and_the_item_comes_last() -> None:
    """Replies, calls and results go; the item counts as many tokens as are assumed, whatever its text has."""
    given = window("s9 u10 a10 a5(c1) t70(c1) u20")
    found = compact(given, policy("codex.remote", compaction_item_tokens=7), meter=BY_HAND, force=True)
    assert shown(found.after) == "s1 u1 u2 S"
    assert found.after[-1].content == ITEM
    assert (found.added_tokens, found.tokens_after) == ((7,), 9 + 10 + 20 + 7)


def test_the_message_that_crosses_loses_its_middle() -> None:
    """Of 3 typed tokens twice and one, with 3 to keep, the middle one keeps two at its ends and the first goes."""
    given = window("u3 u3 u1")
    given[1] = given[1].model_copy(update={"content": "middle123456"})
    found = compact(given, policy("codex.remote", RETAINED_MESSAGE_TOKEN_BUDGET=3), meter=BY_HAND, force=True)
    assert shown(found.after) == "u2* u3 S"
    assert found.after[0].content == "midd…1 tokens truncated…3456"
    assert found.removed == ("u1",)


def test_64_000_tokens_stay_by_default() -> None:
    """Two messages of 40,000 tokens: the newest whole, 24,000 of the other."""
    found = compact(window("u40000 a10 u40000 a10"), policy("codex.remote"), meter=BY_HAND, force=True)
    assert shown(found.after) == "u1* u2 S"
    assert "…16000 tokens truncated…" in found.after[0].content


def test_an_earlier_item_goes() -> None:
    """The next pass puts a new item in the place of the old one."""
    rules = policy("codex.remote")
    once = compact(window("u10 a10"), rules, meter=BY_HAND, force=True)
    again = compact([*once.after, *window("u20 a20")], rules, meter=BY_HAND, force=True)
    assert shown(again.after) == "u1 u1 S"
    assert len(again.removed) == 2


def test_no_summarizer_is_asked() -> None:
    """A summarizer that fails, says nothing or too much makes no difference: the server writes the item."""
    given, rules = window("u10 a3000"), policy("codex.remote")
    for summarizer in (broken, says(""), says(" "), says("x" * 99_999)):
        found = compact(given, rules, meter=BY_HAND, summarizer=summarizer, force=True)
        assert (found.status, found.after[-1].content) == ("compacted", ITEM)
    assert compact(window("u10 a1999"), rules, meter=BY_HAND, force=True).status == "inflated"


def test_one_compaction_after_another() -> None:
    """Over a long session each pass replaces the item; the window counts what is assumed of it."""
    turns = "u40 a10(c{0}) t400(c{0}) a30 "
    session = as_session(window("s10 " + "".join(turns.format(i) for i in range(12))))
    rules = policy(
        "codex.remote", model_context_window=1000, RETAINED_MESSAGE_TOKEN_BUDGET=100, compaction_item_tokens=50
    )
    trace = simulate(session, rules, meter=BY_HAND)
    assert len(trace.compactions) >= 5
    assert [shown(c.after).count("S") for c in trace.compactions] == [1] * len(trace.compactions)
    assert trace.compactions[0].tokens_after == 10 + 40 + 40 + 50
