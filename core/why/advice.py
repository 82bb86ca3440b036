"""What a person can do so that a text stays: what the agent's makers say of it, and of what a tool said, to ask again."""

from core.importers import advice_for_once, advice_to_users
from core.model.advice import Advice
from core.model.text import clean, cut
from core.summaries.standing import is_standing
from core.trace.trace import Trace
from core.why.fate import Fate

_NAMED = 60  # characters of an order that a command repeats; of a longer one it names the message


def advice_to(trace: Trace) -> Advice | None:
    """How users of the agent of a trace keep a rule of theirs; None of a library's policy, and of a run that is driven here.

    The agent is the one that wrote the session, or whose policy is simulated.
    """
    return advice_to_users(_format(trace))


def once_to(trace: Trace) -> Advice | None:
    """How they keep an order for once, with `{words}` for what it says; None where nothing is known of rules either."""
    return advice_for_once(_format(trace)) if advice_to(trace) else None


def _format(trace: Trace) -> str:
    """The format of the agent, the first of which advice is known."""
    formats = trace.policy.formats if trace.policy else (trace.session.format,)
    return next((name for name in formats if advice_to_users(name)), "")


def advice(fate: Fate) -> Advice | None:
    """What to do of this text: of one that the user says, be it after others, or that came from a tool; None of any other."""
    if not fate.places or fate.common:
        return None
    first = fate.trace.messages[fate.places[0]]
    if any(fate.trace.messages[place].typed for place in fate.places):
        return _to_user(fate)
    tokens = fate.trace.tokens[fate.places[0]]
    said = f"It came from a tool: the agent can call that tool again. The result has {tokens:,} tokens."
    return Advice(said) if first.role == "tool" else None


def _to_user(fate: Fate) -> Advice | None:
    """Only a rule belongs into a file that the agent reads each time."""
    if is_standing(fate.text):
        return advice_to(fate.trace)
    once = once_to(fate.trace)
    return once and Advice(once.text.replace("{words}", _named(fate.text)), once.source)


def _named(text: str) -> str:
    """An order as a command can name it: by its words, or where these are many by the message that says the first of them."""
    line = clean(text).replace("`", "").replace('"', "'")
    said = "what the user said:" if len(line) <= _NAMED else "the message of the user that says"
    return f'{said} "{cut(line, _NAMED)}"'
