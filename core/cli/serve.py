"""`foldline serve`: hands over to the viewer, in a process of its own: core knows nothing of browsers."""

import os
import subprocess
import sys
from pathlib import Path

from core.errors import TranscriptError


def serve(file: str | None, port: int | None) -> int:
    """Start the web app; returns its exit code. Raises TranscriptError for a FILE that is not there."""
    if file is not None and not Path(file).expanduser().exists():
        raise TranscriptError(f"{file}: there is no such file", "foldline serve alone opens a sample")
    command = [sys.executable, "-m", "viewer.serve"]
    command += [str(Path(file).expanduser().absolute())] if file is not None else []
    command += ["--port", str(port)] if port is not None else []
    if os.name == "posix":
        sys.stdout.flush()
        os.execv(command[0], command)  # Ctrl+C then reaches the app alone
    return subprocess.call(command)
