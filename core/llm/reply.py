"""A reply of any provider before it becomes a Message: its text, its tool calls, and why it stopped."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from core.llm.endpoint import Endpoint
from core.llm.failures import bad_reply, refused
from core.model.errors import ModelError
from core.model.session import Message, ToolCall, Usage, decoded, known_cost, total_cost

Stop = Literal["", "length", "refusal"]


@dataclass
class Reply:
    """The content of a reply. `stop` is "" for a reply that ended by itself or with calls."""

    id: str = ""
    model: str = ""
    text: str = ""
    thinking: str = ""
    calls: list[ToolCall] = field(default_factory=list)
    stop: Stop = ""
    refusal: str = ""
    usage: Usage | None = None


def message_of(reply: Reply, endpoint: Endpoint) -> Message:
    """The reply as a message. Raises ModelError: `refused`, `cut_off` in a tool call, `bad_reply` if it is empty.

    A text that was cut at the output limit stays, with a last line that says so: see `mark_of`.
    """
    if reply.stop == "refusal" or (reply.refusal and not reply.text):
        raise refused(endpoint, reply.refusal, reply.text)
    if reply.stop == "length" and (reply.calls or not reply.text.strip()):
        what = f"in the middle of a call of {reply.calls[-1].name}" if reply.calls else "before any text"
        raise ModelError("cut_off", f"the reply of {endpoint.model} reached its limit {what}", MORE)
    if not reply.text.strip() and not reply.calls:
        raise bad_reply(endpoint, "it is empty")
    return Message(
        role="assistant",
        content=reply.text + mark_of(reply),
        tool_calls=tuple(_with_ids(reply)),
        reply_id=reply.id or None,
        thinking=reply.thinking,
        usage=reply.usage,
        model=reply.model or endpoint.model,
    )


MORE = "raise the output limit, or ask for less at once"
CUT = "\n[cut off: the reply reached its output limit]"


def mark_of(reply: Reply) -> str:
    """The line appended to a text that was cut at the output limit, for people and for the model; "" otherwise."""
    return CUT if reply.stop == "length" and reply.text.strip() and not reply.calls else ""


def _with_ids(reply: Reply) -> list[ToolCall]:
    """The calls, each with its own id: some servers send none, or one twice."""
    seen: set[str] = set()
    named = []
    for number, call in enumerate(reply.calls, 1):
        fresh = call.id and call.id not in seen
        named.append(call if fresh else call.model_copy(update={"id": f"{reply.id or 'call'}-{number}"}))
        seen.add(call.id)
    return named


def call_of(id: Any, name: Any, arguments: Any) -> ToolCall:
    """A call with arguments as text or as an object. Text that is no object is kept as `raw`; empty text is no arguments."""
    if isinstance(arguments, Mapping):
        return ToolCall(id=text_of(id), name=text_of(name), arguments=dict(arguments))
    text = text_of(arguments)
    fields = decoded(text) if text.strip() else {"arguments": {}}
    return ToolCall(id=text_of(id), name=text_of(name), **fields)


def text_of(value: Any) -> str:
    """The value if it is text, else ""."""
    return value if isinstance(value, str) else ""


def entries(value: Any) -> list[dict[str, Any]]:
    """The objects in the value if it is a list, else none."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def table(value: Any) -> dict[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def number(value: Any) -> int:
    """The value if it is a count, else 0."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def usage_with_cache(prompt: int, read: int, write: int, output: int, cost: float | None = None) -> Usage | None:
    """Usage from a prompt count that includes cached tokens, as OpenAI counts; None without any counts."""
    if not (prompt or output):
        return None
    fresh = max(0, prompt - read - write)
    return Usage(input_uncached=fresh, cache_read=read, cache_write=write, output=output, cost=cost)


def reported_cost(usage: Mapping[str, Any]) -> float | None:
    """What a reply cost in US dollars, as its usage says; None where it does not say all of it.

    OpenRouter says it in every reply. With a provider's own key it charges a fee only, and says apart what the provider
    charges: https://openrouter.ai/docs/use-cases/usage-accounting
    LiteLLM says it in streams, with `include_cost_in_streaming_usage`.
    """
    charged = [usage.get("cost")]
    if usage.get("is_byok") is True:
        charged.append(table(usage.get("cost_details")).get("upstream_inference_cost"))
    costs = [known_cost(value) for value in charged]
    return None if None in costs else total_cost(costs)


def openai_usage(value: Any, prompt: str, output: str) -> Usage | None:
    """Usage as OpenAI's APIs send it, under the names they give the two counts: the prompt's includes cached tokens."""
    usage = table(value)
    details = table(usage.get(f"{prompt}_details"))
    read, write = number(details.get("cached_tokens")), number(details.get("cache_write_tokens"))
    return usage_with_cache(number(usage.get(prompt)), read, write, number(usage.get(output)), reported_cost(usage))


def as_dict(reply: Any, endpoint: Endpoint) -> dict[str, Any]:
    """An SDK's object as JSON. Raises ModelError (`bad_reply`) where the server sent something else."""
    if not hasattr(reply, "to_dict"):
        raise bad_reply(endpoint, text_of(reply) or type(reply).__name__)
    found: dict[str, Any] = reply.to_dict(warnings=False)
    return found
