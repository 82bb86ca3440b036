"""The trace that a command is about: as recorded, or under the policy that --policy names."""

import argparse

from core.cli.loading import one_session
from core.engine.default_meter import session_meter
from core.engine.pins import pins
from core.engine.replay import replay
from core.engine.simulate import simulate
from core.model.session import Session
from core.policies import policy
from core.summaries.summarizers import summarizer
from core.trace.trace import Trace


def one_trace(options: argparse.Namespace) -> Trace:
    """The trace that the options name. Raises FoldlineError."""
    return trace_of(one_session(options), options)


def trace_of(session: Session, options: argparse.Namespace) -> Trace:
    """The trace of a session that the options name. Raises FoldlineError."""
    rule = policy(options.policy, **dict(options.set)) if options.policy else None
    counter = session_meter(options.meter, session, rule)
    if rule is None:
        return replay(session, meter=counter)
    write = summarizer(options.summaries, tokens=options.summary_tokens, session=session)
    return simulate(session, rule, counter, write, pins(session, options.pin))
