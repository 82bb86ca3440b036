"""Keeps garbage collections short: Streamlit makes a full one after each run of its script, while everything else waits.

Sessions and traces hold no reference cycles: they are freed without it. https://docs.python.org/3/library/gc.html#gc.freeze
"""

import gc
import time
from collections.abc import Callable

from core.model.gc_pause import freeze_from_now_on, freeze_many

SLOW = 0.01
"""Seconds of the processor that a full collection may take before what it has found alive is left out of those after it."""


class FreezeWhenSlow:
    """A callback of the collector: after a slow full collection, what is alive is never looked at again.

    Messages, traces and what was worked out for them live long. What each run of the script leaves is still collected.
    Before one that another session's script asks for while much is being made, all that is there is left out, the garbage
    of scripts that ended meanwhile included: that much is never freed.
    """

    def __init__(self, clock: Callable[[], float] = time.thread_time) -> None:
        self._clock, self._begun = clock, 0.0

    def __call__(self, phase: str, info: dict[str, int]) -> None:
        """Called by the collector when it starts and when it stops."""
        if info["generation"] < 2:
            return
        if phase == "start":
            freeze_many()
            self._begun = self._clock()
        elif self._clock() - self._begun > SLOW:
            gc.freeze()


def keep_collections_short() -> None:
    """Do so in this process from now on; what is made in great numbers is left out before any collection has looked at it."""
    freeze_from_now_on()
    if not any(isinstance(known, FreezeWhenSlow) for known in gc.callbacks):
        gc.callbacks.append(FreezeWhenSlow())
