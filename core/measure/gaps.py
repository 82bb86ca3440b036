"""How many model calls lie between one compaction and the next: few, again and again, is thrashing."""

from core.measure.prompts import Prompts

SHORT = 3
"""Calls: a gap of so many or fewer is a short one."""


def gaps(prompts: Prompts) -> list[int]:
    """The model calls between each event and the next; what follows the last one is no gap."""
    return prompts.used[:-1]
