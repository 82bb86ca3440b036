"""Times as numbers since 1970, as text."""

from datetime import UTC, datetime, timedelta


def iso(milliseconds: int) -> str:
    """Milliseconds since 1970 as text, in UTC; empty where there is none, or none that a calendar has."""
    try:
        when = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return ""
    return when.isoformat(timespec="milliseconds").replace("+00:00", "Z") if milliseconds else ""


def since_1970(text: str) -> timedelta | None:
    """How long after 1970 an ISO time is, in UTC where it names no zone; None for what is none."""
    try:
        when = datetime.fromisoformat(text.replace(" ", "T"))
        return (when if when.tzinfo else when.replace(tzinfo=UTC)) - datetime(1970, 1, 1, tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
