"""Tool calls and results that a compaction cut apart."""

from hypothesis import given, settings

from core import Compaction, Message, compact, meter, policies, policy, replay, simulate
from core.analyse import findings
from core.model.session import RecordedCompaction
from core.trace.trace import as_session
from tests.analyse.events import LONG, cut_out, event, found_in, kinds_of, of_kind, run
from tests.support import EXAMPLES, LESSON_SUMMARY, assistant, calls, lesson_session, result, sessions, system, user


def test_the_lesson_leaves_an_orphaned_result_and_loses_the_task() -> None:
    """The lesson's run: result c3 without its call, in front of the conversation, and the first user message gone."""
    rule = policy("agentkit.memory", budget=100, keep_recent=3)
    trace = simulate(lesson_session(), rule, meter=meter("agentkit"), summarizer=lambda ms, prior: LESSON_SUMMARY)
    lost, orphan, start = findings(trace.compactions[0])
    first, asked, answered = (trace.messages[i].id for i in (1, 6, 7))
    assert (orphan.kind, orphan.severity, orphan.messages) == ("orphaned_tool_result", "error", (answered, asked))
    assert orphan.text == (
        "The result c3 is still in the window, but the call it answers was replaced by summary #1. "
        "A real API rejects this window."
    )
    assert (start.kind, start.severity, start.messages) == ("leading_assistant", "warning", (answered, first))
    assert (lost.kind, lost.messages) == ("first_user_message_lost", (first,))
    assert lost.numbers == {"words": 14, "words_in_summary": 7}


def test_a_call_kept_without_its_result() -> None:
    """A call that stays while its result is taken is an error that names the call."""
    ask, other = calls("c1", "read", path="a.py"), calls("c2", "read", path="b.py")
    session = as_session([user("go"), assistant("", ask, other), result("c1", LONG), result("c2", "b"), user("on")])
    kept = tuple(m.id for m in session.messages if m.tool_call_id != "c1")
    recorded = RecordedCompaction(at=5, summary=None, kept=kept)
    trace = replay(session.model_copy(update={"compactions": (recorded,)}), meter=meter("agentkit"))
    (finding,) = findings(trace.compactions[0])
    assert (finding.kind, finding.severity) == ("orphaned_call", "error")
    assert finding.messages == (session.messages[1].id, session.messages[2].id)
    assert finding.text == (
        "The call c1 is still in the window, but its result was removed. A real API rejects this window."
    )


def test_many_orphans_are_one_finding_that_counts_them() -> None:
    """Four results without their call are one finding; three are named, the rest counted."""
    asked = assistant("", *(calls(f"c{i}", "read", path="a") for i in range(4)))
    found = found_in(user(LONG), asked, *(result(f"c{i}", "x") for i in range(4)), keep=4)
    (orphans,) = of_kind("orphaned_tool_result", found)
    assert orphans.title == "4 orphaned tool results"
    assert "The results c0, c1, c2 and 1 more are still in the window" in orphans.text
    assert orphans.numbers == {"pairs": 4}


def test_an_id_used_twice_is_answered_by_the_nearest() -> None:
    """A call id that comes again pairs each result with the call before it."""
    pair = [assistant("", calls("c1", "read")), result("c1", "one")]
    again = [assistant("", calls("c1", "read")), result("c1", "two")]
    assert "orphaned_tool_result" not in kinds_of(found_in(system("s"), *pair, user(LONG), *again, keep=2))
    assert "orphaned_tool_result" in kinds_of(found_in(system("s"), *pair, user(LONG), *again, keep=1))


def test_a_second_result_of_one_call_belongs_to_no_pair() -> None:
    """A call is answered once: a further result of it that stays is not reported to have lost its call."""
    window = [assistant("", calls("c1", "read")), result("c1", LONG), user("on"), result("c1", "again")]
    assert "orphaned_tool_result" not in kinds_of(found_in(system("s"), *window, keep=2))


