"""The attributes of a span in the vocabularies of tracers: who writes what under which name.

OpenTelemetry's own      gen_ai.input.messages, or, up to 1.36, an event for each message (gen_ai.user.message)
OpenInference            llm.input_messages.0.message.content
Traceloop (OpenLLMetry)  gen_ai.prompt.0.content
Vercel's AI SDK          ai.prompt.messages
and what ADK, Langfuse, MLflow, LangSmith and Logfire add. In each table the first name that is there counts.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from core.importers._shapes.blocks import string, whole_number
from core.importers._shapes.loose import messages_in, system_in
from core.importers._shapes.loose_blocks import in_json
from core.importers._shapes.spans import Kind, PromptAndReply
from core.importers._shapes.written_compactions import WrittenCompaction
from core.model.session import Message, Usage

Attributes = Mapping[str, Any]

_INPUTS = (
    *("gen_ai.input.messages", "pydantic_ai.all_messages", "ai.prompt.messages", "gen_ai.request.messages"),
    *("gen_ai.prompt", "ai.prompt", "langfuse.observation.input", "llm.prompts", "traceloop.entity.input"),
    *("mlflow.spanInputs", "input.value", "input", "gcp.vertex.agent.llm_request"),
)
_OUTPUTS = (
    *("gen_ai.output.messages", "gen_ai.completion", "langfuse.observation.output", "ai.response.object"),
    *("traceloop.entity.output", "mlflow.spanOutputs", "output.value", "output", "gcp.vertex.agent.llm_response"),
)
_INDEXED_INPUTS = ("llm.input_messages", "gen_ai.prompt", "llm.prompts")
_INDEXED_OUTPUTS = ("llm.output_messages", "gen_ai.completion", "llm.completions")
_SYSTEMS = ("gen_ai.system_instructions", "gen_ai.system.instructions", "ai.prompt.system", "llm.system_prompt")

_EVENTS = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}
_WHOLE = ("gen_ai.content.prompt", "gen_ai.content.completion", "gen_ai.client.inference.operation.details")

CONVERSATION = (
    *("gen_ai.conversation.id", "session.id", "langfuse.session.id", "ai.telemetry.metadata.sessionId"),
    *("traceloop.association.properties.session_id", "traceloop.association.properties.thread_id", "thread.id"),
    "gcp.vertex.agent.session_id",
)
MODEL = ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name", "ai.response.model", "ai.model.id")
AGENT = ("gen_ai.agent.name", "agent.name", "graph.node.id", "langfuse.observation.name", "traceloop.entity.name")
TOOL = ("gen_ai.tool.name", "tool.name", "ai.toolCall.name", "tool_call.function.name", "traceloop.entity.name")
CALL = ("gen_ai.tool.call.id", "ai.toolCall.id", "tool_call.id", "tool.id")
ARGUMENTS = (
    *("gen_ai.tool.call.arguments", "ai.toolCall.args", "tool_call.function.arguments", "tool.parameters"),
    *("langfuse.observation.input", "traceloop.entity.input", "mlflow.spanInputs", "input.value"),
    "gcp.vertex.agent.tool_call_args",
)
RESULT = (
    *("gen_ai.tool.call.result", "ai.toolCall.result", "langfuse.observation.output", "traceloop.entity.output"),
    *("mlflow.spanOutputs", "output.value", "gen_ai.tool.message", "gcp.vertex.agent.tool_response"),
)

_READ: tuple[str, ...] = (
    "gen_ai.usage.cache_read.input_tokens",
    "gen_ai.usage.cache_read_input_tokens",
    "gen_ai.usage.cached_tokens",
)
_READ += ("gen_ai.usage.input_tokens.cached", "gen_ai.usage.input_cached_tokens")
_READ += (
    "llm.token_count.prompt_details.cache_read",
    "ai.usage.cachedInputTokens",
    "gen_ai.usage.details.cached_tokens",
)
_WRITTEN: tuple[str, ...] = ("gen_ai.usage.cache_creation.input_tokens", "gen_ai.usage.cache_creation_input_tokens")
_WRITTEN += ("gen_ai.usage.input_tokens.cache_write", "llm.token_count.prompt_details.cache_write")
_IN: tuple[str, ...] = (
    "gen_ai.usage.input_tokens",
    "gen_ai.usage.prompt_tokens",
    "llm.token_count.prompt",
    "llm.usage.prompt_tokens",
)
_IN += ("ai.usage.inputTokens", "ai.usage.promptTokens")
_OUT: tuple[str, ...] = ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion")
_OUT += ("llm.usage.completion_tokens", "ai.usage.outputTokens", "ai.usage.completionTokens")
_TOTAL: tuple[str, ...] = (
    "gen_ai.usage.total_tokens",
    "llm.usage.total_tokens",
    "llm.token_count.total",
    "ai.usage.totalTokens",
)

_KINDS: dict[str, Kind] = {
    **dict.fromkeys(
        ("chat", "text_completion", "generate_content", "completion", "generation", "llm", "chat_model"), "llm"
    ),
    **dict.fromkeys(("execute_tool", "tool"), "tool"),
    **dict.fromkeys(("invoke_agent", "create_agent", "agent", "invoke_workflow"), "agent"),
}
_SAID_KINDS = (
    *("openinference.span.kind", "gen_ai.operation.name", "traceloop.span.kind", "langfuse.observation.type"),
    *("langsmith.span.kind", "mlflow.spanType", "llm.request.type"),
)


_COMPACTED = "gen_ai.conversation.compacted"
_COMPACTION = "gen_ai.compaction."
_TOKENS_BEFORE = ("gen_ai.compaction.tokens_before", "gen_ai.compaction.old_tokens", "compaction.tokens_before")
_TOKENS_AFTER = ("gen_ai.compaction.tokens_after", "gen_ai.compaction.new_tokens", "compaction.tokens_after")
"""Of no convention: the last of each is pydantic-ai's, the second neuron's."""


def is_compacted(attributes: Attributes) -> bool:
    """Whether a model call was sent a compacted conversation; the attribute is never set to false.

    https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/client-inference.md
    """
    return attributes.get(_COMPACTED) in (True, "true")


def compaction_of(attributes: Attributes, known: dict[str, Any]) -> WrittenCompaction | None:
    """What a span tells that is a compaction itself; None where it is none, or one that came to nothing.

    ADK names the event that was its result, and, in Go, why it was declined.
    https://github.com/google/adk-python/blob/main/src/google/adk/telemetry/tracing.py (`_build_compaction_attributes`)
    """
    adk = attributes.get("gen_ai.operation.name") == "compact_events"
    is_one = adk or is_compacted(attributes) or any(name.startswith(_COMPACTION) for name in attributes)
    nothing = adk and not string(attributes.get("gen_ai.compaction.result_event_id"))
    if not is_one or nothing or attributes.get("gen_ai.compaction.declined"):
        return None
    before, before_from = _tokens(attributes, _TOKENS_BEFORE)
    after, after_from = _tokens(attributes, _TOKENS_AFTER)
    return WrittenCompaction(
        trigger=string(attributes.get("gen_ai.compaction.trigger")),
        tokens_before=before,
        tokens_after=after,
        before_from=before_from,
        after_from=after_from,
        **known,
    )


def _tokens(attributes: Attributes, names: Iterable[str]) -> tuple[int | None, str]:
    """The first of these counts that is there, and its source."""
    found = ((_number(attributes, (name,)), f"the span's attribute (`{name}`)") for name in names)
    return next(((number, name) for number, name in found if number), (None, ""))


def first(attributes: Attributes, names: Iterable[str]) -> Any:
    """The first of these that is there."""
    return next((attributes[n] for n in names if attributes.get(n) is not None), None)


def word(attributes: Attributes, names: Iterable[str]) -> str:
    """The first of these that is a text which says anything."""
    return next((string(attributes.get(n)) for n in names if string(attributes.get(n))), "")


def kind_of(attributes: Attributes, name: str) -> tuple[Kind, str]:
    """What a span is, and what its tracer calls that."""
    messages = [in_json(attributes.get(key)) for key in _SAID_KINDS]
    words = [string(w).strip('"') for w in messages if string(w)]
    found: Kind = next((kind for w in words if (kind := _KINDS.get(w.lower(), ""))), "")
    operation = string(attributes.get("ai.operationId")) or (name if name.startswith("ai.") else "")
    if operation == "ai.toolCall" or "gen_ai.tool.call.id" in attributes:
        found = "tool"
    elif operation.startswith(("ai.generate", "ai.stream")) or (not found and _has_messages(attributes)):
        found = "llm"
    return found, (words or [operation])[0]


def _has_messages(attributes: Attributes) -> bool:
    return "gcp.vertex.agent.llm_request" in attributes or any(
        key.startswith(("llm.input_messages.", "gen_ai.prompt.0.", "gen_ai.completion.0.")) for key in attributes
    )


def holds(attributes: Attributes, events: Iterable[Attributes]) -> bool:
    """Whether a model call's messages, or some of them, were recorded."""
    if first(attributes, (*_INPUTS, *_OUTPUTS, "ai.response.text", "ai.response.toolCalls", "events")) is not None:
        return True
    indexed = tuple(f"{name}." for name in (*_INDEXED_INPUTS, *_INDEXED_OUTPUTS))
    return any(key.startswith(indexed) for key in attributes) or any(_event_name(e) for e in events)


