"""The question that a message of the user answers: without it “ok, do nothing” says little."""

from core.model.own_text import own_text
from core.model.text import clean, sentences
from core.trace.trace import Trace

_TELLS = 5  # words: a shorter question, such as “What's your preference?”, is about one asked before
_AT_END = 2  # sentences of a reply among which it asks: one further up is not what it waits for


def question_before(trace: Trace, place: int) -> str:
    """What the reply before a message ends by asking; of a short question, what the user had asked before it; "" of none.

    A message that comes after a recorded compaction is about that, or begins anew: the question is no longer on screen.
    """
    reply = trace.messages[place - 1] if place else None
    if reply is None or reply.role != "assistant" or _was_compacted(trace, place):
        return ""
    asked = _last_question(own_text(reply), _AT_END)
    if not asked or len(asked.split()) >= _TELLS:
        return asked
    typed = next((one for one in reversed(trace.messages[: place - 1]) if one.typed), None)
    return (_last_question(own_text(typed)) if typed else "") or asked


def _was_compacted(trace: Trace, place: int) -> bool:
    """Whether the user saw a compaction just before the message at a place."""
    return trace.kind == "replay" and any(event.at == place for event in trace.compactions)


def _last_question(text: str, among: int = 0) -> str:
    """The last sentence that asks; with a number, among so many at the end."""
    return next((one for one in reversed([clean(one) for one in sentences(text)][-among:]) if one.endswith("?")), "")
