"""Parts of a Gemini record: its content, thoughts, calls, and the tokens of a reply.

https://ai.google.dev/api/caching#Part
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from core.importers._shapes.blocks import string, tool_call, whole_number
from core.importers._shapes.images import embedded, linked
from core.model.session import Image, ToolCall, Usage, construct_unchecked

SNAPSHOT = "<state_snapshot>"
"""Stands in every summary that Gemini CLI writes when it compresses."""

_INJECTED = (
    ("<session_context>", "environment"),
    ("This is the Gemini CLI. We are setting up the context", "environment"),
    ("<hook_context>", "hook"),
    ("Got it. Thanks for the additional context!", "ack"),
    ("Binary content received. Proceeding with analysis.", "ack"),
)
_COMMAND = re.compile(r"/[A-Za-z][\w:-]*(?:\s|$)")


@dataclass(slots=True)
class Response:
    """The result of one call, as the model was sent it."""

    id: str
    name: str
    text: str
    failed: bool
    images: list[Image] = field(default_factory=list)


@dataclass(slots=True)
class ContentParts:
    """The parts of a content, told apart."""

    texts: list[str] = field(default_factory=list)
    thinking: list[str] = field(default_factory=list)
    images: list[Image] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    responses: list[Response] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text: the parts follow each other as they are."""
        return "".join(self.texts)

    def _part(self, part: dict[str, Any]) -> None:
        call, response = part.get("functionCall"), part.get("functionResponse")
        if isinstance(call, dict):
            self.calls.append(tool_call(call.get("id"), call.get("name"), call.get("args")))
        elif isinstance(response, dict):
            self.responses.append(_response(response))
        elif image := _picture(part):
            (self.responses[-1].images if self.responses else self.images).append(image)
        elif isinstance(part.get("text"), str):
            (self.thinking if part.get("thought") is True else self.texts).append(part["text"])
        elif shown := {k: v for k, v in part.items() if k not in ("thoughtSignature", "thought", "text")}:
            self.texts.append(json.dumps(shown, ensure_ascii=False))


def parts_of(content: Any) -> ContentParts:
    """A content: a text, a part, or a list of texts and parts."""
    found = ContentParts()
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, str):
            found.texts.append(part)
        elif isinstance(part, dict):
            found._part(part)
    return found


def _picture(part: dict[str, Any]) -> Image | None:
    data, file = part.get("inlineData"), part.get("fileData")
    if isinstance(data, dict):
        return embedded(data.get("mimeType"), data.get("data"))
    if isinstance(file, dict):
        return linked(file.get("fileUri")).model_copy(update={"media_type": string(file.get("mimeType"))})
    return None


def _response(response: dict[str, Any]) -> Response:
    """A result: its output, its error, or all of it where it has neither."""
    output, failed = response.get("response"), False
    if isinstance(output, dict):
        failed = "error" in output and "output" not in output
        key = next((key for key in ("output", "error", "content") if isinstance(output.get(key), str)), None)
        output = output[key] if key else json.dumps(output, ensure_ascii=False)
    text = output if isinstance(output, str) else "" if output is None else json.dumps(output, ensure_ascii=False)
    parts = response.get("parts")
    images = [i for p in (parts if isinstance(parts, list) else []) if isinstance(p, dict) and (i := _picture(p))]
    return Response(string(response.get("id")), string(response.get("name")), text, failed, images)


def result_of(call: dict[str, Any]) -> Response | None:
    """What a recorded call came to; None where nothing did yet. A result may hold those of parallel calls, too."""
    if not call.get("result"):
        return None
    found, id, name = parts_of(call["result"]), string(call.get("id")), string(call.get("name"))
    failed = call.get("status") in ("error", "cancelled")
    mine = [r for r in found.responses if r.id == id] or found.responses[:1]
    if not mine:
        return Response(id, name, found.text, failed, found.images)
    pictures = [image for r in mine for image in r.images]
    return Response(id, name, "\n".join(r.text for r in mine), failed or mine[0].failed, found.images + pictures)


def recorded_calls(record: dict[str, Any]) -> list[dict[str, Any]]:
    """The calls that a record lists with their results."""
    calls = record.get("toolCalls")
    return [call for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []


def calls_of(record: dict[str, Any], content: ContentParts) -> Iterator[ToolCall]:
    """Every call once: those listed, and those of the content that are not listed, by id or else by name."""
    listed = recorded_calls(record)
    ids, names = {string(c.get("id")) for c in listed}, Counter(string(c.get("name")) for c in listed)
    yield from (tool_call(c.get("id"), c.get("name"), c.get("args")) for c in listed)
    for call in content.calls:
        if call.id in ids or (not call.id and names[call.name] > 0):
            names[call.name] -= 1
        else:
            yield call


def thoughts_of(record: dict[str, Any]) -> Iterator[str]:
    """Each thought: its subject, then what it says.

    Those of the next reply may stand in a record written before them, too: Gemini CLI goes on filling the list.
    """
    thoughts, written = record.get("thoughts"), string(record.get("timestamp"))
    for thought in thoughts if isinstance(thoughts, list) else []:
        if isinstance(thought, dict) and not (written and string(thought.get("timestamp")) > written):
            words = [string(thought.get("subject")), string(thought.get("description"))]
            yield "\n".join(word for word in words if word)


def usage_of(record: dict[str, Any]) -> Usage | None:
    """Recorded tokens. The input holds what was cached; what was thought, and put in by tools, stands beside the rest."""
    tokens = record.get("tokens")
    if not isinstance(tokens, dict) or not any(whole_number(value) for value in tokens.values()):
        return None
    given, cached = whole_number(tokens.get("input")), whole_number(tokens.get("cached"))
    return construct_unchecked(
        Usage,
        input_uncached=max(given - cached, 0) + whole_number(tokens.get("tool")),
        cache_read=min(cached, given),
        cache_write=0,
        output=whole_number(tokens.get("output")) + whole_number(tokens.get("thoughts")),
    )


def injected_kind(text: str) -> str:
    """What put a text in; empty where a person typed it or the model said it."""
    start = text[:200].lstrip()
    kind = next((kind for sign, kind in _INJECTED if start.startswith(sign)), "")
    if kind:
        return kind
    if SNAPSHOT in text:
        return "snapshot"
    return "command" if _COMMAND.match(start) else ""