def messages(attributes: Attributes, events: list[Attributes]) -> PromptAndReply:
    """What a model call was sent, and what it answered."""
    logged = in_json(attributes.get("events", attributes.get("all_messages_events")))
    given = [*events, *(e for e in logged if isinstance(e, dict))] if isinstance(logged, list) else events
    sent, answered = _of_events(given)
    details = next((e for e in given if _event_name(e) == _WHOLE[2]), {})
    both: Attributes = {**attributes, **details}
    sent = _first_messages(both, _INPUTS[:1], "user") or sent or _indexed(both, _INDEXED_INPUTS, "user")
    answered = (
        _first_messages(both, _OUTPUTS[:1], "assistant") or answered or _indexed(both, _INDEXED_OUTPUTS, "assistant")
    )
    sent = sent or _first_messages(both, _INPUTS[1:], "user")
    answered = answered or _vercel(both) or _first_messages(both, _OUTPUTS[1:], "assistant")
    if sent and sent[0].role != "system":
        sent = [*_system(both), *sent]
    return sent, answered


def _system(attributes: Attributes) -> list[Message]:
    given = in_json(first(attributes, _SYSTEMS))
    beside = (
        system_in(attributes.get(key))
        for key in ("ai.prompt", "input.value", "output.value", "llm.invocation_parameters")
    )
    return system_in({"system": given}) or next((found for found in beside if found), [])


