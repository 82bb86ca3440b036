"""What of a session's messages the API of a provider does not take, counted: said before they are handed on."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from core.llm.anthropic_body import system_blocks, turns_of
from core.llm.exports import to_openai
from core.llm.pairs import broken_pairs, without_orphans
from core.model.session import Message
from core.model.text import counted
from core.trace.trace import Trace, conversation


def not_in_openai(trace: Trace) -> list[str]:
    """What OpenAI's form leaves out, in sentences."""
    messages = conversation(trace.session)
    return list(_left_out(messages, len(to_openai(messages))))


def not_in_anthropic(trace: Trace) -> list[str]:
    """What Anthropic's form leaves out, in sentences, and how many messages it joins with others: its roles alternate."""
    messages = conversation(trace.session)
    whole = without_orphans(messages)
    turns = turns_of(whole)
    joined = sum(one == other for (one, _), (other, _) in pairwise(turns))
    alone = "its own: it is" if joined == 1 else "their own: each is"
    said = f"{counted(joined, 'message')} of {alone} joined with the one before it, of the same role."
    return [*_left_out(messages, len(system_blocks(whole)) + len(turns)), *[said] * bool(joined)]


def _left_out(messages: Sequence[Message], kept: int) -> Iterator[str]:
    """The sentences, of messages of which so many are kept."""
    broken = [pair.missing for pair in broken_pairs(messages)]
    thinking = sum(bool(message.thinking) for message in messages)
    calls, results = broken.count("result"), broken.count("call")
    empty = len(messages) - kept - results
    if thinking:
        yield f"the thinking of {counted(thinking, 'message')}."
    if calls:
        yield f"{counted(calls, 'call')} without a result."
    if results:
        yield f"{counted(results, 'result')} without a call."
    if empty:
        yield f"{counted(empty, 'message')} with nothing else in {'it' if empty == 1 else 'them'}."
