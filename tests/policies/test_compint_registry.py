"""compint.registry: the constraints outlive summaries that say nothing."""

from core import Message, compact, policy, simulate
from core.policies.compint_registry import constraints
from core.trace.trace import as_session
from tests.policies.by_hand import BY_HAND, RecordingSummarizer, broken
from tests.policies.samples import CODING
from tests.support import assistant, user

RULE = policy("compint.registry", budget=20, keep_recent=1)


def test_which_sentences_are_constraints() -> None:
    """Those that forbid or limit, each as it is written; a question is none."""
    text = "Please fix the report. Do not change the public API!\n- and no new dependency,  ever\nWhy not? It is slow."
    assert list(constraints(text)) == ["Do not change the public API!", "and no new dependency, ever"]


def test_the_registry_is_carried_on_and_the_summarizer_never_sees_it() -> None:
    """Word for word through two compactions whose summaries say "sum"; what was said twice stands once."""
    writes = RecordingSummarizer()
    once = compact(
        [user("Fix it. Never touch main."), assistant("Done. I will not. " + "x" * 80), user("go on")],
        RULE,
        meter=BY_HAND,
        summarizer=writes,
    )
    again = compact(
        [*once.after, user("Use only UTC. Never touch main."), assistant("y" * 99), user("on")],
        RULE,
        meter=BY_HAND,
        summarizer=writes,
    )
    assert [m.content for m in again.after if m.injected == "summary"] == [
        "[Summary #2 of 3 earlier messages]\nConstraints, word for word:\n- Never touch main.\n- Use only UTC.\n\nsum"
    ]
    assert [prior for _, prior in writes.given] == [None, "sum"]


def test_without_constraints_the_summary_stands_alone() -> None:
    """No empty list; a tool's text and a reply are no orders of the user."""
    messages = [user("Fix it."), Message(role="assistant", content="I must not. " + "x" * 99), user("go on")]
    found = compact(messages, RULE, meter=BY_HAND, summarizer=RecordingSummarizer())
    assert found.after[0].content == "[Summary #1 of 2 earlier messages]\nsum"


def test_a_failure_changes_nothing() -> None:
    """The window stays, with its constraints."""
    messages = [user("Never touch main."), assistant("x" * 99), user("go on")]
    assert compact(messages, RULE, meter=BY_HAND, summarizer=broken).after == messages


def test_a_sample_trips_it() -> None:
    """The rule that every other summary may lose is in the last window."""
    rule = policy("compint.registry", budget=12_000)
    trace = simulate(as_session(CODING.messages), rule, meter=BY_HAND, summarizer=RecordingSummarizer())
    assert len(trace.compactions) > 1
    assert any("no new dependency, not even a small one" in m.content for m in trace.window(len(trace) - 1))
