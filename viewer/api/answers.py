"""The JSON answers of the routes."""

import json
from typing import Any

from starlette.responses import Response


def as_json(body: dict[str, Any], status: int = 200) -> Response:
    """JSON in ASCII, so that a lone surrogate of a transcript cannot break the encoding. The browser does not cache it."""
    return Response(json.dumps(body), status, media_type="application/json", headers={"Cache-Control": "no-store"})
