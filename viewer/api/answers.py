"""The JSON that routes answer with and are asked with, and the requests that are refused."""

import json
from collections.abc import AsyncIterator
from typing import Any

from starlette.responses import Response, StreamingResponse

from core import FoldlineError


def as_json(body: dict[str, Any], status: int = 200) -> Response:
    """JSON in ASCII, so that a lone surrogate of a transcript cannot break the encoding. The browser does not cache it."""
    return Response(json.dumps(body), status, media_type="application/json", headers={"Cache-Control": "no-store"})


def json_lines(found: AsyncIterator[dict[str, Any]]) -> Response:
    """JSON Lines, each sent as soon as it is there. A reader that goes away closes the iterator."""
    texts = (json.dumps(line) + "\n" async for line in found)
    return StreamingResponse(texts, media_type="application/x-ndjson", headers={"Cache-Control": "no-store"})


class RefusedError(FoldlineError):
    """A request that is refused: the reason, a hint, and the status of the answer."""

    def __init__(self, why: str, hint: str, status: int = 400) -> None:
        super().__init__(why, hint)
        self.status = status


def refused(error: RefusedError) -> Response:
    """The reason and the hint."""
    return as_json({"error": str(error), "hint": error.hint}, error.status)


MOST_BODY = 1 << 20
"""Bytes of a request that a page sends."""


def json_object(data: bytes) -> dict[str, Any]:
    """The object that a page has sent. Raises RefusedError for more than a megabyte, and for anything else."""
    try:
        body = json.loads(data) if len(data) <= MOST_BODY else None
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise RefusedError("the command cannot be read", "reload the page")
    return body
