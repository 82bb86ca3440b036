"""Times as numbers since 1970, as text."""

from datetime import UTC, datetime, timedelta


def iso(milliseconds: int) -> str:
    """Milliseconds since 1970 as text, in UTC; empty where there is none, or none that a calendar has."""
    try:
        when = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return ""
    return when.isoformat(timespec="milliseconds").replace("+00:00", "Z") if milliseconds else ""
