"""Garbage collections stay short, and nothing that is dropped is kept by that."""

import gc
import weakref

import pytest

from core import Message, ToolCall, meter, policy, simulate
from core.model.gc_pause import MANY, gc_paused
from core.trace.trace import as_session
from viewer.sessions.garbage import SLOW, FreezeWhenSlow
from viewer.wire.card import compaction_card
from viewer.wire.findings import finding_list, finding_marks
from viewer.wire.pack import view_payload


def test_what_a_slow_full_collection_leaves_is_left_out_of_later_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """A quick one, and one of the young alone, change nothing."""
    frozen: list[float] = []
    now = 0.0
    monkeypatch.setattr(gc, "freeze", lambda: frozen.append(now))
    watch = FreezeWhenSlow(lambda: now)
    for generation, seconds in ((2, SLOW / 2), (1, SLOW * 2), (0, SLOW * 2), (2, SLOW * 2), (2, SLOW / 2)):
        watch("start", {"generation": generation})
        now += seconds
        watch("stop", {"generation": generation})

    assert frozen == [SLOW * 6.5]


@pytest.mark.parametrize(("made", "looked_at"), [(MANY + 1000, False), (MANY // 2, True)])
def test_what_is_being_read_is_left_out_of_a_collection(made: int, looked_at: bool) -> None:
    """The script of another tab ends with a full one: it would go through all that a large file has been read into so far."""
    gc.collect()
    gc.callbacks.append(FreezeWhenSlow(lambda: 0.0))
    with gc_paused():
        read: list[list[int]] = [[] for _ in range(made)]
        gc.collect()
        collected = {id(one) for one in gc.get_objects()}

    assert (id(read[0]) in collected) is looked_at


def test_a_trace_that_is_dropped_is_freed_without_a_collection() -> None:
    """Whatever was worked out for it: what is frozen is never collected."""
    session = as_session(
        [
            Message(
                role="assistant" if i % 2 else "user",
                content="word " * 20,
                tool_calls=(ToolCall(id=f"c{i}", name="read", arguments={"path": "a.py"}),) if i % 2 else (),
            )
            for i in range(40)
        ]
    )
    gc.disable()
    try:
        trace = simulate(session, policy("agentkit.memory", budget=200, keep_recent=3), meter("agentkit"))
        view_payload("s", "t", trace, {})
        finding_list(trace)
        finding_marks(trace)
        compaction_card(trace, 0)
        left = weakref.ref(trace)
        del trace
        assert left() is None
    finally:
        gc.enable()
