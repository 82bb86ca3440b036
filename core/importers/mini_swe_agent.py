"""mini-swe-agent trajectories: <instance>.traj.json, one object of `info` and `messages`; in the oldest files the bare list.

The messages are those of the API, each with an `extra` that is not sent. A file of version 1 has text only: commands stand in
the replies, and what came of them in user messages, which no person typed. From version 2 on they are tool calls and results,
or items of the Responses API (a whole `response` as one reply), and a message of role `exit` ends the run. Nothing is
compacted. Recorded input includes what was cached: it is taken apart here. What a model thought and was not sent again is
only counted.
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from core.importers._files.source import Head, Source
from core.importers._files.text import counted
from core.importers._shapes.blocks import (
    MessageParts,
    label,
    most_used,
    object_of,
    string,
    tool_call,
    total,
    whole_number,
)
from core.importers._shapes.notes import pluralize, without_call
from core.importers._shapes.swe_task import task_title
from core.importers.openai_chat import usage_of
from core.model.session import Message, Role, Session, ToolCall, Usage, construct_unchecked

LABEL = AGENT = "mini-swe-agent"
DOCS = "https://mini-swe-agent.com/latest/usage/output_files/"
GROUP = "research agents"

_END = re.compile(r"COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT|MINI_SWE_AGENT_FINAL_OUTPUT")
_COMMAND = re.compile(r"```(?:bash|mswea_bash_command)\s*\n")
_OBSERVED = re.compile(r"(?:<exception>[^<]*</exception>\s*)?<returncode>-?\d+</returncode>")
_PERSON = re.compile(
    r"(?:Interrupted by user: |The user added a new task: |User command: |"
    r"Commands? not executed\. The user rejected your commands? with the following message: )"
)
_MISFORMED = re.compile(r"(?:Please always provide|Format error)", re.IGNORECASE)

_ROLES: dict[str, Role] = {"system": "system", "user": "user", "assistant": "assistant", "tool": "tool"}
_LOOKED_AT = 40
"""As many messages of a bare list are looked at to tell it from any other."""


def recognises(head: Head) -> bool:
    """Whether the file says so, or is a bare list that begins as mini-swe-agent begins and goes on with its commands."""
    value = head.value
    if isinstance(value, list):
        return _is_bare(value[:_LOOKED_AT])
    if not isinstance(value, dict) or not isinstance(value.get("messages"), list):
        return False
    info = object_of(value.get("info"))
    return string(value.get("trajectory_format")).startswith("mini-swe-agent") or "mini_version" in info


def _is_bare(items: list[Any]) -> bool:
    """Text messages (one in four may be damaged) that begin with how to end, or hold commands and what came of them."""
    texts = [item for item in items if _is_text(item)]
    if not texts or len(texts) * 4 < len(items) * 3 or any(item["role"] == "tool" for item in texts):
        return False
    opening = any(_END.search(item["content"]) for item in texts[:2] if item["role"] != "assistant")
    ran = any(_COMMAND.search(item["content"]) for item in texts if item["role"] == "assistant")
    seen = any(_OBSERVED.match(item["content"]) for item in texts[1:] if item["role"] == "user")
    return (opening and (ran or len(items) <= 2)) or (ran and seen)


def _is_text(item: Any) -> bool:
    if not isinstance(item, dict) or string(item.get("role")) not in _ROLES:
        return False
    return isinstance(item.get("content"), str) and not item.keys() & {"parts", "type", "tool_calls", "ts"}


def read(source: Source) -> Session:
    """The session of a run."""
    value = source.value
    items: list[Any] = value if isinstance(value, list) else value["messages"]
    envelope = object_of(value)
    info, reading = object_of(envelope.get("info")), _Reading()
    for place, item in enumerate(items, 1):
        reading.item(item, place, last=place == len(items))
    id, task = string(envelope.get("instance_id")), next((m.content for m in reading.messages if m.typed), "")
    models = Counter(m.model for m in reading.messages if m.model)
    return Session(
        id=id,
        format="mini-swe-agent",
        title=label(id) or task_title(task),
        model=most_used(models) or _configured(info, "model", "model_name"),
        project=_configured(info, "environment", "cwd"),
        messages=tuple(reading.messages),
        usage=total(m.usage for m in reading.messages),
        records=len(items),
        malformed_lines=len(reading.left),
        other=counted(reading.other),
        notes=(*reading.notes(), *source.damage.notes()),
        ended_with=_ended_with(info),
    )


def _configured(info: dict[str, Any], part: str, key: str) -> str:
    return string(object_of(object_of(info.get("config")).get(part)).get(key))


def _ended_with(info: dict[str, Any]) -> str:
    """What ended the run, where the agent did not end it."""
    status = label(string(info.get("exit_status")))
    return "" if status == "Submitted" else status


def _moment(seconds: Any) -> str:
    """A time in seconds since 1970 as text, in UTC; empty where there is none."""
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0 < seconds < 2**37:
        return ""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _usage(response: dict[str, Any]) -> Usage | None:
    """Recorded tokens: as the Responses API names them, or as Chat Completions does."""
    usage = object_of(response.get("usage"))
    if "input_tokens" not in usage or "prompt_tokens" in usage:
        return usage_of(response)
    cached = whole_number(object_of(usage.get("input_tokens_details")).get("cached_tokens"))
    fresh = max(0, whole_number(usage["input_tokens"]) - cached)
    return Usage(input_uncached=fresh, cache_read=cached, output=whole_number(usage.get("output_tokens")))


@dataclass
class _Reading:
    """Reads message after message; it remembers the names of the tools called."""

    messages: list[Message] = field(default_factory=list)
    tools: dict[str, str] = field(default_factory=dict)
    left: list[int] = field(default_factory=list)
    unasked: list[int] = field(default_factory=list)
    other: Counter[str] = field(default_factory=Counter)
    task_seen: bool = False

    def item(self, item: Any, place: int, last: bool) -> None:
        """One message of the file, or one item of the Responses API."""
        if not isinstance(item, dict):
            self.left.append(place)
            return
        role, extra = string(item.get("role")), object_of(item.get("extra"))
        if item.get("object") == "response":
            self._response(item, extra, place)
        elif item.get("type") == "function_call_output":
            self._result(item, item.get("call_id"), MessageParts().add(item.get("output")), extra, place)
        elif role == "tool":
            self._result(item, item.get("tool_call_id"), MessageParts().add(item.get("content")), extra, place)
        elif role == "assistant":
            self._reply(item, extra, place)
        elif role in ("system", "user"):
            self._user(item, role == "user", extra, place, last)
        elif role == "exit":
            self.other["exit"] += 1
        else:
            self.left.append(place)

    def _put(self, parts: MessageParts, extra: dict[str, Any], place: int, **fields: Any) -> None:
        common = {"id": f"message-{place}", "line": place, "content": parts.text, "images": tuple(parts.images)}
        moment = _moment(extra.get("timestamp")) or _moment(object_of(extra.get("response")).get("created"))
        self.messages.append(construct_unchecked(Message, **common, timestamp=moment, **fields))

    def _user(self, item: dict[str, Any], user: bool, extra: dict[str, Any], place: int, last: bool) -> None:
        """What the model was told: the first user message is the task, the others are what came of its commands."""
        parts = MessageParts().add(item.get("content"))
        injected = self._kind(parts.text, extra, last) if user and self.task_seen else ""
        self.task_seen = self.task_seen or user
        failed = bool(extra.get("exception_info"))
        self._put(parts, extra, place, role="user" if user else "system", injected=injected, is_error=failed)

    def _kind(self, text: str, extra: dict[str, Any], last: bool) -> str:
        """Who put a later user message in: empty for what a person typed while the run went on."""
        interrupt = string(extra.get("interrupt_type"))
        if interrupt.startswith("User") or _PERSON.match(text):
            return ""
        if interrupt or _MISFORMED.match(text):
            return "error"
        before = self.messages[-1].content if self.messages else ""
        return "submission" if last and _END.search(before) and not _OBSERVED.match(text) else "observation"

    def _result(self, item: dict[str, Any], call: Any, parts: MessageParts, extra: dict[str, Any], place: int) -> None:
        name = self.tools.get(string(call))
        if name is None:
            self.unasked.append(place)
        failed = bool(extra.get("exception_info"))
        self._put(parts, extra, place, role="tool", tool_call_id=string(call) or None, name=name, is_error=failed)

    def _reply(self, item: dict[str, Any], extra: dict[str, Any], place: int) -> None:
        parts, response = MessageParts().add(item.get("content")), object_of(extra.get("response"))
        given = item.get("tool_calls")
        calls = [_call(c) for c in given if isinstance(c, dict)] if isinstance(given, list) else []
        thinking = string(item.get("reasoning_content")) or string(item.get("reasoning")) or "\n".join(parts.thinking)
        if not thinking and _thought(response):
            self.other["reasoning, not sent again"] += 1
        self._add_reply(parts, [*calls, *parts.calls], thinking, response, extra, place)

    def _response(self, item: dict[str, Any], extra: dict[str, Any], place: int) -> None:
        """A whole response of the Responses API: its output items are one reply."""
        parts, calls, thinking = MessageParts(), [], MessageParts()
        output = item.get("output")
        for part in output if isinstance(output, list) else []:
            kind = part.get("type") if isinstance(part, dict) else None
            if kind == "function_call":
                calls.append(tool_call(part.get("call_id") or part.get("id"), part.get("name"), part.get("arguments")))
            elif kind == "reasoning":
                thinking.add(part.get("summary") or [])
            elif kind == "message":
                parts.add(part.get("content"))
            else:
                self.other["response item of a kind unknown here"] += 1
        known = extra if "timestamp" in extra else extra | {"timestamp": item.get("created_at")}
        self._add_reply(parts, calls, thinking.text, item, known, place)

    def _add_reply(
        self,
        parts: MessageParts,
        calls: list[ToolCall],
        thinking: str,
        response: dict[str, Any],
        extra: dict[str, Any],
        place: int,
    ) -> None:
        self.tools.update((call.id, call.name) for call in calls)
        self._put(
            parts,
            extra,
            place,
            role="assistant",
            tool_calls=tuple(calls),
            thinking=thinking,
            reply_id=string(response.get("id")) or None,
            usage=_usage(response),
            model=string(response.get("model")),
        )

    def notes(self) -> list[str]:
        """Notes on what was skipped."""
        notes = [f"{pluralize(len(self.left), 'message')} skipped: unknown role"] if self.left else []
        if self.unasked:
            notes.append(without_call(len(self.unasked), self.unasked[0]))
        return notes


def _call(call: dict[str, Any]) -> ToolCall:
    function = object_of(call.get("function")) or call
    return tool_call(call.get("id"), function.get("name"), function.get("arguments"))


def _thought(response: dict[str, Any]) -> bool:
    """Whether a recorded reply came with reasoning that is not in the message."""
    choices = response.get("choices")
    first = object_of(choices[0]) if isinstance(choices, list) and choices else {}
    message = object_of(first.get("message"))
    return bool(message.get("reasoning") or message.get("reasoning_content"))
