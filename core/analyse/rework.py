"""What was asked again because the answer was gone, beside how often the agent asks again anyway."""

from collections.abc import Iterator, Mapping, Sequence

from core.analyse.asked_places import asked_by_file, places_list
from core.analyse.finding import Finding
from core.analyse.window_change import WindowChange
from core.entities.lines import COMMANDS
from core.measure.answers import brings_back, is_empty_answer, lines_of_result, shows_text
from core.measure.had import put_in_lines
from core.measure.read_again import reads_again
from core.measure.standing import standing
from core.measure.tool_use import Repeat, repeats, tool_uses
from core.model.cached import cached
from core.model.failure import is_failure
from core.model.give_way import give_way
from core.model.session import ToolCall
from core.model.text import counted
from core.trace.places import step_name
from core.trace.trace import Trace
from core.trace.unseen_after import unseen_after
from core.trace.unseen_growth import unseen_before, unseen_growth

KINDS = ("rework",)

_COMPARED = 8  # earlier answers, the newest, that one is compared with
_EDITOR = ("view",)


def check_in_trace(change: WindowChange, trace: Trace, index: int) -> Iterator[Finding]:
    """The calls that ask again for answers which stood in the window until compaction `index`."""
    if some := asked_again(trace, index):
        yield _finding(change, trace, index, some)


def asked_again(trace: Trace, index: int) -> Sequence[Repeat]:
    """The later calls that bring back what compaction `index` was the last to take, in order."""
    known: Mapping[int, list[Repeat]] = cached(trace, "rework", _by_compaction)
    return known.get(index, ())


def _by_compaction(trace: Trace) -> dict[int, list[Repeat]]:
    """The calls that ask for what no message of the window had any more, by the compaction that took the newest that had."""
    found: dict[int, list[Repeat]] = {}
    if not trace.compactions:
        return found
    windows = standing(trace)
    again = {(repeat.use.at, repeat.use.call.id): repeat for repeat in (*reads_again(trace), *_in_vain(trace))}
    for repeat in sorted(again.values(), key=lambda repeat: repeat.use.at):
        found.setdefault(windows.taken_by(repeat.sources[-1]), []).append(repeat)
    return found


def _in_vain(trace: Trace) -> Iterator[Repeat]:
    """The repeats none of whose answers stood in the window any more."""
    windows, in_vain = standing(trace), cached(trace.measured, "asked in vain", lambda _: dict[int, bool]())
    for number, repeat in enumerate(repeats(trace)):
        give_way()
        if any(windows.stands(place, repeat.use.at) for place in reversed(repeat.sources)):
            continue
        if number not in in_vain:  # the same for every policy
            in_vain[number] = _asks_in_vain(trace, repeat)
        if in_vain[number] and not _was_put_in(trace, repeat):
            yield repeat


def _was_put_in(trace: Trace, repeat: Repeat) -> bool:
    """Whether half of what comes back stands in what a compaction put in, as a file does that was put back."""
    lines = lines_of_result(trace.messages[repeat.use.result])
    return brings_back(lines, put_in_lines(trace, repeat.use.reply))


def _asks_in_vain(trace: Trace, repeat: Repeat) -> bool:
    """Whether the answer was known: half of the lines that came back had stood there. A command may have changed a file."""
    if not _looks(repeat.use.call) or is_empty_answer(trace, repeat.use):
        return False
    before = [trace.messages[place] for place in repeat.sources[-_COMPARED:]]
    known = set[str]().union(*(lines_of_result(message) for message in before if not is_failure(message)))
    return brings_back(lines_of_result(trace.messages[repeat.use.result]), known)


def _looks(call: ToolCall) -> bool:
    """Whether a call looks something up: a command does if it shows a text; tests and `git status` look at how things are."""
    commands = [call.arguments[name] for name in COMMANDS if name in call.arguments]
    return all(isinstance(text, str) and (text in _EDITOR or shows_text(text)) for text in commands)


def _finding(change: WindowChange, trace: Trace, index: int, some: Sequence[Repeat]) -> Finding:
    asked, tokens = asked_by_file(trace, some), sum(trace.tokens[repeat.use.result] for repeat in some)
    gone = known_gone(trace, index)
    calls, again, step = len(tool_uses(trace)), len(repeats(trace)), trace.message_step(some[0].use.at)
    # Reads that bring back the lines of a file need not be among them.
    anyway = _anyway(repeats(trace), calls) if again >= len(some) else ""
    return Finding(
        kind="rework",
        concern="lost",
        severity="warning",
        title="Asked again for what was gone" if gone else "Read again afterwards",
        text=(
            f"{counted(len(some), 'later call')} {'asked again for' if gone else 'read again'} "
            f"what {'was' if len(some) == 1 else 'had been'} {change.where}, and {tokens:,} tokens came back."
            f"{places_list(asked)}{' '.join(filter(None, (_maybe_put_back(trace, index), anyway)))}"
        ).rstrip(),
        messages=tuple(dict.fromkeys(trace.messages[place].id for one in asked for place in (*one.before, *one.again))),
        numbers={"calls": len(some), "tokens": tokens, "step": step, "repeats": again, "tool_calls": calls},
    )


def _anyway(again: Sequence[Repeat], calls: int) -> str:
    """How often the agent asks again at all, also for what it still has."""
    return (
        f"For comparison: in the whole session {len(again):,} of {counted(calls, 'tool call')} "
        f"{'asks' if len(again) == 1 else 'ask'} again for what an earlier one had answered, in the window or not. "
        "A file that was written in between does not count here."
    )


def known_gone(trace: Trace, index: int) -> bool:
    """Whether what a compaction took is known to be gone: its summary can be read, and no prompt held what nobody can see."""
    return not trace.compactions[index].unreadable and not unseen_after(trace, index)


def _maybe_put_back(trace: Trace, index: int) -> str:
    """What may be there; of a summary that nobody can read, which is in the prompt, nothing more is said."""
    if trace.compactions[index].unreadable or not unseen_growth(trace, index):
        return ""
    unseen, before = unseen_after(trace, index), unseen_before(trace, index)
    if before is None or before.unseen <= 0:
        return f"The next prompt held ~{unseen:,} tokens that are not in this file: part of it may be among them."
    then = f"the prompt for {step_name(trace, trace.message_step(before.at))} ~{before.unseen:,}"
    return (
        f"The next prompt held ~{unseen:,} tokens that are not in this file, {then}: part of it may have been put back."
    )
