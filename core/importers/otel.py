"""OpenTelemetry traces of model calls, as OTLP JSON: an object with `resourceSpans`, a list of such, or one a line.

Tracers name the same thing in several vocabularies. Ids are base64 or hex, numbers often texts. Each span of
a model call repeats the whole history, so a session is put together from prompts, and a compaction is inferred from them unless
the trace says of one: a model call that it was sent a compacted conversation, a part of a message that it stands for all before
it, a span that it is a compaction (ADK's `compact_events`, with the time it took).
A session is a conversation (`gen_ai.conversation.id`, `session.id`), or a trace that names none. What runs below a tool's
span is a sub-agent's. Recorded input tokens include cached ones, as the conventions demand; where the numbers show that a
tracer did not add them they are not taken apart.

https://opentelemetry.io/docs/specs/semconv/gen-ai/ · https://github.com/open-telemetry/opentelemetry-proto (OTLP JSON)
https://github.com/Arize-ai/openinference/tree/main/spec
"""

from base64 import b64decode
from collections.abc import Iterable, Iterator
from typing import Any

from core.importers._files.source import Head, Source
from core.importers._shapes import otel_attributes as words
from core.importers._shapes.blocks import string
from core.importers._shapes.notes import pluralize
from core.importers._shapes.span_sessions import Reading, sessions
from core.importers._shapes.spans import PromptAndReply, Span, moment
from core.model.session import Session

LABEL = "OpenTelemetry traces"
DOCS = "https://opentelemetry.io/docs/specs/semconv/gen-ai/"
GROUP = "evaluation and traces"
COVERS = "GenAI spans"

_DEEP = 100
_RESOURCES = ("resourceSpans", "resource_spans")
_SCOPES = ("scopeSpans", "scope_spans", "instrumentationLibrarySpans", "instrumentation_library_spans")


def recognises(head: Head) -> bool:
    """Whether the file, or the first records or items of it, hold spans of OTLP."""
    value = head.value
    items = value[:20] if isinstance(value, list) else head.records if value is None else [value]
    return any(isinstance(item, dict) and _held(item, _RESOURCES) is not None for item in items)


def read(source: Source) -> Iterator[Session]:
    """The conversations in a trace file."""
    skipped: list[Any] = []
    spans = [_span(found, line) for line, item in _items(source) for found in _spans(item, line, skipped)]
    damage = source.damage
    left = [f"{pluralize(len(skipped), 'record')} skipped: not spans ({_where(skipped)})"] if skipped else []
    reading = Reading(
        format="otel",
        malformed=len(skipped) + damage.malformed_lines,
        recovered=damage.recovered,
        notes=(*left, *damage.notes()),
    )
    yield from sessions(source, spans, reading)


def _where(skipped: list[Any]) -> str:
    shown = ", ".join(map(str, skipped[:5]))
    return f"line or item {shown}{' …' if len(skipped) > 5 else ''}"


def _items(source: Source) -> Iterator[tuple[int, Any]]:
    """(line, or place in the list, what stands there)."""
    if isinstance(source.value, list):
        yield from enumerate(source.value, 1)
    elif source.value is not None:
        yield 1, source.value
    else:
        yield from source.records()


def _held(item: dict[str, Any], names: Iterable[str]) -> list[Any] | None:
    return next((item[name] for name in names if isinstance(item.get(name), list)), None)


def _spans(item: Any, line: int, skipped: list[Any]) -> Iterator[dict[str, Any]]:
    """The spans of one wrapper."""
    resources = _held(item, _RESOURCES) if isinstance(item, dict) else None
    if resources is None:
        skipped.append(line)
    for resource in resources or []:
        for scope in (_held(resource, _SCOPES) if isinstance(resource, dict) else None) or []:
            found = scope.get("spans") if isinstance(scope, dict) else None
            yield from (span for span in (found if isinstance(found, list) else []) if isinstance(span, dict))


