"""Findings: what deserves attention in a compaction, with its evidence."""

import pytest
from hypothesis import given

from core import Compaction, Message, compact, meter, policies, policy, replay, simulate
from core.analyse import Finding, findings
from core.model import RecordedCompaction
from core.trace import as_session
from tests.support import LESSON_SUMMARY, assistant, calls, lesson_session, result, sessions, system, user


def folded(*messages: Message, keep: int, text: str = "a summary of it all", budget: int = 1) -> tuple[Finding, ...]:
    """The findings of one pass of agentkit's memory over these messages."""
    rule = policy("agentkit.memory", budget=budget, keep_recent=keep)
    return findings(compact(messages, rule, meter=meter("agentkit"), summarizer=lambda ms, prior: text))


def kinds(found: tuple[Finding, ...]) -> list[str]:
    """What kind each finding is."""
    return [finding.kind for finding in found]


LONG = "word " * 200


def test_the_lesson_leaves_an_orphaned_result_and_loses_the_task() -> None:
    """The lesson's run has two findings: result c3 without its call, and the first user message gone."""
    rule = policy("agentkit.memory", budget=100, keep_recent=3)
    trace = simulate(lesson_session(), rule, meter=meter("agentkit"), summarizer=lambda ms, prior: LESSON_SUMMARY)
    orphan, lost = findings(trace.compactions[0])
    asked, answered = trace.messages[6].id, trace.messages[7].id
    assert (orphan.kind, orphan.severity, orphan.messages) == ("orphaned_tool_result", "error", (answered, asked))
    assert orphan.text == (
        "The result c3 was kept, the call it answers was folded into summary #1. A real API rejects this window."
    )
    assert (lost.kind, lost.messages) == ("first_user_message_lost", (trace.messages[1].id,))
    assert lost.numbers == {"words": 13, "words_in_summary": 9}


def test_a_call_kept_without_its_result() -> None:
    """A call that stays while its result is taken is an error that names the call."""
    ask, other = calls("c1", "read", path="a.py"), calls("c2", "read", path="b.py")
    session = as_session([user("go"), assistant("", ask, other), result("c1", LONG), result("c2", "b"), user("on")])
    kept = tuple(m.id for m in session.messages if m.tool_call_id != "c1")
    recorded = RecordedCompaction(at=5, summary=None, kept=kept)
    trace = replay(session.model_copy(update={"compactions": (recorded,)}), meter=meter("agentkit"))
    (finding,) = findings(trace.compactions[0])
    assert finding.kind == "orphaned_call"
    assert finding.text == (
        "The call c1 was kept, its result was left out of what was kept. A real API rejects this window."
    )


def test_many_orphans_are_one_finding_that_counts_them() -> None:
    """Four results without their call are one finding; three are named, the rest counted."""
    asked = assistant("", *(calls(f"c{i}", "read", path="a") for i in range(4)))
    found = folded(user(LONG), asked, *(result(f"c{i}", "x") for i in range(4)), keep=4)
    assert found[0].title == "4 orphaned tool results"
    assert "The results c0, c1, c2 and 1 more were kept" in found[0].text
    assert found[0].numbers == {"pairs": 4}


def test_an_id_used_twice_is_answered_by_the_nearest() -> None:
    """A call id that comes again pairs each result with the call before it."""
    pair = [assistant("", calls("c1", "read")), result("c1", "one")]
    again = [assistant("", calls("c1", "read")), result("c1", "two")]
    assert "orphaned_tool_result" not in kinds(folded(system("s"), *pair, user(LONG), *again, keep=2))
    assert "orphaned_tool_result" in kinds(folded(system("s"), *pair, user(LONG), *again, keep=1))


def test_a_second_result_of_one_call_belongs_to_no_pair() -> None:
    """A call is answered once: a further result of it that stays is not said to have lost its call."""
    window = [assistant("", calls("c1", "read")), result("c1", LONG), user("on"), result("c1", "again")]
    assert "orphaned_tool_result" not in kinds(folded(system("s"), *window, keep=2))


@given(session=sessions())
def test_nothing_removed_nothing_orphaned(session) -> None:  # type: ignore[no-untyped-def]
    """Where no message leaves the window, no pair is said to be cut."""
    for rule in policies():
        event = compact(session.messages, rule, meter=meter("agentkit"), summarizer=lambda ms, prior: "text")
        found = kinds(findings(event))
        assert event.removed or not {"orphaned_tool_result", "orphaned_call"} & set(found)


@given(session=sessions())
def test_orphans_are_exactly_the_pairs_cut(session) -> None:  # type: ignore[no-untyped-def]
    """A kept result is named if and only if the call it answered has left."""
    rule = policy("agentkit.memory", budget=50, keep_recent=2)
    for event in simulate(session, rule, meter=meter("agentkit")).compactions:
        named = {name for f in findings(event) if f.kind == "orphaned_tool_result" for name in f.messages[::2]}
        assert named == _results_whose_call_left(event)


