"""codex.local: only typed messages stay, the newest first within their budget; the summary comes last."""

from core import compact, policy, simulate
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, RecordingSummarizer, broken, says, shown, window

HEADER = "Another language model started to solve this problem\n"


def test_what_was_typed_stays_the_newest_first_and_the_oldest_of_it_loses_its_middle() -> None:
    """Of 8,000, 9,000 and 6,000 typed tokens 20,000 stay: 5,000 of the first, from its two ends; the summary is last."""
    given = window("u8000 a10 u9000 a20 t30 u6000 a40")
    found = compact(given, policy("codex.local"), meter=BY_HAND, summarizer=says("sum"), force=True)
    assert shown(found.after) == "u1* u2 u3 S"
    assert found.after[0].content == f"u1 {'.' * 9_997}…3000 tokens truncated…{'.' * 10_000}"
    assert (found.after[-1].role, found.after[-1].content) == ("user", HEADER + "sum")
    assert (found.removed, found.cleared) == (("a1", "a2", "t1", "a3"), ("u1",))


def test_all_that_was_typed_stays_if_it_fits() -> None:
    """In the middle of a turn the one typed message stays and every call and result goes; the system message is pinned."""
    given = window("s5 u100 a1(c1) t9(c1) a1(c2) t9(c2)")
    found = compact(given, policy("codex.local"), meter=BY_HAND, summarizer=says("sum"), force=True)
    assert shown(found.after) == "s1 u1 S"


def test_the_budget_spent_to_the_last_token_keeps_no_stub() -> None:
    """A newest message of exactly 20,000 tokens is kept whole, and of the one before nothing."""
    given = window("u5000 a1 u20000 a1")
    found = compact(given, policy("codex.local"), meter=BY_HAND, summarizer=says("sum"), force=True)
    assert shown(found.after) == "u2 S"


def test_one_giant_message_is_cut_to_the_budget() -> None:
    """A typed message of 50,000 tokens alone keeps 20,000 of its own."""
    given = window("u5000 a1 u50000 a1")
    found = compact(given, policy("codex.local"), meter=BY_HAND, summarizer=says("sum"), force=True)
    assert shown(found.after) == "u2* S"
    assert "…30000 tokens truncated…" in found.after[0].content


def test_the_summarizer_reads_everything_what_stays_too() -> None:
    """The summarizer is given the whole window, an earlier summary among its messages, and nothing apart."""
    asked = RecordingSummarizer()
    rules = policy("codex.local")
    once = compact(window("u10 a10"), rules, meter=BY_HAND, summarizer=asked, force=True)
    compact([*once.after, *window("u11 a12")], rules, meter=BY_HAND, summarizer=asked, force=True)
    assert asked.given == [("u1 a1", None), ("u1 S u1 a1", None)]


def test_a_typed_message_that_begins_like_a_summary_goes() -> None:
    """What begins with the summary's words is taken for an old summary."""
    given = window("u10 a10 u20 a20")
    given[0] = given[0].model_copy(update={"content": HEADER + "my own words"})
    found = compact(given, policy("codex.local"), meter=BY_HAND, summarizer=says("sum"), force=True)
    assert shown(found.after) == "u2 S"


def test_a_message_cut_before_is_cut_again() -> None:
    """The stub of an earlier pass is still a typed message: it takes what is left of the budget the next time."""
    rules = policy("codex.local", COMPACT_USER_MESSAGE_MAX_TOKENS=100)
    once = compact(window("u300 a5"), rules, meter=BY_HAND, summarizer=says("sum"), force=True)
    more = [m.model_copy(update={"id": m.id + "b"}) for m in window("u60 a5")]
    again = compact([*once.after, *more], rules, meter=BY_HAND, summarizer=says("sum"), force=True)
    assert shown(again.after) == "u1* u1b S"
    assert again.after[0].content.count("tokens truncated…") == 1
    assert again.cleared == ("u1",)


def test_it_acts_at_nine_tenths_of_the_context_window() -> None:
    """900 of 1,000 tokens are enough, 899 are not; a limit of one's own only ever lowers that."""
    at = {
        (tokens, limit): compact(
            window(f"u{tokens}"),
            policy("codex.local", model_context_window=1000, model_auto_compact_token_limit=limit),
            meter=BY_HAND,
            summarizer=says("sum"),
        ).status
        for tokens, limit in ((899, None), (900, None), (700, 700), (699, 700), (899, 950), (900, 950))
    }
    left = [key for key, status in at.items() if status == "not_triggered"]
    assert left == [(899, None), (699, 700), (899, 950)]


def test_a_summarizer_that_fails_leaves_the_window() -> None:
    """An error changes nothing; an empty summary and white space are accepted, and so is one that is too long."""
    given = window("u10 a30")
    rules = policy("codex.local")
    failed = compact(given, rules, meter=BY_HAND, summarizer=broken, force=True)
    assert (failed.status, failed.after) == ("failed", given)
    empty = compact(given, rules, meter=BY_HAND, summarizer=says(""), force=True)
    assert (empty.status, shown(empty.after), empty.after[-1].content) == ("compacted", "u1 S", HEADER)
    blank = compact(given, rules, meter=BY_HAND, summarizer=says(" \n"), force=True)
    assert (blank.status, blank.after[-1].content) == ("compacted", HEADER + " \n")
    assert compact(given, rules, meter=BY_HAND, summarizer=says("x" * 400), force=True).status == "inflated"


def test_it_looks_before_a_turn_and_after_tools() -> None:
    """Over a long session it acts before a typed message is added and between results and the next call, never elsewhere."""
    turns = "u40 a10(c{0}) t400(c{0}) a30 u40 a400 u40 a400 "
    session = as_session(window("s10 " + "".join(turns.format(i) for i in range(8))))
    rules = policy("codex.local", model_context_window=1000, COMPACT_USER_MESSAGE_MAX_TOKENS=100)
    trace = simulate(session, rules, meter=BY_HAND, summarizer=says("s" * 100))
    assert len(trace.compactions) >= 5
    places = [(trace.messages[c.at - 1].role, trace.messages[c.at].role) for c in trace.compactions]
    assert set(places) == {("assistant", "user"), ("tool", "assistant")}
    assert [c.number for c in trace.compactions] == list(range(1, len(trace.compactions) + 1))
    assert shown(trace.compactions[-1].after)[:3] == "s1 "
    assert all(shown(c.after).endswith("S") and c.tokens_after <= 10 + 110 + 40 for c in trace.compactions)


def test_a_stub_outlives_one_compaction_after_another() -> None:
    """In one long turn the cut request is still there after many passes; as its mark is not counted, it is cut each time."""
    session = as_session(window("s10 u300 " + "".join(f"a10(c{i}) t400(c{i}) " for i in range(20))))
    rules = policy("codex.local", model_context_window=1000, COMPACT_USER_MESSAGE_MAX_TOKENS=110)
    trace = simulate(session, rules, meter=BY_HAND, summarizer=says("s" * 100))
    assert len(trace.compactions) >= 5
    assert {shown(c.after) for c in trace.compactions} == {"s1 u1* S"}
    said = [f"u1 {'.' * 217}…{gone} tokens truncated…{'.' * 220}" for gone in (190, 6, 5, 5)]
    assert [c.after[1].content for c in trace.compactions[:4]] == said