def _span(raw: dict[str, Any], line: int) -> Span:
    """One span; its attributes are decoded once, its messages when they are asked for."""
    attributes, events = _attributes(raw.get("attributes")), _events(raw.get("events"))
    name = string(raw.get("name"))
    kind, what = words.kind_of(attributes, name)
    own = {"tool": words.TOOL, "agent": words.AGENT}.get(kind, ())
    failed = _failure(raw.get("status"), events)
    start = _time(raw.get("startTimeUnixNano", raw.get("start_time_unix_nano")))
    end = _time(raw.get("endTimeUnixNano", raw.get("end_time_unix_nano")))
    return Span(
        id=_id(raw.get("spanId", raw.get("span_id"))),
        messages=_messages,
        raw=(attributes, events),
        parent=_id(raw.get("parentSpanId", raw.get("parent_span_id"))),
        trace=_id(raw.get("traceId", raw.get("trace_id"))),
        conversation=words.word(attributes, words.CONVERSATION),
        kind=kind,
        what=what,
        name=words.word(attributes, own) or name,
        start=start,
        end=end,
        line=line,
        holds=kind in ("llm", "agent") and words.holds(attributes, events),
        model=words.word(attributes, words.MODEL),
        failed=failed,
        compaction=None if kind or failed else words.compaction_of(attributes, _when(line, start, end)),
        **_fields_of(kind, attributes),
    )


def _fields_of(kind: str, attributes: dict[str, Any]) -> dict[str, Any]:
    """The fields that only a model call or only a tool run has."""
    if kind == "llm":
        return {"usage": words.usage_of(attributes), "compacted": words.is_compacted(attributes)}
    if kind == "tool":
        return {
            "call": words.word(attributes, words.CALL),
            "arguments": words.first(attributes, words.ARGUMENTS),
            "result": words.first(attributes, words.RESULT),
        }
    return {}


def _when(line: int, start: int, end: int) -> dict[str, Any]:
    """Where and when a span stands, as a recorded compaction has it."""
    duration = (end - start) // 10**6 if 0 < start < end else None
    return {"line": line, "timestamp": moment(end if duration else start), "duration_ms": duration}


def _events(value: Any) -> list[Any]:
    """The events of a span that can be read."""
    return [event for event in map(_event, value) if event] if isinstance(value, list) else []


def _id(value: Any) -> str:
    """An id in hex: of 8 or 16 bytes, which some write in base64."""
    text = string(value)
    if len(text) not in (12, 24):
        return text
    try:
        return b64decode(text, validate=True).hex()
    except ValueError:
        return text


def _messages(span: Span) -> PromptAndReply:
    return words.messages(*span.raw)


def _time(value: Any) -> int:
    """Nanoseconds since 1970, also as text; 0 for what is no time."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 20:
        return int(value)
    return int(value) if isinstance(value, (int, float)) and 0 < value < 2**63 else 0


def _failure(status: Any, events: list[dict[str, Any]]) -> str:
    """The error a span ended with; empty where it ended well."""
    if not isinstance(status, dict) or status.get("code") not in (2, "STATUS_CODE_ERROR", "2"):
        return ""
    raised = next((string(e.get("exception.message")) for e in events if e.get("exception.message")), "")
    return string(status.get("message")) or raised or "no reason recorded"


def _event(raw: Any) -> dict[str, Any]:
    if not isinstance(raw, dict):
        return {}
    return {**_attributes(raw.get("attributes")), "event.name": string(raw.get("name"))}


def _attributes(given: Any) -> dict[str, Any]:
    """Attributes by their names; a plain object is taken as it is."""
    if isinstance(given, dict):
        return given
    pairs = [pair for pair in given if isinstance(pair, dict)] if isinstance(given, list) else []
    return {string(pair.get("key")): _value(pair.get("value")) for pair in pairs}


def _value(given: Any, deep: int = 0) -> Any:
    """A value of OTLP as plain JSON. https://github.com/open-telemetry/opentelemetry-proto (common.proto, AnyValue)"""
    if not isinstance(given, dict) or deep > _DEEP:
        return given
    kind, value = next(iter(given.items()), ("", None))
    inner = value.get("values") if isinstance(value, dict) else None
    items = inner if isinstance(inner, list) else []
    if kind in ("arrayValue", "array_value"):
        return [_value(item, deep + 1) for item in items]
    if kind in ("kvlistValue", "kvlist_value"):
        pairs = [pair for pair in items if isinstance(pair, dict)]
        return {string(pair.get("key")): _value(pair.get("value"), deep + 1) for pair in pairs}
    if (
        kind in ("intValue", "int_value")
        and isinstance(value, str)
        and value.lstrip("-").isdecimal()
        and len(value) < 20
    ):
        return int(value)
    return value
