"""Langfuse exports: a trace with its observations, as the app downloads it, as its API gives it, or a list of observations.

An observation has an `input` and an `output` in whatever shape the traced program handed over (Chat Completions, OpenAI's
Responses, Anthropic, LangChain, the AI SDK, Gemini), often as JSON in a text. GENERATION is a model call, TOOL a tool run,
AGENT an agent; older ones know only SPAN beside GENERATION. Each prompt repeats the history where the tracer had it, so a
session is put together from prompts: compactions are inferred. Usage is in parts that do not overlap; where the recorded
total shows that the input includes what was cached, it is taken apart.

https://langfuse.com/docs/observability/data-model
"""

from collections.abc import Iterator
from typing import Any

from core.importers._files.source import Head, Source
from core.importers._files.text import parse
from core.importers._shapes.blocks import string, whole_number
from core.importers._shapes.loose import messages_in, system_in
from core.importers._shapes.loose_blocks import in_json
from core.importers._shapes.notes import pluralize
from core.importers._shapes.otel_attributes import first
from core.importers._shapes.span_sessions import Reading, sessions
from core.importers._shapes.spans import Kind, PromptAndReply, Span
from core.importers._shapes.times import since_1970
from core.model.session import Message, Session, Usage

LABEL = "Langfuse traces"
DOCS = "https://langfuse.com/docs/observability/data-model"
GROUP = "evaluation and traces"
COVERS = "exports"

_KINDS: dict[str, Kind] = {"GENERATION": "llm", "TOOL": "tool", "AGENT": "agent"}
_TYPES = {*_KINDS, "SPAN", "EVENT", "CHAIN", "RETRIEVER", "EVALUATOR", "EMBEDDING", "GUARDRAIL"}
_CAMEL = {
    "trace_id": "traceId",
    "parent_observation_id": "parentObservationId",
    "session_id": "sessionId",
    "start_time": "startTime",
    "end_time": "endTime",
    "status_message": "statusMessage",
    "usage_details": "usageDetails",
    "provided_model_name": "model",
}
_READ = (
    *("cache_read_input_tokens", "input_cached_tokens", "input_cache_read", "cached_tokens", "cache_read"),
    *("input_cached", "prompt_details.cache_read", "cachedInputTokens", "input_cached_token"),
)
_WRITTEN = ("cache_creation_input_tokens", "input_cache_creation", "cache_creation", "prompt_details.cache_write")
_IN = ("input", "input_tokens", "promptTokens", "prompt_tokens")
_OUT = ("output", "output_tokens", "completionTokens", "completion_tokens")
_THOUGHT = ("output_reasoning_tokens", "output_reasoning", "reasoning_tokens", "completion_details.reasoning")


def recognises(head: Head) -> bool:
    """Whether the file is a trace with observations, or a list of either."""
    value = head.value
    items = value[:20] if isinstance(value, list) else head.records if value is None else [value]
    return any(isinstance(item, dict) and (_observations(item) is not None or _is_one(item)) for item in items)


def _observations(item: dict[str, Any]) -> list[Any] | None:
    """The observations of an export, or of a trace as the API gives it."""
    trace = item.get("trace")
    for holder in (item, trace if isinstance(trace, dict) else {}):
        found = holder.get("observations")
        if isinstance(found, list) and (holder is not item or isinstance(trace, dict) or any(map(_is_one, found))):
            return found
    return None


def _is_one(item: Any) -> bool:
    """Whether this is an observation."""
    if not isinstance(item, dict) or string(item.get("type")).upper() not in _TYPES:
        return False
    return bool({"traceId", "parentObservationId", "startTime", "trace_id", "parent_observation_id"} & item.keys())


def read(source: Source) -> Iterator[Session]:
    """The conversations in an export: one for each session, or for each trace that belongs to none."""
    spans, skipped = [], 0
    for line, item in _items(source):
        trace: dict[str, Any] = item["trace"] if isinstance(item.get("trace"), dict) else item
        found = _observations(item)
        for number, one in enumerate(found if found is not None else [item], 1):
            if _is_one(one):
                spans.append(_span(one, trace, line if found is None else number))
            else:
                skipped += 1
    damage = source.damage
    left = [f"{pluralize(skipped, 'observation')} skipped: unknown type"] if skipped else []
    reading = Reading(
        format="langfuse",
        malformed=skipped + damage.malformed_lines,
        recovered=damage.recovered,
        notes=(*left, *damage.notes()),
    )
    yield from sessions(source, spans, reading)


