"""Pausing the cyclic garbage collector while many objects are made and none of them is part of a cycle."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

MANY = 100_000
"""So many new objects, of those that the collector looks at, take longer to look through than a person may wait: some 10 ms."""


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause the cyclic garbage collector inside the block; over a large session it takes a fifth to half of the time.

    Reference counting still frees objects at once. Cycles made inside the block stay until it ends. Then all that was made
    counts as old, as what lives long does: as new, it would be looked through as soon as the collector goes on.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            (freeze_many if _freezes else _grow_old)()
            gc.enable()


def freeze_from_now_on(on: bool = True) -> None:
    """Whether blocks that make many objects leave them out of every later collection, in this process.

    That is for a server, which collects often and keeps what it has read. https://docs.python.org/3/library/gc.html#gc.freeze
    """
    global _freezes
    _freezes = on


_freezes = False


def freeze_many() -> None:
    """Freeze what was made since the last collection, if it is much."""
    made, _, _ = gc.get_count()
    if made > MANY:
        gc.freeze()


def _grow_old() -> None:
    """Move every object to the oldest generation, unless some are frozen, which would not stay so."""
    if not gc.get_freeze_count():  # walks over all that are: for none, it takes no time
        gc.freeze()
        gc.unfreeze()
