"""A meter in words, with how far it is off on the session: "calibrated (±1.3 % of the prompt, 41 calls)"."""

from core.engine.default_meter import CALIBRATED, PLAIN, default_meter, meter_error
from core.model.session import Session


def meter_text(name: str, session: Session) -> str:
    """The meter as it is named beside its numbers.

    `calibrated` comes with its median error, a share of the prompt: "(±1.3 % of the prompt, 41 calls)"; where it is not the
    default, also with that of o200k_base: "(±3.5 % of the prompt, o200k_base ±1.1 %)".
    """
    if name != CALIBRATED:
        return name
    found, plain = error_text(CALIBRATED, session), error_text(PLAIN, session)
    if not found:
        return f"{name} (error not known)"
    if default_meter(session) != CALIBRATED:
        return f"{name} ({found} of the prompt, {PLAIN} {plain})"
    error = meter_error(session, CALIBRATED)
    return f"{name} ({found} of the prompt, {error.calls if error else 0:,} calls)"


def error_text(name: str, session: Session) -> str:
    """The median error of a meter on the recorded prompts: "±1.3 %"; empty where it cannot be measured."""
    error = meter_error(session, name)
    return f"±{100 * error.typical:.1f} %" if error else ""
