"""Whether the agent had a text that its recorded window does not show, by what it quotes from it.

A harness may put files back after a compaction, and not every transcript says so. An edit that replaces lines which stood in
what was taken, and which no message of the window has, shows that the agent still had them. It need not have had all of the
file, and an agent that had it and edited nothing shows nothing. Of a simulation the window is known: nothing is put back.
"""

from collections.abc import Iterator

from core.measure.answers import lines_of
from core.measure.replacements import replacements
from core.measure.standing import standing
from core.measure.tool_use import Use, tool_uses
from core.model.cached import cached
from core.model.call_texts import call_texts
from core.model.session import Message, ToolCall
from core.trace.trace import Trace
from core.window.ranges import ADDED, SPACE


def unshown_quotes(trace: Trace, call: int) -> Iterator[tuple[Use, set[str]]]:
    """The edits from the last compaction of a recorded run to a call, with the lines each replaced that its window has not."""
    done = standing(trace).compactions_before(call)
    if trace.kind != "replay" or not done:
        return
    begins, known = trace.compactions[done - 1].at, cached(trace, "unshown quotes", lambda _: dict[int, set[str]]())
    for number, use in enumerate(tool_uses(trace)):
        if use.written and begins <= use.at < call:
            if number not in known:
                known[number] = _unshown(trace, use)
            yield use, known[number]


def put_in_lines(trace: Trace, call: int) -> frozenset[str]:
    """The lines of what compactions put into the window of a call: a summary, or a file that the agent put back."""
    done = standing(trace).compactions_before(call)
    known = cached(trace, "lines put in", lambda _: dict[int, frozenset[str]]())
    if done and done not in known:
        put_in = (part for part in trace.compactions[done - 1].layout_after if ADDED <= part[0] < SPACE)
        said = (lines_of(message.content) for part in put_in for message in trace.pool.slice(part))
        known[done] = frozenset[str]().union(*said)
    return known.get(done, frozenset())


def _unshown(trace: Trace, use: Use) -> set[str]:
    lines = set[str]().union(*(lines_of(text) for text in replaced(use.call)))
    for message in trace.window(trace.message_step(use.reply) - 1) if lines else ():
        text = _text_of(message)
        lines = {line for line in lines if line not in text}
    return lines


def _text_of(message: Message) -> str:
    called = (text for call in message.tool_calls for text in call_texts(call))
    return "\n".join((message.content, message.thinking, *called))


def replaced(call: ToolCall) -> Iterator[str]:
    """The texts that an edit replaces; of a patch the lines that it takes out, and those around them."""
    yield from (old for old, _ in replacements(call) if old)
    patch = next((text for text in call_texts(call) if text.lstrip().startswith("*** Begin Patch")), "")
    yield "\n".join(line[1:] for line in patch.splitlines() if line[:1] in (" ", "-"))
