"""The meter that counts a session where nobody has chosen one: `default_meter(session)`.

It is `calibrated` where that is measured to be right, each recorded prompt being predicted from earlier calls alone, and
`o200k_base` everywhere else. The tokenizer of OpenAI's newer models is o200k_base itself: what their prompts hold beyond its
counts is no matter of scale, so those are never calibrated by default.
"""

from core.engine.replay import replay
from core.meters import Meter, bound, meter, meters
from core.meters.calibrated import hindrance
from core.meters.openai_models import is_openai
from core.model.cached import cached
from core.model.session import Session
from core.policy.policy import Policy
from core.trace.prompt_error import PromptError, prompt_error

PLAIN, CALIBRATED = "o200k_base", "calibrated"

LEAST_CALLS = 8
"""So many prompts must have been predicted before the error of a meter is believed."""

WORTH_IT = 0.02
"""So large must the median error of o200k_base be before another meter takes its place."""

MOST_TYPICAL, MOST_TENTH = 0.1, 0.15
"""The largest error of a window that is called stable: at the median, and for one prompt in ten."""

WINDOW_GAIN, GROWTH_GAIN = 0.75, 0.9
"""Calibrated must bring the error of the window, and that of the growth from call to call, down to these shares."""


def default_meter(session: Session) -> str:
    """The name of the meter that counts this session unless another is chosen; a run driven here keeps its own."""
    if session.driven and session.driven.meter in {info.name for info in meters()}:
        return session.driven.meter
    return cached(session, "default meter", lambda of: CALIBRATED if _calibrates(of) else PLAIN)


def session_meter(name: str | None, session: Session, rule: Policy | None = None) -> Meter:
    """The meter of this name; else the heuristic that the policy comes with, if it does; else the session's default."""
    own = rule.meter if rule and rule.meter != PLAIN else None
    return bound(meter(name or own or default_meter(session)), session)


def meter_error(session: Session, name: str) -> PromptError | None:
    """The error of the meter with this name on the session's recorded prompts; None where it cannot be measured."""
    if not any(m.usage for m in session.messages) or (name == CALIBRATED and hindrance(session)):
        return None
    return cached(session, ("meter error", name), lambda of: prompt_error(replay(of, meter=meter(name))))


def _calibrates(session: Session) -> bool:
    """Whether calibrated is stable here, and clearly better than o200k_base by both measures."""
    if _may_be_openais(session):
        return False
    plain = meter_error(session, PLAIN)
    if plain is None or plain.calls < LEAST_CALLS or plain.typical < WORTH_IT:
        return False
    found = meter_error(session, CALIBRATED)
    if found is None or found.typical > MOST_TYPICAL or found.tenth > MOST_TENTH:
        return False
    return found.typical <= WINDOW_GAIN * plain.typical and found.growth <= GROWTH_GAIN * plain.growth


def _may_be_openais(session: Session) -> bool:
    """Whether a model that the session called is one of OpenAI's, or none of them has a name: they may be then."""
    models = {m.model or session.model for m in session.messages if m.role == "assistant"} - {""}
    return not models or any(map(is_openai, models))
