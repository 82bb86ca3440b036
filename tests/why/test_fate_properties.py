"""The fate of a text is what its windows say, for every policy and sessions of every shape."""

from collections import Counter
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import FoldlineError, LiveContext, Policy, Trace, fate, policies, replay, simulate
from core.entities.texts import texts
from core.trace.recorded import session_of
from tests.support import EXAMPLES, METERS, SUMMARIZERS, sessions, tuned
from tests.why.windows import every_step, how_it_matches, lane_of, runs_of, taken_at

EVERY = pytest.mark.parametrize("chosen", policies(), ids=lambda p: p.name)


@EVERY
@settings(max_examples=2 * EXAMPLES)
@given(data=st.data())
def test_the_fate_is_what_the_windows_say(chosen: Policy, data: st.DataObject) -> None:
    """The lane covers every step once, with the messages of its window that have the text; what happened agrees with it.

    So it is for a simulated trace, one read back from its file, the session as recorded, and one that records all compactions.
    """
    trace = simulate(data.draw(sessions()), data.draw(tuned(chosen)), data.draw(METERS), data.draw(SUMMARIZERS))
    text = data.draw(st.sampled_from(said_in(trace)))
    back = Trace.model_validate_json(trace.model_dump_json())
    recorded = replay(session_of(trace.pool, trace.compactions, trace.meter, ""))
    for one in (trace, back, replay(trace.session), recorded):
        agrees(one, text)


@settings(max_examples=10 * EXAMPLES)
@given(data=st.data())
def test_the_fate_in_a_live_run(data: st.DataObject) -> None:
    """So it is at every moment of a live run in which a person removes messages and pins some."""
    chosen = data.draw(st.sampled_from(policies()))
    context = LiveContext(data.draw(tuned(chosen)), meter=data.draw(METERS), summarizer=data.draw(SUMMARIZERS))
    for message in data.draw(sessions(max_turns=5)).messages:
        if message.role == "assistant":
            context.maybe_compact("before_call")
        context.append(message)
        if data.draw(st.integers(0, 5)) == 0:
            context.pin([data.draw(st.integers(0, len(context.base.messages) - 1))])
        if data.draw(st.integers(0, 5)) == 0:
            with suppress(FoldlineError):
                context.drop([data.draw(st.integers(0, len(context.base.messages) - 1))])
        if data.draw(st.integers(0, 5)) == 0:
            agrees(context.trace(), data.draw(st.sampled_from(said_in(context.trace()))))
    agrees(context.trace(), data.draw(st.sampled_from(said_in(context.trace()))))


def said_in(trace: Trace) -> list[str]:
    """Some texts that are said in the trace, in one message or many, and one that is not."""
    messages = [m for i in range(len(trace)) for m in trace.window(i)]
    said = sorted({text for m in messages for text in texts(m) if text.strip()})
    words = sorted({word for text in said for word in text.split()})
    return ["zebra", *said, *words, *(word.upper() for word in words)]


def agrees(trace: Trace, text: str) -> None:
    """The fate of the text is what a look at every window finds."""
    found, match = fate(trace, text), how_it_matches(trace, text)
    steps = list(every_step(trace, text, match))
    assert (found.match, found.steps) == (match, len(trace))
    assert lane_of(found) == runs_of(steps)
    kinds = Counter((event.step, event.kind) for event in found.events)
    for i, step in enumerate(trace.steps):
        assert kinds[i, "taken"] == bool(taken_at(steps, i))
        if step.message:
            arrived = step.message in steps[i][1]
            assert kinds[i, "said"] + kinds[i, "read_again"] + kinds[i, "needed"] >= arrived
    assert [e.step for e in found.events] == sorted(e.step for e in found.events)
    assert [e.place for e in found.events if (e.kind, e.match) == ("needed", "text")] == needed_places(trace, steps)


def needed_places(trace: Trace, steps: list[tuple[str, list[str]]]) -> list[int]:
    """The first message of each reply that has the text although the window before the reply had lost it."""
    found = dict[int, int]()
    for parts in trace.measured.replies:
        prompt = trace.message_step(parts[0]) - 1
        if prompt < 0 or steps[prompt][0] != "gone":
            continue
        for place in parts:
            if trace.messages[place].id in steps[trace.message_step(place)][1]:
                found.setdefault(parts[0], place)
    return sorted(found.values())
