"""The vocabulary of compaction: a policy is data.

A policy is trigger, scope, transform and placement, with its parameters under the names the real system gives them, and
with its provenance. Wherever a number is wanted, the name of a parameter may stand instead: `Size("tokens", "budget")`.
Nothing here acts; `core/window.py` reads the scope and `core/compact` applies the rest.
"""

from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import Field

from core.errors import ParameterError, UnknownNameError
from core.model import Frozen, Role

Unit = Literal["messages", "tokens", "turns"]
Phase = Literal["before_call", "turn_start", "turn_end", "manual"]
PolicyFidelity = Literal["exact", "modelled", "approximate", "opaque"]
Status = Literal["not_triggered", "nothing_to_do", "compacted", "still_over_budget", "failed", "inflated"]


class Size(Frozen):
    """An amount: `value` is a number or the name of a parameter that holds it."""

    unit: Unit
    value: int | str


class Parameter(Frozen):
    """One setting a user can turn: its default, its unit and the smallest value it takes. `text` ones are strings."""

    name: str
    default: int | str | None
    unit: str = ""
    at_least: int = 0
    about: str = ""

    def check(self, value: Any) -> Any:
        """The value, as an int where the parameter is a number. Raises ParameterError on anything else."""
        if self.unit == "text":
            return value if value is None else str(value)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, str) and value.strip().lstrip("+-").isdecimal():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or value < self.at_least:
            rule = f"a whole number of {self.unit or 'units'}, {self.at_least} or more"
            raise ParameterError(f"{self.name}={value!r} will not do", f"{self.name} is {rule}")
        return value


class Trigger(Frozen):
    """When to compact: tokens of what is counted `over` the size (`>`), looked at in a phase.

    `counts` is "window" for everything the model would be sent, "active" where the real system leaves system messages and
    its own summary out of the count. `over` None never fires by itself: the policy acts only when it is forced.
    """

    phase: Phase
    over: Size | None = None
    counts: Literal["window", "active"] = "window"


class Scope(Frozen):
    """What may go. The head is pinned, then comes what is compactable, then the tail that stays verbatim.

    `head` pins the "leading" system messages: those at the very front, `head_limit` of them if given. The summary of an
    earlier pass is compactable again, unless `fold_summary` is False: then the summarizer is given it as `prior` and the
    new summary replaces it. `tail` is a size, or "half": the newer half.
    `pin_summary` takes a summary that stands first, in the system role, for the pinned head: it is never folded again.
    """

    head: Literal["leading", "none"] = "leading"
    head_limit: int | None = None
    pin_summary: bool = False
    tail: Size | Literal["half"]
    fold_summary: bool = True


class Summarise(Frozen):
    """How what goes is replaced by a text.

    `strip` takes white space off the reply, `empty` stands in for an empty one, `max_chars` cuts it: a number, or a
    parameter's name times `chars_per`, in UTF-16 units if `utf16`, as in JavaScript. `call_on_nothing` asks for a summary
    even where there is nothing to fold. `keep_empty` False puts no message in for a summary without text.
    """

    kind: Literal["summarise"] = "summarise"
    strip: bool = False
    empty: str | None = None
    max_chars: int | str | None = None
    chars_per: int = 1
    utf16: bool = False
    call_on_nothing: bool = False
    keep_empty: bool = True


class Placement(Frozen):
    """Where the summary lands: after the head, as `role`, its text made from `template`; `ack` is a reply put behind it.

    The template's fields are {n}, the number of the summary, {k}, how many messages it stands for, and {text}.
    """

    role: Role
    template: str
    ack: str | None = None


class Source(Frozen):
    """Where a policy's rules come from: address, version or commit, licence, the day they were checked."""

    url: str
    version: str = ""
    licence: str = ""
    checked: str = ""


class Policy(Frozen):
    """One compaction policy. `policy(name, **parameters)` gives one with its parameters set."""

    name: str
    title: str
    family: str = ""
    about: str
    rule: str = ""
    faults: tuple[str, ...] = ()
    source: Source
    fidelity: PolicyFidelity
    meter: str = "o200k_base"
    parameters: tuple[Parameter, ...] = ()
    settings: dict[str, Any] = Field(default_factory=dict)
    trigger: Trigger
    scope: Scope
    transform: Summarise = Summarise()
    placement: Placement

    def __hash__(self) -> int:
        return hash((self.name, repr(sorted(self.settings.items()))))

    def with_settings(self, settings: Mapping[str, Any]) -> Self:
        """The policy with these parameters set, the rest at their defaults.

        Raises UnknownNameError on a parameter it does not have and ParameterError on a value it cannot take.
        """
        known = {p.name: p for p in self.parameters}
        for name in settings:
            if name not in known:
                raise UnknownNameError(f"parameter of {self.name}", name, known)
        chosen = {name: p.check(settings[name]) if name in settings else p.default for name, p in known.items()}
        return self.model_copy(update={"settings": chosen})

    def value(self, amount: int | str) -> int:
        """The number an amount stands for: itself, or the setting of the parameter it names."""
        return int(self.settings[amount]) if isinstance(amount, str) else amount

    @property
    def limit(self) -> int | None:
        """The ceiling in tokens above which the policy acts, or None if it never acts by itself."""
        return None if self.trigger.over is None else self.value(self.trigger.over.value)
