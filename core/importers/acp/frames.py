"""One message of the protocol in a line of a log: JSON-RPC, as it went over the wire or wrapped in what the logger adds."""

from dataclasses import dataclass
from typing import Any

from core.importers._shapes.blocks import object_of, string
from core.importers._shapes.times import iso

_SECONDS = 10**11
"""Times below it are seconds since 1970, those above milliseconds."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A request or a notification, with its `method`, or the answer to a request, with its `result` or an error."""

    line: int
    time: str
    id: Any
    method: str
    params: dict[str, Any]
    result: dict[str, Any]

    @property
    def update(self) -> dict[str, Any]:
        """What an agent reports of a session; empty for any other frame. Extensions put their name before the method."""
        return object_of(self.params.get("update")) if self.method.endswith("session/update") else {}

    @property
    def prompt(self) -> list[Any] | None:
        """What a person sends; None for any other frame."""
        given = self.params.get("prompt")
        return given if self.method == "session/prompt" and isinstance(given, list) else None


def frame(line: int, record: dict[str, Any]) -> Frame:
    """The frame in a record of the file."""
    bare = "method" in record or "result" in record or _is_rpc(record)
    inner = record if bare else next(filter(_is_rpc, record.values()), {})
    return Frame(
        line=line,
        time=_time(record.get("timestamp", record.get("ts"))),
        id=inner.get("id"),
        method=string(inner.get("method")),
        params=object_of(inner.get("params")),
        result=object_of(inner.get("result")),
    )


def _is_rpc(value: Any) -> bool:
    return isinstance(value, dict) and "jsonrpc" in value


def _time(value: Any) -> str:
    if isinstance(value, str):
        return value
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < 2**53:
        return ""
    return iso(int(value * 1000 if value < _SECONDS else value))
