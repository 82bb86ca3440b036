"""The nouns of a live run: what happened, one event after the other. The recorder writes them, everything else follows them.

A run's file is JSON Lines: the first line is `Began`, each further line one event, in the order of `seq`. Keys are in none.
"""

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, field_validator

from core.model.session import Counted, Frozen, Message, ToolCall, Usage
from core.trace.breakpoint import Breakpoint
from core.trace.compaction import Compaction, of_version_1

RUN_VERSION = 2

Why = Literal["answered", "max_calls", "stopped", "failed"]
Purpose = Literal["reply", "summary"]
CompactionPhase = Literal["trigger", "partition", "summarise", "splice"]


class RunSettings(Frozen):
    """What a live run is made of. No key is in it, and no address holds one.

    `max_calls` are the model calls one typed message may cost. `policy` governs with `parameters`, counted by `meter`;
    `summaries` is "model", or the name of an offline summarizer. With `count_first` the provider is asked to count every
    prompt before it is sent. `mcp` are MCP servers as they may be written down.
    """

    provider: str = "demo"
    model: str = ""
    base_url: str = ""
    system: str = ""
    tools: tuple[str, ...] = ()
    folder: str = ""
    mcp: tuple[dict[str, Any], ...] = ()
    max_calls: int = 50
    max_output: int | None = None
    policy: str = "agentkit.memory"
    parameters: dict[str, Any] = Field(default_factory=dict)
    meter: str = "o200k_base"
    summaries: str = "model"
    count_first: bool = False


class Fork(Frozen):
    """Where a run was forked from: the run or the transcript, its title, and the step (from 0) whose window it begins with.

    The first `events` events after the beginning happened there. `edited` is the id of the message that a person edited
    before the run went on, "" for none. `at` is what the step is called: "message 116", "compaction 2".
    """

    run: str
    title: str = ""
    step: int
    events: int = 0
    edited: str = ""
    at: str = ""


class Event(Frozen):
    """Base of every event: its place in the run, and when it happened (ISO 8601, UTC)."""

    seq: int = 0
    time: str = ""


class Began(Event):
    """A run begins."""

    kind: Literal["began"] = "began"
    foldline: Literal["run"] = "run"
    version: int = Field(default=RUN_VERSION, ge=1, le=RUN_VERSION)
    id: str
    title: str = ""
    settings: RunSettings = RunSettings()
    fork: Fork | None = None


class Arrived(Event):
    """A message arrived: typed, a reply, a tool's result, or the system's. `tokens` by the run's meter."""

    kind: Literal["message"] = "message"
    message: Message
    tokens: Counted


class Called(Event):
    """The model is called, for the `number`-th time: what it is sent, by the run's meter, and as the provider counted it.

    `tools` of the estimate are the tools' schemas.
    """

    kind: Literal["call"] = "call"
    number: int
    purpose: Purpose = "reply"
    messages: int
    estimate: int
    tools: int = 0
    counted: int | None = None


class Used(Event):
    """What a model call cost, as its reply says."""

    kind: Literal["usage"] = "usage"
    number: int
    purpose: Purpose = "reply"
    model: str = ""
    usage: Usage


class CallAttempt(Frozen):
    """One HTTP request of a model call; a retry is another. Times in seconds, `at` since the call began.

    `status` is None where no answer came; `error` is what was answered in place of a reply, or what failed.
    """

    at: float
    seconds: float
    status: int | None = None
    error: str = ""


class Exchanged(Event):
    """A model call is over: how long it took, in seconds, when its first text came, and every attempt to send it.

    `at` messages had arrived when it was sent: a reply is the next. `url` has no key in it, and is "" for a model without a
    server. `problem` is why it gave no reply, `unkept` why its request and reply are not kept (core/drive/call_files.py).
    """

    kind: Literal["exchange"] = "exchange"
    number: int
    purpose: Purpose = "reply"
    at: int
    seconds: float
    first: float | None = None
    url: str = ""
    attempts: tuple[CallAttempt, ...] = ()
    outcome: Literal["answered", "failed", "stopped"] = "answered"
    problem: str = ""
    unkept: str = ""


class ToolBegan(Event):
    """A tool is about to run; `written` is the call as the model wrote it, where a person edited its arguments."""

    kind: Literal["tool"] = "tool"
    call: ToolCall
    written: ToolCall | None = None


class ToolAnswered(Event):
    """A person answers a tool call in the tool's place, with the message that arrives next: the tool does not run."""

    kind: Literal["answered"] = "answered"
    call: ToolCall


class BreakpointsChanged(Event):
    """The breakpoints were changed, or hit: all that there are now, with how often each was hit."""

    kind: Literal["breakpoints"] = "breakpoints"
    points: tuple[Breakpoint, ...] = ()


class Phased(Event):
    """A compaction under way came to one of its phases; `told` says what was known then."""

    kind: Literal["phase"] = "phase"
    phase: CompactionPhase
    told: dict[str, Any] = Field(default_factory=dict)


class Compacted(Event):
    """The window was rewritten, by the policy or manually, or an attempt failed (`compaction.status`).

    The ranges of the compaction are over a pool (`core/window/ranges.py`): in runs of version 1 what compactions had added
    followed the messages that had arrived by then. `left` are messages that it emptied or shortened in place, as they are left.
    """

    kind: Literal["compaction"] = "compaction"
    compaction: Compaction
    left: tuple[Message, ...] = ()

    @field_validator("compaction")
    @classmethod
    def _of_any_version(cls, found: Compaction) -> Compaction:
        return of_version_1(found, found.at)


class Undone(Event):
    """A person took back the newest removal, made when `at` messages had arrived: the run is as if it had never been made."""

    kind: Literal["undone"] = "undone"
    at: int


class Changed(Event):
    """The policy or its parameters were changed, or who answers: the model, its address, the longest reply in tokens."""

    kind: Literal["changed"] = "changed"
    policy: str
    parameters: dict[str, Any] = Field(default_factory=dict)
    max_calls: int
    model: str = ""
    base_url: str = ""
    max_output: int | None = None


class Pinned(Event):
    """A person pinned messages, or let them go: the ids of all that are pinned now."""

    kind: Literal["pinned"] = "pinned"
    ids: tuple[str, ...] = ()


class Paused(Event):
    """The run waits, and why."""

    kind: Literal["paused"] = "paused"
    why: str


class Failed(Event):
    """Something failed: its kind, what it was, the way out, and in what.

    Of a broken tool pair `orphans` are the ids of the messages that could be left out, `policy` what broke it. `reply` is what
    had come of a reply whose stream was cut: it is no message of the run.
    """

    kind: Literal["error"] = "error"
    error: str
    text: str
    hint: str = ""
    doing: str = ""
    orphans: tuple[str, ...] = ()
    policy: str = ""
    reply: str = ""


class Ended(Event):
    """A turn is over."""

    kind: Literal["ended"] = "ended"
    why: Why
    answer: str = ""


class Renamed(Event):
    """The run was given a name."""

    kind: Literal["renamed"] = "renamed"
    title: str


AnyEvent = Annotated[
    Began
    | Arrived
    | Called
    | Used
    | Exchanged
    | ToolBegan
    | ToolAnswered
    | BreakpointsChanged
    | Phased
    | Compacted
    | Undone
    | Changed
    | Pinned
    | Paused
    | Failed
    | Ended
    | Renamed,
    Field(discriminator="kind"),
]
ANY_EVENT: TypeAdapter[AnyEvent] = TypeAdapter(AnyEvent)


def now() -> str:
    """The time as events have it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
