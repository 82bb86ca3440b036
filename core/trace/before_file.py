"""Whether a recorded window held messages from before its file: what nobody can see in it may still be true of it."""

from core.trace.trace import Trace


def held_before_file(trace: Trace, k: int) -> bool:
    """Whether compaction k was the first to take messages that stood before the file's beginning.

    Only the first of a recorded run that starts midway was; one that clears in place takes no message.
    """
    if trace.kind != "replay" or not trace.session.starts_midway:
        return False
    return all(event.kind == "microcompaction" for event in trace.compactions[:k])
