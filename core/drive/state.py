"""The state of a live run, as readers see it."""

from dataclasses import dataclass, field
from typing import Literal

from core.llm.exchange import NextTry
from core.model.session import ToolCall, Usage
from core.trace.events import Why

MOST_ERRORS = 50
"""Earlier errors that are kept to be shown."""

Status = Literal["ready", "running", "pausing", "paused", "failed", "stopped", "ended"]


LEFT_OPEN = "foldline ended here; continue from the last recorded step"
FORKED = "at the fork; continue, or send a message"


def end_reason(why: Why, most: int) -> str:
    """Why a turn ended, in words, "" for a failure, which has words of its own; `most` are the model calls it could make."""
    limit = f"reached the limit of {most:,} model calls per turn"
    return {"answered": "answered", "stopped": "stopped manually", "max_calls": limit}.get(why, "")


@dataclass(frozen=True)
class Problem:
    """What failed, the way out, whether the call may be tried again, and the ids of messages that may be left out.

    `policy` is the policy that broke a tool pair, "" otherwise. `reply` is what had come of the reply that was cut off.
    """

    kind: str
    text: str
    hint: str = ""
    retry: bool = True
    orphans: tuple[str, ...] = ()
    policy: str = ""
    reply: str = ""


@dataclass(frozen=True)
class PromptSize:
    """A prompt in tokens: by the run's meter, by the provider before the call, and by the usage of the reply."""

    messages: int
    estimate: int
    tools: int = 0
    counted: int | None = None
    usage: Usage | None = None

    @property
    def error(self) -> float | None:
        """By how many percent the estimate differs from the provider's number; None where the provider gave none."""
        true = self.usage.prompt if self.usage and self.usage.prompt else self.counted
        return None if not true else 100 * (self.estimate + self.tools - true) / true


@dataclass
class State:
    """The status of a run and what belongs to it.

    `activity` is what the run is doing, since `activity_since` (seconds of the monotonic clock). `next_try` says when the
    model call is sent again, while the server accepts no more requests. `reason` says why the run waits or ended,
    `waiting_call` before which tool call it waits; with `before_compaction` it waits before one; else before a model call.
    `calls` are all model calls.
    `notice` is the outcome of a command that had to wait, with its number; `earlier_errors` has the newest last.
    """

    status: Status = "ready"
    activity: str = ""
    activity_since: float = 0.0
    next_try: NextTry | None = None
    reason: str = ""
    calls: int = 0
    partial_reply: str = ""
    next_prompt: PromptSize | None = None
    last_prompt: PromptSize | None = None
    totals: Usage = field(default_factory=Usage)
    problem: Problem | None = None
    stepping: bool = False
    pace: float = 0.0
    waiting_call: ToolCall | None = None
    before_compaction: bool = False
    notice: tuple[int, str] = (0, "")
    earlier_errors: tuple[str, ...] = ()

    def add_error(self, *lines: str) -> None:
        """Keep errors to be shown, the newest last."""
        self.earlier_errors = (*self.earlier_errors, *lines)[-MOST_ERRORS:]
