"""Where a recorded prompt shrank though nothing on record made the window smaller: from there on the window is uncertain.

A fall alone proves little. Agents leave out what no transcript shows (the reasoning of earlier turns, the schemas of tools),
and then a smaller prompt still holds all our messages. So a prompt has *fallen short* only where all of this is true:

- it is more than a twentieth (MARGIN) smaller than that of the call before, by the same model, with no compaction between;
- our window, with half of the least that any earlier prompt held beyond its messages, is more than a twentieth larger than
  it. Half, as system prompt and tools stay in some measure, and may change when a session is resumed;
- the prompt before did hold our window, by the same reckoning; give or take a quarter (DRIFT), as a meter may count too much,
  and by how much it did is then allowed the smaller prompt too;
- it has room for a quarter (LEAST) of what arrived since the call before. Where usage leaves out what was cached, none has.

What the agent left out is then known to be gone, but not which messages. Until a compaction is recorded, or a prompt is large
enough for the whole window again, the window is uncertain. A later prompt may fall short of what can still be there.
"""

from bisect import bisect_right
from dataclasses import dataclass, field

from core.model.cached import cached
from core.trace.model_calls import ModelCall, model_calls
from core.trace.trace import Trace

MARGIN = 0.05
"""The share of a prompt by which it must fall, and by which our window must be too large for it."""

RECORDED_MARGIN = 0.25
"""The same for a window whose tokens are taken from the prompts, so that they hold what no message accounts for."""

DRIFT = 0.25
"""The share of the prompt before by which our window may be too large for that one already."""

LEAST = 0.25
"""The share of what arrived since the call before that a prompt must have room for, to be taken for a whole one."""


@dataclass(frozen=True)
class PromptFall:
    """A model call whose prompt fell short of our window, and the call before it."""

    before: ModelCall
    call: ModelCall


@dataclass(frozen=True)
class PromptFalls:
    """The falls of a recorded run, and the stretches of steps, [first, end), at which its window is uncertain."""

    falls: tuple[PromptFall, ...] = ()
    uncertain: tuple[tuple[int, int], ...] = ()

    def uncertain_from(self, step: int) -> int | None:
        """The step from which on the window at this step is uncertain; None where it is not."""
        place = bisect_right(self.uncertain, step, key=lambda stretch: stretch[0]) - 1
        return self.uncertain[place][0] if place >= 0 and step < self.uncertain[place][1] else None


def prompt_falls(trace: Trace) -> PromptFalls:
    """Where the prompts of a recorded run fell short of its window; nothing for any other run. Computed once for a trace."""
    return cached(trace, "prompt falls", lambda trace: _Reading(trace).run())


@dataclass
class _Reading:
    """One pass over the calls. `least` is the least unseen so far, `gone` what is known to have left our window by now."""

    trace: Trace
    least: int | None = None
    gone: int = 0
    first: int | None = None
    falls: list[PromptFall] = field(default_factory=list)
    uncertain: list[tuple[int, int]] = field(default_factory=list)

    def run(self) -> PromptFalls:
        if self.trace.kind != "replay":
            return PromptFalls()
        marks = [c.at for c in self.trace.compactions]
        before, done = None, 0
        for call in model_calls(self.trace):
            now = bisect_right(marks, call.at)
            self._compacted(done, now)
            self._called(before if now == done else None, call)
            before, done = call, now
        self._compacted(done, len(marks))
        self._end(len(self.trace))
        return PromptFalls(tuple(self.falls), tuple(self.uncertain))

    def _compacted(self, done: int, now: int) -> None:
        """A compaction makes the window known again; one that only emptied results leaves what was uncertain so."""
        whole = (k for k in range(done, now) if self.trace.compactions[k].kind == "compaction")
        k = next(whole, None)
        if k is not None:
            self._end(self.trace.compaction_step(k))

    def _called(self, before: ModelCall | None, call: ModelCall) -> None:
        step = self.trace.message_step(call.at)
        if self.gone and self._size(call, 0) <= 1 + MARGIN:
            self._end(step)
        elif before is not None and self._fell(before, call):
            self.falls.append(PromptFall(before, call))
            self.first = step if self.first is None else self.first
            self.gone = call.seen + self._base - call.prompt
        if not self.gone:
            self.least = call.unseen if self.least is None else min(self.least, call.unseen)

    def _fell(self, before: ModelCall, call: ModelCall) -> bool:
        if call.prompt >= (1 - self._margin) * before.prompt or not one_model(self.trace, before, call):
            return False
        if LEAST * (call.seen - before.seen) > call.prompt:
            return False
        drift = max(1, self._size(before, self.gone))
        return drift <= 1 + DRIFT and self._size(call, self.gone) > (1 + self._margin) * drift

    def _size(self, call: ModelCall, gone: int) -> float:
        """Our window as a share of the prompt, with what a prompt holds beside it and without what is known to be gone."""
        return (call.seen - gone + self._base) / call.prompt

    @property
    def _margin(self) -> float:
        return margin_of(self.trace)

    @property
    def _base(self) -> int:
        return max(0, self.least or 0) // 2

    def _end(self, step: int) -> None:
        if self.first is not None:
            self.uncertain.append((self.first, step))
        self.first, self.gone = None, 0


def margin_of(trace: Trace) -> float:
    """The share by which a prompt must fall, and a window be too large for it, by the trace's meter."""
    return RECORDED_MARGIN if trace.meter == "reported" else MARGIN


def one_model(trace: Trace, before: ModelCall, call: ModelCall) -> bool:
    """Whether one model was called both times, as far as is recorded: another may count otherwise."""
    return len({trace.messages[of.at].model for of in (before, call)} - {""}) < 2
