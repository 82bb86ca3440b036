"""The losses that the overview of a run names: texts that whoever opens a file of it asks about, what counts most first."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from core.model.text import ELLIPSIS

_SAID_AND_USED, _SAID, _REQUEST, _NAME, _IN_OTHER_WORDS = range(5)

Lost = dict[str, list[int]]
"""Texts, and up to which steps one asks what would have kept each: where it went, and where it was used."""


def losses_named(rows: Iterable[Mapping[str, Any]]) -> Lost:
    """The texts of a list of losses that lead to Why.

    First what the user said and the agent needed, then what else the user said, requests, names, and requests that are there
    in other words.
    """
    found = Lost()
    for _, text, steps in sorted(_named(rows), key=lambda one: one[0]):
        found[text] = list(dict.fromkeys((*found.get(text, ()), *steps)))
    return found


def _named(rows: Iterable[Mapping[str, Any]]) -> Iterator[tuple[int, str, list[int]]]:
    """Each text of the rows with its rank and its steps."""
    for row in rows:
        for one in (*row["told"], *row["names"]):
            rank = _NAME if one["kind"] == "name" else _SAID if one["used_at"] < 0 else _SAID_AND_USED
            if one["followed"]:
                yield rank, one["followed"], [step for step in (one["used_at"], row["step"]) if step >= 0]
        for one in row["requests"]["listed"]:
            if one["followed"]:
                rank = _REQUEST if one["kind"] == "gone" else _IN_OTHER_WORDS
                yield rank, one["text"].removesuffix(ELLIPSIS), [row["step"]]
