"""A compaction in the making: the window as it stands after the stages so far, and what they did to it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.meters import Meter
from core.model import Message, built, said
from core.policy import Policy, Status
from core.summarizers import Summarizer
from core.trace import Action, Edit
from core.window import Range, Ranges, Window


@dataclass
class Draft:
    """What stages work on. `window` is the one so far; `problem` is why the last stage did nothing, if it did nothing."""

    policy: Policy
    meter: Meter
    write: Summarizer
    window: Window
    at: int = 0
    number: int | None = None
    raises: bool = False
    edits: list[Edit] = field(default_factory=list)
    added: list[Message] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    tiers: list[str] = field(default_factory=list)
    summary: int | None = None
    folded: int = 0
    unread: int = 0
    status: Status = "nothing_to_do"
    problem: str = ""

    def refuse(self, status: Status, problem: str) -> bool:
        """Leave the window as it is and say why; False, so that a stage can end with it."""
        self.status, self.problem = status, problem
        return False

    def put(self, message: Message, tokens: int | None = None) -> Range:
        """Add a message to the pool; `tokens` where its size is not what the meter would make of it."""
        count = self.meter.count(message) if tokens is None else tokens
        self.added.append(message)
        self.counts.append(count)
        return self.window.pool.add(message, count)

    def said(self, role: str, content: str, injected: str, name: str = "") -> Message:
        """A message that a harness says, with an id of its own; made of what it says where nobody counts the summaries."""
        if self.number is not None:
            mark = self.window.pool.base.mark
            name = mark + (name or f"{self.number}+{len(self.window.pool.added)}")
        else:
            name = ""
        return said(role, content, injected, name)  # type: ignore[arg-type]

    def edit(self, action: Action, ranges: Ranges, reason: str) -> None:
        """Name what happened to these messages."""
        if ranges:
            self.edits.append(built(Edit, action=action, ranges=ranges, reason=reason))

    def becomes(self, layout: Ranges, tokens: int | None = None) -> None:
        """Go on with the window laid out like this."""
        window = Window(self.window.pool, layout)
        self.window = window if tokens is None else window.knowing(tokens)


def names(messages: Sequence[Message]) -> list[str]:
    """The ids, in order."""
    return [m.id for m in messages]
