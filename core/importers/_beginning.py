"""The first messages of a large file, for a page that shows them while all of it is read."""

import json
from itertools import islice
from typing import Any

from pydantic import TypeAdapter

from core.importers import load
from core.model.errors import TranscriptError
from core.model.session import Message

BEGINNING_BYTES = 128 * 1024
_JSON = TypeAdapter(Any)


def beginning(start: bytes, most: int) -> tuple[Message, ...]:
    """At most so many messages of a file that begins like this; none where that does not show any.

    `start` breaks off anywhere. What is cut in two is left out.
    """
    for whole in (_lines, _json):
        try:
            return tuple(islice(load(name="beginning", data=whole(start)).messages, most))
        except (TranscriptError, ValueError):
            continue
    return ()


def _lines(start: bytes) -> bytes:
    """The whole lines of it."""
    return start[: start.rfind(b"\n") + 1]


def _json(start: bytes) -> bytes:
    """What there is of the one JSON value that it begins. Raises ValueError where that is none.

    https://docs.pydantic.dev/latest/concepts/experimental/#partial-validation
    """
    return json.dumps(_without_last(_JSON.validate_json(start, experimental_allow_partial="on"))).encode()


def _without_last(value: Any) -> Any:
    """A value without the last one of the first list on the way to its end: that one may be cut in two."""
    if isinstance(value, list):
        return value[:-1]
    if isinstance(value, dict) and value:
        last = next(reversed(value))
        return {**value, last: _without_last(value[last])}
    return value
