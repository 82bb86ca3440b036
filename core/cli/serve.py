"""`foldline serve`: starts the viewer in a process of its own, as core does not import it."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from core.model.errors import TranscriptError
from core.model.import_name import import_name


def run(options: argparse.Namespace) -> int:
    """Start the web app; returns its exit code. Raises TranscriptError if FILE does not exist."""
    command = [sys.executable, "-m", import_name("viewer.serve")]
    if options.file is not None:
        path = Path(options.file).expanduser()
        if not path.exists():
            raise TranscriptError(f"{options.file}: no such file", "run foldline serve without a file to open a sample")
        command.append(str(path.absolute()))
    if options.port is not None:
        command += ["--port", str(options.port)]
    if options.lesson is not None:
        command += ["--lesson", str(options.lesson)]
    flags = (("--play", options.play), ("--no-browser", options.no_browser), ("--no-token", options.no_token))
    command += [flag for flag, on in flags if on]
    if os.name == "posix":
        sys.stdout.flush()
        os.execv(command[0], command)  # so that Ctrl+C reaches only the app
    return subprocess.call(command)
