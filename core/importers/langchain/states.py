"""Where a value keeps LangChain messages: a list, a state, a checkpoint, a run of LangSmith, or many of those.

[message, …]                                       a dump
{"messages": […]}, {"values": {"messages": […]}}   a state of LangGraph, a snapshot of one
{"channel_values": {"messages": […]}}              a checkpoint, alone or as `checkpoint` of a tuple
{"inputs": …, "outputs": …, "run_type": …}         a run; a model's has [[message, …]] and `generations`
"""

from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from core.importers._shapes.blocks import object_of, objects_in, string
from core.importers.langchain.messages import fields, is_message

_INSIDE = ("values", "channel_values", "checkpoint", "state", "input", "output", "inputs", "outputs")
_MANY = ("runs", "checkpoints", "history", "states", "data")
_LOOK = 50


@dataclass(slots=True)
class State:
    """The messages at one time. `reply` are those a model answered with; `kind` is that of a run ("llm", "chain", …)."""

    items: list[Any]
    reply: list[Any] = field(default_factory=list)
    event: Any = None
    thread: str = ""
    kind: str = ""
    time: str = ""
    step: int | None = None
    parent: str = ""
    name: str = ""
    summarizes: bool = False


def states(value: Any) -> list[State]:
    """Every state in a value that is LangChain's; none where it is of another format."""
    if isinstance(value, dict):
        many: list[Any] = next((value[key] for key in _MANY if isinstance(value.get(key), list)), [])
        return found if (found := state_of(value)) else list(chain.from_iterable(map(state_of, objects_in(many))))
    if not isinstance(value, list):
        return []
    if any(map(is_message, value[:_LOOK])):
        return [State(value)]
    inner = [item for item in value if isinstance(item, list)]
    if inner and any(is_message(m) for item in inner[:_LOOK] for m in item[:_LOOK]):
        return [State(item, thread=f"{place}") for place, item in enumerate(inner, 1)]
    return list(chain.from_iterable(map(state_of, objects_in(value))))


def state_of(value: dict[str, Any]) -> list[State]:
    """The one state that an object holds, in a list; an empty list where there is none."""
    if _is_run(value):
        found = _run(value)
    elif is_message(value):
        found = State([value])
    else:
        found = _state(value)
    return [found] if found is not None else []


def _is_run(value: dict[str, Any]) -> bool:
    inside = isinstance(value.get("inputs"), dict) or isinstance(value.get("outputs"), dict)
    return inside and isinstance(value.get("run_type"), str)


def _state(value: dict[str, Any]) -> State | None:
    place = _place(value)
    if place is None:
        return None
    messages = place["messages"]
    own = any(map(is_message, messages[:_LOOK])) or "channel_versions" in value or "channel_values" in value
    if not own or not any(fields(item)[0] for item in messages[:_LOOK]):
        return None
    return State(messages, event=place.get("_summarization_event"), **_identity(value))


def _place(value: Any, depth: int = 4) -> dict[str, Any] | None:
    """The object with the list `messages`, the value itself or one inside it; its list of one list is that list."""
    if not isinstance(value, dict) or not depth:
        return None
    found = value.get("messages")
    if isinstance(found, list) and found:
        return {**value, "messages": found[0]} if isinstance(found[0], list) else value
    return next((p for key in _INSIDE if (p := _place(value.get(key), depth - 1)) is not None), None)


def _identity(value: dict[str, Any]) -> dict[str, Any]:
    """The thread and the time of a state."""
    config, metadata, inner = (object_of(value.get(key)) for key in ("config", "metadata", "checkpoint"))
    settings = object_of(config.get("configurable"))
    ids = (settings.get("thread_id"), metadata.get("thread_id"), value.get("thread_id"))
    times = (value.get("created_at"), value.get("ts"), inner.get("ts"))
    step = metadata.get("step")
    return {
        "thread": next(map(str, filter(_is_id, ids)), ""),
        "time": next(filter(None, map(string, times)), ""),
        "step": step if isinstance(step, int) else None,
    }


def _is_id(value: Any) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool) and value != ""


def _run(value: dict[str, Any]) -> State | None:
    """A run: a model's is a prompt and its reply; of any other what came out, if it holds what went in, else both."""
    given, came = _place(value.get("inputs")), _place(value.get("outputs"))
    items, metadata = given["messages"] if given else [], object_of(object_of(value.get("extra")).get("metadata"))
    known: dict[str, Any] = {
        "thread": next((t for k in ("thread_id", "session_id") if (t := string(metadata.get(k)))), "")
        or string(value.get("trace_id")),
        "kind": string(value.get("run_type")),
        "time": string(value.get("start_time")),
        "parent": string(value.get("parent_run_id")),
        "name": string(value.get("name")),
        "summarizes": metadata.get("lc_source") == "summarization",
    }
    if value.get("run_type") == "llm":
        reply = _generated(value.get("outputs"))
        return State(items, reply, **known) if items or reply else None
    if came is None:
        return State(items, **known) if items else None
    whole = came["messages"]
    whole = whole if whole[: len(items)] == items or len(whole) > len(items) else [*items, *whole]
    return State(whole, event=came.get("_summarization_event"), **known)


def _generated(outputs: Any) -> list[Any]:
    """The first of the messages that a model gave: in `generations`, or as the output itself."""
    found: Any = outputs
    for key in ("generations", 0, 0, "message"):
        if isinstance(key, str):
            found = found.get(key) if isinstance(found, dict) else None
        elif isinstance(found, list):
            found = found[0] if found else None
    if fields(found)[0]:
        return [found]
    if isinstance(outputs, dict):
        place = _place(outputs)
        inner = place["messages"] if place else [outputs, outputs.get("output"), outputs.get("message")]
        return next(([m] for m in inner if fields(m)[0]), [])
    return []
