"""The parts of an opencode message: text, calls, results, usage."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from core.importers._shapes.blocks import MessageParts, string, tool_call, whole_number
from core.importers._shapes.images import linked
from core.model.session import Image, ToolCall, Usage, construct_unchecked, known_cost

INTERRUPTED = "[Tool execution was interrupted]"
"""What opencode answers to a call that never ended."""

_SUBTASK = "The following tool was executed by the user"
"""What opencode says to the model in the place of a subtask part."""

_AS_TEXT = ("text/plain", "application/x-directory")
"""Files whose content stands in a text part beside them."""

_STRUCTURE = ("step-start", "step-finish", "compaction")


@dataclass(slots=True)
class ReadParts:
    """The parts of one message, and who put them in: `injected` is empty where a person typed any of it."""

    parts: MessageParts
    injected: str


def read_parts(parts: list[dict[str, Any]], other: Counter[str]) -> ReadParts:
    """What the parts say to the model; kinds that say nothing are counted in `other`."""
    found, typed, injected = MessageParts(), False, ""
    for part in parts:
        kind = string(part.get("type")) or "unknown"
        if kind == "text" and part.get("ignored") is True:
            other["part/ignored"] += 1
            injected = injected or "ignored"
        elif kind == "text":
            found.texts.append(string(part.get("text")))
            typed, injected = typed or part.get("synthetic") is not True, injected or "synthetic"
        elif kind == "reasoning":
            found.thinking.append(string(part.get("text")))
        elif kind == "tool":
            found.calls.append(_call(part))
        elif kind == "file" and part.get("mime") not in _AS_TEXT:
            found.images.append(_picture(part))
            typed = True
        elif kind == "subtask":
            found.texts.append(_SUBTASK)
            injected = "command"
        elif kind not in (*_STRUCTURE, "file"):
            other[f"part/{kind}"] += 1
    found.thinking = [text for text in found.thinking if text]
    return ReadParts(found, "" if typed else injected)


def _call(part: dict[str, Any]) -> ToolCall:
    """A call; while it was being written its arguments are text."""
    state = _state(part)
    arguments = state.get("input") or string(state.get("raw")) or {}
    return tool_call(string(part.get("callID")) or part.get("id"), part.get("tool"), arguments)


def _state(part: dict[str, Any]) -> dict[str, Any]:
    state = part.get("state")
    return state if isinstance(state, dict) else {}


def _picture(part: dict[str, Any]) -> Image:
    """A picture, or another file that is sent as it is."""
    image = linked(part.get("url"))
    return image if image.media_type else image.model_copy(update={"media_type": string(part.get("mime"))})


@dataclass(slots=True)
class Result:
    """What came back from one call; `agent` is the session of the sub-agent that it started, `kind` what that is called."""

    id: str
    call_id: str
    name: str
    text: str
    images: tuple[Image, ...]
    failed: bool
    time: Any
    agent: str
    kind: str

    @classmethod
    def of(cls, part: dict[str, Any]) -> "Result":
        """The result in the state of a tool part."""
        state = _state(part)
        metadata = state["metadata"] if isinstance(state.get("metadata"), dict) else {}
        text, failed = _outcome(state, metadata)
        files = state.get("attachments")
        return cls(
            id=string(part.get("id")),
            call_id=string(part.get("callID")) or string(part.get("id")),
            name=string(part.get("tool")),
            text=text,
            images=tuple(_picture(f) for f in files if isinstance(f, dict)) if isinstance(files, list) else (),
            failed=failed,
            time=state.get("time"),
            agent=string(metadata.get("sessionId")) if part.get("tool") == "task" else "",
            kind=string(arguments.get("subagent_type")) if isinstance(arguments := state.get("input"), dict) else "",
        )


def _outcome(state: dict[str, Any], metadata: dict[str, Any]) -> tuple[str, bool]:
    """The text that the model is given for a call, and whether it failed."""
    if state.get("status") == "completed":
        return MessageParts().add(state.get("output")).text, False
    if state.get("status") != "error":
        return INTERRUPTED, True
    if metadata.get("interrupted") is True and isinstance(metadata.get("output"), str):
        return metadata["output"], False
    return string(state.get("error")), True


def steps(parts: list[dict[str, Any]]) -> list[tuple[list[dict[str, Any]], dict[str, Any] | None]]:
    """The parts of each API reply with its end, which holds its usage: old files keep several replies in one message."""
    groups: list[tuple[list[dict[str, Any]], dict[str, Any] | None]] = [([], None)]
    for part in parts:
        if part.get("type") == "step-start" and groups[-1][1] is not None:
            groups.append(([], None))
        group, end = groups[-1]
        group.append(part)
        groups[-1] = group, part if part.get("type") == "step-finish" else end
    return groups


def usage_of(reply: dict[str, Any] | None) -> Usage | None:
    """Recorded tokens and cost of a reply; None where it was broken off before any were.

    Where the total is recorded and output falls short of it by what was thought, that is added to the output. opencode writes
    a cost of 0 where it knows no price.
    """
    reply = reply or {}
    tokens = reply.get("tokens")
    if not isinstance(tokens, dict):
        return None
    cache = tokens["cache"] if isinstance(tokens.get("cache"), dict) else {}
    read, write, output = (
        whole_number(cache.get("read")),
        whole_number(cache.get("write")),
        whole_number(tokens.get("output")),
    )
    fresh, thought = whole_number(tokens.get("input")), whole_number(tokens.get("reasoning"))
    apart = whole_number(tokens.get("total")) == fresh + read + write + output + thought
    output += thought if apart else 0
    if not (fresh or read or write or output):
        return None
    known = {"output": output, "cost": known_cost(reply.get("cost")) or None}
    return construct_unchecked(Usage, input_uncached=fresh, cache_read=read, cache_write=write, **known)


def failure(error: Any) -> str | None:
    """What went wrong with a reply, in its words; None where nothing did, or a person stopped it."""
    if not isinstance(error, dict) or error.get("name") == "MessageAbortedError":
        return None
    data = error.get("data")
    return (string(data.get("message")) if isinstance(data, dict) else "") or string(error.get("name"))
