"""How long a session was worked on: the time between its messages, of a long pause its beginning alone."""

from collections.abc import Iterable
from itertools import pairwise

from core.model.session import Message
from core.window.measured import seconds

PAUSE = 300
"""Seconds of the time between two messages that are taken for work, as reading, typing or waiting for a tool is."""


def active_seconds(messages: Iterable[Message]) -> int:
    """The seconds between the times of messages, as far as these are recorded, in order; of each gap at most a pause."""
    times = sorted(time for message in messages if (time := seconds(message.timestamp)) is not None)
    return round(sum(min(after - before, PAUSE) for before, after in pairwise(times)))
