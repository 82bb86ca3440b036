"""A session: what a transcript holds, once loaded. Immutable, and of the same shape for every format."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from math import isfinite
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

SESSION_VERSION = 1

Role = Literal["system", "user", "assistant", "tool"]
Fidelity = Literal["exact", "partial", "inferred"]


class Frozen(BaseModel):
    """Base of every model: immutable; unknown keys are ignored, so that a file of a newer version opens."""

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)

    def __getstate__(self) -> dict[Any, Any]:
        """What a pickle holds: the fields, and nothing of what was worked out from them."""
        state = super().__getstate__()
        fields = type(self).model_fields
        return {**state, "__dict__": {name: value for name, value in state["__dict__"].items() if name in fields}}


_Noun = TypeVar("_Noun", bound=Frozen)


def construct_unchecked(kind: type[_Noun], private: dict[str, Any] | None = None, /, **fields: Any) -> _Noun:
    """A model from values that are known to be valid: nothing is checked, as when a pickle is read.

    Fields that are not given take their defaults; `private` holds private attributes, where the model has them. Validation
    takes several times as long as construction, which adds up over a large session.
    """
    return construct_from(kind, fields, private)


def construct_from(kind: type[_Noun], fields: dict[str, Any], private: dict[str, Any] | None = None) -> _Noun:
    """The same from a dict, which becomes the model's own: twice as fast where there are many fields."""
    noun, defaults = kind.__new__(kind), _defaults(kind)
    _set(noun, "__dict__", fields if len(fields) == len(defaults) else defaults | fields)
    _set(noun, "__pydantic_fields_set__", _names(kind))
    _set(noun, "__pydantic_extra__", None)
    _set(noun, "__pydantic_private__", private)
    return noun


_set = object.__setattr__  # a frozen model refuses its own

FEW_FIELDS = 10  # up to so many, a dict of its own is as small as one with shared keys


@cache
def _defaults(kind: type[Frozen]) -> dict[str, Any]:
    """Every field in order, with its default; fields with none, or whose default is made anew, must be given.

    Of a kind with many fields it is the dict of an instance: a copy shares its keys, and takes some 180 bytes less.
    https://peps.python.org/pep-0412/
    """
    defaults = {name: field.default for name, field in kind.model_fields.items()}
    if len(defaults) <= FEW_FIELDS:
        return defaults
    noun = kind.__new__(kind)
    for name, value in defaults.items():
        _set(noun, name, value)
    return noun.__dict__


@cache
def _names(kind: type[Frozen]) -> set[str]:
    return set(kind.model_fields)


def same_fields(one: Frozen, other: Frozen) -> bool:
    """Whether all fields of two models of one type are equal; cached values are not compared."""
    return all(getattr(one, name) == getattr(other, name) for name in type(one).model_fields)


