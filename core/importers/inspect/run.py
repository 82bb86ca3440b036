"""One run of an Inspect sample: its messages in order, with the usage of each reply and the compactions.

The messages of a sample are those of its end. Where each model call was sent what stands before its reply there, they are
the whole story. Where not, or where a compaction is written down, the run is put together from what the calls were sent.
A call belongs to the run if its reply stands in the end, or was sent to a later call that does: others wrote a summary,
criticised, or were asked again.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from core.importers._shapes.blocks import string, whole_number
from core.importers._shapes.prompts import Prompts
from core.importers.inspect.events import Call, Compaction, Events
from core.model.session import Message, RecordedCompaction


@dataclass
class RebuiltRun:
    """What a run comes to. `used` are the model calls that belong to it; `idle` counts compactions that changed nothing
    that can be seen, `open` those that no model call came after. `unlike` is whether the calls were sent something else than
    what stands in the end, and do not tell a run of their own."""

    messages: list[Message] = field(default_factory=list)
    compactions: list[RecordedCompaction] = field(default_factory=list)
    used: list[Call] = field(default_factory=list)
    idle: int = 0
    open: int = 0
    unlike: bool = False


def belonging(events: Events, calls: Sequence[Call], end: Sequence[Message]) -> list[Call]:
    """The calls whose replies stand in the end, or were sent to one of those, in order."""
    number, found = events.reader.number, []
    wanted = {number(message) for message in end}
    for call in reversed(calls):
        if call.reply and number(call.reply[0]) in wanted:
            found.append(call)
            wanted.update(map(number, events.sent(call)))
    return found[::-1]


def rebuilt_run(events: Events, calls: Sequence[Call], end: list[Message], written: Sequence[Compaction]) -> RebuiltRun:
    """The run of these calls, which came to this end, with the compactions that were written down."""
    fits = not written and _fits(events, calls, end)
    found = None if fits else _rebuilt(events, calls, end, written)
    if found is not None and (written or not _lost(events, end, found.messages)):
        return found
    messages, ends = [_dated(message, events) for message in end], _End(events, end)
    for call in calls:
        place = ends.pass_by(call)
        if place is not None:
            messages[place] = _answered(messages[place], call)
    return RebuiltRun(messages, used=list(calls), unlike=not fits)


def _lost(events: Events, end: list[Message], messages: list[Message]) -> bool:
    """Whether a reply or a typed message of the end is missing: the calls were not one conversation then."""
    here, there = (Counter(map(events.reader.number, filter(_is_reply_or_typed, part))) for part in (messages, end))
    return bool(there - here)


def _is_reply_or_typed(message: Message) -> bool:
    return message.role == "assistant" or message.typed


def _fits(events: Events, calls: Sequence[Call], end: list[Message]) -> bool:
    """Whether all that each call was sent stands in the end before its reply."""
    number, ends = events.reader.number, _End(events, end)
    whole_end = [number(message) for message in end]
    for call in calls:
        sent = [number(message) for message in events.sent(call)]
        place = ends.pass_by(call)
        if place is None or (sent and (place != len(sent) or whole_end[:place] != sent)):
            return False
    return True


def _answered(message: Message, call: Call) -> Message:
    """A reply with what is known of the call it came from."""
    output = call.event.get("output")
    model = string(output.get("model")) if isinstance(output, dict) else ""
    return message.model_copy(
        update={
            "usage": call.usage,
            "model": message.model or model or string(call.event.get("model")),
            "timestamp": string(call.event.get("completed")) or string(call.event.get("timestamp")),
            "is_error": bool(call.error),
        }
    )


def _dated(message: Message, events: Events) -> Message:
    """A tool's result with the time it came."""
    event = events.results.get(message.tool_call_id or "") if message.role == "tool" else None
    when = (string(event.get("completed")) or string(event.get("timestamp"))) if event else ""
    return message.model_copy(update={"timestamp": when}) if when else message


