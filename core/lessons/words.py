"""The texts of a lesson with the engine's figures filled in."""

from collections.abc import Mapping
from typing import Any


class Estimate(int):
    """A number of tokens that is an estimate: it is written with "~"."""


def filled(text: str, facts: Mapping[str, Any]) -> str:
    """The text with each name in braces replaced by its fact. Raises KeyError for a fact that the engine did not give."""
    return text.format_map({name: _written(value) for name, value in facts.items()})


def _written(value: Any) -> str:
    """A figure as people write it: whole numbers with commas, others with one place where they have one."""
    if isinstance(value, float):
        return f"{value:,.1f}".removesuffix(".0")
    mark = "~" if isinstance(value, Estimate) else ""
    return f"{mark}{value:,}" if isinstance(value, int) else str(value)


def several(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun: "1 call", "5 calls", "2 replies"."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def in_words(parts: list[str]) -> str:
    """The parts as a sentence lists them: "a, b and c"."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))
