"""What a finding says of a text of the user's that is gone: that it was needed later, or that nobody can tell."""

from core.trace.places import step_name
from core.trace.trace import Trace


def titled(title: str, needed: int | None) -> str:
    """The title, which says where the text was needed again."""
    return title if needed is None else f"{title}, and was needed"


def at_need(needed: int | None) -> dict[str, int]:
    """The step of the need among the numbers: such findings come first."""
    return {} if needed is None else {"needed_at": needed}


def came_of_it(trace: Trace, needed: int | None) -> str:
    """A sentence or two: what is known of the time behind."""
    if needed is None:
        return "That does not mean that it was broken: Why tells whether it was needed later."
    return f"By a word match it was needed at {step_name(trace, needed)}: read there what the agent did without it."
