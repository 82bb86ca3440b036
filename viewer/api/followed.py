"""Whether an open file was written to, for the page that shows it; docs/wire.md."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from viewer.api.answers import as_json
from viewer.sessions.followed import changed


def look(request: Request) -> Response:
    """The file's new stamp, or "" as long as it is as it was read."""
    return as_json({"stamp": changed(request.path_params["name"])})


ROUTES = [Route("/api/followed/{name}", look)]
