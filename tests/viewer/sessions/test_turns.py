"""What a person waits for is worked out before the list of all findings, one thread at a time."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from threading import Thread

from viewer.sessions.turns import Turns


def test_what_a_person_waits_for_goes_before_what_has_waited_longer() -> None:
    """A turn that is taken is not broken off; the next one is for what a person waits for."""
    turns, done = Turns(), list[str]()

    def take(turn: Callable[[], AbstractContextManager[None]], name: str) -> None:
        with turn():
            done.append(name)

    with turns.later():
        later = Thread(target=take, args=(turns.later, "later"), daemon=True)
        later.start()
        first = Thread(target=take, args=(turns.first, "first"), daemon=True)
        first.start()
        until = time.monotonic() + 20
        while not turns.waited_for and time.monotonic() < until:
            time.sleep(0.001)
        done.append("begun before")
    first.join(20)
    later.join(20)

    assert done == ["begun before", "first", "later"]


def test_a_turn_ends_also_where_what_is_done_fails() -> None:
    """Else everything would wait for ever."""
    turns = Turns()
    for turn in (turns.first, turns.later):
        try:
            with turn():
                raise ValueError
        except ValueError:
            pass
    with turns.first():
        taken = True

    assert taken
