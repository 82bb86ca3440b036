"""Which of the paths that a person typed, or that a link named, are opened."""

import os
import re
from pathlib import Path

from core.model.errors import FoldlineError

SYSTEM = ("/proc", "/sys", "/dev")


def check_place(text: str) -> None:
    """Raises FoldlineError for a path that is not opened, before anything there is touched.

    These are shares of other machines (`//host/share`, `\\\\host\\share`): reaching one may send this user's credentials
    (https://cwe.mitre.org/data/definitions/40.html); and the folders in which the system shows its processes and devices, also
    where a link leads there. Nor is a URL: foldline downloads nothing. Whether there is anything at the path is
    not checked.
    """
    if re.match(r"[a-z][a-z0-9+.-]*://", text, re.IGNORECASE):
        raise FoldlineError(f"{text} is a URL, not the path of a file", "download it to this machine and open the copy")
    if text.replace("\\", "/").startswith("//"):
        raise FoldlineError(f"{text} is on another machine", "copy it to this machine and open the copy")
    try:
        path = Path(text).expanduser()
        places = {os.path.abspath(path), os.path.realpath(path)}
    except (OSError, ValueError, RuntimeError):  # no path at all: a NUL in it, or ~ of an unknown user
        return
    for folder in SYSTEM:
        if any(f"{place}/".startswith(f"{folder}/") for place in places):
            raise FoldlineError(
                f"{text} cannot be opened: {folder} contains processes and devices", "copy its output into a file"
            )