def test_a_cleared_result_still_answers_its_call() -> None:
    """A result whose body was cleared keeps its pair; one that was dropped does not."""
    talk = [user("go"), assistant("", calls("c1", "read")), result("c1", LONG), assistant("done")]
    messages = [m.model_copy(update={"id": f"m{i}"}) for i, m in enumerate(talk)]
    cleared = messages[2].model_copy(update={"content": "[cleared]", "injected": "cleared"})
    cleared = run(
        messages, event(4, [(0, 4)], [(0, 2), (4, 5), (3, 4)], ("cleared", (2, 3)), put=[cleared], window_after=31)
    )
    dropped = run(messages, event(4, [(0, 4)], [(0, 2), (3, 4)], ("dropped", (2, 3))))
    assert findings(cleared.compactions[0]) == ()
    (orphan, *_) = findings(dropped.compactions[0])
    assert (orphan.kind, orphan.messages) == ("orphaned_call", ("m1", "m2"))
    assert (
        orphan.text == "The call c1 is still in the window, but its result was dropped. A real API rejects this window."
    )


def test_what_became_of_the_other_half() -> None:
    """Where no summary stands for it, the other half was dropped, or converted to text."""
    talk = [user("go"), assistant("", calls("c1", "read")), result("c1", LONG), assistant("done")]
    digest = assistant("[Tool results: read: …]").model_copy(update={"injected": "digest"})
    (orphan, *_) = findings(cut_out(talk, 1, 2, digest))
    assert orphan.text.startswith(
        "The result c1 is still in the window, but the call it answers was converted to text."
    )


def test_a_pair_that_leaves_together_is_whole() -> None:
    """A call summarized with its result orphans nobody."""
    window = [user(LONG), assistant("", calls("c1", "read")), result("c1", "x"), assistant("done"), user("on")]
    assert not {"orphaned_tool_result", "orphaned_call"} & set(kinds_of(found_in(*window, keep=2)))


def test_what_was_lost_comes_first_and_of_one_concern_the_worst() -> None:
    """A person asks what the model lost before what is out of order in the window, and what it cost last."""
    window = [user(LONG), assistant("", calls("c1", "read")), result("c1", "x")]
    found = found_in(*window, keep=1)
    assert kinds_of(found) == [
        "first_user_message_lost",
        "orphaned_tool_result",
        "leading_assistant",
        "still_over_budget",
    ]
    assert [f.severity for f in found] == ["warning", "error", "warning", "warning"]
    assert [f.concern for f in found] == ["lost", "structure", "structure", "cost"]


@settings(max_examples=2 * EXAMPLES)
@given(session=sessions())
def test_nothing_removed_nothing_orphaned(session) -> None:  # type: ignore[no-untyped-def]
    """Where no message leaves the window, no pair is reported as broken."""
    for rule in policies():
        found = compact(session.messages, rule, meter=meter("agentkit"), summarizer=lambda ms, prior: "text")
        kinds = kinds_of(findings(found))
        assert found.removed or not {"orphaned_tool_result", "orphaned_call"} & set(kinds)


@given(session=sessions())
def test_orphans_are_exactly_the_pairs_cut(session) -> None:  # type: ignore[no-untyped-def]
    """A kept result is named if and only if the call it answered has left."""
    rule = policy("agentkit.memory", budget=50, keep_recent=2)
    for found in simulate(session, rule, meter=meter("agentkit")).compactions:
        named = {name for f in of_kind("orphaned_tool_result", findings(found)) for name in f.messages[::2]}
        assert named == _results_whose_call_left(found)


def _results_whose_call_left(found: Compaction) -> set[str]:
    """Told another way: each kept result, with the newest unanswered call of its id before it."""
    gone, orphans = set(found.removed), set()
    for k, m in enumerate(found.before):
        if m.role == "tool" and m.id not in gone:
            asked = [b for b in found.before[:k] if any(c.id == (m.tool_call_id or "") for c in b.tool_calls)]
            last = found.before.index(asked[-1]) if asked else 0
            between = [b for b in found.before[last:k] if _answers(b, m)]
            if asked and not between and asked[-1].id in gone:
                orphans.add(m.id)
    return orphans


def _answers(one: Message, other: Message) -> bool:
    return one.role == "tool" and one.tool_call_id == other.tool_call_id
