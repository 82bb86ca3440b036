"""Advice to the user of an agent: how a text of theirs stays in its window."""

from typing import NamedTuple


class Advice(NamedTuple):
    """What a user can do, in words with code in backticks, and the page of the agent's makers that says that it works.

    `source` is empty where the words need none.
    """

    text: str
    source: str = ""
