"""What was asked again because the answer was gone, beside how often the agent asks again anyway."""

import re
from collections.abc import Iterator, Mapping, Sequence

from core.analyse.finding import Finding, counted, quoted
from core.analyse.window_change import WindowChange
from core.entities.lines import COMMANDS
from core.measure.standing import standing
from core.measure.tool_use import Repeat, repeats, tool_uses
from core.model.cached import cached
from core.model.call_texts import call_texts
from core.model.give_way import give_way
from core.model.session import Message, ToolCall
from core.trace.trace import Trace

KINDS = ("rework",)

_NAMED = 6  # calls whose messages are the evidence
_LEAST = 10  # tokens of an answer
_COMPARED = 8  # earlier answers, the newest, that one is compared with
_ECHO = 0.9  # of the words of an answer
_EDITOR = ("view",)
_WORD = re.compile(r"\w+")
_SHOWS = re.compile(r"\s*(?:cd [^&;|]{1,300}&& *)?(?:cat|sed -n|head|tail|nl|grep|rg|less)\b")
_NUMBER = re.compile(r"^\s*\d+\s*[\t→:|]")


def check_in_trace(change: WindowChange, trace: Trace, index: int) -> Iterator[Finding]:
    """The calls that ask again for answers which stood in the window until compaction `index`."""
    known: Mapping[int, list[Repeat]] = cached(trace, "rework", _by_compaction)
    if some := known.get(index):
        yield _finding(change, trace, some)


def _by_compaction(trace: Trace) -> dict[int, list[Repeat]]:
    """The calls none of whose answers stood in the window any more, by the compaction that took the newest of these."""
    found: dict[int, list[Repeat]] = {}
    if not trace.compactions:
        return found
    windows, in_vain = standing(trace), cached(trace.measured, "asked in vain", lambda _: dict[int, bool]())
    for number, repeat in enumerate(repeats(trace)):
        give_way()
        if any(windows.stands(place, repeat.use.at) for place in reversed(repeat.sources)):
            continue
        if number not in in_vain:  # the same for every policy
            in_vain[number] = _asks_in_vain(trace, repeat)
        if in_vain[number]:
            found.setdefault(windows.taken_by(repeat.sources[-1]), []).append(repeat)
    return found


def _asks_in_vain(trace: Trace, repeat: Repeat) -> bool:
    """Whether the answer was known: half of the lines that came back had stood there.

    A file may have been changed by a command. What failed was no answer, nor is what gives back what the call said; what
    takes no room costs nothing.
    """
    now = trace.messages[repeat.use.result] if repeat.use.result >= 0 and _looks(repeat.use.call) else None
    if now is None or now.is_error or now.images or trace.tokens[repeat.use.result] < _LEAST:
        return False
    if _echoes(now, repeat.use.call):
        return False
    before = [trace.messages[place] for place in repeat.sources[-_COMPARED:]]
    known = set[str]().union(*(_lines(message) for message in before if not message.is_error))
    lines = _lines(now)
    return 2 * len(lines & known) >= len(lines) > 0


def _echoes(answer: Message, call: ToolCall) -> bool:
    """Whether an answer gives back what the call said, as that of a to-do list does: nothing was asked."""
    words = set(_WORD.findall(answer.content))
    said = set[str]().union(*map(_WORD.findall, call_texts(call)))
    return len(words & said) >= _ECHO * len(words)


def _looks(call: ToolCall) -> bool:
    """Whether a call looks something up: a command does if it shows a text; tests and `git status` look at how things are."""
    commands = [call.arguments[name] for name in COMMANDS if name in call.arguments]
    return all(isinstance(text, str) and (text in _EDITOR or _SHOWS.match(text)) for text in commands)


def _lines(message: Message) -> set[str]:
    """The lines of an answer that say something, without the numbers that tools put in front of them."""
    lines = (_NUMBER.sub("", line).strip() for line in message.content.splitlines())
    return {line for line in lines if len(line) > 3}


def _finding(change: WindowChange, trace: Trace, some: Sequence[Repeat]) -> Finding:
    first, tokens = some[0], sum(trace.tokens[repeat.use.result] for repeat in some)
    calls, again, step = len(tool_uses(trace)), len(repeats(trace)), trace.message_step(first.use.at)
    return Finding(
        kind="rework",
        concern="lost",
        severity="warning",
        title="Asked again for what was gone",
        text=f"{counted(len(some), 'later call')} asked again for what {'was' if len(some) == 1 else 'had been'} "
        f"{change.where}, and {tokens:,} tokens came back. The first is {_named(first.use.call)} at step {step:,}. "
        f"Whatever the window holds, {again:,} of the {counted(calls, 'tool call')} in this session repeat an earlier one.",
        messages=tuple(
            dict.fromkeys(
                trace.messages[place].id for repeat in some[:_NAMED] for place in (repeat.sources[-1], repeat.use.at)
            )
        ),
        numbers={"calls": len(some), "tokens": tokens, "step": step, "repeats": again, "tool_calls": calls},
    )


def _named(call: ToolCall) -> str:
    """A call in a sentence: the tool, and its first text."""
    text = next((value for value in call.arguments.values() if isinstance(value, str) and value.strip()), "")
    return f"{call.name} {quoted(text)}" if text else call.name
