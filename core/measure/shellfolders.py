"""The folders that shell commands go to, by the words of `cd`; a drive of Windows may be written as `D:/` or `/d/`."""

import re
from posixpath import join, normpath

_ROOTED = re.compile(r"/|[A-Za-z]:/")
_DRIVE = re.compile(r"/([a-z])(?=/|$)")


def within(folder: str | None, name: str) -> str | None:
    """A name as it is from where the command began; None where the folder is not known, as the user's own is not."""
    name = name.replace("\\", "/")
    if name.startswith("~") or "$" in name or (folder is None and not _ROOTED.match(name)):
        return None
    return normpath(name if _ROOTED.match(name) else join(folder or "", name))


def is_elsewhere(folder: str | None, project: str) -> bool:
    """Whether a folder is neither the project's, nor in that, nor around it; False where one of them is not known."""
    home = _plain(project)
    found = folder and home and _plain(within(home, folder) or "")
    return bool(found) and not f"{found}/".startswith(f"{home}/") and not f"{home}/".startswith(f"{found}/")


def _plain(folder: str) -> str:
    """A folder in the one way of writing it; those of Windows have no upper case."""
    named = (
        _DRIVE.sub(r"\1:", folder.replace("\\", "/"), count=1) if _DRIVE.match(folder) else folder.replace("\\", "/")
    )
    return (named.casefold() if named[1:2] == ":" else named).rstrip("/")
