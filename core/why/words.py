"""The fate of a text in words: the answer at each stretch of its lane, and a line for each thing that happened to it."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import partial
from operator import itemgetter

from core.importers import agent_of
from core.model.text import cut
from core.summaries.written_later import only_quotes, written_later
from core.trace.compaction import Action, Compaction
from core.trace.places import compaction_name, step_name
from core.trace.stand_in import KEPT_BY_QUOTE
from core.trace.trace import Trace
from core.why.events import By, Event
from core.why.fate import Fate
from core.why.lane import Stretch
from core.why.readable import unreadable

_BY_WORDS = "the model used words of it, and nothing in the window said it. Read there what it did without it."
_NEVER = "It was not needed again"
_LONGEST = 60  # characters of a name that is shown
_MOST_NAMED = 4  # summaries
_DONE: dict[Action, str] = {
    "summarised": "summarized",
    "dropped": "removed",
    "cleared": "cleared",
    "truncated": "shortened",
}
_BY_USER: dict[By, str] = {
    "asked": "sends the agent back to it",
    "repeated": "says it again",
    "pasted": "pastes it back",
}
_WHO = {"user": "the user", "assistant": "the assistant", "system": "a system message", "tool": "a tool result"}


def title(fate: Fate, stretch: Stretch) -> str:
    """Where the text is at the steps of a stretch, as one sentence: kept, gone, not said yet, or never said."""
    if not fate.said:
        return "Never said in this session."
    if fate.common:
        return f"Too common to follow: {len(fate.places):,} messages have it."
    if stretch.state == "gone":
        return _gone(fate, stretch.start)
    if stretch.state == "summary":
        kept = _keepers(fate, stretch)
        verb = "say" if "summaries " in kept else "says"
        return f"Kept: {kept} {verb} it{_word_for_word(fate)}."
    return "Not said yet." if stretch.state == "before" else _whereabouts(fate, stretch)


def text(fate: Fate, stretch: Stretch) -> str:
    """The line below that sentence: where the text was first said, last needed or used; "" where there is nothing to add."""
    if not fate.said:
        return f"None of {_all_of(fate.trace)} has it; case and line breaks do not matter."
    if fate.common:
        return "Select a name, a number, or three words or more."
    if stretch.state == "before":
        return f"First said at {step_name(fate.trace, fate.lane.first_said)}."
    if stretch.state == "summary":
        quoted = f" {KEPT_BY_QUOTE}" if only_quotes(fate.trace, stretch.places) else ""
        return f"In no message since {step_name(fate.trace, stretch.start)}.{quoted}" + _used(fate, stretch)
    return _need(fate, stretch) if stretch.state == "gone" else _origin(fate)


def line(fate: Fate, event: Event) -> str:
    """What happened, as a line of the story: without where, and without what the message says around it."""
    if event.kind == "said":
        return _arrival(fate, event)
    if event.kind == "read_again":
        return f"Said again by a tool result: {event.tokens:,} tokens"
    if event.kind == "taken":
        return _taken(fate, event)
    summary = summary_name(fate.trace, event.compaction)
    if event.kind == "in_summary":
        return f"{_capital(summary)} says it{_word_for_word(fate)}{_written_later(fate.trace, event.compaction - 1)}"
    if event.kind == "left_out":
        gone = not fate.lane.has(event.step)
        if gone and unreadable(fate.trace, event.compaction - 1):
            return f"Out of sight: nobody can read whether {summary} says it"
        return f"Gone: {summary} left it out" if gone else f"{_capital(summary)} left it out"
    return _use("Needed", event)


def _written_later(trace: Trace, k: int) -> str:
    """That a recorded summary tells the future, as a simulation gives it to an earlier compaction; "" of any other."""
    later = written_later(trace, k)
    return "" if later is None else f"; the transcript wrote that summary later, after message {later:,}"


def use_line(fate: Fate, event: Event) -> str:
    """A use by the model while the text was still there, as a line of the story; who does what it forbids does not use it.

    A reply of a simulated run is the recorded one, which may have been made without the text.
    """
    if event.match != "against":
        return _use("Used", event)
    return _use("The recorded reply may go against it" if _simulated(fate) else "Perhaps against it", event)


def _simulated(fate: Fate) -> bool:
    return fate.trace.kind == "simulate"


def summary_name(trace: Trace, number: int) -> str:
    """What the summary of a compaction is called; the compaction's number counts from 1."""
    found = trace.compactions[number - 1]
    return (
        f"summary #{found.number}"
        if found.number is not None
        else f"the summary of {compaction_name(trace, number - 1)}"
    )


def _use(what: str, event: Event) -> str:
    """How the model used it: never a proof, so that the line says which words tell it."""
    if event.match in ("words", "against"):
        words = ", ".join(f"“{cut(word, _LONGEST)}”" for word in event.words)
        return f"{what}, by a word match: {words}"
    if event.match in _BY_USER:
        return f"{what}: the user {_BY_USER[event.match]}"
    did = "wrote it" if event.match == "text" else f"named “{cut(event.evidence, _LONGEST)}”"
    return f"{what}: the assistant {did}"