class ToolCall(Frozen):
    """One call of a tool by the model.

    `arguments` are decoded; where the text did not decode to an object they are empty and `raw` holds the text.
    """

    id: str = ""
    name: str
    arguments: dict[str, Any] = Field(default_factory=dict)
    raw: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _sanitize(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        data = {k: sanitize_json(v) for k, v in data.items() if v is not None}
        if isinstance(data.get("arguments"), str):
            data |= decoded(data["arguments"])
        return data


class Image(Frozen):
    """A picture in a message: never counted as text. `width` and `height` in pixels where known; 0 is unknown.

    `detail` is how closely the model was asked to look ("low", "high", …), where the transcript records it.
    """

    media_type: str = ""
    width: int = 0
    height: int = 0
    source: str = ""
    detail: str = ""


Amount = Annotated[int, Field(gt=-(10**300), lt=10**300)]
"""A recorded number of tokens or milliseconds: a float holds it, and any sum of them."""

Dollars = Annotated[float, Field(ge=0, lt=1e300, allow_inf_nan=False)]
"""A recorded cost in US dollars: any sum of them is a number, too."""

Counted = Annotated[int, Field(gt=-(2**53), lt=2**53)]
"""Tokens of one message as a run wrote them down: their sum is an `Amount`, however many there are."""


class Usage(Frozen):
    """Recorded tokens of one API reply; the prompt was input_uncached + cache_read + cache_write.

    `cost` is what the server said the reply cost, None where it said nothing; a sum holds the costs that are known.
    """

    input_uncached: Amount = 0
    cache_read: Amount = 0
    cache_write: Amount = 0
    output: Amount = 0
    cost: Dollars | None = None

    @property
    def prompt(self) -> int:
        """Tokens of the prompt, cached or not."""
        return self.input_uncached + self.cache_read + self.cache_write

    def __add__(self, other: "Usage") -> "Usage":
        tokens = {name: getattr(self, name) + getattr(other, name) for name in TOKEN_FIELDS}
        return construct_unchecked(Usage, **tokens, cost=total_cost((self.cost, other.cost)))


TOKEN_FIELDS = ("input_uncached", "cache_read", "cache_write", "output")


def known_cost(value: Any) -> float | None:
    """A value of JSON as a cost; None where it is no amount."""
    known = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e300
    return float(value) if known else None


def total_cost(costs: Iterable[float | None]) -> float | None:
    """The sum of the costs that are known; None where none is."""
    known = [cost for cost in costs if cost is not None]
    return sum(known) if known else None


QUEUED = "queued"
"""The kind of what a person typed while the agent worked, which read it between two tool calls."""


class Message(Frozen):
    """One message. One API reply is one message, on however many lines the transcript has it.

    `injected` is the kind of a message that a harness added, and empty for any other
    ("summary", "ack", "meta", "attachment", "command", …); what is "queued" the harness put in, but a person typed.
    `line` is the 1-based line (or record) it came from. `answer` is where the final answer begins in the content of a reply
    that says something else before it; 0 of any other.
    A message made without an id gets one derived from its content.
    """

    id: str = ""
    role: Role
    content: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    name: str | None = None
    reply_id: str | None = None
    thinking: str = ""
    images: tuple[Image, ...] = ()
    usage: Usage | None = None
    model: str = ""
    timestamp: str = ""
    line: int | None = None
    injected: str = ""
    is_error: bool = False
    answer: int = 0

    @model_validator(mode="before")
    @classmethod
    def _give_id(cls, data: Any) -> Any:
        if isinstance(data, Message) or not isinstance(data, Mapping):
            return data
        data = {k: sanitize_json(v) if isinstance(v, str) else v for k, v in data.items() if v is not None}
        data["id"] = str(data.get("id") or "") or content_id(data)
        return data

    def __hash__(self) -> int:
        return hash(self.id)

    @property
    def typed(self) -> bool:
        """Whether a person typed this: it starts a turn."""
        return self.role == "user" and self.injected in ("", QUEUED)


def injected_message(role: Role, content: str, injected: str = "", id: str = "") -> Message:
    """A message that a harness adds. Without an id it gets one derived from its content."""
    content = sanitize_json(content)
    name = id or content_id({"role": role, "content": content})
    return construct_unchecked(Message, id=name, role=role, content=content, injected=injected)


INVALID = "INVALID_JSON"
"""The one key of an object that stands for arguments that were no JSON, where a provider takes nothing but an object."""


def decoded(text: str) -> dict[str, Any]:
    """Arguments that came as JSON text, as fields of a ToolCall: decoded, or raw where they are no object."""
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    return {"arguments": sanitize_json(value)} if isinstance(value, dict) else {"arguments": {}, "raw": text}


def sanitize_json(value: Any) -> Any:
    """The value as JSON can hold it: lone surrogates become U+FFFD; NaN and infinities become None."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, dict):
        return {sanitize_json(k): sanitize_json(v) for k, v in value.items()}
    return [sanitize_json(v) for v in value] if isinstance(value, list) else value


def content_id(data: Mapping[str, Any]) -> str:
    """An id derived from the content of a message: the same content gives the same id in every process."""
    texts = [str(data.get(key) or "") for key in ("role", "content", "tool_call_id", "thinking")]
    calls = [ToolCall.model_validate(call).model_dump() for call in data.get("tool_calls") or ()]
    digest = hashlib.sha256(json.dumps([texts, calls], default=str).encode()).hexdigest()
    return f"m-{digest[:12]}"


def id_of(session: "Session") -> str:
    """The id of a session: its own, or else one made from what its messages say and call."""
    return session.id or conversation_id(session.messages)


def conversation_id(messages: "Iterable[Message]") -> str:
    """An id for a session whose file gives it none: of what its messages say and call, wherever it stands in the file."""
    said = ", ".join([_TEXT_OF(_content_of(message)) for message in messages])  # not all at once: other threads go on
    return f"conversation-{hashlib.sha256(f'[{said}]'.encode()).hexdigest()[:12]}"


_TEXT_OF = json.JSONEncoder(default=str).encode


def _content_of(message: Message) -> list[Any]:
    """Without the ids of the message and its calls, which a reader may have made up."""
    thought = [{"thinking": message.thinking}] if message.thinking else []
    calls = [{"name": call.name, "arguments": call.arguments, "raw": call.raw} for call in message.tool_calls]
    return [message.role, message.content, *thought, *calls]


BY_HAND = "by hand"
"""What a person's edit of the window has in the place of a policy's name; files of runs hold it."""


NEAR = 0.05
"""An agent's own count is no longer in doubt where it differs by no more than this share from the prompt beside it."""


def agree(count: int, prompt: int) -> bool:
    """Whether an agent's own count is that of the window whose prompt was recorded."""
    return abs(count - prompt) <= NEAR * prompt


class RecordedSizes(Frozen):
    """How large the window was before and after a compaction, by what is on record, and where each number was found.

    `prompt_before` is the recorded prompt of the model call before it, where the agent's own count is in doubt, and
    `prompt_after` that of the call after it, where the agent counted for itself.
    """

    tokens_before: Amount | None = None
    tokens_after: Amount | None = None
    before_from: str = ""
    after_from: str = ""
    prompt_before: Amount | None = None
    prompt_after: Amount | None = None

    @property
    def size_before(self) -> int | None:
        """The size of the window before it, the one that is shown: as the record of the compaction says it.

        Where that record is missing, or in doubt and not near the recorded prompt of the call beside it, it is that prompt.
        """
        count, prompt = self.tokens_before, self.prompt_before
        if count is None or prompt is None:
            return prompt if count is None else count
        return count if agree(count, prompt) else prompt

    @property
    def before_is_prompt(self) -> bool:
        """Whether that size is a recorded prompt: what came after it was in the window, too."""
        if self.prompt_before is not None:
            return self.size_before == self.prompt_before
        return self.before_from.startswith("prompt of the model call")

    @property
    def size_after(self) -> int | None:
        """The size of the window after it, the one that is shown: the next prompt that the provider counted.

        Where no later call tells, it is the agent's own count.
        """
        return self.tokens_after if self.prompt_after is None else self.prompt_after


class RecordedCompaction(RecordedSizes):
    """A compaction that the transcript says its own agent performed.

    It happened when `at` messages (summaries not counted) had arrived. `summary` is the id of the summary message, which
    stands in `Session.messages`; `kept` are the ids that stayed verbatim; `cleared` those whose body was emptied.
    The first `lead` of the kept ones stand before the summary in the new window (0: it is the first thing after the system
    messages). Tokens are as recorded, or None where the file does not say; `before_from` and `after_from` say where each was
    found, fields in backticks ("the agent's own count (`preTokens`)", "prompt of the model call before"). `doubtful` is whether
    the format's own count before it can be wrong; of `prompt_before` and `prompt_after` see
    `core/importers/_shapes/compaction_tokens.py`. `context_window` is what the agent took the model's for, and
    `duration_ms` how long it waited for the compaction, where that is recorded; `timestamp` is then when it had it.
    `instructions` are the words that a person gave the one who summarized ("keep the test names").
    `in_reply` is set where the model call whose reply arrives next compacted: that call's tokens are those of neither window.
    `unreadable` is why what the summary says cannot be shown ("encrypted", "not recorded"); the summary message then
    holds a placeholder. `edit` is what became of the messages that went: "summarised", or "dropped" where nothing was
    written in their place. Where the file names it (foldline's own runs, Codex), `window` are the ids of the new
    window in order, `added` those of all the messages that were put in, which stand in `Session.messages` (without a `window`
    those put in beside the summary: they stand behind what was kept), and `left`
    the messages that were emptied or shortened in place, as they were left, under the ids they had; `policy` and
    `reason` say what acted, and why.
    """

    at: int
    kind: Literal["compaction", "microcompaction"] = "compaction"
    trigger: str = ""
    duration_ms: Amount | None = None
    doubtful: bool = False
    context_window: Amount | None = None
    instructions: str = ""
    summary: str | None = None
    in_reply: bool = False
    unreadable: str = ""
    edit: Literal["summarised", "dropped"] = "summarised"
    lead: int = 0
    kept: tuple[str, ...] = ()
    cleared: tuple[str, ...] = ()
    window: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    left: "tuple[Message, ...]" = ()
    policy: str = ""
    reason: str = ""
    fidelity: Fidelity = "partial"
    line: int | None = None
    timestamp: str = ""

    @property
    def window_known(self) -> bool:
        """Whether `window` is recorded; the window itself may be empty."""
        return bool(self.window or self.policy)

    @property
    def by_hand(self) -> bool:
        """Whether it is an edit of the window that a person made in a live run, and so no compaction."""
        return self.policy == BY_HAND

    @property
    def counted_as(self) -> str:
        """The name it is counted under: a person's edit is no compaction, whatever else it looks like."""
        return "edit" if self.by_hand else self.kind


class SubAgent(Frozen):
    """A run in a window of its own that a session started: a session itself.

    `id` is what the transcript calls it, `name` what people would ("Explore", "code-reviewer"), `message` the id of the
    parent's message that started it and `call` the id of the tool call in it; empty where not known.
    """

    id: str
    name: str = ""
    message: str = ""
    call: str = ""
    session: "Session"


class PolicyUsed(Frozen):
    """A policy by its name and the parameters it had, and the step of the recorded run from which on it was in force."""

    since: int = Field(default=0, ge=0)
    name: str
    parameters: dict[str, Any] = Field(default_factory=dict)


class Driven(Frozen):
    """How foldline drove a run: the meter that counted it, the policies in force one after the other, what a person pinned.

    `pinned` are ids of messages, `tools` the tokens of the tools' schemas by the meter: they are sent beside the window.
    """

    meter: str
    policies: tuple[PolicyUsed, ...]
    pinned: tuple[str, ...] = ()
    tools: int = Field(default=0, ge=0)


class Session(Frozen):
    """A transcript once loaded. `messages` holds recorded summaries too (`injected == "summary"`), in file order.

    `project` is the folder the agent worked in; `agent` is its name, where agents of several names write this format and the
    file tells which. `children` are the sub-agents whose own messages are at hand, in the order they were started;
    `subagents` counts those too of which nothing more is known.

    `records` counts what the file held before anything was joined or left out, `malformed_lines` and
    `recovered_records` what was damaged, `subagents` the sub-agent runs, `other` the kinds of record that are not
    messages; `notes` says in words what was skipped or repaired. `driven` is how foldline drove the run, where it did.
    `starts_midway` is whether the file begins in the middle of the session: what came before is not in `messages`. The first
    `copied` messages were copied from another session, which this one goes on from. `ended_with` is what ended the run where
    the agent did not end it, in the words of the file: an error, a limit. `submission` is what the agent submitted at its end,
    where the file has that apart from its messages.
    Duplicate message ids are made unique.
    """

    version: int = SESSION_VERSION
    id: str = ""
    format: str = ""
    title: str = ""
    model: str = ""
    project: str = ""
    agent: str = ""
    messages: tuple[Message, ...] = ()
    compactions: tuple[RecordedCompaction, ...] = ()
    children: tuple[SubAgent, ...] = ()
    usage: Usage | None = None
    records: int = 0
    malformed_lines: int = 0
    recovered_records: int = 0
    subagents: int = 0
    other: dict[str, int] = Field(default_factory=dict)
    notes: tuple[str, ...] = ()
    driven: Driven | None = None
    starts_midway: bool = False
    copied: int = Field(default=0, ge=0)
    ended_with: str = ""
    submission: str = ""

    @field_validator("messages")
    @classmethod
    def _unique_ids(cls, messages: tuple[Message, ...]) -> tuple[Message, ...]:
        return unique_ids(messages)

    def __hash__(self) -> int:
        return hash((self.id, self.format, self.title, self.records, len(self.messages)))

    @property
    def turns(self) -> int:
        """Messages that a person typed."""
        return sum(m.typed for m in self.messages)

    @property
    def all_notes(self) -> tuple[str, ...]:
        """The notes, and what ended the run."""
        return (*self.notes, *([f"the run ended with {self.ended_with}"] if self.ended_with else []))

    @property
    def unreadable_summaries(self) -> frozenset[str]:
        """The ids of the summaries that nobody can read: their size is unknown, and what they hold is a placeholder."""
        return frozenset(c.summary for c in self.compactions if c.unreadable and c.summary)


SubAgent.model_rebuild()


def unique_ids(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """The messages with the second and later bearers of an id renamed `id~2`, `id~3`, …; the same tuple if none."""
    if len({m.id for m in messages}) == len(messages):
        return messages
    taken, seen, unique = {m.id for m in messages}, Counter[str](), []
    for message in messages:
        seen[message.id] += 1
        new = message.id
        while seen[message.id] > 1 and new in taken:
            new = f"{message.id}~{seen[message.id]}"
            seen[message.id] += new in taken
        taken.add(new)
        unique.append(message if new == message.id else message.model_copy(update={"id": new}))
    return tuple(unique)
