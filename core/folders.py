"""Where foldline keeps what it writes: the runs it has driven."""

import os
from pathlib import Path

from platformdirs import user_data_path

VARIABLE = "FOLDLINE_DATA"
"""Another folder to keep runs under."""


def runs_folder() -> Path:
    """The folder of the runs' files, whether or not it is there yet."""
    said = os.environ.get(VARIABLE)
    return (Path(said).expanduser() if said else user_data_path("foldline", appauthor=False)) / "sessions"
