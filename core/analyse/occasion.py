"""At how full a context window a recorded compaction happened, as far as the transcript and the lists of models tell."""

from dataclasses import dataclass
from typing import Literal

from core.meters.context_windows import base_name, limits_of
from core.trace.compaction import CompactionRecord
from core.trace.denied import denying_prompts
from core.trace.trace import Trace

AUTOMATIC = ("auto", "automatic", "threshold")
"""What transcripts call a compaction that nobody asked for."""

SMALLER = 200_000
"""Tokens of the window that Claude Code gives some models of a larger one (core/meters/context_windows.py)."""

NEAR = 200  # messages to look back through for a reply that names its model


@dataclass(frozen=True)
class Occasion:
    """The tokens before a compaction, as its card has them, and their context window: None where it is not known.

    `model` is the name of the model called last before it, without maker and date. `given` is whether the transcript says what
    window the agent gave the model; else it is the model's own.
    """

    tokens: int
    model: str = ""
    window: int | None = None
    given: bool = False

    @property
    def percent(self) -> int | None:
        """The tokens as a share of the window, in whole per cent."""
        return None if self.window is None else (200 * self.tokens + self.window) // (2 * self.window)


def started(event: CompactionRecord) -> Literal["on request", "automatic", ""]:
    """How a recorded compaction was started, as far as the record says."""
    return "on request" if event.trigger == "manual" else "automatic" if event.trigger in AUTOMATIC else ""


def occasion(trace: Trace, k: int) -> Occasion | None:
    """The occasion of recorded compaction k of the trace; None where its tokens are not recorded, or prompts deny them.

    An agent may give its model less than the maker allows. So where an automatic compaction came before half of the model's
    own window was full, or after more than all of it was, the window counts as not known. Nor is it known whether Claude
    Code gave a model of a larger window only SMALLER, as its transcripts do not say so, unless more was sent.
    """
    event = trace.compactions[k]
    if event.size_before is None or denying_prompts(trace, k):
        return None
    name = _model(trace, event.at)
    if event.context_window:
        return Occasion(event.size_before, base_name(name), event.context_window, given=True)
    limits = limits_of(name) if name else None
    window = limits.window if limits else None
    early = event.trigger != "manual" and window is not None and 2 * event.size_before < window
    unsaid = trace.session.format == "claude-code" and event.size_before <= SMALLER < (window or 0)
    if early or unsaid or (window is not None and event.size_before > window):
        window = None
    return Occasion(event.size_before, base_name(name), window)


def _model(trace: Trace, at: int) -> str:
    """The model that wrote the last reply among the newest of the first `at` messages, or the session's."""
    near = (trace.messages[i] for i in range(at - 1, max(-1, at - 1 - NEAR), -1))
    replies = (message.model for message in near if message.role == "assistant")
    return next(filter(None, replies), trace.session.model)
