"""The requests and replies of a run's model calls, as they were sent: a compressed file for each call, beside the run's file.

A request holds the whole window, so that those of a long run come to much more than the run itself: each text is cut at
`MOST_CHARS` characters, and beyond `MOST_BYTES` in all the oldest files are deleted. Keys are masked before.
"""

import gzip
import json
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

from core.model import private
from core.model.errors import RunError, format_error
from core.model.session import Frozen

MOST_CHARS = 2_000_000
"""Characters of a request or a reply that are kept."""

MOST_BYTES = 64 << 20
"""Bytes of a run's files on disk, compressed."""

_ENDING = ".call"


class KeptCall(Frozen):
    """A request and its reply as JSON text, "" where there is none; of one that was cut, the length is that of the whole."""

    request: str = ""
    request_length: int = 0
    reply: str = ""
    reply_length: int = 0


def kept_call(request: Any, reply: Any) -> KeptCall:
    """A request and a reply as they are kept."""
    asked, said = _text(request), _text(reply)
    return KeptCall(
        request=asked[:MOST_CHARS], request_length=len(asked), reply=said[:MOST_CHARS], reply_length=len(said)
    )


def _text(value: Any) -> str:
    return "" if value is None else json.dumps(value, indent=2, ensure_ascii=False, default=str)


class CallFiles:
    """The calls of one run in a folder of its own; private as the run's file is."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, number: int, kept: KeptCall) -> None:
        """Keep a call; the oldest make room. Raises OSError."""
        data = gzip.compress(kept.model_dump_json().encode("utf-8", "replace"), 6)
        path = self._path(number)
        private.make_file(path)
        path.write_bytes(data)
        self._make_room(path)

    def _make_room(self, newest: Path) -> None:
        files = sorted(self.folder.glob(f"*{_ENDING}"))
        total = sum(path.stat().st_size for path in files)
        for path in files:
            if total <= MOST_BYTES or path == newest:
                return
            total -= path.stat().st_size
            path.unlink()

    def read(self, number: int) -> KeptCall:
        """A call. Raises RunError where it is not kept, or cannot be read."""
        path = self._path(number)
        try:
            return KeptCall.model_validate_json(gzip.decompress(path.read_bytes()))
        except FileNotFoundError:
            what = f"the request of model call {number:,} was not kept"
            raise RunError(what, f"a run keeps only the newest {MOST_BYTES >> 20} MB of requests") from None
        except (OSError, ValueError, EOFError) as error:
            what = f"{path.name} cannot be read: {format_error(error)}"
            raise RunError(what, "the file is damaged; the other calls can still be read") from None

    def delete(self) -> None:
        """Delete them all."""
        with suppress(OSError):
            shutil.rmtree(self.folder)

    def _path(self, number: int) -> Path:
        return self.folder / f"{number:06d}{_ENDING}"
