"""The parts of an AI SDK UI message: steps of texts, thoughts and files, and tools with what became of their calls."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from core.importers._shapes.blocks import MessageParts, apart_from_cache, string, tool_call, whole_number
from core.importers._shapes.images import embedded, linked
from core.model.session import Image, Usage

_DENIED = "Tool execution denied."
"""What the AI SDK tells the model of a call that was not allowed, where no reason was given."""


@dataclass(slots=True)
class Result:
    """The result of one call."""

    call: str
    name: str
    parts: MessageParts
    failed: bool


@dataclass(slots=True)
class Step:
    """What one reply of the model says, and the results of its calls."""

    parts: MessageParts = field(default_factory=MessageParts)
    results: list[Result] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        """Whether nothing was said."""
        parts = self.parts
        return not (parts.texts or parts.calls or parts.images or any(parts.thinking))


def steps(item: dict[str, Any], id: str, other: Counter[str]) -> list[Step]:
    """The replies that a message of the assistant is made of: each begins at a `step-start`, in version 4 after tools.

    Parts that are not sent to the model are counted in `other`.
    """
    if not isinstance(item.get("parts"), list):
        return list(_without_parts(item, id))
    found, number, last = [Step()], 0, -1
    for part in item["parts"]:
        kind = string(part.get("type")) if isinstance(part, dict) else ""
        if kind == "step-start" or (last >= 0 and _goes_on(kind, part, last)):
            found.append(Step())
            last = -1
        if kind == "tool-invocation":
            last = _step_of(part)
        if kind in ("tool-invocation", "dynamic-tool") or kind.startswith("tool-"):
            _tool(found[-1], part, f"{id}-call-{number}", other)
            number += 1
        elif kind != "step-start":
            _shown(found[-1].parts, kind, part, other)
    return [step for step in found if not step.empty]


def _goes_on(kind: str, part: dict[str, Any], last: int) -> bool:
    """Whether a part behind a call of version 4 is of the next reply: what is said, and calls of another step."""
    return kind in ("text", "reasoning") or (kind == "tool-invocation" and _step_of(part) != last)


def _step_of(part: dict[str, Any]) -> int:
    held = part.get("toolInvocation")
    return whole_number(held.get("step")) if isinstance(held, dict) else 0


def _without_parts(item: dict[str, Any], id: str) -> Iterator[Step]:
    """A message of version 4 without parts: its calls, step by step, and then its text."""
    groups: dict[int, Step] = {}
    found = item.get("toolInvocations")
    calls = [c for c in found if isinstance(c, dict)] if isinstance(found, list) else []
    for number, call in enumerate(calls):
        _tool(groups.setdefault(whole_number(call.get("step")), Step()), call, f"{id}-call-{number}", Counter())
    yield from (groups[step] for step in sorted(groups))
    last = Step(MessageParts(thinking=[string(item.get("reasoning"))]))
    if item.get("content"):
        last.parts.add(item["content"])
    last.parts.images += attached(item)
    if not last.empty:
        yield last


def attached(item: dict[str, Any]) -> list[Image]:
    """The files that version 4 keeps beside the text."""
    found = item.get("experimental_attachments")
    files = [f for f in found if isinstance(f, dict)] if isinstance(found, list) else []
    return [_named(linked(f.get("url")), f.get("contentType")) for f in files]


def _named(image: Image, media_type: Any) -> Image:
    """The file with its kind, where its address does not tell."""
    return image if image.media_type else image.model_copy(update={"media_type": string(media_type)})


def shown_parts(parts: Any, other: Counter[str]) -> MessageParts:
    """What a message of the user or the system says."""
    found = MessageParts()
    for part in parts if isinstance(parts, list) else []:
        _shown(found, string(part.get("type")) if isinstance(part, dict) else "", part, other)
    return found


def _shown(found: MessageParts, kind: str, part: Any, other: Counter[str]) -> None:
    if kind == "text":
        found.texts.append(string(part.get("text")))
    elif kind == "reasoning":
        found.thinking.append(string(part.get("text")) or string(part.get("reasoning")))
    elif kind in ("file", "reasoning-file"):
        found.images.append(_file(part))
    else:
        other[f"part/{'data' if kind.startswith('data-') else kind or 'unknown'}"] += 1


def _file(part: dict[str, Any]) -> Image:
    """A file: at an address, mostly one that holds it whole; in version 4 as base64."""
    media = part.get("mediaType") or part.get("mimeType")
    if "url" not in part and "data" in part:
        return embedded(media, part["data"])
    return _named(linked(part.get("url")), media)


def _tool(step: Step, part: dict[str, Any], id: str, other: Counter[str]) -> None:
    """A call, and its result, if there is one."""
    held = part.get("toolInvocation")
    found = held if isinstance(held, dict) else part
    kind = string(part.get("type"))
    name = string(found.get("toolName")) or (kind.removeprefix("tool-") if kind != "tool-invocation" else "")
    call, state = string(found.get("toolCallId")) or id, string(found.get("state"))
    arguments: Any = next((found[key] for key in ("input", "rawInput", "args") if found.get(key) is not None), {})
    step.parts.calls.append(tool_call(call, name, arguments))
    if found.get("preliminary") is True:
        other["preliminary output"] += 1
    outcome = _outcome(state, found)
    if outcome is not None:
        step.results.append(Result(call, name, *outcome))


def _outcome(state: str, found: dict[str, Any]) -> tuple[MessageParts, bool] | None:
    """What the model is told of a call, and whether it failed; None where it has not ended."""
    approval = found["approval"] if isinstance(found.get("approval"), dict) else {}
    if state == "output-available":
        return _output(found.get("output"))
    if state == "result":
        return _output(found.get("result"))
    if state == "output-error":
        return MessageParts([string(found.get("errorText"))]), True
    if state == "output-denied" or (state == "approval-responded" and approval.get("approved") is False):
        return MessageParts([string(approval.get("reason")) or _DENIED]), True
    return None


def _output(output: Any) -> tuple[MessageParts, bool]:
    """A text as it is, the blocks of an MCP server as such, anything else as JSON."""
    if isinstance(output, str):
        return MessageParts([output]), False
    blocks = output.get("content") if isinstance(output, dict) else None
    if isinstance(blocks, list) and blocks and all(_is_block(block) for block in blocks):
        return _blocks(blocks), output.get("isError") is True
    text = "" if output is None else json.dumps(output, ensure_ascii=False, separators=(",", ":"))
    return MessageParts([text]), False


def _is_block(block: Any) -> bool:
    return isinstance(block, dict) and block.get("type") in ("text", "image", "audio", "resource", "resource_link")


def _blocks(blocks: list[dict[str, Any]]) -> MessageParts:
    found = MessageParts()
    for block in blocks:
        if block["type"] in ("image", "audio"):
            found.images.append(embedded(block.get("mimeType"), block.get("data")))
        else:
            found.add(block)
    return found


def usage_of(metadata: Any) -> Usage | None:
    """What an app noted of the tokens in a message's metadata, under the names of the AI SDK; None where it did not."""
    found = metadata if isinstance(metadata, dict) else {}
    usage = next((found[key] for key in ("totalUsage", "usage") if isinstance(found.get(key), dict)), None)
    if usage is None:
        return None
    details = usage["inputTokenDetails"] if isinstance(usage.get("inputTokenDetails"), dict) else {}
    read = whole_number(details.get("cacheReadTokens")) or whole_number(usage.get("cachedInputTokens"))
    write = whole_number(details.get("cacheWriteTokens"))
    prompt = whole_number(usage.get("inputTokens")) or whole_number(usage.get("promptTokens"))
    output = whole_number(usage.get("outputTokens")) or whole_number(usage.get("completionTokens"))
    return apart_from_cache(prompt, read, write, output)
