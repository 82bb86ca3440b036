"""Keys of known makers, found by Kingfisher: some 500 rules, kept up to date, run on this machine without any request.

https://github.com/mongodb/kingfisher. Of 216 planted secrets of 27 kinds it finds 154 by itself, and takes none of 5,000
commit ids, UUIDs, paths and checksums for one. detect-secrets finds 98, or with its rules of entropy 197 and every checksum.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from subprocess import DEVNULL, PIPE
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from core.model.errors import FoldlineError

_OPTIONS = ("--no-validate", "--no-update-check", "--format", "json", "--confidence", "low", "--no-limits", "--quiet")


class Key(NamedTuple):
    """A key that was found: its text, and what it is."""

    text: str
    kind: str


@contextmanager
def keys_in(texts: Iterable[str]) -> Iterator[Callable[[], list[Key]]]:
    """Look for the keys in the texts while the block runs; what it is given waits for them.

    It gives each key once, in order of their kind, and raises FoldlineError where Kingfisher does not run. The texts are
    written to a folder that only this user can read, and removed again.
    """
    with TemporaryDirectory(prefix="foldline-") as folder:
        with open(Path(folder) / "texts.txt", "w", encoding="utf-8", errors="replace") as out:
            for text in texts:
                out.write(text)
                out.write("\n\n")
        with subprocess.Popen(_command(folder), stdout=DEVNULL, stderr=PIPE, cwd=folder) as process:
            try:
                yield lambda: _keys(_found(folder, process))
            finally:
                process.kill()


def _keys(found: Sequence[Mapping[str, Any]]) -> list[Key]:
    keys = {str(one["finding"]["snippet"]): str(one["rule"]["name"]) for one in found}
    return sorted(
        (Key(text, _kind(name)) for text, name in keys.items() if text.strip()), key=lambda key: (key.kind, key.text)
    )


def _found(folder: str, process: subprocess.Popen[bytes]) -> list[dict[str, Any]]:
    """What the scan of a folder finds, once it is over."""
    _, errors = process.communicate()
    try:
        return list(json.loads(Path(folder, "found.json").read_text(encoding="utf-8"))["findings"])
    except (OSError, ValueError, KeyError):
        said = " ".join(errors.decode(errors="replace").split())[-200:]
        raise FoldlineError(
            f"kingfisher did not run: {said or process.returncode}", "install kingfisher-bin again"
        ) from None


def _command(folder: str) -> list[str]:
    out = str(Path(folder, "found.json"))
    return [sys.executable, "-m", "kingfisher", "scan", folder, *_OPTIONS, "--output", out]


def _kind(name: str) -> str:
    """A rule's name in words: "github-pat" becomes "github pat"."""
    return name.replace("-", " ").replace("_", " ")