def _rebuilt(events: Events, calls: Sequence[Call], end: list[Message], written: Sequence[Compaction]) -> RebuiltRun:
    prompts, found, waiting, ends = Prompts(), RebuiltRun(used=list(calls)), list[Compaction](), _End(events, end)
    every: list[Call | Compaction] = [*calls, *written]
    for one in sorted(every, key=lambda one: one.place):
        if isinstance(one, Compaction):
            waiting.append(one)
            continue
        sent = events.sent(one)
        _arrive(prompts, ends.before(one, sent))
        before = len(prompts.compactions)
        if sent:
            prompts.prompt(sent, one.place)
        _write_down(prompts, before, waiting, found)
        waiting.clear()
        _arrive(prompts, (_answered(one.reply[0], one), *one.reply[1:]))
    found.open = len(waiting)
    _arrive(prompts, end[ends.at :])
    lines = {message.id: message.line for message in end}
    found.messages = [_dated(_placed(message, lines), events) for message in prompts.messages]
    found.compactions = prompts.compactions
    return found


def _placed(message: Message, lines: dict[str, int | None]) -> Message:
    """A message with its place in the end, where it stands there."""
    line = lines.get(message.id)
    return message if message.line is not None or line is None else message.model_copy(update={"line": line})


def _arrive(prompts: Prompts, messages: Iterable[Message]) -> None:
    for message in messages:
        prompts.reply(message)


class _End:
    """Goes along the end of a sample, from reply to reply: what stands there, and no call was sent, was compacted before
    one could be."""

    def __init__(self, events: Events, end: list[Message]) -> None:
        self.number, self.end, self.at = events.reader.number, end, 0
        self.places: defaultdict[int, list[int]] = defaultdict(list)
        for place, message in enumerate(end):
            self.places[self.number(message)].append(place)

    def place(self, call: Call) -> int | None:
        """Where the reply of a call stands next."""
        places = self.places.get(self.number(call.reply[0]), [])
        spot = bisect_left(places, self.at)
        return places[spot] if spot < len(places) else None

    def pass_by(self, call: Call) -> int | None:
        """Where the reply of a call stands next; the search goes on behind it."""
        place = self.place(call)
        self.at = self.at if place is None else place + len(call.reply)
        return place

    def before(self, call: Call, sent: Sequence[Message]) -> list[Message]:
        """What came after the reply before, and is not in the prompt of this call; of one without, all of it."""
        start, place = self.at, self.pass_by(call)
        if place is None:
            return []
        between, known = self.end[start:place], set(map(self.number, sent))
        return list(takewhile(lambda m: self.number(m) not in known, between)) if start or not sent else []


def _write_down(prompts: Prompts, before: int, waiting: Sequence[Compaction], found: RebuiltRun) -> None:
    """What the prompt shows to have changed is what was written down; where it shows nothing, the tokens are kept."""
    if not waiting:
        return
    if len(prompts.compactions) == before:
        found.idle += len(waiting)
        prompts.compactions += [_nothing_seen(one, prompts.arrived) for one in waiting]
    for place in range(before, len(prompts.compactions)):
        spot = min(place - before, len(waiting) - 1)
        prompts.compactions[place] = _exact(prompts.compactions[place], waiting[spot])


def _nothing_seen(one: Compaction, arrived: int) -> RecordedCompaction:
    return RecordedCompaction(at=arrived, kind="microcompaction", edit="dropped", line=one.place)


def _exact(seen: RecordedCompaction, one: Compaction) -> RecordedCompaction:
    """A compaction that was written down, with its own tokens: the next prompt holds what it left, word for word."""
    event, known = one.event, dict[str, Any]()
    if whole_number(event.get("tokens_before")):
        known |= {"tokens_before": event["tokens_before"], "before_from": "the compaction event (`tokens_before`)"}
    if whole_number(event.get("tokens_after")):
        known |= {"tokens_after": event["tokens_after"], "after_from": "the compaction event (`tokens_after`)"}
    nothing = seen.kind == "microcompaction" and not seen.cleared
    known |= {
        "trigger": "auto" if event.get("source") == "inspect" else "",
        "fidelity": "partial" if nothing else "exact",
        "timestamp": string(event.get("timestamp")),
        "line": one.place,
    }
    return seen.model_copy(update=known)
