"""Events of OpenHands V1, the agent SDK: each kind a class of its own, with what was sent to the model as it was.

The calls of one response are events of their own that share `llm_response_id`. The system prompt event holds the tools as
well: those go to the model beside the prompt, not in it. A condensation names every event that went, and where the summary
stands; a summary has the id of its condensation with `-summary` behind it, by which a later one names it. In versions
before that it had an id that is written nowhere, and each new summary took the place of the one before.
"""

from collections.abc import Callable
from typing import Any

from core.importers._shapes.blocks import MessageParts, list_of, object_of, string, tool_call
from core.importers._shapes.notes import reason
from core.importers.openhands.events import Event
from core.importers.openhands.results import content_parts, shown
from core.importers.openhands.run import Run

_CONTEXT = "context"


def read_new(run: Run, event: Event) -> None:
    """Take in one event; a kind that the model does not see is counted."""
    kind = string(event.data.get("kind"))
    found = _KINDS.get(kind)
    if found is None:
        run.other[kind or "unknown"] += 1
    else:
        found(run, event, event.data)


def _system(run: Run, event: Event, data: dict[str, Any]) -> None:
    parts = content_parts(data.get("system_prompt"))
    if data.get("dynamic_context"):
        parts.add(data["dynamic_context"])
    run.say(event, "system", parts)
    run.other["tool schemas"] += len(list_of(data.get("tools")))


def _message(run: Run, event: Event, data: dict[str, Any]) -> None:
    message = object_of(data.get("llm_message"))
    parts, role = content_parts(message.get("content")), message.get("role")
    if role == "assistant":
        parts.thinking += _thoughts(message)
        parts.calls += [_call(call) for call in list_of(message.get("tool_calls")) if isinstance(call, dict)]
        run.reply(event, string(data.get("llm_response_id")), parts)
    elif role == "system":
        run.say(event, "system", parts)
    else:
        run.ask(event, parts, _by(data))
    if data.get("extended_content"):
        run.say(event, "user", content_parts(data["extended_content"]), "-context", injected=_CONTEXT)


def _by(data: dict[str, Any]) -> str:
    """Who put a message in: empty for a person."""
    if string(data.get("sender")):
        return "agent"
    return "" if data.get("source") == "user" else string(data.get("source")) or "unknown"


def _thoughts(data: dict[str, Any]) -> list[str]:
    """What was thought, told once: as text, as the blocks of Anthropic, or as a summary of OpenAI."""
    reasoning = string(data.get("reasoning_content"))
    blocks = [string(object_of(b).get("thinking")) for b in list_of(data.get("thinking_blocks"))]
    item = object_of(data.get("responses_reasoning_item"))
    return [reasoning] if reasoning else [b for b in blocks if b] or [string(t) for t in list_of(item.get("summary"))]


def _call(call: dict[str, Any]) -> Any:
    """A call as the SDK keeps it, or in the shape of OpenAI."""
    function = object_of(call.get("function")) or call
    return tool_call(call.get("id"), function.get("name"), function.get("arguments"))


def _action(run: Run, event: Event, data: dict[str, Any]) -> None:
    parts = content_parts(data.get("thought")) if data.get("thought") else MessageParts()
    parts.thinking += _thoughts(data)
    call = object_of(data.get("tool_call"))
    found = _call(call) if call else tool_call(data.get("tool_call_id"), data.get("tool_name"), data.get("action"))
    parts.calls.append(found)
    run.agents += _started(found.name, found.arguments)
    run.reply(event, string(data.get("llm_response_id")), parts)


def _started(tool: str, arguments: dict[str, Any]) -> int:
    """How many sub-agents a call starts."""
    if tool == "task":
        return int(not string(arguments.get("resume")))
    return len(list_of(arguments.get("ids"))) if tool == "delegate" and arguments.get("command") == "spawn" else 0


def _result(run: Run, event: Event, data: dict[str, Any]) -> None:
    observation = object_of(data.get("observation"))
    run.project = run.project or string(object_of(observation.get("metadata")).get("working_dir"))
    parts = shown(observation)
    if data.get("extended_content"):
        parts.texts += content_parts(data["extended_content"]).texts
    _answer(run, event, parts, observation.get("is_error") is True or observation.get("error") is True)


def _answer(run: Run, event: Event, parts: MessageParts, bad: bool = True) -> None:
    call, name = string(event.data.get("tool_call_id")), string(event.data.get("tool_name"))
    run.result(event, call, parts, name=name or None, is_error=bad)


def _refused(run: Run, event: Event, data: dict[str, Any]) -> None:
    _answer(run, event, MessageParts([f"Action rejected: {string(data.get('rejection_reason'))}"]))


def _error(run: Run, event: Event, data: dict[str, Any]) -> None:
    _answer(run, event, MessageParts([string(data.get("error"))]))


def _condensation(run: Run, event: Event, data: dict[str, Any]) -> None:
    gone = {id for id in list_of(data.get("forgotten_event_ids")) if isinstance(id, str)}
    summary, offset = data.get("summary"), data.get("summary_offset")
    place = offset if isinstance(offset, int) and not isinstance(offset, bool) and offset >= 0 else None
    text = summary if isinstance(summary, str) and place is not None else None
    run.condense(event, gone, text, place, new=True, replaced=text is not None and not gone <= run.view.ever)


def _request(run: Run, event: Event, data: dict[str, Any]) -> None:
    run.trigger = string(data.get("reason")) or "requested"
    run.other["CondensationRequest"] += 1


def _state(run: Run, event: Event, data: dict[str, Any]) -> None:
    """What the conversation tells of itself: all of its state, or its statistics."""
    run.other["ConversationStateUpdateEvent"] += 1
    if data.get("key") == "full_state":
        run.update_state(data.get("value"))
    elif data.get("key") == "stats":
        run.update_state({"stats": data.get("value")})


def _failed(run: Run, event: Event, data: dict[str, Any]) -> None:
    run.errors.append(string(data.get("detail")) or string(data.get("code")))
    run.ended_with = reason(run.errors[-1])
    run.other["ConversationErrorEvent"] += 1


_KINDS: dict[str, Callable[[Run, Event, dict[str, Any]], None]] = {
    "SystemPromptEvent": _system,
    "MessageEvent": _message,
    "ActionEvent": _action,
    "ObservationEvent": _result,
    "UserRejectObservation": _refused,
    "AgentErrorEvent": _error,
    "Condensation": _condensation,
    "CondensationRequest": _request,
    "ConversationStateUpdateEvent": _state,
    "ConversationErrorEvent": _failed,
}
