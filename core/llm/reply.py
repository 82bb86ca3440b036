"""A reply of any provider, before it is a Message: what it says, what it calls for, and why it stopped."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from core.errors import ModelError
from core.llm.failures import bad_reply, refused
from core.llm.line import Line
from core.model import Message, ToolCall, Usage, decoded

Stop = Literal["", "length", "refusal"]


@dataclass
class Reply:
    """What a provider's reply comes to. `stop` is "" for a reply that ended by itself or with calls."""

    id: str = ""
    model: str = ""
    text: str = ""
    thinking: str = ""
    calls: list[ToolCall] = field(default_factory=list)
    stop: Stop = ""
    refusal: str = ""
    usage: Usage | None = None


def message_of(reply: Reply, line: Line) -> Message:
    """The reply as a message. Raises ModelError: `refused`, `cut_off` in the middle of a call, `bad_reply` where it is empty.

    A text that was cut at the output limit stands as it came, with a last line that says so: see `mark_of`.
    """
    if reply.stop == "refusal" or (reply.refusal and not reply.text):
        raise refused(line, reply.refusal, reply.text)
    if reply.stop == "length" and (reply.calls or not reply.text.strip()):
        what = f"in the middle of a call of {reply.calls[-1].name}" if reply.calls else "before it said anything"
        raise ModelError("cut_off", f"the reply of {line.model} reached its limit {what}", MORE)
    if not reply.text.strip() and not reply.calls:
        raise bad_reply(line, "it is empty")
    return Message(
        role="assistant",
        content=reply.text + mark_of(reply),
        tool_calls=tuple(_named(reply)),
        reply_id=reply.id or None,
        thinking=reply.thinking,
        usage=reply.usage,
        model=reply.model or line.model,
    )


MORE = "allow a longer output, or ask for less at once"
CUT = "\n[cut off: the reply reached its output limit]"


def mark_of(reply: Reply) -> str:
    """What is put behind a text that was cut at the output limit, so that people and the model see that it was; else ""."""
    return CUT if reply.stop == "length" and reply.text.strip() and not reply.calls else ""


def _named(reply: Reply) -> list[ToolCall]:
    """The calls, each with an id of its own: some servers send none, or the same twice."""
    seen: set[str] = set()
    named = []
    for number, call in enumerate(reply.calls, 1):
        fresh = call.id and call.id not in seen
        named.append(call if fresh else call.model_copy(update={"id": f"{reply.id or 'call'}-{number}"}))
        seen.add(call.id)
    return named


def call_of(id: Any, name: Any, arguments: Any) -> ToolCall:
    """A call whose arguments came as text or as an object. Text that is no object is kept as `raw`; no text is no arguments."""
    if isinstance(arguments, Mapping):
        return ToolCall(id=words(id), name=words(name), arguments=dict(arguments))
    text = words(arguments)
    fields = decoded(text) if text.strip() else {"arguments": {}}
    return ToolCall(id=words(id), name=words(name), **fields)


def words(value: Any) -> str:
    """A text as it is, "" for what is none."""
    return value if isinstance(value, str) else ""


def entries(value: Any) -> list[dict[str, Any]]:
    """The objects in a list; none where it is no list."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def table(value: Any) -> dict[str, Any]:
    """An object as it is, an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def number(value: Any) -> int:
    """A count; 0 where it is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def usage_with_cache(prompt: int, read: int, write: int, output: int) -> Usage | None:
    """Usage of a prompt that includes what was cached, as OpenAI counts; None where nothing was told."""
    if not (prompt or output):
        return None
    return Usage(input_uncached=max(0, prompt - read - write), cache_read=read, cache_write=write, output=output)


def as_dict(reply: Any, line: Line) -> dict[str, Any]:
    """An SDK's object as the JSON it was made of. Raises ModelError (`bad_reply`) where the server sent something else."""
    if not hasattr(reply, "to_dict"):
        raise bad_reply(line, words(reply) or type(reply).__name__)
    found: dict[str, Any] = reply.to_dict(warnings=False)
    return found
