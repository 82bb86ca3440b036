"""Sessions of a known size, for the tests of the settings panel."""

from typing import Any

from core.trace.trace import as_session
from tests.support import assistant, system, user


def chat(turns: int, size: int = 400) -> Any:
    """A session of so many turns, each of two messages of so many characters."""
    return as_session(
        [system("s"), *(m for i in range(turns) for m in (user(f"{i:0{size}}"), assistant(f"{i:0{size}}")))]
    )
