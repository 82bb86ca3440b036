"""What a person can do so that a text stays: what the agent's makers say of it, and of what a tool said, to ask again."""

from core.importers import advice_to_users
from core.model.advice import Advice
from core.trace.trace import Trace
from core.why.fate import Fate


def advice_to(trace: Trace) -> Advice | None:
    """How users of the agent of a trace keep a text of theirs; None of a library's policy, and of a run that is driven here.

    The agent is the one that wrote the session, or whose policy is simulated.
    """
    rule = trace.policy
    formats = rule.formats if rule else (trace.session.format,)
    known = (advice_to_users(name) for name in formats)
    return next((advice for advice in known if advice), None)


def advice(fate: Fate) -> Advice | None:
    """What to do of this text: of one that the user said first, or that came from a tool; None of any other."""
    if not fate.places or fate.common:
        return None
    first = fate.trace.messages[fate.places[0]]
    if first.typed:
        return advice_to(fate.trace)
    tokens = fate.trace.tokens[fate.places[0]]
    said = f"It came from a tool: the agent can call that tool again. The result has {tokens:,} tokens."
    return Advice(said) if first.role == "tool" else None
