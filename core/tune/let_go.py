"""Sessions that a sweep is done with: their memory is given back by a garbage collection, once for many of them.

What is worked out for a session refers to its messages, which keep it. And no collection comes by itself: while a session is
read or simulated, collections are paused, and all that was made then counts as old.
"""

import gc

from core.model.session import Session

MOST = 4_000_000
"""Characters of messages that wait for a collection: it takes some 60 ms, reading so many 200."""

_waiting = 0


def let_go(session: Session) -> None:
    """Nobody needs a session any more."""
    global _waiting
    _waiting += sum(len(message.content) for message in session.messages)
    if _waiting >= MOST:
        _waiting = 0
        gc.collect()
