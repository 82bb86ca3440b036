"""What a live run is doing, for whoever looks at it."""

from dataclasses import dataclass, field
from typing import Literal

from core.model import Usage

Status = Literal["ready", "running", "pausing", "paused", "failed", "stopped", "ended"]


@dataclass(frozen=True)
class Problem:
    """What failed, the way out, whether the call may be tried again, and the messages that could be left out."""

    kind: str
    text: str
    hint: str = ""
    retry: bool = True
    orphans: tuple[str, ...] = ()
    policy: str = ""


@dataclass(frozen=True)
class Sized:
    """A prompt by three counts: the run's meter, the provider's before the call, and the usage of the reply."""

    messages: int
    estimate: int
    tools: int = 0
    counted: int | None = None
    usage: Usage | None = None

    @property
    def error(self) -> float | None:
        """By how many percent the estimate is off what the provider counted, or read; None where nobody said."""
        true = self.usage.prompt if self.usage and self.usage.prompt else self.counted
        return None if not true else 100 * (self.estimate + self.tools - true) / true


@dataclass
class State:
    """The lamp and the words beside it. `since` is when the present doing began, in seconds of the monotonic clock.

    `notice` is what became of a command that could not be answered at once, with its number; `past` are the errors on the way,
    the newest last. `tool` is the tool it waits in front of, "" where that is a model call.
    """

    status: Status = "ready"
    doing: str = ""
    since: float = 0.0
    why: str = ""
    calls: int = 0
    partial: str = ""
    next: Sized | None = None
    last: Sized | None = None
    totals: Usage = field(default_factory=Usage)
    problem: Problem | None = None
    stepping: bool = False
    pace: float = 0.0
    tool: str = ""
    notice: tuple[int, str] = (0, "")
    past: tuple[str, ...] = ()
