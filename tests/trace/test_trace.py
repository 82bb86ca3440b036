"""The trace: steps, windows, regions, what has gone, and its JSON."""

import json

import pytest
from pydantic import ValidationError

from core import Message, Session, Trace, meter, policy, replay, simulate
from core.model.errors import StepError
from core.model.session import RecordedCompaction
from core.trace.trace import as_session
from tests.support import LESSON_SUMMARY, assistant, lesson_session, plain, terse, user


def lesson_trace() -> Trace:
    """The lesson's run under its own budget."""
    rules = policy("agentkit.memory", budget=100, keep_recent=3)
    return simulate(lesson_session(), rules, meter=meter("agentkit"), summarizer=lambda m, prior: LESSON_SUMMARY)


def test_the_lessons_run_is_twelve_steps() -> None:
    """Eleven messages and one compaction: the tokens at each step are the lesson's."""
    trace = lesson_trace()
    assert [s.tokens for s in trace.steps] == [20, 48, 57, 63, 72, 78, 87, 93, 102, 108, 82, 100]
    assert [s.kind for s in trace.steps].index("compaction") == 10
    assert (trace.steps[10].compaction, trace.steps[10].message, trace.steps[10].messages) == (0, None, 10)
    assert trace.compaction_step(0) == 10


def test_the_lessons_compaction_says_all_of_itself() -> None:
    """Why, from what to what, what went and what stayed."""
    [c] = lesson_trace().compactions
    ids = [m.id for m in lesson_session().messages]
    assert (c.status, c.reason, c.trigger) == ("compacted", "108 tokens > 100", "auto")
    assert (c.tokens_before, c.tokens_after, c.number, c.folded, c.limit) == (108, 82, 1, 6, 100)
    assert (c.removed, c.kept, c.cleared) == (tuple(ids[1:7]), (ids[0], *ids[7:10]), ())
    assert (c.removed_tokens, c.summary_tokens) == (67, 41)
    assert c.summary is not None
    assert c.summary.content.startswith("[summary #1 of 6 earlier messages]")


def test_regions_say_what_goes_next() -> None:
    """Before the compaction the middle is compactable; after it the summary stands there."""
    trace = lesson_trace()
    assert list(trace.regions(9).values()) == ["system", *["compactable"] * 6, *["recent"] * 3]
    assert list(trace.regions(10).values()) == ["system", "summary", "recent", "recent", "recent"]
    assert list(trace.regions(11).values()) == ["system", "summary", "compactable", "recent", "recent", "recent"]


def test_what_has_gone_is_named() -> None:
    """Nothing is gone before the compaction; after it, the six messages that were summarized."""
    trace = lesson_trace()
    assert trace.gone(9) == {}
    assert list(trace.gone(10)) == list(trace.compactions[0].removed)
    assert set(trace.gone(11).values()) == {"summarised"}


@pytest.mark.parametrize("step", [-1, 12, 10**9])
def test_a_step_outside_the_trace_is_an_error(step: int) -> None:
    """Asking for a step that does not exist says which there are."""
    with pytest.raises(StepError, match=f"step {step} is outside") as caught:
        lesson_trace().window(step)
    assert caught.value.hint == "steps run from 0 to 11"


def test_a_trace_of_nothing_has_no_steps() -> None:
    """A session without messages gives a trace without steps, which saves and loads."""
    trace = simulate(Session(), policy("agentkit.memory"))
    assert (len(trace), list(trace.steps), trace.compactions) == (0, [], ())
    assert Trace.model_validate_json(trace.model_dump_json()) == trace


def test_a_trace_survives_json() -> None:
    """A trace read back is equal, and its compactions can still name their messages."""
    trace = lesson_trace()
    back = Trace.model_validate_json(trace.model_dump_json())
    assert back == trace
    assert back.compactions == trace.compactions
    assert (back.compactions[0].before, back.compactions[0].after) == (trace.window(9), trace.window(10))
    assert back.version == 2


@pytest.mark.parametrize(
    ("where", "value", "said"),
    [
        (("tokens",), [1, 2], "2 token counts for 11 messages"),
        (("compactions", 0, "at"), 12, "happened after 12 of 11 messages"),
        (("compactions", 0, "added_tokens"), [], "added 1 messages, 0 counted"),
        (("compactions", 0, "layout_after"), [[0, 11]], "names messages that were not there"),
        (("compactions", 0, "layout_before"), [[0, 1], [11, 12]], "names messages that were not there"),
        (("compactions", 0, "edits", 0, "ranges"), [[-3, 5]], "names messages that were not there"),
    ],
)
def test_a_trace_that_cannot_be_is_refused(where: tuple[str | int, ...], value: object, said: str) -> None:
    """JSON whose numbers do not fit each other is an error that says which, rather than a trace that breaks later."""
    found = json.loads(lesson_trace().model_dump_json())
    place = found
    for key in where[:-1]:
        place = place[key]
    place[where[-1]] = value
    with pytest.raises(ValidationError, match=said):
        Trace.model_validate(found)


def test_traces_that_differ_are_not_equal() -> None:
    """Another budget, another trace; and a trace is not its session."""
    other = simulate(lesson_session(), policy("agentkit.memory", budget=90), meter=meter("agentkit"), summarizer=terse)
    assert lesson_trace() != other
    assert lesson_trace() != lesson_session()


def test_equal_things_have_equal_hashes() -> None:
    """What is equal can stand for each other in a set."""
    assert hash(lesson_trace()) == hash(lesson_trace())
    assert hash(lesson_session()) == hash(lesson_session())
    assert len({lesson_trace().compactions[0], lesson_trace().compactions[0]}) == 1


def test_steps_are_a_sequence() -> None:
    """Steps can be sliced and counted from the end, and one past the end is an IndexError."""
    steps = lesson_trace().steps
    assert ([s.index for s in steps[2:4]], steps[-1].index, len(steps)) == ([2, 3], 11, 12)
    with pytest.raises(IndexError):
        steps[12]


def test_messages_that_say_the_same_are_told_apart() -> None:
    """Two messages with the same text and no id get ids of their own, so each has its region."""
    trace = simulate(as_session([user("ok"), assistant("ok"), user("ok")]), policy("agentkit.memory"))
    assert len(trace.regions(2)) == 3


def test_a_recorded_compaction_is_a_step_of_the_replay() -> None:
    """A compaction the transcript recorded stands where it happened, with the recorded tokens and the metered ones."""
    summary = Message(id="s", role="user", content="what was said", injected="summary")
    session = Session(
        messages=(user("a" * 40), assistant("b" * 40), summary, user("c" * 40)),
        compactions=(RecordedCompaction(at=2, trigger="auto", tokens_before=900, tokens_after=70, summary="s"),),
    )
    trace = replay(session, meter=meter("agentkit"))
    assert [s.kind for s in trace.steps] == ["message", "message", "compaction", "message"]
    assert plain(trace.window(3)) == [("user", "what was said"), ("user", "c" * 40)]
    [c] = trace.compactions
    assert (c.recorded, c.tokens_before, c.tokens_after, c.window_before, c.window_after) == (True, 900, 70, 28, 7)
    assert Trace.model_validate_json(trace.model_dump_json()) == trace