def _first_messages(attributes: Attributes, names: Iterable[str], role: Any) -> list[Message]:
    return next((found for n in names if n in attributes and (found := messages_in(attributes[n], role))), [])


def _vercel(attributes: Attributes) -> list[Message]:
    """A reply of the AI SDK: its text, its thoughts and its calls each have an attribute."""
    for before in ("ai.response.", "ai.result."):
        calls = in_json(attributes.get(f"{before}toolCalls"))
        messages = {"text": attributes.get(f"{before}text"), "reasoning": attributes.get(f"{before}reasoning")}
        reply = {k: v for k, v in messages.items() if isinstance(v, str) and v} | (
            {"toolCalls": calls} if calls else {}
        )
        if reply:
            return messages_in({"role": "assistant", **reply}, "assistant")
    return []


def _event_name(event: Attributes) -> str:
    name = string(event.get("event.name"))
    return name if name in _EVENTS or name in _WHOLE or name == "gen_ai.choice" else ""


def _of_events(events: Iterable[Attributes]) -> PromptAndReply:
    """The messages of a span's events: one each, or a list of them."""
    sent: list[Any] = []
    answered: list[Any] = []
    for event in events:
        name, body = _event_name(event), in_json(event.get("gen_ai.event.content", event.get("body")))
        held = {**event, **body} if isinstance(body, dict) else dict(event)
        if name in _EVENTS:
            sent.append({"role": _EVENTS[name], **{k: in_json(v) if k != "content" else v for k, v in held.items()}})
        elif name == "gen_ai.choice" and held.get("index") in (None, 0, "0"):
            answered.append(_choice(held))
        elif name == _WHOLE[0]:
            sent.append(held.get("gen_ai.prompt"))
        elif name == _WHOLE[1]:
            answered.append(held.get("gen_ai.completion"))
    return messages_in(sent, "user"), messages_in(answered, "assistant")


def _choice(held: dict[str, Any]) -> Any:
    message = in_json(held.get("message"))
    known = {k: in_json(held[k]) if k != "content" else held[k] for k in ("content", "tool_calls") if held.get(k)}
    if isinstance(message, dict):
        return {"role": "assistant", **known, **message}
    return {"role": "assistant", **({"content": message} if message else {}), **known}


def _indexed(attributes: Attributes, names: Iterable[str], role: Any) -> list[Message]:
    """Messages that are spread over attributes with their number in the name."""
    return next((found for name in names if (found := messages_in(_gathered(attributes, name), role))), [])


_SHELLS = {"message", "message_content", "tool_call"}


def _gathered(attributes: Attributes, name: str) -> Any:
    """The tree of the attributes below a name: numbers are places in a list."""
    tree: dict[str, Any] = {}
    for key, value in attributes.items():
        if key.startswith(f"{name}."):
            here = tree
            *path, last = key[len(name) + 1 :].split(".")
            for step in path:
                below = here.setdefault(step, {})
                here = below if isinstance(below, dict) else {}
            here.setdefault(last, value)
    return _listed(tree)


def _listed(tree: Any) -> Any:
    if not isinstance(tree, dict):
        return tree
    if tree and all(step.isascii() and step.isdigit() for step in tree):
        return [_listed(tree[step]) for step in sorted(tree, key=lambda step: (len(step), step))]
    if len(tree) == 1 and next(iter(tree)) in _SHELLS:
        return _listed(next(iter(tree.values())))
    return {step: _listed(below) for step, below in tree.items()}


def usage_of(attributes: Attributes) -> Usage | None:
    """Recorded tokens. The input includes what was cached, unless that is more, or the recorded total says otherwise."""
    numbers = [_number(attributes, names) for names in (_IN, _READ, _WRITTEN, _OUT)]
    if all(n is None for n in numbers):
        return None
    given, read, written, output = (n or 0 for n in numbers)
    total = _number(attributes, _TOTAL)
    apart = read + written > given or (
        total is not None and read + written > 0 and total == given + read + written + output
    )
    return Usage(
        input_uncached=given if apart else given - read - written, cache_read=read, cache_write=written, output=output
    )


def _number(attributes: Attributes, names: Iterable[str]) -> int | None:
    """A count, also as text."""
    found = first(attributes, names)
    if isinstance(found, str) and found.isascii() and found.isdigit() and len(found) < 16:
        return int(found)
    if isinstance(found, float) and found.is_integer():
        found = int(found)
    return whole_number(found) if isinstance(found, int) and not isinstance(found, bool) else None
