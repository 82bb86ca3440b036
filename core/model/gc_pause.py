"""Pausing the cyclic garbage collector while many objects are made and none of them is part of a cycle."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


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
            _grow_old()
            gc.enable()


def _grow_old() -> None:
    """Move every object to the oldest generation, unless some are frozen, which would not stay so."""
    if not gc.get_freeze_count():
        gc.freeze()
        gc.unfreeze()