def _items(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    if source.value is None:
        yield from source.records()
    else:
        items = source.value if isinstance(source.value, list) else [source.value]
        yield from ((place, item) for place, item in enumerate(items, 1) if isinstance(item, dict))


def _span(one: dict[str, Any], trace: dict[str, Any], line: int) -> Span:
    """One observation; exports to a bucket write its keys otherwise."""
    one = {_CAMEL.get(key, key): value for key, value in one.items()}
    what = string(one.get("type")).upper()
    kind, start = _KINDS.get(what, ""), _time(one.get("startTime"))
    given, answered = _value(one.get("input")), _value(one.get("output"))
    attributes = _attributes(one)
    return Span(
        id=string(one.get("id")),
        messages=_messages,
        raw=(given, answered, trace.get("input")),
        parent=string(one.get("parentObservationId")),
        trace=string(one.get("traceId")) or string(trace.get("id")),
        conversation=string(trace.get("sessionId")) or string(one.get("sessionId")),
        kind=kind,
        what=what,
        name=string(one.get("name")),
        start=start,
        end=_time(one.get("endTime")) or start,
        line=line,
        holds=kind in ("llm", "agent") and (given is not None or answered is not None),
        usage=usage_of(one) if kind == "llm" else None,
        model=string(one.get("model")),
        call=_call(attributes) if kind == "tool" else "",
        arguments=_unshelled(given) if kind == "tool" else None,
        result=answered if kind == "tool" else None,
        failed=(string(one.get("statusMessage")) or "no reason recorded") if one.get("level") == "ERROR" else "",
    )


def _value(given: Any) -> Any:
    """An input or an output: none where it is empty, or the name of a key that LangSmith's exporter left in its place."""
    found = _unpacked(given)
    return None if found in ("", "null", {}, [], {"content": "role"}, {"content": "content"}) else found


def _unpacked(given: Any) -> Any:
    """A value that may be JSON in a text, or a text in JSON, with JSON in it again: downloads have all of them."""
    for _ in range(2):
        if isinstance(given, str) and len(given) > 1 and given[0] == given[-1] == '"':
            try:
                given = parse(given)
            except ValueError:
                return given
    return in_json(given)


def _attributes(one: dict[str, Any]) -> dict[str, Any]:
    """The attributes of the OpenTelemetry span that an observation was made of."""
    metadata = _unpacked(one.get("metadata"))
    found = metadata.get("attributes") if isinstance(metadata, dict) else None
    return found if isinstance(found, dict) else {}


def _call(attributes: dict[str, Any]) -> str:
    names = ("gen_ai.tool.call.id", "ai.toolCall.id", "tool_call.id")
    return string(first(attributes, names))


def _unshelled(given: Any) -> Any:
    """Arguments that LangSmith put below `input`."""
    shelled = isinstance(given, dict) and set(given) == {"input"} and isinstance(given["input"], dict)
    return given["input"] if shelled else given


def _messages(span: Span) -> PromptAndReply:
    given, answered, trace_input = span.raw
    sent, replies = messages_in(given, "user"), messages_in(answered, "assistant")
    if sent and sent[0].role != "system":
        sent = [*(system_in(answered) or _top(trace_input, sent)), *sent]
    return sent, replies


def _top(trace_input: Any, sent: list[Message]) -> list[Message]:
    """The system prompt in a trace's own input, for a model call that was sent the question of the trace."""
    trace_input = _unpacked(trace_input)
    questions = (
        {m.content for m in messages_in(trace_input, "user") if m.role == "user"}
        if isinstance(trace_input, dict)
        else set()
    )
    return system_in(trace_input) if any(m.content in questions for m in sent) else []


def _time(value: Any) -> int:
    """Nanoseconds since 1970 of an ISO time; 0 for what is none."""
    since = since_1970(string(value))
    if since is None:
        return 0
    return max(0, (since.days * 86_400 + since.seconds) * 10**9 + since.microseconds * 1000)


def usage_of(one: dict[str, Any]) -> Usage | None:
    """Recorded tokens of a model call; of two ways to add them up the one that gives the recorded total is taken."""
    details, older = in_json(one.get("usageDetails")), in_json(one.get("usage"))
    usage = next((u for u in (details, older) if isinstance(u, dict) and any(n in u for n in (*_IN, *_OUT))), None)
    if usage is None:
        return None
    given, read, written, output, thought = (_sum(usage, n) for n in (_IN, _READ, _WRITTEN, _OUT, _THOUGHT))
    total, cached = whole_number(usage.get("total")), read + written
    inside = cached > 0 and total in (given + output, given + output + thought) and cached <= given
    beside = thought > 0 and total == (given if inside else given + cached) + output + thought
    return Usage(
        input_uncached=given - cached if inside else given,
        cache_read=read,
        cache_write=written,
        output=output + thought if beside else output,
    )


def _sum(usage: dict[str, Any], names: tuple[str, ...]) -> int:
    found = first(usage, names)
    return whole_number(int(found) if isinstance(found, float) and found.is_integer() else found)
