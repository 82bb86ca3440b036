"""What the first screen shows is worked out before the rest, one thread at a time."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from threading import Thread

from viewer.sessions.turns import Turns


def test_what_the_first_screen_shows_goes_before_what_has_waited_longer() -> None:
    """A turn that is taken is not broken off; the next one is for the first screen."""
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
