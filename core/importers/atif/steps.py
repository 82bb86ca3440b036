"""One step of an ATIF trajectory as messages: what was said, the calls, and what the environment answered."""

import re
from collections.abc import Iterator
from typing import Any

from core.importers._shapes.blocks import MessageParts, object_of, string, tool_call, whole_number
from core.importers._shapes.images import embedded, linked
from core.model.session import Image, Message, ToolCall, Usage, construct_unchecked

ROLES = {"user": "user", "agent": "assistant", "system": "system"}

_SUMMARIZED = re.compile(r"(?:performed )?context (?:summari[sz]ation|compaction)\b", re.IGNORECASE)
"""What harnesses older than 1.7 write in a system step where they compacted."""

_TERMINAL = ("New Terminal Output:", "Current terminal state:", "Current Terminal Screen:")
"""How terminus begins what it types into the conversation for the terminal."""


def is_step(value: Any) -> bool:
    """Whether it is a step: an object that says whose it is."""
    return isinstance(value, dict) and isinstance(value.get("source"), str) and value["source"] in ROLES


def is_copied(step: dict[str, Any]) -> bool:
    """Whether the step stands in an earlier file already."""
    return step.get("is_copied_context") is True


def boundary_of(step: dict[str, Any]) -> str:
    """What the step does to the context before it: "replace", "truncate" or "append"; empty for ordinary steps."""
    management = object_of(step.get("extra")).get("context_management")
    if isinstance(management, dict):
        return _boundary(string(management.get("type")), string(management.get("boundary")))
    older = step["source"] == "system" and _SUMMARIZED.match(string(step.get("message")).lstrip())
    return "replace" if older else ""


def _boundary(kind: str, boundary: str) -> str:
    if boundary in ("replace", "truncate", "append"):
        return boundary
    return {"compaction": "replace", "pruning": "truncate", "injection": "append"}.get(kind, "")


def message_of(step: dict[str, Any], id: str, place: int, agent: dict[str, Any]) -> Message:
    """The message of the step itself. Of a copied one the tokens are left out: they stand in the file it is from."""
    parts, copied, role = parts_of(step.get("message")), is_copied(step), ROLES[step["source"]]
    reply = role == "assistant"
    return construct_unchecked(
        Message,
        id=id,
        role=role,
        content=parts.text,
        images=tuple(parts.images),
        thinking=string(step.get("reasoning_content")) if reply else "",
        tool_calls=tuple(_calls(step)) if reply else (),
        reply_id=id if reply else None,
        usage=usage_of(step.get("metrics")) if reply and not copied else None,
        model=(string(step.get("model_name")) or string(agent.get("model_name"))) if reply else "",
        timestamp=string(step.get("timestamp")),
        line=place,
        injected=_put_in(parts.text, copied, string(agent.get("name"))) if role == "user" else "",
    )


def _put_in(text: str, copied: bool, agent: str) -> str:
    """Whether the harness, not a person, said this; the terminal speaks as the user where the agent is terminus."""
    if copied:
        return "copied"
    return "observation" if agent.lower().startswith("terminus") and text.lstrip().startswith(_TERMINAL) else ""


def _calls(step: dict[str, Any]) -> Iterator[ToolCall]:
    calls = step.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        if isinstance(call, dict):
            yield tool_call(call.get("tool_call_id"), call.get("function_name"), call.get("arguments"))


def results_of(step: dict[str, Any]) -> list[dict[str, Any]]:
    """What the environment answered, result by result."""
    observation = step.get("observation")
    if isinstance(observation, dict):
        observation = observation["results"] if isinstance(observation.get("results"), list) else [observation]
    found = observation if isinstance(observation, list) else [] if observation is None else [observation]
    return [r if isinstance(r, dict) else {"content": r} for r in found if r is not None]


def answer(result: dict[str, Any], reply: Message, number: int, named: dict[str, str]) -> Message:
    """One result as a message: of a tool where it answers a call, else put into the conversation for the environment."""
    parts, call = parts_of(result.get("content")), call_of(result, reply)
    return construct_unchecked(
        Message,
        id=f"{reply.id}-result-{number}",
        role="tool" if call else "user",
        content=parts.text,
        images=tuple(parts.images),
        tool_call_id=call or None,
        name=named.get(call) or None,
        timestamp=reply.timestamp,
        line=reply.line,
        injected="" if call else "observation",
        is_error=object_of(result.get("extra")).get("is_error") is True,
    )


def call_of(result: dict[str, Any], reply: Message) -> str:
    """The id of the call that was answered: the named one, or the only one there is."""
    only = reply.tool_calls[0].id if len(reply.tool_calls) == 1 else ""
    return string(result.get("source_call_id")) or only


def refs_of(result: dict[str, Any]) -> list[dict[str, Any]]:
    """The sub-agents that a result names."""
    refs = result.get("subagent_trajectory_ref")
    return [ref for ref in (refs if isinstance(refs, list) else [refs]) if isinstance(ref, dict)]


def parts_of(content: Any) -> MessageParts:
    """Text and pictures of a message or a result; from 1.6 on they are parts. Any other JSON is shown as it is."""
    parts = MessageParts()
    for part in content if isinstance(content, list) else [content]:
        source = part.get("source") if isinstance(part, dict) else None
        if isinstance(source, dict):
            parts.images.append(_picture(source))
        else:
            parts.add(part if not isinstance(part, list) else [part])
    return parts


def _picture(source: dict[str, Any]) -> Image:
    if isinstance(source.get("data"), str):
        return embedded(source.get("media_type"), source["data"])
    image = linked(source.get("path") or source.get("url"))
    return image if image.media_type else image.model_copy(update={"media_type": string(source.get("media_type"))})


def usage_of(metrics: Any, prefix: str = "") -> Usage | None:
    """Recorded tokens of a reply, or with the prefix `total_` of a run; None where there are none."""
    if not isinstance(metrics, dict):
        return None
    prompt, output = (
        whole_number(metrics.get(f"{prefix}prompt_tokens")),
        whole_number(metrics.get(f"{prefix}completion_tokens")),
    )
    read = whole_number(metrics.get(f"{prefix}cached_tokens"))
    write = whole_number(object_of(metrics.get("extra")).get(f"{prefix}cache_creation_input_tokens"))
    if not (prompt or output or read):
        return None
    fresh = prompt - read - write if prompt >= read + write else prompt  # a writer that left what was cached out
    return construct_unchecked(Usage, input_uncached=fresh, cache_read=read, cache_write=write, output=output)
