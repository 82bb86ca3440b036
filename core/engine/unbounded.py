"""The run without any compaction: what every policy is measured against."""

from core.trace.trace import Trace


def unbounded(trace: Trace) -> Trace:
    """The messages of a trace under its meter, in a window that only grows. It has no policy and no compactions."""
    made = Trace.model_construct(kind="simulate", session=trace.session, meter=trace.meter, tokens=trace.tokens)
    return made.attach(trace.measured)
