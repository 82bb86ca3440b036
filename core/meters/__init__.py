"""Meters: they count the tokens of messages, each in its own way.

    agentkit    estimated  len // 4 of content, tool calls and ids, plus 4 per message (agentkit, lesson 3)
    agentlib    estimated  ceil(len / 4) of the content alone, plus 4 (@agentlib/memory)
    o200k_base  counted    by the tokenizer of OpenAI's models since gpt-4o, shipped here; an estimate for other models
    reported    recorded   from the provider's usage: the output of each reply, the growth of the prompt
    calibrated  calibrated o200k_base times a scale learned from the provider's usage of the calls before

A meter is anything with `count(message) -> int`. The counts of a session are kept as long as the session, so that another
budget or policy counts nothing again. Numbers of two meters are never compared with each other.
"""

import re
from collections.abc import Callable
from typing import Any

from core.meters.base import Meter, MeterInfo, Tally, meter_name, tally
from core.meters.calibrated import Calibrated, CalibratedHere, hindrance
from core.meters.counted import O200kBase
from core.meters.estimated import Agentkit, Agentlib, estimate_tokens, message_tokens
from core.meters.reported import Reported, ReportedHere
from core.model.cached import cached
from core.model.errors import named
from core.model.gc_pause import gc_paused
from core.model.session import Session
from core.trace.trace import conversation
from core.window.measured import Measured

__all__ = [
    "NEED_USAGE",
    "Meter",
    "MeterInfo",
    "after",
    "approximate",
    "bound",
    "estimate_tokens",
    "keeps",
    "measured",
    "message_tokens",
    "meter",
    "meter_name",
    "meters",
    "meters_for",
    "notes_of",
    "own_tokenizer",
]

_METERS: dict[str, Callable[[], Any]] = {
    "agentkit": Agentkit,
    "agentlib": Agentlib,
    "calibrated": Calibrated,
    "o200k_base": O200kBase,
    "reported": Reported,
}
_CACHED = (
    Agentkit,
    Agentlib,
    O200kBase,
    ReportedHere,
    CalibratedHere,
)  # any other meter may count a message differently next time

NEED_USAGE = ("recorded", "calibrated")
"""How the meters count that need a session with recorded usage."""


def meter(name: str) -> Meter:
    """The meter with this name. Raises UnknownNameError, which lists the names."""
    made: Meter = named("meter", name, _METERS)()
    return made


def meters() -> list[MeterInfo]:
    """The description of every meter, in order of name."""
    return sorted((made.info for made in _METERS.values()), key=lambda info: info.name)  # type: ignore[attr-defined]


def meters_for(session: Session) -> list[MeterInfo]:
    """Those that can count this session: the ones that `bound` does not refuse."""
    recorded, learns = any(m.usage for m in session.messages), not hindrance(session)
    can = {"recorded": recorded, "calibrated": learns}
    return [info for info in meters() if can.get(info.how, True)]


# Models that use the o200k_base tokenizer: https://github.com/openai/tiktoken/blob/main/tiktoken/model.py
_O200K = re.compile(r"gpt-(4o|4\.1|4\.5|[5-9])|o\d|chatgpt|codex")


def approximate(name: str, model: str) -> bool:
    """Whether the meter only estimates this model's tokens, so that its numbers carry a ~.

    A heuristic or a learned scale always does, a tokenizer does for models that use another one, and recorded numbers never do.
    """
    how = next((info.how for info in meters() if info.name == name), "counted")
    return how in ("estimated", "calibrated") or (how == "counted" and not own_tokenizer(model))


def own_tokenizer(model: str) -> bool:
    """Whether o200k_base is the model's own tokenizer, so that its counts of text are exact."""
    return _O200K.match(model.rpartition("/")[2].lower()) is not None


def bound(given: Meter, session: Session) -> Meter:
    """The meter for this session: `reported` and `calibrated` need its usage, `o200k_base` its model, for pictures.

    Raises ParameterError if the meter needs usage and the session records none.
    """
    if type(given) is O200kBase:
        return given if given.model == session.model else O200kBase(session.model)
    if isinstance(given, Calibrated):
        return cached(session, "calibrated", lambda of: given.bind(of, *_by_tokenizer(of)))
    if not isinstance(given, Reported):
        return given
    return cached(session, "reported", lambda of: given.bind(of, measured(of, O200kBase()).tokens))


def _by_tokenizer(session: Session) -> tuple[Measured, Meter, tuple[str, ...]]:
    """The conversation by o200k_base, that meter, and its notes."""
    other = bound(O200kBase(), session)
    return measured(session, other), other, notes_of(session, other)


def after(given: Meter, arrived: int) -> Meter:
    """The meter for what is put in once so many messages had arrived; most count it the same at any time."""
    return given.after(arrived) if isinstance(given, CalibratedHere) else given


def measured(session: Session, given: Meter) -> Measured:
    """The session's conversation with its tokens; the meters of this package count it once."""
    return _counted(session, given)[0]


def notes_of(session: Session, given: Meter) -> tuple[str, ...]:
    """Notes on how this meter counted the session: what it estimated, what was not recorded.

    Empty for a meter from outside this package, whose counts are not kept.
    """
    return _counted(session, given)[1] if keeps(given) else ()


def keeps(given: Meter) -> bool:
    """Whether the meter always counts a message the same, so that counts can be kept; those of this package do."""
    return isinstance(given, _CACHED)


def _counted(session: Session, given: Meter) -> tuple[Measured, tuple[str, ...]]:
    if not keeps(given):
        return _count(session, given)
    return cached(session, ("counted", meter_name(given)), lambda of: _count(of, given))


def _count(session: Session, given: Meter) -> tuple[Measured, tuple[str, ...]]:
    messages = conversation(session)
    with gc_paused():
        found: Tally = tally(messages, bound(given, session) if type(given) is O200kBase else given)
    return Measured(messages, found.tokens), found.notes
