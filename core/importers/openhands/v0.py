"""Events of OpenHands V0: an action or an observation, each with what the model said or was told.

An action that a model took holds the whole response of the model, which names all calls of the reply; the observation that
answers it holds the id of its call. Older ones hold neither: there the action is the call, and the observation says which
event caused it. What is shown to the model is put together as OpenHands does it (openhands/memory/conversation_memory.py).
"""

from typing import Any

from core.importers._shapes.blocks import MessageParts, list_of, object_of, string, tool_call
from core.importers._shapes.images import linked
from core.importers.openhands.events import Event, litellm_usage
from core.importers.openhands.results import observed
from core.importers.openhands.run import Run
from core.importers.openhands.view import Between

_SILENT = {"null", "change_agent_state", "agent_state_changed", ""}
_ENDS = {"finish", "reject"}
_FAILED = {"error", "user_rejected"}


def read_old(run: Run, event: Event) -> None:
    """Take in one event."""
    data = event.data
    if isinstance(data.get("action"), str):
        _action(run, event, data["action"], object_of(data.get("args")))
    else:
        _observation(run, event, string(data.get("observation")), object_of(data.get("extras")))


def _action(run: Run, event: Event, action: str, args: dict[str, Any]) -> None:
    if action in _SILENT or args.get("hidden") is True:
        run.other["hidden" if args.get("hidden") is True else action or "null"] += 1
    elif action == "condensation":
        _condensation(run, event, args)
    elif action == "condensation_request":
        run.trigger = "requested"
        run.other[action] += 1
    elif action == "recall":
        run.view.add(event.id)
        run.other[action] += 1
    elif action == "system":
        run.say(event, "system", MessageParts().add(args.get("content")))
        run.other["tool schemas"] += len(list_of(args.get("tools")))
    elif event.data.get("source") == "agent":
        _acted(run, event, action, args)
    else:
        _command(run, event, action, args)


def _condensation(run: Run, event: Event, args: dict[str, Any]) -> None:
    """Events go by their ids or from the first to the last; the newest summary takes the place of the one before."""
    ids, first, last = (args.get(key) for key in ("forgotten_event_ids", _START, _END))
    summary, offset = args.get("summary"), args.get("summary_offset")
    gone: Any = {str(id) for id in list_of(ids) if isinstance(id, (int, str))}
    if isinstance(first, int) and isinstance(last, int):
        gone = Between(first, last)
    text = summary if isinstance(summary, str) else None
    place = offset if isinstance(offset, int) and offset >= 0 else None
    run.condense(event, gone, text, place, new=False, replaced=text is not None)


_START, _END = "forgotten_events_start_id", "forgotten_events_end_id"


def _command(run: Run, event: Event, action: str, args: dict[str, Any]) -> None:
    """What a person typed, or did in the place of the agent."""
    source = string(event.data.get("source"))
    if action == "message":
        parts = MessageParts().add(args.get("content"))
        parts.images += [linked(url) for url in list_of(args.get("image_urls"))]
        run.ask(event, parts, "" if source == "user" else source or "environment")
    elif action == "run":
        run.ask(event, MessageParts([f"User executed the command:\n{string(args.get('command'))}"]), "command")
    elif action in _ENDS:
        run.ask(event, MessageParts([_text(args.get("thought")) or string(event.data.get("message"))]), "command")
    else:
        run.ask(event, MessageParts([string(event.data.get("message")) or action]), "command")


def _acted(run: Run, event: Event, action: str, args: dict[str, Any]) -> None:
    """What the model did: by its response, else by the action itself."""
    metadata = object_of(event.data.get("tool_call_metadata"))
    response = object_of(metadata.get("model_response"))
    if action == "delegate":
        run.agents += 1
    if metadata:
        _responded(run, event, metadata, response, args)
    elif action == "message" or action in _ENDS:
        parts = MessageParts([_reply_text(event, action, args)], thinking=[_reasoning(args.get("thought"))])
        parts.images += [linked(url) for url in list_of(args.get("image_urls"))]
        run.reply(event, "", parts)
    else:
        run.reply(event, "", _by_action(run, event, action, args))


