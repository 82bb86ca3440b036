"""Lines of `{"type": "message", "message": {…}}` behind a header of the type "session": of pi, or of session traces (STS).

In pi's an envelope has an id or a time besides the message; in session traces it holds the message alone.
https://huggingface.co/docs/hub/session-traces-format, which also lets a harness write pi's lines behind a header of its own.
"""

from typing import Any


def is_message_line(record: dict[str, Any]) -> bool:
    """Whether it is the envelope of a message, in either format."""
    message = record.get("message")
    return record.get("type") == "message" and isinstance(message, dict) and isinstance(message.get("role"), str)


def is_bare(record: dict[str, Any]) -> bool:
    """Whether it is the envelope of a message and nothing else, as in a session trace."""
    return is_message_line(record) and not record.keys() & {"id", "timestamp"}
