"""gemini_cli.compression: the older 70 % become a snapshot and a fixed reply, split where a user message stands."""

from collections.abc import Sequence

from core import Compaction, Message, compact, policy, simulate
from core.engine.compaction import compact_window, pool_over
from core.engine.due import PolicyState
from core.policy.policy import Policy
from core.summaries.summarizers import Summarizer
from core.trace.trace import as_session
from core.window.measured import Measured
from core.window.window import Window
from tests.policies.by_hand import BY_HAND, broken, says, shown, window

RULES = policy("gemini_cli.compression")
SMALL = policy(
    "gemini_cli.compression", COMPRESSION_FUNCTION_RESPONSE_TOKEN_BUDGET=100, truncateToolOutputThreshold=200
)
ACK = "Got it. Thanks for the additional context!"


def after(text: str, rules: Policy = RULES) -> str:
    """What is left of a window when it is asked."""
    return shown(compact(window(text), rules, meter=BY_HAND, summarizer=says("x"), force=True).after)


def test_the_split_falls_on_the_first_user_message_behind_70_percent() -> None:
    """Of 100 tokens 40 lie before the second user message and 80 before the third: the split is there."""
    assert after("u10 a30 u10 a30 u10 a10") == "S K u3 a3"


def test_exactly_70_percent_are_enough() -> None:
    """70 of 100 tokens lie before the second user message."""
    assert after("u10 a60 u10 a20") == "S K u2 a2"


def test_the_system_message_does_not_count() -> None:
    """Pinned in front, it moves the split by nothing however large it is."""
    assert after("s900 u10 a30 u10 a30 u10 a10") == "s1 S K u3 a3"


def test_after_a_final_answer_everything_goes() -> None:
    """Where no user message stands behind 70 % and the last reply calls nothing, nothing stays."""
    assert after("u10 a20(c) t50(c) a20") == "S K"


def test_in_the_midst_of_tools_the_split_is_the_newest_user_message() -> None:
    """The last reply calls a tool: its whole turn stays; where that is the first, nothing can be done."""
    assert after("u15 a15 u10 a20(c) t50(c) a40(d)") == "S K u2 a2 t1 a3"
    found = compact(window("u10 a20(c) t50(c) a20(d)"), RULES, meter=BY_HAND, summarizer=says("x"), force=True)
    assert found.status == "nothing_to_do"


def test_a_share_of_all_keeps_from_the_first_user_message_on() -> None:
    """What stands in front of the first user message goes even where everything may stay."""
    rules = policy("gemini_cli.compression", COMPRESSION_PRESERVE_THRESHOLD=1)
    assert after("a30 u10 a30", rules) == "S K u1 a2"


def test_the_summary_is_stripped_and_answered() -> None:
    """The snapshot is a user message without a heading, white space off, and a fixed reply follows."""
    found = compact(window("u10 a60 u10 a20"), RULES, meter=BY_HAND, summarizer=says(" sum\n"), force=True)
    assert [(m.role, m.content) for m in found.after[:2]] == [("user", "sum"), ("assistant", ACK)]


def test_old_results_are_shortened_to_their_ends() -> None:
    """The newest 100 tokens of results stay whole; an older one keeps a fifth of 200 characters in front, the rest behind."""
    found = compact(
        window("u10 a5(a) t400(a) u500 a5(b) t300(b) a5(c) t90(c) a9(d)"),
        SMALL,
        meter=BY_HAND,
        summarizer=says("x"),
        force=True,
    )
    assert shown(found.after) == "S K u2 a2 t2* a3 t3 a4"
    assert found.after[4].content == f"t2 {'.' * 37}\n... [1000 characters omitted] ...\n{'.' * 160}"
    assert found.tiers == ("truncate",)


def test_a_result_no_longer_than_the_threshold_stays_whole() -> None:
    """A result of 200 characters is not shortened, wherever it stands."""
    assert "*" not in after("u10 a60 u10 a5(a) t50(a) a5(b) t90(b) a9(c)", SMALL)


def test_it_acts_at_half_the_context_window() -> None:
    """500 of 1,000 tokens are enough, 499 are not; another threshold is another share, and 0 is none: a half again."""
    at = [(499, 0.5), (500, 0.5), (699, 0.7), (700, 0.7), (499, 0), (500, 0)]
    statuses = [
        compact(
            window(f"u9 a{n - 9}"),
            policy("gemini_cli.compression", window=1000, compressionThreshold=share),
            meter=BY_HAND,
            summarizer=says("x"),
        ).status
        for n, share in at
    ]
    assert statuses == ["not_triggered", "compacted"] * 3


