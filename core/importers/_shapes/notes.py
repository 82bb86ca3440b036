"""Notes that several importers write, in the same words."""

from collections.abc import Sequence

from core.importers._shapes.blocks import label
from core.model.text import cut

_REASON = 300  # characters of an error that are told


def pluralize(number: int, what: str) -> str:
    """A count with its noun: "1 record", "1,200 records"."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def sub_agents(agents: int, inside: int = 0) -> str:
    """Sub-agents in words, with how many of their records are in this file."""
    one = agents == 1
    who = "1 sub-agent ran in a window of its own" if one else f"{agents:,} sub-agents ran in windows of their own"
    whose = "its" if one else "their"
    here = f"{inside:,} of {whose} records are in this file, and skipped"
    return f"{who}; {here if inside else f'{whose} records are in other files'}"


def reason(error: str) -> str:
    """The first line of an error that says something."""
    return cut(next((line.strip() for line in error.splitlines() if line.strip()), ""), _REASON)


def failed(errors: Sequence[str]) -> str:
    """Replies that ended in an error, of which there is one at least: the error is no part of what they say."""
    first = label(errors[0]) or "no reason recorded"
    return f"1 reply failed: {first}" if len(errors) == 1 else f"{len(errors):,} replies failed, the first one: {first}"


def without_call(results: int, first: int | None = None) -> str:
    """Tool results that answer no call of the file, in words; `first` is the message with the first of them."""
    where = f", the first in message {first}" if first is not None else ""
    return f"{pluralize(results, 'tool result')} without a call in the file{where}"
