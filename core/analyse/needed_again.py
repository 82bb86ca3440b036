"""What a finding says of a text of the user's that is gone: that it was needed later, or that nobody can tell."""

from core.model.text import counted
from core.trace.places import step_name
from core.trace.trace import Trace


def titled(title: str, needed: int | None) -> str:
    """The title, which says where the text was needed again."""
    return title if needed is None else f"{title}, and was needed"


def at_need(needed: int | None) -> dict[str, int]:
    """The step of the need among the numbers: such findings come first."""
    return {} if needed is None else {"needed_at": needed}


def more_of(rest: int, what: str) -> str:
    """A sentence, with a space in front, that counts the others that went with the one that is quoted; "" of none."""
    return f" {counted(rest, f'more {what}')} went with it." if rest else ""


def came_of_it(trace: Trace, needed: int | None) -> str:
    """A sentence: what is known of the time behind, in the words of the overview."""
    if needed is None:
        return "Judging by the words alone, nothing later needed it."
    return f"By a word match it was needed at {step_name(trace, needed)}: read there what the agent did without it."