def _arrival(fate: Fate, event: Event) -> str:
    message = fate.trace.pool.message(event.place)
    if event.compaction and message.injected == "shortened":
        return "Kept, shortened"
    if event.compaction and message in fate.trace.compactions[event.compaction - 1].put_back:
        return f"Put back by {agent_of(fate.trace.session) or 'the agent'}"
    who = "the harness" if message.injected and message.role == "user" else _WHO[message.role]
    again = " again" if event.step > fate.lane.first_said else ""
    return f"Said{again} by {who}"


def _taken(fate: Fate, event: Event) -> str:
    found = fate.trace.compactions[event.compaction - 1]
    if found.by_hand:
        return "Removed manually"
    return f"{_capital(compaction_name(fate.trace, event.compaction - 1))} {_deed(found)} what said it"


def _deed(found: Compaction) -> str:
    return next((_DONE[edit.action] for edit in found.edits), "removed")


def _gone(fate: Fate, step: int) -> str:
    """That no text has it any more, or none that can be read, from a step on, and what took the last of it."""
    k = fate.trace.step(step).compaction
    assert k is not None  # nothing leaves a window at a message
    found = fate.trace.compactions[k]
    name, summary = compaction_name(fate.trace, k), summary_name(fate.trace, k + 1)
    if found.by_hand:
        return f"Gone since {name}: it was removed manually."
    if not any(event.kind == "left_out" for event in fate.between(step, step)):
        return f"Gone since {name} {_deed(found)} it."
    if unreadable(fate.trace, k):
        return f"Out of sight since {name}: nobody can read whether {summary} says it."
    return f"Gone since {name}: {summary} left it out."


def _keepers(fate: Fate, stretch: Stretch) -> str:
    """The summaries that have kept it since a message said it."""
    found: list[int] = []
    for event in fate.back_from(stretch.end):
        if event.kind == "in_summary":
            found.insert(0, event.compaction)
        elif event.kind in ("said", "read_again", "needed"):
            break
    return summaries_named(fate.trace, found)


def summaries_named(trace: Trace, found: Sequence[int]) -> str:
    """The summaries of these compactions, which count from 1: "summary #1", "summaries #1 and #2"."""
    numbers = [number for k in found if (number := trace.compactions[k - 1].number) is not None]
    if not found or len(numbers) < len(found):
        return summary_name(trace, found[-1]) if found else "a summary"
    if len(numbers) > _MOST_NAMED:
        return f"the summaries from #{numbers[0]} to #{numbers[-1]}"
    *some, last = (f"#{number}" for number in numbers)
    return f"summaries {', '.join(some)} and {last}" if some else f"summary {last}"


def _word_for_word(fate: Fate) -> str:
    return " word for word" if fate.match == "exact" else ""


def _whereabouts(fate: Fate, stretch: Stretch) -> str:
    here = len(stretch.places)
    arrived = bisect_left(fate.places, fate.trace.step(stretch.start).messages)
    if arrived <= 1:
        return "In the window."
    if here >= arrived:
        return f"In the window, in all of its {arrived:,} places."
    return f"In the window, in {here:,} of its {arrived:,} places."


def _origin(fate: Fate) -> str:
    first = next((event for event in fate.events if event.kind == "said"), None)
    if first is None:
        return ""
    at = "at " if first.compaction else ""
    return f"{_arrival(fate, first)}, {at}{step_name(fate.trace, first.step)}."


def _used(fate: Fate, stretch: Stretch) -> str:
    last = bisect_right(fate.uses, stretch.end, key=itemgetter(0)) - 1
    use = fate.uses[last] if last >= 0 else None
    if use is None or use.step < stretch.start:
        return ""
    at = step_name(fate.trace, use.step)
    if use.match != "against":
        return f" Used at {at}."
    if _simulated(fate):
        return f" The reply recorded at {at} may go against it, but the model's window was a different one then."
    return f" Perhaps the model went against it at {at}."


def _need(fate: Fate, stretch: Stretch) -> str:
    """Where it was needed while it was gone, else that it was not; what was done without it, words do not tell."""
    later, name = fate.between(stretch.start + 1, stretch.end + 1), partial(step_name, fate.trace)
    if needed := next((event for event in later if event.kind == "needed"), None):
        if needed.match in ("words", "against"):
            return f"Needed at {name(needed.step)}, by a word match: {_BY_WORDS}"
        by = f": the user {_BY_USER[needed.match]}" if needed.match in _BY_USER else ""
        return f"Needed at {name(needed.step)}, when nothing in the window said it{by}."
    again = next((event for event in later if event.kind in ("said", "read_again")), None)
    if again:
        return f"Not needed before it was said again at {name(again.step)}."
    before = next((event for event in reversed(fate.between(0, stretch.start + 1)) if event.kind == "needed"), None)
    used = next((event for event in fate.uses if stretch.start < event.step <= stretch.end), None)
    if used is not None and before is None and used.match != "against":
        what = "wrote words of it" if used.match == "words" else f"named “{cut(used.evidence, _LONGEST)}”"
        return f"Used at {name(used.step)}: the model {what}, which the window still had."
    never = _NEVER if before is None else f"Needed at {name(before.step)}, and not since"
    return f"{never}, judging by the model's words alone."


def _all_of(trace: Trace) -> str:
    summaries = sum(found.summary is not None for found in trace.compactions)
    messages = f"the {_count(len(trace.messages), 'message', 'messages')}"
    return f"{messages} and {_count(summaries, 'summary', 'summaries')}" if summaries else messages


def _count(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
