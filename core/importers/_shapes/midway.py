"""Whether a file begins in the middle of its session: the only place that decides it.

A format says so itself where its first record names one before it that the file does not hold (the importer then sets
`Session.starts_midway`). In any format it is so where nothing of the conversation stands before the first compaction, as when
a session was resumed from a summary; or where the first message is a tool's result, or a reply that calls tools without a
system message before it, though the file has what people typed: in a record of replies alone nothing is missing.

How many tokens the first prompt held decides nothing: beside the messages of a session that is whole it may be 77,000. Nor
does a first reply without calls, by which an assistant greets.
"""

from core.model.session import QUEUED, Message, Session
from core.trace.trace import conversation

NOTE = "begins in the middle of a session: what came before is not in this file"


def with_beginning(session: Session) -> Session:
    """The session, and whether it starts midway, with a note of it."""
    if not (session.starts_midway or _starts_with_summary(session) or _starts_with_reply(session)):
        return session
    notes = session.notes if NOTE in session.notes else (*session.notes, NOTE)
    return session.model_copy(update={"starts_midway": True, "notes": notes})


def _starts_with_summary(session: Session) -> bool:
    """Whether a compaction stands before all that was said."""
    first = next((c for c in session.compactions if c.kind == "compaction" and not c.policy), None)
    return first is not None and not any(map(_is_said, conversation(session)[: first.at]))


def _starts_with_reply(session: Session) -> bool:
    """Whether a result comes first, or a reply with calls; what a harness put in before it may be its request."""
    first = next((i for i, message in enumerate(session.messages) if message.role != "system"), None)
    if first is None or not session.turns:
        return False
    message = session.messages[first]
    return message.role == "tool" or (message.role == "assistant" and bool(message.tool_calls) and not first)


def _is_said(message: Message) -> bool:
    """Whether a message is part of the conversation: no system message, and nothing that a harness put in."""
    return message.role != "system" and (not message.injected or message.injected == QUEUED)
