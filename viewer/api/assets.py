"""The files of the frontend, answered from memory: a page asks for some eighty at once."""

import os
from pathlib import Path

from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope


class Assets(StaticFiles):
    """Static files, each read in one go: Starlette opens, reads and closes each in a thread, which takes longer."""

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """The whole file, or that it has not changed."""
        found = super().file_response(full_path, stat_result, scope, status_code)
        if not isinstance(found, FileResponse):
            return found
        return Response(Path(full_path).read_bytes(), status_code, dict(found.headers))
