"""A meter in words, with how far it is off on the session: "calibrated (±1.3 % on 41 calls)"."""

from core.engine.default_meter import CALIBRATED, PLAIN, default_meter, meter_error
from core.model.session import Session


def meter_text(name: str, session: Session) -> str:
    """The meter as it is named beside its numbers: `calibrated` with its error."""
    if name != CALIBRATED:
        return name
    return f"{name} ({error_text(session)})"


def error_text(session: Session) -> str:
    """The median error of calibrated: "±1.3 % on 41 calls"; where it is not the default "±3.5 %, o200k_base ±1.1 %"."""
    found, plain = meter_error(session, CALIBRATED), meter_error(session, PLAIN)
    if found is None or plain is None:
        return "error not known"
    if default_meter(session) == CALIBRATED:
        return f"{_percent(found.typical)} on {found.calls:,} calls"
    return f"{_percent(found.typical)}, {PLAIN} {_percent(plain.typical)}"


def _percent(share: float) -> str:
    return f"±{100 * share:.1f} %"
