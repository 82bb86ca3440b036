"""What a copy of this process makes anew, because the copy has none of its threads."""

import os
from collections.abc import Callable


def in_every_copy(forget: Callable[[], None]) -> None:
    """Call this first in every copy of this process, so that it forgets threads, which would never do what it gives them."""
    if hasattr(os, "register_at_fork"):  # Windows copies no process
        os.register_at_fork(after_in_child=forget)
