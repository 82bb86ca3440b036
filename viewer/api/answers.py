"""The JSON that routes answer with and are asked with, and the requests that are refused."""

import json
from typing import Any

from starlette.responses import Response


def as_json(body: dict[str, Any], status: int = 200) -> Response:
    """JSON in ASCII, so that a lone surrogate of a transcript cannot break the encoding. The browser does not cache it."""
    return Response(json.dumps(body), status, media_type="application/json", headers={"Cache-Control": "no-store"})


class RefusedError(Exception):
    """A request that is refused: the reason, a hint, and the status of the answer."""

    def __init__(self, why: str, hint: str, status: int = 400) -> None:
        super().__init__(why)
        self.hint, self.status = hint, status


def refused(error: RefusedError) -> Response:
    """The reason and the hint."""
    return as_json({"error": str(error), "hint": error.hint}, error.status)


def json_object(data: bytes, most: int) -> dict[str, Any]:
    """The object that a page has sent. Raises RefusedError for more than `most` bytes, and for anything else."""
    try:
        body = json.loads(data) if len(data) <= most else None
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise RefusedError("the command cannot be read", "reload the page")
    return body
