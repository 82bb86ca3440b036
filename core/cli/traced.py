"""The trace that a command is about: as recorded, or under the policy that --policy names."""

import argparse
from collections.abc import Callable

from core.cli.loading import one_session
from core.engine.default_meter import session_meter
from core.engine.pins import pins
from core.engine.replay import replay
from core.engine.simulate import simulate
from core.model.session import Session
from core.policies import policy
from core.policy.policy import Policy
from core.summaries.summarizers import summarizer
from core.trace.trace import Trace


def one_trace(options: argparse.Namespace) -> Trace:
    """The trace that the options name. Raises FoldlineError."""
    return trace_of(one_session(options), options)


def trace_of(session: Session, options: argparse.Namespace) -> Trace:
    """The trace of a session that the options name. Raises FoldlineError."""
    rule = policy(options.policy, **dict(options.set)) if options.policy else None
    return simulator(session, options)(rule) if rule else replay(session, meter=session_meter(options.meter, session))


def simulator(session: Session, options: argparse.Namespace) -> Callable[[Policy], Trace]:
    """What simulates a policy on a session, with the meter, summaries and pins of the options. Raises FoldlineError."""
    pinned = pins(session, options.pin)
    write = summarizer(options.summaries, tokens=options.summary_tokens, session=session)
    return lambda rule: simulate(session, rule, session_meter(options.meter, session, rule), write, pinned)
