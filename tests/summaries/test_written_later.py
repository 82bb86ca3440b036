"""Whether a recorded summary in a simulated run tells the future."""

from itertools import chain

from core import fate, meter, policy, replay, simulate
from core.model.session import Session
from core.summaries.summarizers import Recorded
from core.summaries.written_later import written_later
from core.trace.recorded import session_of
from core.trace.trace import as_session
from core.why.words import line
from tests.support import assistant, user

RULE = "agentkit.memory"
COUNTED = meter("agentkit")


def _recorded(begins: str = "") -> Session:
    """Forty turns, and the compactions of a run over them, each with a summary that says its number."""
    talk = chain.from_iterable((user(f"Do part {k}. " * 4), assistant(f"Part {k} is done. " * 4)) for k in range(40))
    number = iter(range(100))
    made = simulate(
        as_session([*talk]),
        policy(RULE, budget=900, keep_recent=4),
        COUNTED,
        lambda messages, prior=None: f"{begins}Summary number {next(number)} of the work.",
    )
    return session_of(made.pool, list(made.compactions), made.meter, "")


def test_a_summary_that_was_written_at_a_later_message_is_told_with_that_message() -> None:
    """A run that compacts sooner gets summaries of compactions that come later in the transcript; each names the place."""
    session = _recorded()
    run = simulate(session, policy(RULE, budget=500, keep_recent=4), COUNTED, Recorded(session))
    found = [written_later(run, j) for j in range(len(run.compactions))]
    assert found[0] == session.compactions[0].at
    assert found[0] > run.compactions[0].at
    texts = [event.summary.content if event.summary else "" for event in run.compactions]
    for event, text, later in zip(run.compactions, texts, found, strict=True):
        number = next((k for k in range(len(session.compactions)) if f"Summary number {k} of" in text), None)
        expected = None if number is None else session.compactions[number].at
        assert later == (expected if expected is not None and expected > event.at else None)


def test_a_summary_that_begins_with_the_sentence_of_the_policy_is_known() -> None:
    """Claude Code's begin with it, and the policy puts it in front once."""
    sentence = "This session is being continued from a previous conversation that ran out of context."
    session = _recorded(f"{sentence} The summary below covers the earlier portion.\n\n")
    run = simulate(session, policy("claude_code.auto", window=700), COUNTED, Recorded(session))
    first, summary = run.compactions[0], run.compactions[0].summary
    assert summary is not None
    assert summary.content.count(sentence) == 1
    assert written_later(run, 0) == next(event.at for event in session.compactions if event.at > first.at)


def test_why_says_of_such_a_summary_that_it_was_written_later() -> None:
    """One clause behind what it says; a summary in its own place has none."""
    session = _recorded()
    told = "Summary #1 says it word for word"
    for budget, later in (
        (500, f"; the transcript wrote that summary later, after message {session.compactions[0].at}"),
        (900, ""),
    ):
        run = simulate(session, policy(RULE, budget=budget, keep_recent=4), COUNTED, Recorded(session))
        found = fate(run, "Summary number 0 of the work.")
        lines = [line(found, event) for event in found.events if event.kind == "in_summary"]
        assert lines[0] == told + later


def test_a_summary_in_its_own_place_tells_no_future() -> None:
    """So it is in the run as recorded, under the settings of the record, and with summaries of another kind."""
    session = _recorded()
    same = simulate(session, policy(RULE, budget=900, keep_recent=4), COUNTED, Recorded(session))
    quoted = simulate(session, policy(RULE, budget=500, keep_recent=4), COUNTED)
    for run in (replay(session, meter=COUNTED), same, quoted):
        assert run.compactions
        assert [written_later(run, j) for j in range(len(run.compactions))] == [None] * len(run.compactions)