def _results_whose_call_left(event: Compaction) -> set[str]:
    """Told another way: each kept result, with the newest unanswered call of its id before it."""
    gone, orphans = set(event.removed), set()
    for k, m in enumerate(event.before):
        if m.role == "tool" and m.id not in gone:
            asked = [b for b in event.before[:k] if any(c.id == (m.tool_call_id or "") for c in b.tool_calls)]
            last = event.before.index(asked[-1]) if asked else 0
            between = [b for b in event.before[last:k] if b.role == "tool" and b.tool_call_id == m.tool_call_id]
            if asked and not between and asked[-1].id in gone:
                orphans.add(m.id)
    return orphans


def test_a_compaction_that_grows_the_window() -> None:
    """A summary larger than what it replaces is net-negative, with both numbers."""
    found = folded(system("s"), user("a"), user("b"), keep=1, text=LONG)
    (grew,) = [f for f in found if f.kind == "net_negative"]
    assert grew.numbers == {"before": 15, "after": 272, "added": 262}
    assert grew.text.startswith("The window grew by 257 tokens, 15 -> 272 by the meter")


def test_recorded_numbers_are_not_mixed_with_the_meter() -> None:
    """Of a recorded compaction the recorded tokens are compared, where both are there."""
    recorded = RecordedCompaction(at=2, tokens_before=30029, tokens_after=197548)
    session = as_session([user(LONG), assistant("b")], compactions=(recorded,))
    (grew, *_) = [
        f for f in findings(replay(session, meter=meter("agentkit")).compactions[0]) if f.kind == "net_negative"
    ]
    assert grew.numbers["after"] == 197548
    assert "as recorded" in grew.text


def test_still_over_budget() -> None:
    """A window that is over its limit after the pass says by which numbers."""
    found = folded(system("s"), user(LONG), user(LONG), user(LONG), keep=2, budget=300)
    (over,) = [f for f in found if f.kind == "still_over_budget"]
    assert over.numbers == {"after": 530, "limit": 300}


@pytest.mark.parametrize("text", ["", "   ", "(no summary returned)", "N/A", "None", "…"])
def test_an_empty_summary(text: str) -> None:
    """A summary that says nothing is an error, whatever stands for nothing."""
    assert "empty_summary" in kinds(folded(system("s"), user(LONG), user("b"), keep=1, text=text))


@pytest.mark.parametrize(
    "text",
    [
        "Error: 429 rate limit",
        "APIConnectionError: no route",
        '{"error": {"message": "x"}}',
        "Request timed out.",
        "Prompt is too long",
        "I'm sorry, but I can't help with that.",
        "Traceback (most recent call last):\n  File",
        "500 Internal Server Error",
    ],
)
def test_an_error_in_place_of_a_summary(text: str) -> None:
    """A summary that begins like a failure is an error."""
    assert "error_shaped_summary" in kinds(folded(system("s"), user(LONG), user("b"), keep=1, text=text))


@pytest.mark.parametrize("text", ["Error handling was moved to a.py.", "Failed tests: none. Last error: KeyError"])
def test_a_summary_about_errors_is_no_error(text: str) -> None:
    """A summary that speaks of errors is not taken for one."""
    assert "error_shaped_summary" not in kinds(folded(system("s"), user(LONG), user("b"), keep=1, text=text))


def test_the_request_at_work_is_folded() -> None:
    """The newest user message leaving before it was answered is a warning; after its answer it is none."""
    asked = [system("s"), user("first " + LONG), assistant("done"), user("second " + LONG)]
    open_turn = [*asked, assistant("", calls("c", "read")), result("c", "x")]
    assert "last_user_message_summarised" in kinds(folded(*open_turn, keep=2))
    assert "last_user_message_summarised" not in kinds(folded(*open_turn, assistant("all done"), keep=2))
    assert "last_user_message_summarised" not in kinds(folded(*open_turn, keep=3))


def test_the_first_user_message_is_lost_once() -> None:
    """Later passes do not report the first user message again."""
    texts = [m for i in range(8) for m in (user(f"question {i} {LONG}"), assistant(f"answer {i}"))]
    rule = policy("agentkit.memory", budget=700, keep_recent=2)
    trace = simulate(as_session([system("s"), *texts]), rule, meter=meter("agentkit"))
    lost = ["first_user_message_lost" in kinds(findings(event)) for event in trace.compactions]
    assert len(lost) > 1
    assert lost == [True] + [False] * (len(lost) - 1)


def test_a_window_left_alone_has_no_findings() -> None:
    """Where nothing was done there is nothing to find."""
    assert folded(user("a"), keep=4, budget=1000) == ()
