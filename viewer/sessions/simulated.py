"""The trace of a session under a policy, as the registry keeps it: for the pages and for the routes. No Streamlit."""

from collections.abc import Sequence
from typing import Any

from core import Policy, Session, Trace, meter, simulate
from core.engine.unbounded import unbounded
from core.summaries.summarizers import summarizer
from viewer.sessions.registry import TRACES, Opened, digest
from viewer.settings.lanes import NONE, RECORDED
from viewer.wire.catalogue import own_settings
from viewer.wire.compared import DEFAULT_POLICY, chosen_policy, settings_for

DEFAULT_SUMMARIES = "structural"


def first_policy(session: Session) -> str:
    """The policy that a session opens with where nobody has chosen: RECORDED where it recorded how it was compacted."""
    return RECORDED if session.compactions or session.driven else DEFAULT_POLICY


def first_settings(session: Opened, name: str) -> dict[str, Any]:
    """The settings of a policy where nobody has chosen: those it had last in a driven run, else what suits the session."""
    return settings_for(session.recorded, name) | own_settings(session.session, name)


def first_run(session: Opened) -> tuple[str, Trace]:
    """The run that a session opens with where nobody has chosen, and its key."""
    name = first_policy(session.session)
    rule = None if name == RECORDED else chosen_policy(name, first_settings(session, name))
    asked = (session, name, rule, DEFAULT_SUMMARIES)
    return trace_key(*asked), trace_of(*asked)


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
