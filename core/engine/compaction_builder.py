"""A compaction in the making: the window as it stands after the stages so far, and what they did to it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.meters import Meter
from core.model.session import Message, construct_unchecked, injected_message
from core.policy.policy import Policy
from core.policy.vocabulary import Status
from core.summaries.summarizers import Summarizer
from core.trace.compaction import Action, Edit
from core.window.ranges import ADDED, SPACE, Range, Ranges, joined
from core.window.window import Window

Mark = tuple[int, int, int, Window]  # how many messages were added, edits made, tiers acted; the window so far


@dataclass
class CompactionBuilder:
    """What stages work on. `window` is the one so far; `problem` is why the last stage did nothing, if it did nothing.

    `setback` is what failed before another way of making room was found.
    """

    policy: Policy
    meter: Meter
    write: Summarizer
    window: Window
    at: int = 0
    number: int | None = None
    raises: bool = False
    seen: Window | None = None
    edits: list[Edit] = field(default_factory=list)
    added: list[Message] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    tiers: list[str] = field(default_factory=list)
    summary: int | None = None
    folded: int = 0
    unread: int = 0
    blank: bool | None = None
    status: Status = "nothing_to_do"
    problem: str = ""
    start: Mark = field(init=False)

    def __post_init__(self) -> None:
        self.start = self.marked()

    setback: str = ""

    def settle(self) -> None:
        """Forget what was put in and taken out again on the way, such as the summary of a first pass: nobody saw it."""
        pool = self.window.pool
        first = ADDED + len(pool.added) - len(self.added)
        stays = [i for a, b in self.window.ranges if a < SPACE for i in range(max(a, first), b)]
        if len(stays) == len(self.added):
            return
        old = sorted(stays)
        moved = {i: first + k for k, i in enumerate(old)}
        self.edits = [e.model_copy(update={"ranges": _moved(e.ranges, first, {})}) for e in self.edits]
        self.edits = [edit for edit in self.edits if edit.ranges]
        self.window = Window(pool, _moved(self.window.ranges, first, moved), self.window.tokens)
        gone = len(pool.added) - len(self.added)
        self.added, self.counts = [self.added[i - first] for i in old], [self.counts[i - first] for i in old]
        pool.forget(gone)
        pool.added += self.added
        pool.added_tokens += self.counts

    def refuse(self, status: Status, problem: str) -> bool:
        """Leave the window as it is and say why; False, so that a stage can end with it."""
        self.status, self.problem = status, problem
        return False

    def ask(self, messages: Sequence[Message], prior: str | None) -> str:
        """What the summarizer says of these messages; remembered is whether it said anything at all."""
        reply = self.write(messages, prior)
        self.blank = self.blank is not False and not reply.strip()
        return reply

    def put(self, message: Message, tokens: int | None = None) -> Range:
        """Add a message to the pool; `tokens` where its size is not what the meter would make of it."""
        count = self.meter.count(message) if tokens is None else tokens
        self.added.append(message)
        self.counts.append(count)
        return self.window.pool.add(message, count)

    def injected(self, role: str, content: str, injected: str, name: str = "") -> Message:
        """A message that the harness injects, with an id of its own; made from its content where summaries are not numbered."""
        if self.number is not None:
            mark = self.window.pool.base.mark
            name = mark + (name or f"{self.number}+{self.window.pool.next_number()}")
        else:
            name = ""
        return injected_message(role, content, injected, name)  # type: ignore[arg-type]

    def marked(self) -> Mark:
        """How far it has come, for `back_to`."""
        return len(self.added), len(self.edits), len(self.tiers), self.window

    def back_to(self, mark: Mark) -> None:
        """Undo everything since: what was put into the pool goes again."""
        added, edits, tiers, self.window = mark
        gone, pool = len(self.added) - added, self.window.pool
        if gone:
            pool.forget(len(pool.added) - gone)
        del self.added[added:], self.counts[added:], self.edits[edits:], self.tiers[tiers:]

    def edit(self, action: Action, ranges: Ranges, reason: str) -> None:
        """Name what happened to these messages."""
        if ranges:
            self.edits.append(construct_unchecked(Edit, action=action, ranges=ranges, reason=reason))

    def becomes(self, layout: Ranges, tokens: int | None = None) -> None:
        """Go on with the window laid out like this."""
        self.window = Window(self.window.pool, layout, tokens)


def _moved(ranges: Ranges, first: int, places: Mapping[int, int]) -> Ranges:
    """The ranges with the messages from `first` of the pool on at their new places, less those that have none."""
    parts: list[Range] = []
    for a, b in ranges:
        own = a >= SPACE or b <= first
        parts += [(a, b)] if own else [(a, max(a, min(first, b)))]
        parts += () if own else [(places[i], places[i] + 1) for i in range(max(a, first), b) if i in places]
    return joined(tuple(parts))


def names(messages: Sequence[Message]) -> list[str]:
    """The ids, in order."""
    return [m.id for m in messages]
