"""What a summarizer is given of the messages that go."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

from core.compact.draft import Draft
from core.meters import Meter
from core.model import Message
from core.partition import takes_few
from core.policy import Policy
from core.vocabulary import Stage, Summarise


def given(draft: Draft, stage: Stage, folded: Sequence[Message]) -> list[Message]:
    """The messages the summarizer is given: all that go, less what it does not read, with those it reads once more."""
    rule = stage.transform
    assert isinstance(rule, Summarise)
    shown = [*_overlap(draft, stage, folded), *folded]
    if rule.hides == "tools":
        shown = [m for m in shown if m.role not in ("tool", "system") and not m.tool_calls]
    elif rule.hides in ("calls", "results"):
        shown = [m for m in shown if rule.hides == "calls" or m.role in ("user", "assistant")]
        shown = _without_calls(draft, shown)
    most = None if rule.reads is None else _optional(draft.policy, rule.reads)
    if stage.scope.few and takes_few(draft.window, draft.policy, stage):
        return shown
    return shown if most is None else _within(draft.meter, rule, shown, most)


def _without_calls(draft: Draft, shown: Sequence[Message]) -> list[Message]:
    """The messages with no calls; copies are made once for a session, however many policies ask."""
    known: dict[int, tuple[Message, Message]] = draft.window.pool.base.__dict__.setdefault("callless", {})
    return [_without_call(known, m) if m.tool_calls else m for m in shown]


def _without_call(known: dict[int, tuple[Message, Message]], message: Message) -> Message:
    """Its copy; the message is kept with it, so that no other can take its identity."""
    if id(message) not in known:
        known[id(message)] = (message, message.model_copy(update={"tool_calls": ()}))
    return known[id(message)][1]


def _optional(policy: Policy, amount: int | float | str) -> int | None:
    """The number, or None where it is a parameter that is not set."""
    return None if isinstance(amount, str) and policy.settings.get(amount, 0) is None else policy.value(amount)


def _within(meter: Meter, rule: Summarise, shown: list[Message], most: int) -> list[Message]:
    """As much of these as the rule lets the summarizer read: at most so many tokens."""
    if rule.reads_oldest:
        return shown[: bisect_right(list(accumulate(map(meter.count, shown))), most)]
    if rule.reads_or_all and _fits(meter, shown, most):
        return shown
    return _newest(meter, rule, shown, most) or (shown if rule.reads_or_all else [])


def _fits(meter: Meter, shown: Sequence[Message], most: int) -> bool:
    """Whether all of them count no more than this; the newest are counted first, and no more than it takes to see."""
    for message in reversed(shown):
        most -= meter.count(message)
        if most < 0:
            return False
    return True


def _newest(meter: Meter, rule: Summarise, shown: Sequence[Message], most: int) -> list[Message]:
    """The newest messages of at most so many tokens, from a user message on."""
    first = list(shown[:1]) if rule.reads_system and shown and shown[0].role == "system" else []
    most = max(0, most - sum(map(meter.count, first)))
    start = len(shown)
    while start > len(first) and meter.count(shown[start - 1]) <= most:
        start -= 1
        most -= meter.count(shown[start])
    part = _last_lines(meter, shown[start - 1], most) if rule.reads_part and start > len(first) else []
    read = [*part, *shown[start:]]
    opening = next((k for k, m in enumerate(read) if m.role == "user"), len(read))
    return [*first, *read[opening:]]


def _last_lines(meter: Meter, message: Message, most: int) -> list[Message]:
    """The message with as many of its last lines as count no more than this; none where not one does."""

    def cut(k: int) -> Message:
        return message.model_copy(update={"content": "\n".join(lines[-k:])})

    lines = message.content.split("\n")
    fits = bisect_right(range(1, len(lines) + 1), most, key=lambda k: meter.count(cut(k)))
    return [cut(fits)] if fits and message.content else []


def _overlap(draft: Draft, stage: Stage, folded: Sequence[Message]) -> Sequence[Message]:
    """The turns in front of what goes that were folded before, read once more."""
    turns = draft.policy.value(stage.scope.overlap)
    if not turns or not folded:
        return ()
    base = draft.window.pool.base
    own = next((part for _, part in draft.window.origins() if base.messages[part[0]] is folded[0]), None)
    if own is None:
        return ()
    stop = bisect_left(base.turn_starts, own[0])
    return base.messages[base.turn_starts[max(0, stop - turns)] : own[0]] if stop else ()