def test_a_summary_that_fails_takes_the_shortening_back() -> None:
    """An error, no text, white space, or more tokens than before: the window is as it was, its old results whole too."""
    given = window("u10 a60 a5(a) t400(a) u500 a5(b) t300(b) a5(c) t90(c) a9(d)")
    for summarizer, status in (
        (broken, "failed"),
        (says(""), "failed"),
        (says("\n "), "failed"),
        (says("x" * 9_999), "inflated"),
    ):
        found = compact(given, SMALL, meter=BY_HAND, summarizer=summarizer, force=True)
        assert (found.status, found.after, found.tiers) == (status, given, ())


def test_a_summary_as_large_as_what_it_replaces_is_accepted() -> None:
    """Equal is not larger: 89 tokens and a reply of 11 stand for the 100 that went; one token more is refused."""
    given = window("u10 a90")
    assert compact(given, RULES, meter=BY_HAND, summarizer=says("x" * 4 * 89), force=True).acted
    refused = compact(given, RULES, meter=BY_HAND, summarizer=says("x" * 4 * 90), force=True)
    assert (refused.status, refused.after) == ("inflated", given)


def test_what_the_shortening_saved_does_not_count_against_the_summary() -> None:
    """It is held against the window as it was: 200 tokens for 415 that a shortening had made 75 are accepted."""
    given = window("u10 a5(a) t400(a) u500 a5(b) t90(b) a9(d)")
    found = compact(given, SMALL, meter=BY_HAND, summarizer=says("x" * 800), force=True)
    assert (found.status, shown(found.after)) == ("compacted", "S K u2 a2 t2 a3")
    assert (found.removed, found.cleared) == (("u1", "a1", "t1"), ())


def looked(given: Sequence[Message], past: PolicyState, summarizer: Summarizer) -> Compaction:
    """One look at a window over the threshold, with what is remembered."""
    rules = SMALL.with_settings({**SMALL.settings, "window": 100})
    counts = [BY_HAND.count(m) for m in given]
    pool = pool_over(Measured(list(given), counts), rules, BY_HAND)
    whole = Window(pool, ((0, len(counts)),))
    return compact_window(
        whole, rules, meter=BY_HAND, summarizer=summarizer, at=len(counts), phase="before_call", past=past
    )


def test_once_refused_only_results_are_shortened() -> None:
    """After a summary that was too long no other is asked for; after one that failed, it is."""
    given = window("u10 a60 u500 a5(b) t300(b) a5(c) t90(c) a9(d)")
    refused = looked(given, PolicyState(failures=1, refused=True), broken)
    assert shown(refused.after) == "u1 a1 u2 a2 t1* a3 t2 a4"
    assert shown(looked(given, PolicyState(failures=1), says("x")).after) == "S K u2 a2 t1* a3 t2 a4"
    left = looked(window("u10 a60 u500 a9"), PolicyState(failures=1, refused=True), broken)
    assert left.status == "nothing_to_do"


def test_one_refusal_lasts_for_the_session() -> None:
    """A first summary that is too long is the last that is asked for, over a session of 40 turns."""
    asked: list[int] = []

    def long(messages: Sequence[Message], prior: str | None) -> str:
        asked.append(len(messages))
        return "x" * 40_000

    turn = "u40 a10(c{0}) t160(c{0}) a30 "
    session = as_session(window("".join(turn.format(i) for i in range(40))))
    rules = policy("gemini_cli.compression", window=2000)
    trace = simulate(session, rules, meter=BY_HAND, summarizer=long)
    assert (len(asked), trace.compactions) == (1, ())


def test_one_compaction_after_another() -> None:
    """Over forty turns it acts before calls; a summary and its reply stand in front, and the kept part begins with a user."""
    turn = "u40 a10(c{0}) t160(c{0}) a30 "
    session = as_session(window("s10 " + "".join(turn.format(i) for i in range(40))))
    rules = policy("gemini_cli.compression", window=2000)
    trace = simulate(session, rules, meter=BY_HAND, summarizer=says("s" * 100))
    assert len(trace.compactions) >= 5
    assert all(shown(c.after).startswith("s1 S K u") for c in trace.compactions)
    assert all(trace.messages[c.at].role == "assistant" for c in trace.compactions)
