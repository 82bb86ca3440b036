"""Files dropped on the page: one request uploads them all, and the answer names the source that opens them.

The body is a length (4 bytes, little-endian), as much JSON (`[{"name", "size"}, …]`, UTF-8), then the files one after the
other.
"""

import json

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from viewer.api.answers import RefusedError, as_json, refused
from viewer.sessions.sources import hold_upload

MOST_BYTES = 200 * 1024 * 1024
MOST_FILES = 5_000


async def drop(request: Request) -> Response:
    """Keep the files in memory; answers `{"source": "upload:…"}`."""
    try:
        source = hold_upload(_files(await _body(request)))
    except RefusedError as error:
        return refused(error)
    except ClientDisconnect:
        return as_json({"error": "the upload was interrupted", "hint": "drop it again"}, 400)
    return as_json({"source": str(source)})


async def _body(request: Request) -> bytes:
    """The whole body. Raises RefusedError as soon as it is larger than MOST_BYTES."""
    found = bytearray()
    async for piece in request.stream():
        found += piece
        if len(found) > MOST_BYTES:
            hint = "open the file by its path, which has no limit"
            raise RefusedError(f"more than {MOST_BYTES >> 20} MB were dropped", hint, 413)
    return bytes(found)


def _files(body: bytes) -> dict[str, bytes]:
    """The files by name. Raises RefusedError for a body that does not match its header."""
    at = 4 + int.from_bytes(body[:4], "little")
    files: dict[str, bytes] = {}
    for name, size in _named(body[4:at]):
        files[name], at = body[at : at + size], at + size
    if at != len(body) or not files:
        raise RefusedError("the upload is incomplete", "drop it again")
    return files


def _named(header: bytes) -> list[tuple[str, int]]:
    try:
        listed = [(str(one["name"])[:1000], int(one["size"])) for one in json.loads(header)]
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        raise RefusedError("the upload is incomplete", "drop it again") from None
    if len(listed) > MOST_FILES or any(size < 0 for _, size in listed):
        raise RefusedError(
            f"more than {MOST_FILES:,} files were dropped", "drop a smaller folder, or open it by its path"
        )
    return listed


ROUTES = [Route("/api/drop", drop, methods=["POST"])]