def _responded(
    run: Run, event: Event, metadata: dict[str, Any], response: dict[str, Any], args: dict[str, Any]
) -> None:
    choice = next(map(object_of, list_of(response.get("choices"))), {})
    message = object_of(choice.get("message"))
    parts = MessageParts().add(message.get("content")) if message else MessageParts([_text(args.get("thought"))])
    parts.calls += [_call(call) for call in list_of(message.get("tool_calls")) if isinstance(call, dict)]
    parts.thinking += _thoughts(message)
    own = string(metadata.get("tool_call_id")) or f"call-{event.id}"
    if all(call.id != own for call in parts.calls):
        parts.calls.append(tool_call(own, metadata.get("function_name"), _own(args)))
    run.acted[event.id] = own
    usage, model = litellm_usage(response.get("usage")), string(response.get("model"))
    run.reply(event, string(response.get("id")), parts, usage=usage, model=model)


def _call(call: dict[str, Any]) -> Any:
    function = object_of(call.get("function"))
    return tool_call(call.get("id"), function.get("name"), function.get("arguments"))


def _thoughts(message: dict[str, Any]) -> list[str]:
    """What was thought, told once: as text, or as the blocks of Anthropic."""
    reasoning = string(message.get("reasoning_content"))
    blocks = [string(object_of(b).get("thinking")) for b in list_of(message.get("thinking_blocks"))]
    return [reasoning] if reasoning else blocks


def _by_action(run: Run, event: Event, action: str, args: dict[str, Any]) -> MessageParts:
    """A call made of an action that tells of none."""
    run.acted[event.id] = f"call-{event.id}"
    calls = [tool_call(run.acted[event.id], action, _own(args))]
    thought = args.get("thought")
    return MessageParts([t for t in [_text(thought)] if t], thinking=[_reasoning(thought)], calls=calls)


def _own(args: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in args.items() if key != "thought"}


def _text(thought: Any) -> str:
    """The thought of an action: a text, in newer files an object with one."""
    return string(thought) or string(object_of(thought).get("text"))


def _reasoning(thought: Any) -> str:
    return string(object_of(thought).get("reasoning_content"))


def _reply_text(event: Event, action: str, args: dict[str, Any]) -> str:
    if action == "message":
        return MessageParts().add(args.get("content")).text
    text = _text(args.get("thought")) or string(args.get("final_thought"))
    return text or string(object_of(args.get("outputs")).get("content")) or string(event.data.get("message"))


def _observation(run: Run, event: Event, kind: str, extras: dict[str, Any]) -> None:
    if kind in _SILENT or extras.get("hidden") is True:
        run.other["hidden" if extras.get("hidden") is True else kind or "null"] += 1
        return
    run.project = run.project or string(object_of(extras.get("metadata")).get("working_dir"))
    extras, data = _not_again(run, extras) if kind == "recall" else extras, event.data
    parts = observed(kind, data.get("content"), extras)
    metadata = object_of(data.get("tool_call_metadata"))
    cause = data.get("cause")
    call = string(metadata.get("tool_call_id")) or run.acted.get(
        str(cause) if isinstance(cause, (int, str)) else "", ""
    )
    if call:
        bad = kind in _FAILED or data.get("success") is False
        run.result(event, call, parts, name=string(metadata.get("function_name")) or kind, is_error=bad)
    elif kind == "run":
        run.ask(event, MessageParts([f"Observed result of command executed by user:\n{parts.text}"]), "command")
    elif parts.texts or parts.images:
        run.ask(event, parts, kind)
    else:
        run.view.add(event.id)
        run.other[kind] += 1


def _not_again(run: Run, extras: dict[str, Any]) -> dict[str, Any]:
    """What was recalled, without the pieces of knowledge that were put in before."""
    found = [item for item in list_of(extras.get("microagent_knowledge")) if isinstance(item, dict)]
    if extras.get("recall_type") == "knowledge":
        found = [item for item in found if string(item.get("name")) not in run.recalled]
    run.recalled.update(string(item.get("name")) for item in found)
    return extras | {"microagent_knowledge": found}
