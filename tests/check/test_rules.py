"""The rules of a check, on small sessions of known content."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import Message, Session, fate, meter, policy, replay, simulate
from core.check.judge import judge
from core.check.keep import Keep
from core.check.max_cost import MaxCost
from core.check.max_misses import MaxMisses
from core.check.no_finding import NoFinding
from core.check.survival import survivals
from core.measure.cost import Prices
from core.model.errors import ParameterError, TranscriptError, UnknownNameError
from core.model.session import RecordedCompaction
from core.trace.trace import Trace, as_session
from tests.support import assistant, calls, result, system, user, with_ids


def _recorded(*said: Message, summaries: tuple[str, ...]) -> Trace:
    """These messages as recorded; each summary takes all that came before its pair of messages and stands in its place."""
    messages, found = with_ids(said), []
    for number, text in enumerate(summaries, 1):
        at = 2 * number
        messages.insert(at + number - 1, Message(id=f"s{number}", role="user", content=text, injected="summary"))
        found.append(RecordedCompaction(at=at, summary=f"s{number}", kept=()))
    return replay(Session(messages=tuple(messages), compactions=tuple(found)), meter=meter("agentkit"))


TALK = (user("Use tabs, as in src/app/main.py."), assistant("Yes."), user("Next."), assistant("Done."), user("Good."))


@pytest.mark.parametrize(
    ("summaries", "status", "text"),
    [
        ((), "passed", "no compaction after it was said"),
        (("Use tabs, as in src/app/main.py.",), "passed", "survives 1 compaction; in summary #1"),
        (("The file is app/main.py.",), "passed", "survives 1 compaction; summary #1 says only app/main.py"),
        (("They talked.",), "failed", "lost at compaction 1 of 1, after message 2"),
        (("Use tabs, as in src/app/main.py.", "They talked."), "failed", "lost at compaction 2 of 2, after message 4"),
    ],
)
def test_a_text_survives_in_a_message_a_summary_or_by_a_name(
    summaries: tuple[str, ...], status: str, text: str
) -> None:
    """The weakest of what the compactions left counts."""
    trace = _recorded(*TALK, summaries=summaries)
    found = Keep("Use tabs, as in src/app/main.py.").judge(trace, "talk")
    assert (found.session, found.status, found.text) == ("talk", status, text)
    assert (found.amount > 0) == bool(found.story) == (status == "failed")


def test_the_verdict_and_its_story_name_a_compaction_alike() -> None:
    """Microcompactions are counted apart in both."""
    trace = _recorded(*TALK, summaries=("They talked.",))
    (cut,) = trace.session.compactions
    small = RecordedCompaction(at=1, kind="microcompaction", cleared=(trace.messages[0].id,))
    both = trace.session.model_copy(update={"compactions": (small, cut)})
    found = Keep("Yes.").judge(replay(both, meter=meter("agentkit")), "talk")
    assert found.text == "lost at compaction 1 of 1, after message 2"
    assert found.story[1] == "Compaction 1 summarized what said it"


def test_a_text_that_is_said_again_is_lost_all_the_same() -> None:
    """A window without it is one too many."""
    said = (user("Use tabs."), assistant("Yes."), user("Next."), assistant("You said: Use tabs."))
    found = Keep("Use tabs.").judge(_recorded(*said, summaries=("They talked.",)), "talk")
    assert (found.status, found.amount) == ("failed", 3)  # of four messages two had come
    assert found.story[:3] == (
        "message 1: Said by the user",
        "Compaction 1 summarized what said it",
        "compaction 1: Gone: summary #1 left it out",
    )


def test_the_earlier_it_is_lost_the_worse() -> None:
    """A baseline compares when a text was lost."""
    early = Keep("Use tabs").judge(_recorded(*TALK, summaries=("They talked.", "They talked.")), "")
    late = Keep("Use tabs").judge(_recorded(*TALK, summaries=("Use tabs.", "They talked.")), "")
    assert early.amount > late.amount > 0


def test_the_story_of_a_simulation_says_what_would_have_kept_it() -> None:
    """Behind who said it, what took it and by which rule."""
    turns = [message for i in range(8) for message in (user(f"line {i} " + "x " * 40), assistant("ok"))]
    session = as_session(with_ids([system("Be brief."), user("Use tabs."), *turns]))
    trace = simulate(
        session, policy("agentkit.memory", budget=150, keep_recent=2), meter("agentkit"), lambda *_: "They talked."
    )
    found = Keep("Use tabs.").judge(trace, "")
    assert found.status == "failed"
    assert "agentkit.memory keeps the newest 2 messages (keep_recent)" in "\n".join(found.story)
    cures = [line for line in found.story if line.startswith("would have kept it up to message")]
    assert any("Pin message 2" in line for line in cures)
    assert not any("budget 150" in line for line in cures)  # with one that keeps it nothing would ever be compacted
    own = [" at its defaults" not in line for line in cures]
    assert own == sorted(own, reverse=True)  # of this policy first, whatever another sends
    assert not all(own)


@given(st.integers(60, 400), st.integers(1, 8), st.sampled_from(["line 0", "line 3", "ok", "Be brief"]))
def test_survival_is_what_the_windows_hold(budget: int, keep_recent: int, text: str) -> None:
    """After each compaction the text stands in a message, in a summary, or in nothing; it has no names."""
    turns = [message for i in range(8) for message in (user(f"line {i} " + "x " * 40), assistant("ok"))]
    session = as_session(with_ids([system("Be brief."), *turns]))
    trace = simulate(session, policy("agentkit.memory", budget=budget, keep_recent=keep_recent))
    for k, how, names in survivals(fate(trace, text)):
        holding = [m for m in trace.window(trace.compaction_step(k)) if text in m.content]
        said = any(m.injected != "summary" for m in holding)
        assert how == ("verbatim" if said else "summary" if holding else "gone")
        assert names == ()


WORK = (
    system("You fix bugs."),
    user("Fix the crash. Ticket OPS-4821."),
    assistant("", calls("c1", "read_file", path="src/app/main.py")),
    result("c1", "retry_limit = 48213 " * 12),
    assistant("", calls("c2", "bash", command="ls -la src")),
    result("c2", "total 4 " * 30),
    assistant("It was 48213, for OPS-4821."),
)


def _worked() -> Trace:
    """A simulation that folds the ticket and the number before they are used: 3 uses, 2 of them missed."""
    rule = policy("agentkit.memory", budget=120, keep_recent=1)
    return simulate(as_session(with_ids(WORK)), rule, meter("agentkit"), lambda *_: "They talked.")


@pytest.mark.parametrize(
    ("limit", "status"), [("100%", "passed"), ("99.9 %", "failed"), ("2", "passed"), ("1", "failed"), ("0%", "failed")]
)
def test_a_limit_of_misses_is_a_share_or_a_number(limit: str, status: str) -> None:
    """Both names are used once, and nothing of the window says them."""
    found = MaxMisses.parse(limit).judge(_worked(), "work")
    assert (found.status, found.text) == (status, "2 of 2 uses missing (100.0 %)")


@pytest.mark.parametrize("text", ["", "2.5", "-1", "101%", "many", "2 %%", "٣"])
def test_other_limits_of_misses_are_errors(text: str) -> None:
    """The hint shows both forms."""
    with pytest.raises(ParameterError, match="no limit of misses") as error:
        MaxMisses.parse(text)
    assert error.value.hint == "give a share such as 2%, or a number such as 12"


def test_without_uses_nothing_is_missed() -> None:
    """A rate of nothing is none."""
    found = MaxMisses.parse("0%").judge(_recorded(*TALK[1:4], summaries=()), "")
    assert (found.status, found.text) == ("passed", "no message uses anything from earlier ones again")


def test_a_limit_of_cost() -> None:
    """Given prices, the session costs the same as in a row of a sweep; a model without prices fails, and is never free."""
    found = MaxCost(0.0001, Prices(1e-6, 1e-7, 1e-6, 5e-6)).judge(_worked(), "work")
    assert (found.status, found.text) == ("failed", f"it costs ${found.amount:.4f}")
    assert MaxCost(found.amount, Prices(1e-6, 1e-7, 1e-6, 5e-6)).judge(_worked(), "").status == "passed"
    unknown = MaxCost(1).judge(_worked(), "work")
    assert (unknown.status, unknown.text[:28]) == ("failed", "no model named, so no prices")


def test_findings_of_a_kind_or_of_words() -> None:
    """Where they are is said, and what they say; an unknown kind lists the known."""
    trace = _worked()
    found = NoFinding("orphaned_tool_result").judge(trace, "work")
    assert (found.status, found.text, found.amount) == ("failed", "1 found, at compaction 1", 1)
    assert found.story[0].startswith("compaction 1: Orphaned tool result. The result c2 is still in the window")
    assert set(NoFinding("orphaned").kinds) == {"orphaned_call", "orphaned_later", "orphaned_tool_result"}
    assert NoFinding("empty_summary").judge(trace, "").status == "passed"
    with pytest.raises(UnknownNameError, match="unknown finding 'orphan'") as error:
        NoFinding("orphan")
    assert "orphaned_call" in error.value.hint


def test_a_text_that_no_session_says_fails_once() -> None:
    """Said by one of two it is only skipped in the other; a file that cannot be read fails, and the rest goes on."""
    sessions = [
        ("one", as_session(with_ids(TALK))),
        ("two", as_session(with_ids(WORK))),
        ("three", TranscriptError("three is empty")),
    ]
    rules = [Keep("Use tabs"), Keep("Use tbas")]
    found = list(judge(sessions, lambda session: replay(session, meter=meter("agentkit")), rules))
    assert [(one.session, one.rule, one.status) for one in found] == [
        ("one", "keep “Use tabs”", "passed"),
        ("one", "keep “Use tbas”", "skipped"),
        ("two", "keep “Use tabs”", "skipped"),
        ("two", "keep “Use tbas”", "skipped"),
        ("three", "readable", "failed"),
        ("", "keep “Use tbas”", "failed"),
    ]
