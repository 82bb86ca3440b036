"""The noun of compaction: a policy is data.

A policy is a trigger and one or more stages, in the words of `core/policy/vocabulary.py`, with its parameters under the names
the real system gives them, and its provenance. Nothing here acts: `core/window/partition.py` reads the scope and `core/engine`
applies the rest.
"""

from collections.abc import Mapping
from functools import cached_property
from math import ceil, floor
from typing import Any, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from core.model.cached import cached
from core.model.errors import UnknownParameterError
from core.model.session import Frozen, construct_unchecked
from core.policy.formula import Number, names_in, value_of
from core.policy.parameters import Parameter
from core.policy.rules import policy_file
from core.policy.vocabulary import (
    Condition,
    EarlierLimit,
    Formula,
    Grouping,
    Guards,
    Measure,
    Phase,
    Placement,
    PolicyFidelity,
    Scope,
    Size,
    Source,
    Stage,
    Summarize,
    Transform,
    Trigger,
)

WINDOW, OUTPUT = 200_000, 32_000  # tokens: where neither the policy nor the model's name says


class Bound(NamedTuple):
    """A condition with its number: met when what is measured is more than `above`; `said` is as a person would put it."""

    of: Measure
    above: float
    said: str


class Policy(Frozen):
    """One compaction policy. `policy(name, **parameters)` gives one with its parameters set.

    It tries `tiers` in order, then the stage made of its own scope, transform, placement and guards, each only where its
    trigger still holds; `fallback` is tried where that last stage fails; one with
    clauses of its own where it comes to nothing and they hold. The last stage is repeated until the trigger no
    longer holds, at most `passes` times in all. A policy whose effect is a "view" keeps the whole history and works out anew
    at each look what of it the model is sent. `by_command` is the policy that acts instead where a person says `/compact`.

    `formats` are the formats of transcripts whose agent it reproduces. `contrast` says in a few words what it does instead
    of an agent's own policy, for those that are offered beside any recorded run. `earlier` is the limit that older versions of
    the agent had, where it is known: no run is simulated with it, and recorded ones are told by it.

    `grouping` says what the real system counts as one message, wherever the policy counts messages or takes a share of
    them: "results" where it writes the results that follow one another into one, "calls" where each call of a reply is one
    of its own; "none" where its messages are ours.

    `faults` are those of the real system, which are reproduced; `not_modelled` is what it does and this policy does not,
    each a short phrase that could stand behind "except".
    """

    name: str
    title: str
    family: str = ""
    about: str
    rule: str = ""
    faults: tuple[str, ...] = ()
    not_modelled: tuple[str, ...] = ()
    source: Source
    fidelity: PolicyFidelity
    meter: str = "o200k_base"
    parameters: tuple[Parameter, ...] = ()
    settings: dict[str, Any] = Field(default_factory=dict)
    trigger: Trigger
    tiers: tuple[Stage, ...] = ()
    scope: Scope = Scope()
    transform: Transform = Summarize()
    placement: Placement | None = None
    guards: Guards = Guards()
    fallback: Stage | None = None
    passes: int = 1
    effect: Literal["replace", "view"] = "replace"
    grouping: Grouping = "none"
    by_command: str = ""
    formats: tuple[str, ...] = ()
    contrast: str = ""
    earlier: EarlierLimit | None = None

    @model_validator(mode="before")
    @classmethod
    def _of_today(cls, data: Any) -> Any:
        """A policy that an older version wrote, in words that have since moved: its stages as its file has them today."""
        if not isinstance(data, dict) or "snap" not in dict(data.get("scope") or {}):
            return data
        try:
            today = policy_file(str(data.get("name")).replace(".", "_")).POLICY
        except ValueError:
            return data
        return data | {
            name: getattr(today, name) for name in ("tiers", "scope", "transform", "placement", "guards", "fallback")
        }

    def __hash__(self) -> int:
        return hash((self.name, repr(sorted(self.settings.items()))))

    def with_settings(self, settings: Mapping[str, Any]) -> Self:
        """The policy with these parameters set, the rest at their defaults.

        Raises UnknownParameterError on a parameter it does not have and ParameterError on a value it cannot take.
        """
        known = {p.name: p for p in self.parameters}
        for name in settings:
            if name not in known:
                raise UnknownParameterError(self.name, name, known)
        chosen = {name: p.check(settings[name]) if name in settings else p.default for name, p in known.items()}
        return self._set(chosen)

    def _set(self, settings: dict[str, Any]) -> Self:
        """The same policy with these settings, and nothing that was worked out from others."""
        known = {name: getattr(self, name) for name in type(self).model_fields}
        return construct_unchecked(type(self), **{**known, "settings": settings})

    def for_model(self, window: int | None, output: int | None) -> Self:
        """The policy with what it leaves to the session's model filled in: context window and longest reply, in tokens."""
        known = {"window": window, "output": output}
        missing = {p.name: known[p.session] for p in self.parameters if p.session and self.settings.get(p.name) is None}
        filled = {name: value for name, value in missing.items() if value is not None}
        return self._set({**self.settings, **filled}) if filled else self

    @cached_property
    def names(self) -> dict[str, Any]:
        """What the names in formulas stand for: parameters, 0 for one that is not set; `window` and `output` in tokens."""
        unset = {p.name: 0 for p in self.parameters if p.optional and not p.session}
        known = {"window": WINDOW, "output": OUTPUT} | unset
        of_model = {p.session: self.settings.get(p.name) for p in self.parameters if p.session}
        known |= {name: value for name, value in of_model.items() if value is not None}
        return known | {name: value for name, value in self.settings.items() if value is not None}

    def value(self, amount: Formula, **more: Number) -> int:
        """The whole number an amount stands for: itself, or what a formula over the parameters comes to."""
        return int(self.number(amount, **more))

    def number(self, amount: Formula, **more: Number) -> Number:
        """Like `value`, fractions kept."""
        if not isinstance(amount, str):
            return amount
        return value_of(amount, {**more, **self.names} if more else self.names)

    @cached_property
    def main(self) -> Stage:
        """The last stage, the policy's own."""
        return Stage(scope=self.scope, transform=self.transform, placement=self.placement)

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """Every stage there is: tiers, the policy's own, the fallback."""
        return (*self.tiers, self.main, *((self.fallback,) if self.fallback else ()))

    @property
    def writes_summaries(self) -> bool:
        """Whether any stage writes a summary."""
        return any(isinstance(stage.transform, Summarize) for stage in self.stages)

    @property
    def may_take_more(self) -> bool:
        """Whether a compaction may take what the cut of its own stage keeps: all but the leading system messages.

        It passes again while its trigger holds, by how long the summary turns out; or another stage, which has clauses of its
        own, takes other messages.
        """
        others = (*self.tiers, self.fallback) if self.fallback else self.tiers
        takes = (s for s in others if s.when and s.scope != self.scope and s.transform.kind != "clear")
        return self.passes > 1 or any(takes)

    @property
    def else_takes(self) -> Stage | None:
        """The stage that acts wherever the policy's own takes nothing, or None."""
        return self.fallback if self.fallback and self.fallback.when == ((),) else None

    def guards_of(self, stage: Stage) -> Guards:
        """What keeps a stage from harm: the policy's guards are those of its own stage, tiers and fallback have none."""
        return self.guards if stage is self.main else Guards()

    def phases_of(self, stage: Stage) -> tuple[Phase, ...]:
        """The moments at which a stage is looked at: its own, else all those of the trigger."""
        return (stage.phase,) if stage.phase else (self.trigger.phase, *self.trigger.also)

    @cached_property
    def clauses(self) -> tuple[tuple[Bound, ...], ...]:
        """When the policy acts, in numbers: any of these, all of what is in it. Empty: only when it is asked."""
        if not self.trigger.given:
            return self.bounds(self.trigger.any_of)
        asked = self.settings.get(self.trigger.given) or ()
        return tuple(tuple(self._threshold(unit, value) for unit, value in clause.items()) for clause in asked)

    def clauses_of(self, stage: Stage) -> tuple[tuple[Bound, ...], ...]:
        """When a stage acts, in numbers, worked out once: by clauses of its own, or by the policy's."""
        if stage.when is None:
            return self.clauses
        when = stage.when
        return cached(self, when, lambda policy: policy.bounds(when))

    def bounds(self, clauses: tuple[tuple[Condition, ...], ...]) -> tuple[tuple[Bound, ...], ...]:
        """Clauses in numbers, less those that speak of a parameter which is not set: they never hold."""
        said = (clause for clause in clauses if all(self._is_set(c.value) for c in clause))
        return tuple(tuple(self._bound(c.of, self.number(c.value), c.at_least) for c in clause) for clause in said)

    def _is_set(self, amount: Formula) -> bool:
        """Whether every parameter that a formula speaks of has a value, or one of the session's model."""
        unset = {p.name for p in self.parameters if self.settings.get(p.name) is None and not p.session}
        return not isinstance(amount, str) or not unset & names_in(amount)

    def _threshold(self, unit: str, value: Number) -> Bound:
        if unit == "fraction":
            return self._bound("tokens", max(1, int(self.names["window"] * value)), True)
        measures: dict[str, Measure] = {"messages": "messages", "tool_uses": "results"}
        return self._bound(measures.get(unit, "tokens"), value, not self.trigger.exceeds)

    def _bound(self, of: Measure, value: Number, at_least: bool) -> Bound:
        """Counts are whole: at least 7.5 is more than 7, more than 7.5 is that too."""
        whole = ceil(value) if at_least else floor(value)
        said = f"{'≥' if at_least else '>'} {whole:,}"
        return Bound(of, float(value) if of == "pause" else whole - at_least, said)

    @cached_property
    def limit(self) -> int | None:
        """The most tokens at which the policy does not act, whatever else is met; None if tokens do not move it."""
        return None if self._token_bound is None else int(self._token_bound.above)

    @property
    def ceiling(self) -> int | None:
        """`limit` as the policy puts it: the same, or one more where it acts at the number itself."""
        found = self._token_bound
        return None if found is None else int(found.above) + found.said.startswith("≥")

    @property
    def limit_name(self) -> str:
        """The parameter that is the number of tokens it acts at, or ""."""
        if self.trigger.given:
            return self.trigger.given
        tiers = (clause for stage in self.tiers for clause in stage.when or ())
        found = (c.value for clause in (*self.trigger.any_of, *tiers) for c in clause if c.of == "tokens")
        return next((value for value in found if isinstance(value, str) and value in self.settings), "")

    @cached_property
    def _token_bound(self) -> Bound | None:
        """The lowest number of tokens its own trigger speaks of, else those of its tiers."""
        tiers = (self.bounds(stage.when) for stage in self.tiers if stage.when is not None)
        for clauses in (self.clauses, *tiers):
            found = [bound for clause in clauses for bound in clause if bound.of == "tokens"]
            if found:
                return min(found)
        return None

    def tail_of(self, scope: Scope) -> tuple[Size, ...]:
        """The sizes that a scope's tail must hold, a parameter's read; empty where nothing stays or `evict` decides."""
        parts = () if scope.tail is None else scope.tail if isinstance(scope.tail, tuple) else (scope.tail,)
        return tuple(size for part in parts for size in self._sizes(part))

    def _sizes(self, part: Size | str) -> tuple[Size, ...]:
        if isinstance(part, Size):
            return (part,)
        return tuple(Size(unit=unit, value=value) for unit, value in (self.settings.get(part) or {}).items())
