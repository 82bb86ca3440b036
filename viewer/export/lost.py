"""The losses that the overview of a run names: texts that whoever opens a file of it asks about, what counts most first."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from core.analyse.losses import USED
from core.model.text import ELLIPSIS

_TOLD, _REQUEST, _NAME, _IN_OTHER_WORDS = range(4)

Lost = dict[str, list[int]]
"""Texts, and up to which steps one asks what would have kept each: where it went, and where it was used."""


def losses_named(rows: Iterable[Mapping[str, Any]]) -> Lost:
    """The texts of a list of losses that lead to Why.

    First what the user said, then requests, names and commands, and requests that are there in other words; of what the
    user said and of names, those of most consequence first. Requests are listed so already.
    """
    found = Lost()
    for _, text, steps in sorted(_named(rows), key=lambda one: one[0]):
        found[text] = list(dict.fromkeys((*found.get(text, ()), *steps)))
    return found


def _named(rows: Iterable[Mapping[str, Any]]) -> Iterator[tuple[tuple[int, int], str, list[int]]]:
    """Each text of the rows with its place in the order, and its steps."""
    for row in rows:
        for one in (*row["told"], *row["names"], *row.get("others", ())):
            group = _NAME if one["kind"] in USED else _TOLD
            if one["followed"]:
                yield (
                    (group, one["rank"]),
                    one["followed"],
                    [step for step in (one["used_at"], row["step"]) if step >= 0],
                )
        for one in row["requests"]["listed"]:
            if one["followed"]:
                group = _IN_OTHER_WORDS if one["kind"] in ("partly", "reworded") else _REQUEST
                yield (group, 0), one["text"].removesuffix(ELLIPSIS), [row["step"]]
