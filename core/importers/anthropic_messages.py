"""Anthropic Messages: a list of messages, a request, a response of the API, or an object of both.

https://docs.anthropic.com/en/api/messages
Tool results come in user messages: here each is a tool message. A compaction by the server is a block with the summary,
at the front of the reply it happened in; what came before it is not seen by the model again. Its call is left out of the
reply's own numbers and stands in `usage.iterations`, so it is put on the summary; a block without a summary is a compaction
that failed, and changes nothing. Context editing leaves the oldest tool results out of a prompt: a reply says how many.
Usage does not include in the input what was cached. Where the server ran tools within a reply, its usage is a sum over the
calls between them. No prompt was so large, so it counts in the total alone. The last of `iterations` is the reply's own.
"""

from collections.abc import Iterator
from typing import Any

from core.importers._files.source import Head, Source
from core.importers._shapes.blocks import (
    MessageParts,
    anthropic_usage,
    first_typed,
    label,
    result_text,
    string,
    total,
    whole_number,
)
from core.importers._shapes.context_editing import edited, excluded, left_out
from core.importers._shapes.notes import pluralize
from core.model.session import Message, RecordedCompaction, Role, Session, Usage

LABEL = "Anthropic messages"
DOCS = "https://docs.anthropic.com/en/api/messages"
GROUP = "provider APIs"
COVERS = "lists, requests, replies"
GENERAL = True

