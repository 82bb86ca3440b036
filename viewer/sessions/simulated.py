"""The trace of a session under a policy, as the registry keeps it: for the pages and for the routes. No Streamlit."""

from collections.abc import Sequence

from core import Policy, Trace, meter, simulate
from core.engine.unbounded import unbounded
from core.summaries.summarizers import summarizer
from viewer.sessions.registry import TRACES, Opened, digest
from viewer.settings.lanes import NONE, RECORDED

DEFAULT_SUMMARIES = "structural"


def recorded_run(session: Opened) -> tuple[str, Trace]:
    """The run as recorded, which a session opens with where nobody has chosen, and its key."""
    return trace_key(session, RECORDED, None, DEFAULT_SUMMARIES), session.recorded


def trace_key(session: Opened, name: str, rule: Policy | None, summaries: str, pinned: Sequence[int] = ()) -> str:
    """The key of a trace in the registry: session, policy, settings, summarizer and pins; `rule` is None without a policy."""
    if rule is None:
        return digest(session.sid, name)
    return digest(session.sid, rule.name, repr(sorted(rule.settings.items())), summaries, repr(tuple(pinned)))


def trace_of(session: Opened, name: str, rule: Policy | None, summaries: str, pinned: Sequence[int] = ()) -> Trace:
    """The trace with this key, from the registry if it is there: simulated, as recorded, or without any compaction."""
    key = trace_key(session, name, rule, summaries, pinned)
    return TRACES.get_or_make(key, lambda: _made(session, name, rule, summaries, pinned))


def _made(session: Opened, name: str, rule: Policy | None, summaries: str, pinned: Sequence[int]) -> Trace:
    if rule:
        return _simulated(session, rule, summaries, pinned)
    return unbounded(session.recorded) if name == NONE else session.recorded


def _simulated(session: Opened, rule: Policy, summaries: str, pinned: Sequence[int]) -> Trace:
    write = summarizer(summaries, session=session.session)
    return simulate(session.session, rule, meter(session.recorded.meter), write, pinned)
