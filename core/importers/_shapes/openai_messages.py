"""One message after the other, in the shape of OpenAI's Chat Completions and what others have added to it."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from core.importers._shapes.blocks import MessageParts, objects_in, result_text, string, tool_call, whole_number
from core.importers._shapes.chat_lines import is_message
from core.importers._shapes.notes import pluralize, without_call
from core.model.session import Message, Role, ToolCall, Usage, construct_unchecked, content_id

_ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}


def usage_of(response: dict[str, Any]) -> Usage | None:
    """Recorded tokens of a response; LiteLLM adds what was written to the cache."""
    usage = response.get("usage")
    if not isinstance(usage, dict):
        return None
    details = usage.get("prompt_tokens_details")
    cached = whole_number(details.get("cached_tokens")) if isinstance(details, dict) else 0
    read, written = (
        cached or whole_number(usage.get("cache_read_input_tokens")),
        whole_number(usage.get("cache_creation_input_tokens")),
    )
    return construct_unchecked(
        Usage,
        input_uncached=max(0, whole_number(usage.get("prompt_tokens")) - read - written),
        cache_read=read,
        cache_write=written,
        output=whole_number(usage.get("completion_tokens")),
    )


@dataclass
class Reader:
    """Reads message after message; it remembers the tools called, and which calls wait for a result.

    `orphans` counts results that answer no call, `left` what was no message.
    """

    tools: dict[str, str] = field(default_factory=dict)
    orphans: int = 0
    left: int = 0
    _waiting: deque[ToolCall] = field(default_factory=deque)
    _answered: set[str] = field(default_factory=set)

    def copied(self) -> "Reader":
        """A reader that knows what this one knows, and goes its own way from here."""
        return Reader(dict(self.tools), self.orphans, self.left, deque(self._waiting), set(self._answered))

    def notes(self) -> Iterator[str]:
        """Notes on what was skipped or does not fit."""
        if self.left:
            yield f"{pluralize(self.left, 'item')} of the list skipped: not messages"
        if self.orphans:
            yield without_call(self.orphans)

    def messages(self, item: Any, place: int) -> list[Message]:
        """The message, with tool results in blocks of Anthropic's as messages of their own; its line is its place, from 1.

        None where it is no message, which is counted.
        """
        if not is_message(item):
            self.left += 1
            return []
        parts, role = MessageParts().add(item.get("content")), _ROLES[item["role"]]
        results = [self._block_result(block, place) for block in parts.results]
        has_content = parts.texts or parts.images or parts.calls or parts.thinking
        if results and role != "assistant" and not has_content:
            return results
        message = self._message(item, role, parts, place)
        return [message, *results] if role == "assistant" else [*results, message]

    def _message(self, item: dict[str, Any], role: Role, parts: MessageParts, place: int) -> Message:
        calls = self._calls(item, parts, place)
        call_id = self._answers(item) if role == "tool" else None
        content = parts.text or string(item.get("refusal")) or _audio_transcript(item)
        thinking = _thinking(item) or "\n".join(t for t in parts.thinking if t)
        fields = {"role": role, "content": content, "tool_calls": calls, "tool_call_id": call_id, "thinking": thinking}
        return construct_unchecked(
            Message,
            id=string(item.get("id")) or content_id(fields),
            **fields,
            name=(string(item.get("name")) or self.tools.get(call_id or "")) if role == "tool" else None,
            images=tuple(parts.images),
            usage=usage_of(item) if role == "assistant" else None,
            model=string(item.get("model")) if role == "assistant" else "",
            timestamp=string(item.get("timestamp")),
            line=place,
            is_error=item.get("is_error") is True and role == "tool",
        )

    def _calls(self, item: dict[str, Any], parts: MessageParts, place: int) -> tuple[ToolCall, ...]:
        """The calls of a message; one of the time before calls had ids is given one."""
        calls = [_call(call) for call in objects_in(item.get("tool_calls"))]
        if not calls and isinstance(item.get("function_call"), dict):
            calls = [_call({"function": item["function_call"]})]
        known = {call.id for call in calls}
        calls += [call for call in parts.calls if call.id not in known]
        named = [c if c.id else c.model_copy(update={"id": f"call-{place}-{n}"}) for n, c in enumerate(calls, 1)]
        self.tools.update((call.id, call.name) for call in named)
        self._answered -= {call.id for call in named}
        self._waiting.extend(named)
        return tuple(named)

    def _answers(self, item: dict[str, Any]) -> str | None:
        """The id of the call that a result answers: the one it names, else the first that waits for a result."""
        given = string(item.get("tool_call_id"))
        if not given:
            while self._waiting and self._waiting[0].id in self._answered:
                self._waiting.popleft()
            fits = self._waiting and string(item.get("name")) in ("", self._waiting[0].name)
            given = self._waiting.popleft().id if fits else ""
        self._answered.add(given)
        self.orphans += given not in self.tools
        return given or None

    def _block_result(self, block: dict[str, Any], place: int) -> Message:
        call, shown = self._answers({"tool_call_id": block.get("tool_use_id")}), result_text(block.get("content"))
        return Message(
            role="tool",
            content=shown.text,
            images=tuple(shown.images),
            tool_call_id=call,
            name=self.tools.get(call or ""),
            line=place,
            is_error=block.get("is_error") is True,
        )


def _call(call: dict[str, Any]) -> ToolCall:
    """A call in OpenAI's shape, of a function or of a custom tool; some writers leave out the inner object."""
    function = next((call[key] for key in ("function", "custom") if isinstance(call.get(key), dict)), call)
    return tool_call(call.get("id"), function.get("name"), function.get("arguments", function.get("input")))


def _audio_transcript(item: dict[str, Any]) -> str:
    """What was said aloud, as text: the sound itself takes no room in the context as text would."""
    audio = item.get("audio")
    return string(audio.get("transcript")) if isinstance(audio, dict) else ""


def _thinking(item: dict[str, Any]) -> str:
    """What was thought: DeepSeek's and vLLM's field, OpenRouter's, its details or LiteLLM's blocks, the first there is."""
    plain = string(item.get("reasoning_content")) or string(item.get("reasoning"))
    return plain or "\n".join(_thoughts(item))


def _thoughts(item: dict[str, Any]) -> Iterator[str]:
    found = objects_in(item.get("reasoning_details")) or objects_in(item.get("thinking_blocks"))
    texts = (string(part.get(key)) for part in found for key in ("text", "summary", "thinking"))
    return (text for text in texts if text)
