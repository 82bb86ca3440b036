"""By how much more of the prompt behind a recorded compaction its transcript does not show than of earlier ones.

What no transcript shows was mostly there from the start: system prompt and tools. Only what grew can be put back. A window that
a compaction leaves is held against the first prompts of those before it, the smallest: later ones hold what arrived unseen, and
what our count misses. A microcompaction leaves the window as it is, and is held against the prompt before it. Only prompts of
one model are compared: another one counts otherwise, and may be given other tools.
"""

from bisect import bisect_right
from collections.abc import Iterator
from operator import attrgetter

from core.model.cached import cached
from core.trace.model_calls import ModelCall, model_calls
from core.trace.prompt_falls import margin_of, one_model
from core.trace.trace import Trace
from core.trace.unseen_after import call_after, unseen_after

NOTHING = ModelCall(at=0, prompt=0, seen=0)
"""Stands for the call before a compaction where none tells what was unseen then."""

_unseen = attrgetter("unseen")


def unseen_growth(trace: Trace, k: int) -> int:
    """By how many tokens more is unseen behind compaction k than before; 0 where that may be an error of our count.

    All that is unseen, where no earlier prompt is known to have held the same, or earlier messages were part of it. 0 where
    only another model was called before: its tokens and tools are others.
    """
    after, call, before = unseen_after(trace, k), call_after(trace, k), unseen_before(trace, k)
    if not after or call is None or before is None:
        return 0
    grown = after - max(0, before.unseen)
    return grown if grown > margin_of(trace) * call.prompt else 0


def unseen_before(trace: Trace, k: int) -> ModelCall | None:
    """The earlier call that the one behind compaction k is held against, None where only another model was called.

    Where no earlier prompt is known to have held the same it is an empty one (NOTHING), of which nothing is unseen.
    """
    return cached(trace, "unseen before", lambda trace: tuple(_befores(trace)))[k]


def _befores(trace: Trace) -> Iterator[ModelCall | None]:
    """The call that each compaction is held against."""
    calls, n, firsts = model_calls(trace), 0, _Firsts(trace)
    for k, event in enumerate(trace.compactions):
        while n < len(calls) and calls[n].at < event.at:
            firsts.add(calls[n])
            n += 1
        call, earlier = call_after(trace, k), calls[n - 1] if n else None
        if call is None or earlier is None:
            yield NOTHING
        elif event.kind == "microcompaction":
            yield earlier if one_model(trace, earlier, call) else None
        else:
            yield firsts.least(call)


class _Firsts:
    """The first call of each model in each window, as far as a trace was walked: of each model the one with least unseen.

    Those of the first window tell nothing where a session begins in the middle: it held what came before.
    """

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._marks = [event.at for event in trace.compactions if event.kind == "compaction"]
        self._epoch, self._called = 0, set[str]()
        self._known: dict[str, ModelCall] = {}
        self._least: dict[str, ModelCall] = {}

    def add(self, call: ModelCall) -> None:
        """A call, behind those that were added before."""
        model, epoch = self._trace.messages[call.at].model, bisect_right(self._marks, call.at)
        if epoch != self._epoch:
            self._epoch, self._called = epoch, set()
        self._known.setdefault(model, call)
        if model not in self._called and (epoch or not self._trace.session.starts_midway):
            self._least[model] = min(self._least.get(model, call), call, key=_unseen)
        self._called.add(model)

    def least(self, call: ModelCall) -> ModelCall | None:
        """Of the model of a call, the one with least unseen; NOTHING where none tells, None where it was not called yet."""
        same = [model for model, one in self._known.items() if one_model(self._trace, one, call)]
        if not same:
            return None
        return min((self._least[model] for model in same if model in self._least), default=NOTHING, key=_unseen)
