"""What the routes answer with."""

import json
from typing import Any

from starlette.responses import Response


def as_json(body: dict[str, Any], status: int = 200) -> Response:
    """JSON in ASCII: a lone surrogate of a damaged transcript cannot break the encoding. Never kept by the browser."""
    return Response(json.dumps(body), status, media_type="application/json", headers={"Cache-Control": "no-store"})
