"""The scale between a tokenizer's counts and the tokens that a session's provider recorded, as far as each place could know it.

From one model call to the next the prompt grows by the messages that arrived between. So the scale of a model is the growth its
prompts recorded, divided by our count of those messages, summed over its calls so far: never over later ones. One model's
scale is no other's, so each is learned for itself, and the growth across a change of model belongs to none. For models whose
tokenizer is like ours (`openai_models.py`) it stays 1.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from core.meters.openai_models import is_openai
from core.model.session import Session
from core.window.measured import Measured

TRUST = 500
"""Tokens that speak for a scale of 1 from the start: a first growth of a few tokens could else say anything."""


@dataclass
class Scale:
    """What is known of a model's scale: by how much its prompts grew from call to call, by our count and as recorded."""

    counted: int = 0
    recorded: int = 0
    calls: int = 0

    def learn(self, counted: int, recorded: int) -> None:
        """Take one growth into account. A prompt that did not grow was cut somewhere, and tells nothing."""
        if counted > 0 and recorded > 0:
            self.counted, self.recorded, self.calls = self.counted + counted, self.recorded + recorded, self.calls + 1

    @property
    def value(self) -> float:
        """Recorded tokens for one of ours."""
        return (TRUST + self.recorded) / (TRUST + self.counted)


@dataclass(frozen=True)
class LearnedScales:
    """`at[i]` is the scale that was known when message i arrived, one more for the end; `models` what each model's came to."""

    at: list[float]
    models: dict[str, Scale] = field(default_factory=dict)

    def before(self, place: int) -> float:
        """The scale that was known before message `place` arrived."""
        return self.at[place - 1] if place else 1.0


@dataclass(frozen=True)
class _Call:
    """A model call: messages and tokens before it by our count, its prompt (0: not recorded), compactions, its model."""

    at: int
    counted: int
    prompt: int
    compactions: int
    model: str


def learned_scales(session: Session, base: Measured) -> LearnedScales:
    """The scales of a session whose conversation was counted, in one pass; all are 1 where no usage is recorded."""
    models, at = dict[str, Scale](), list[float]()
    scale, before = Scale(), None
    for call in _calls(session, base):
        at += [scale.value] * (call.at - len(at))
        scale = models.setdefault(call.model, Scale())
        if before and (before.model, before.compactions) != (call.model, call.compactions):
            before = None
        if before and call.prompt and not is_openai(call.model):
            scale.learn(call.counted - before.counted, call.prompt - before.prompt)
        before = call if call.prompt else before
    at += [scale.value] * (len(base.messages) + 1 - len(at))
    return LearnedScales(at, models)


def _calls(session: Session, base: Measured) -> Iterator[_Call]:
    marks = sorted(c.at for c in session.compactions)
    for at in base.calls:
        reply = base.messages[at]
        prompt = max(0, reply.usage.prompt) if reply.usage else 0
        yield _Call(at, base.running[at], prompt, bisect_right(marks, at), reply.model or session.model)
