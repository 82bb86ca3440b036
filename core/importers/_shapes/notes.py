"""What importers say in notes, in the same words."""

from collections.abc import Sequence

from core.importers._blocks import label


def many(number: int, what: str) -> str:
    """A count with its noun: "1 record", "1,200 records"."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def sub_agents(agents: int, inside: int = 0) -> str:
    """Sub-agents in words, with how many of their records are in this file."""
    one = agents == 1
    who = "1 sub-agent ran in a window of its own" if one else f"{agents:,} sub-agents ran in windows of their own"
    whose = "its" if one else "their"
    here = f"{inside:,} of {whose} records are in this file, and left out"
    return f"{who}; {here if inside else f'{whose} records are in other files'}"


def failed(errors: Sequence[str]) -> str:
    """Replies that ended in an error, of which there is one at least: the error is no part of what they say."""
    first = label(errors[0]) or "no reason recorded"
    return f"1 reply failed: {first}" if len(errors) == 1 else f"{len(errors):,} replies failed, the first one: {first}"