_BLOCKS = {"tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "mcp_tool_use", "compaction"}
_BLOCKS |= {"document", "image", "container_upload", "search_result"}
_ROLES: dict[Any, Role] = {"system": "system", "user": "user", "assistant": "assistant"}
_CALL = "prompt of the model call that compacted (`usage.iterations`)"
_OWN = "prompt of the reply itself (`usage.iterations`)"


def recognises(head: Head) -> bool:
    """Whether the blocks, or the request around them, are Anthropic's; OpenAI's ways of calling tools speak against it."""
    value = _request_of(head.value)
    if _is_reply(value) or value is not head.value:
        return True
    found = value.get("messages") if isinstance(value, dict) else value
    if not isinstance(found, list) or not found or not all(map(_is_message, found)):
        return False
    request = isinstance(value, dict) and ("system" in value or "anthropic_version" in value or _tools(value))
    return request or any(map(_has_own_blocks, found))


def _request_of(value: Any) -> Any:
    """The request of an object that holds one and its response; any other value as it is."""
    if not isinstance(value, dict) or not isinstance(request := value.get("request"), dict):
        return value
    messages = request.get("messages")
    whole = isinstance(messages, list) and messages and all(map(_is_message, messages))
    return request if whole and _is_reply(value.get("response")) else value


def _is_reply(value: Any) -> bool:
    return isinstance(value, dict) and value.get("type") == "message" and isinstance(value.get("content"), list)


def _is_message(item: Any) -> bool:
    if not isinstance(item, dict) or item.keys() & {"tool_calls", "function_call", "tool_call_id", "parts"}:
        return False
    return string(item.get("role")) in _ROLES and "content" in item


def _tools(value: dict[str, Any]) -> bool:
    tools = value.get("tools")
    return isinstance(tools, list) and any(isinstance(tool, dict) and "input_schema" in tool for tool in tools)


def _has_own_blocks(item: dict[str, Any]) -> bool:
    content = item["content"]
    blocks = content if isinstance(content, list) else []
    kinds = [string(b.get("type")) for b in blocks if isinstance(b, dict)]
    return any(kind in _BLOCKS or kind.endswith("_tool_result") for kind in kinds)


def read(source: Source) -> Session:
    """The session of a list, a request, a response, or a request with its response."""
    value = _request_of(source.value)
    envelope = value if isinstance(value, dict) else {}
    items: list[Any] = [value] if _is_reply(value) else envelope.get("messages", value)
    if value is not source.value:
        items = [*items, source.value["response"]]
    reader = _Reader(excluded(envelope))
    if envelope.get("system"):
        reader.put("system", MessageParts().add(envelope["system"]))
    for place, item in enumerate(items, 1):
        reader.read(item, place)
    return Session(
        id=string(envelope.get("id")),
        format="anthropic-messages",
        title=label(first_typed(reader.messages)),
        model=string(envelope.get("model")),
        messages=tuple(reader.messages),
        compactions=tuple(reader.compactions),
        usage=total(iter([*(m.usage for m in reader.messages), *reader.inner])),
        records=len(items),
        notes=(*reader.notes(), *source.damage.notes()),
    )


class _Reader:
    """Reads message after message. `spared` are tools whose results are never left out of a prompt."""

    def __init__(self, spared: frozenset[str]) -> None:
        self.spared = spared
        self.messages: list[Message] = []
        self.compactions: list[RecordedCompaction] = []
        self.tools: dict[str, str] = {}
        self.results: list[str] = []
        self.edited = 0
        self.unnamed = 0
        self.failed = 0
        self.summed = 0
        self.inner: list[Usage] = []
        self.at = 0

    def read(self, item: dict[str, Any], place: int) -> None:
        """One item: a summary if the server compacted, the message, its tool results."""
        parts, role = MessageParts().add(item["content"]), _ROLES.get(string(item.get("role")), "assistant")
        self.tools.update((call.id, call.name) for call in parts.calls)
        before, *calls = _iterations(item)
        own = calls.pop() if calls and not _is_sum(item) else None
        self.summed += bool(calls) and own is None
        self.inner += calls
        self.failed += _failures(item["content"])
        if edits := left_out(item):
            self._left_out(*edits, own, place)
        for text in parts.summaries:
            self._summary(text, before, own, place)
            before = None
        if role == "user":
            self._results(parts, place)
        has_content = parts.texts or parts.images or parts.calls or parts.thinking
        if has_content or not (parts.results or parts.summaries):
            self._add(item, role, parts, own, place)
        if role != "user":
            self._results(parts, place)

    def put(self, role: Role, parts: MessageParts, **known: Any) -> Message:
        """Add a message; its id is made of its text unless one is known."""
        message = Message(
            role=role,
            content=parts.text,
            tool_calls=tuple(parts.calls),
            thinking="\n".join(parts.thinking),
            images=tuple(parts.images),
            **known,
        )
        self.messages.append(message)
        self.at += 1
        return message

    def _add(self, item: dict[str, Any], role: Role, parts: MessageParts, own: Usage | None, place: int) -> None:
        known = {"id": string(item.get("id")), "model": string(item.get("model")), "usage": own, "line": place}
        answer = parts.answer if role == "assistant" else 0
        self.put(role, parts, reply_id=string(item.get("id")) or None, answer=answer, **known)

    def _results(self, parts: MessageParts, place: int) -> None:
        for block in parts.results:
            call, content = string(block.get("tool_use_id")), block.get("content")
            failed = block.get("is_error") is True or (isinstance(content, dict) and _is_failure(content))
            known = {"name": self.tools.get(call), "is_error": failed, "line": place}
            result = self.put("tool", result_text(content), tool_call_id=call or None, **known)
            if self.tools.get(call) not in self.spared:
                self.results.append(result.id)

    def _left_out(self, count: int, tokens: int, own: Usage | None, place: int) -> None:
        """Tool results that the server left out of the prompt of a reply, counted from the oldest of all."""
        if count > len(self.results):
            self.unnamed = max(self.unnamed, count)
        elif cleared := self.results[self.edited : count]:
            self.edited = count
            self.compactions.append(edited(self.at, cleared, tokens, own.prompt if own else 0, place))

    def _summary(self, text: str, before: Usage | None, own: Usage | None, place: int) -> None:
        at, id = self.at, f"summary-{len(self.compactions) + 1}"
        self.put("assistant", MessageParts([text]), id=id, injected="summary", usage=before, line=place)
        self.at = at
        size, rest = before.prompt if before else 0, own.prompt if before and own else 0
        self.compactions.append(
            RecordedCompaction(
                at=at,
                tokens_before=size or None,
                tokens_after=rest or None,
                before_from=_CALL if size else "",
                after_from=_OWN if rest else "",
                summary=id,
                line=place,
            )
        )
        self.results, self.edited = [], 0

    def notes(self) -> Iterator[str]:
        """Notes on what failed, and on what the file only counts."""
        if self.failed:
            yield f"{pluralize(self.failed, 'compaction')} of the server failed and changed nothing"
        if self.summed:
            how = "the tokens are a sum, which counts only in the total"
            yield f"{pluralize(self.summed, 'model call')} ran tools on the server: {how}"
        if self.unnamed:
            yield f"the server left {pluralize(self.unnamed, 'tool result')} out of a prompt; the file does not say which"


def _failures(content: Any) -> int:
    blocks = [b for b in content if isinstance(b, dict)] if isinstance(content, list) else []
    return sum(b.get("type") == "compaction" and b.get("content") is None for b in blocks)


def _is_sum(item: dict[str, Any]) -> bool:
    """Whether the usage of a reply is a sum over several model calls, which it does not tell apart."""
    usage, content = item.get("usage"), item.get("content")
    told = isinstance(usage, dict) and bool(usage.get("iterations"))
    blocks = content if isinstance(content, list) else []
    return not told and any(isinstance(b, dict) and b.get("type") == "server_tool_use" for b in blocks)


def _iterations(item: dict[str, Any]) -> tuple[Usage | None, *tuple[Usage, ...]]:
    """What compacting used, and each model call within the reply. Together they are the bill."""
    usage = item.get("usage")
    rounds = usage.get("iterations") if isinstance(usage, dict) else None
    rounds = [r for r in rounds if isinstance(r, dict)] if isinstance(rounds, list) else []
    before = total(_usages(r for r in rounds if r.get("type") == "compaction"))
    own = [*filter(None, _usages(r for r in rounds if r.get("type") != "compaction"))]
    return before, *(own or filter(None, [anthropic_usage(usage)]))


def _usages(rounds: Iterator[dict[str, Any]]) -> Iterator[Usage | None]:
    return (anthropic_usage(r) for r in rounds)


def _is_failure(content: dict[str, Any]) -> bool:
    """Whether a tool of the server failed: its error has a code, or its command ended with one other than 0."""
    return "error_code" in content or whole_number(content.get("return_code")) != 0
