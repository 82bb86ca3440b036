"""What `claude -p --output-format stream-json` prints (`json` prints one record of it, or all as a list).

https://docs.claude.com/en/docs/claude-code/sdk/sdk-headless
Another format than the session's file, of the same messages: a record names its session in `session_id`, a sub-agent's the
call that started it in `parent_tool_use_id`. Here each is put as the session's file would have it. The prompt is in it only
where it was asked to be repeated, and of a run that prints its last record alone there is nothing but the answer.
"""

from collections.abc import Iterator
from typing import Any

from core.importers._files.source import Head, Source
from core.importers._shapes.blocks import string

_KINDS = ("assistant", "user", "system", "result")
_CONTINUED = "This session is being continued from a previous conversation"


def is_stream(record: Any) -> bool:
    """Whether a record is one of such a stream."""
    if not isinstance(record, dict) or record.get("type") not in _KINDS or not string(record.get("session_id")):
        return False
    if record["type"] in ("assistant", "user"):
        return isinstance(record.get("message"), dict)
    return bool(string(record.get("subtype"))) and "payload" not in record


def records_in(head: Head) -> list[Any]:
    """The first records of a file, of a list as of lines."""
    listed = _listed(head.value)
    return head.records if listed is None else listed[:50]


def is_from_web(head: Head) -> bool:
    """Whether it is a session as Claude Code on the web gives it out: its records as `loglines` of one object."""
    if not isinstance(head.value, dict) or _listed(head.value) is None:
        return False
    said = [one for one in records_in(head) if isinstance(one, dict) and one.get("type") in ("user", "assistant")]
    return any(isinstance(one.get("message"), dict) for one in said)


def _listed(value: Any) -> list[Any] | None:
    """The records of a file that is one JSON value; None of a file of lines."""
    found = value.get("loglines") if isinstance(value, dict) else value
    return found if isinstance(found, list) else None


def is_another(records: list[Any]) -> bool:
    """Whether they are of a program that prints much the same, with calls of tools as records of their own."""
    return any(isinstance(r, dict) and r.get("type") == "tool_call" for r in records)


def records_of(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line, record) of a session's file, or of a stream, as the session's file would have it."""
    listed = _listed(source.value)
    found = source.records() if listed is None else ((n, r) for n, r in enumerate(listed, 1) if isinstance(r, dict))
    for pair in found:
        yield (pair[0], as_record(pair[1])) if "session_id" in pair[1] and is_stream(pair[1]) else pair


def as_record(record: dict[str, Any]) -> dict[str, Any]:
    """A record of a stream as one of a session's file."""
    kind, call = record["type"], string(record.get("parent_tool_use_id"))
    known = {
        "type": kind,
        "uuid": record.get("uuid"),
        "sessionId": record["session_id"],
        "cwd": record.get("cwd"),
        "timestamp": record.get("timestamp") or record.get("_audit_timestamp"),
    }
    if call:
        known |= {"isSidechain": True, "agentId": call}
    if kind == "system":
        return {**known, "subtype": record.get("subtype"), "compactMetadata": _camel(record.get("compact_metadata"))}
    if kind == "result":
        return {**record, **known}
    return {
        **known,
        "message": record["message"],
        "error": record.get("error"),
        **(_of_user(record) if kind == "user" else {}),
    }


def _of_user(record: dict[str, Any]) -> dict[str, Any]:
    content = record["message"].get("content")
    first = content[0] if isinstance(content, list) and content else content
    text = string(first.get("text") if isinstance(first, dict) else first)
    origin = (
        {"isCompactSummary": True} if text.startswith(_CONTINUED) else {"isMeta": record.get("isSynthetic") is True}
    )
    return {**origin, "toolUseResult": record.get("tool_use_result")}


def _camel(value: Any) -> Any:
    """Keys as the session's file writes them: preTokens for pre_tokens."""
    if not isinstance(value, dict):
        return value
    return {_joined(key): _camel(item) for key, item in value.items()}


def _joined(key: str) -> str:
    first, *rest = key.split("_")
    return first + "".join(word.capitalize() for word in rest)
