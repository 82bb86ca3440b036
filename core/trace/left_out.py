"""Where a recorded prompt left out what all earlier ones had held, with no compaction on record, and nobody can tell what.

A prompt holds the messages of our window and, *beside* them, what no transcript shows. What arrives beside them (the reasoning
of a turn) may leave again, so a smaller prompt alone tells nothing. But what every prompt since the last compaction held beside
its messages was there all the time. A prompt has *left something out* where all of this is true:

- it is more than a twentieth (MARGIN) smaller than that of the call before, by the same model, with nothing on record between;
- it has less room beside our window than any earlier prompt of this window, by more than a twentieth of it.

Messages of the window, or what stood beside them from the start: the transcript does not tell which. Until a compaction, or a
prompt that has room for both again, what is beside the window is between what this prompt has room for and what earlier ones
held. Where even half of that cannot explain it, messages are gone, and `prompt_falls` says so.
"""

from bisect import bisect_right
from dataclasses import dataclass, field

from core.model.cached import cached
from core.trace.model_calls import ModelCall, model_calls
from core.trace.prompt_falls import margin_of, one_model, prompt_falls
from core.trace.trace import Trace


@dataclass(frozen=True)
class LeftOut:
    """A model call whose prompt left something out, and the call before it."""

    before: ModelCall
    call: ModelCall


@dataclass(frozen=True)
class Between:
    """The steps, [first, end), at which something may be left out; until then `beside` tokens stood beside the window."""

    first: int
    end: int
    beside: int


@dataclass(frozen=True)
class LeftOuts:
    """What prompts of a recorded run left out, and for how long."""

    calls: tuple[LeftOut, ...] = ()
    stretches: tuple[Between, ...] = ()


def left_out(trace: Trace) -> LeftOuts:
    """What the prompts of a recorded run left out; nothing for any other, as foldline knows what it sent. Found once."""
    return cached(trace, "left out", lambda trace: _Reading(trace).run())


@dataclass
class _Reading:
    """One pass over the calls. `least` is the least that a prompt of this window held beside it so far."""

    trace: Trace
    least: int | None = None
    first: int | None = None
    beside: int = 0
    calls: list[LeftOut] = field(default_factory=list)
    stretches: list[Between] = field(default_factory=list)

    def run(self) -> LeftOuts:
        if self.trace.kind != "replay" or self.trace.session.driven:
            return LeftOuts()
        marks, before, done = self.trace.compaction_ats, None, 0
        for call in model_calls(self.trace):
            now = bisect_right(marks, call.at)
            self._compacted(done, now)
            if before is not None and not one_model(self.trace, before, call):
                self._begin_anew(self.trace.message_step(call.at))
            self._called(before if now == done else None, call)
            before, done = call, now
        self._compacted(done, len(marks))
        self._begin_anew(len(self.trace))
        return LeftOuts(tuple(self.calls), tuple(self.stretches))

    def _compacted(self, done: int, now: int) -> None:
        """A compaction begins a window; one that only emptied results leaves it as it is, nearly."""
        whole = (k for k in range(done, now) if self.trace.compactions[k].kind == "compaction")
        k = next(whole, None)
        if k is not None:
            self._begin_anew(self.trace.compaction_step(k))

    def _called(self, before: ModelCall | None, call: ModelCall) -> None:
        step = self.trace.message_step(call.at)
        if self.first is not None and call.unseen >= self.beside:
            self._end(step)
        if before is not None and self._leaves_out(before, call, step):
            self.calls.append(LeftOut(before, call))
            if self.first is None:
                self.first, self.beside = step, self.least or 0
        self.least = call.unseen if self.least is None else min(self.least, call.unseen)

    def _leaves_out(self, before: ModelCall, call: ModelCall, step: int) -> bool:
        least, margin = self.least or 0, margin_of(self.trace)
        if least <= 0 or call.prompt >= (1 - margin) * before.prompt:
            return False
        return least - call.unseen > margin * call.prompt and prompt_falls(self.trace).uncertain_from(step) is None

    def _begin_anew(self, step: int) -> None:
        self._end(step)
        self.least = None

    def _end(self, step: int) -> None:
        if self.first is not None:
            self.stretches.append(Between(self.first, step, self.beside))
        self.first = None
