"""The search for rings of objects is left out for a while, and comes back."""

import gc
from collections.abc import Sequence
from contextlib import suppress

import pytest

from core import Message, policy, simulate
from core.model.gc_pause import MANY, freeze_from_now_on, gc_paused
from core.summaries.summarizers import Structural
from core.trace.trace import as_session


@pytest.mark.parametrize("enabled", [True, False])
def test_collecting_is_as_it_was_afterwards(enabled: bool) -> None:
    """Whether rings were searched for before, they are searched for after, also where something was raised."""
    (gc.enable if enabled else gc.disable)()
    try:
        assert (within(), gc.isenabled()) == (False, enabled)
    finally:
        gc.enable()


def within() -> bool:
    """Whether rings are searched for inside, where something is raised."""
    with suppress(KeyError), gc_paused():
        inside = gc.isenabled()
        raise KeyError
    return inside


def looked_at_by(base: type) -> set[bool]:
    """Whether rings are searched for while a summarizer works, which is made from this class."""
    seen: list[bool] = []

    def call(self: object, messages: Sequence[Message], prior: str | None = None) -> str:
        seen.append(gc.isenabled())
        return "short"

    session = as_session([Message(id=f"m{i}", role=("user", "assistant")[i % 2], content="x" * 80) for i in range(20)])
    simulate(session, policy("agentkit.memory", budget=100), summarizer=type("Looking", (base,), {"__call__": call})())
    return set(seen)


def test_only_a_summarizer_of_this_package_goes_without() -> None:
    """A summarizer from elsewhere may take minutes and leave rings: they are searched for while it works."""
    assert looked_at_by(Structural) == {False}
    assert looked_at_by(object) == {True}


def test_what_was_made_meanwhile_is_old() -> None:
    """As new it would all be looked through at once, and again before it is old."""
    with gc_paused():
        made: list[list[int]] = [[] for _ in range(10)]
    assert any(one is made for one in gc.get_objects(generation=2))


def test_what_is_frozen_stays_so() -> None:
    """A program that uses this package may have frozen what it has."""
    gc.freeze()
    try:
        with gc_paused():
            pass
        assert gc.get_freeze_count()
    finally:
        gc.unfreeze()


@pytest.mark.parametrize(("made", "frozen"), [(MANY + 1000, True), (MANY // 2, False)])
def test_a_server_looks_through_much_that_was_made_never_again(made: int, frozen: bool) -> None:
    """Streamlit collects all there is after each run of its script. Little is left to it: frozen rings are never freed."""
    gc.collect()
    freeze_from_now_on()
    with gc_paused():
        kept: list[list[int]] = [[] for _ in range(made)]
    collected = {id(one) for one in gc.get_objects()}

    assert [id(kept[0]) in collected, id(kept[-1]) in collected] == [not frozen, not frozen]


def test_a_block_of_a_server_takes_no_longer_for_what_is_frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counting what is frozen walks over all of it: with 100,000 messages, longer than a slider may take."""
    freeze_from_now_on()
    monkeypatch.setattr(gc, "get_freeze_count", lambda: pytest.fail("counted what is frozen"))
    with gc_paused():
        pass
