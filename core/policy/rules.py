"""Rules that are functions: how a policy refers to one, and how JSON names it.

A rule that one policy needs is a function in that policy's file, under one of these classes as its decorator. The policy
refers to the function; in JSON that is "<file>:<function>", and the function is looked up again when the JSON is read.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Annotated, Any, Self

from pydantic import GetCoreSchemaHandler, PlainSerializer, PlainValidator

from core.model.import_name import import_name


@dataclass(frozen=True)
class Rule:
    """A function in a policy's file. Options of a kind of rule are set with `@partial(Kind, option=…)`."""

    function: Callable[..., Any]

    def __call__(self, *arguments: Any) -> Any:
        """What the function answers."""
        return self.function(*arguments)

    @property
    def name(self) -> str:
        """Where it is found: "<file>:<function>"."""
        return f"{self.function.__module__.rpartition('.')[2]}:{self.function.__name__}"

    def __reduce__(self) -> Any:
        return rule_named, (self.name,)

    @classmethod
    def _read(cls, value: Any) -> Self:
        found = rule_named(value) if isinstance(value, str) else value
        if not isinstance(found, cls):
            raise ValueError(f"{value!r} is not a rule of kind {cls.__name__}")
        return found

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> Any:
        """How JSON has it: by its name."""
        return handler.generate_schema(
            Annotated[Any, PlainValidator(cls._read), PlainSerializer(lambda rule: rule.name)]
        )


class Head(Rule):
    """`(window, policy, stage) -> int`: how many messages at the front are pinned.

    What it answers holds, as far as the window reaches, also for the window with fewer messages at its end.
    """


@dataclass(frozen=True)
class Cut(Rule):
    """`(context: CutContext) -> int`: where the tail begins that stays verbatim.

    `starts(growth: Growth)` is the fast path: where it begins after each arrival; without it the function is asked each time.
    `skips(context)` is how many messages behind the head stay although they stand before the cut.
    """

    starts: Callable[..., list[int]] | None = None
    skips: Callable[..., int] | None = None


@dataclass(frozen=True)
class Boundary(Rule):
    """`(window, cut, low) -> int`: the cut moved to a place where it may fall, no lower than `low`.

    It looks at messages near the cut, and answers the window's end where nothing better follows. So what it says of a
    window also holds for that window with more messages behind, unless it `looks_ahead`, to the newest message. With
    `always` it is asked even where nothing would have to go.
    """

    looks_ahead: bool = False
    always: bool = False


@dataclass(frozen=True)
class Reading(Rule):
    """`(context: CutContext, messages, count) -> list[Message]`: what the summarizer is given of the messages that go.

    With `limited` it leaves out what is too long, and a compaction says how many messages that were.
    """

    limited: bool = False


class Writing(Rule):
    """`(window, tail, given, prior, ask) -> str`: the summary, from one or more calls of `ask(messages, prior)`."""


class Marker(Rule):
    """`(context: CutContext) -> str`: the text of the message that stands for what was dropped."""


def rule_named(name: str) -> Any:
    """The rule of that name in a policy's file. Raises ValueError where there is none."""
    file, _, function = name.partition(":")
    found = getattr(policy_file(file), function, None) if function else None
    if not isinstance(found, Rule):
        raise ValueError(f"no policy has a rule {name!r}")
    return found


def policy_file(name: str) -> ModuleType:
    """The file of that name in `core/policies`, which stands right of this one: JSON may name it. Raises ValueError."""
    if not name.isidentifier():
        raise ValueError(f"{name!r} is not a policy's file")
    try:
        return import_module(import_name(f"core.policies.{name}"))
    except ModuleNotFoundError:
        raise ValueError(f"no policy has a file {name!r}") from None
