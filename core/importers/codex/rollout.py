"""One pass over a Codex rollout: messages come from its items, the rest from its events.

Items of the model's history (`response_item`) are the messages. Events repeat most of them, and are read for what they
alone know: tokens, what a person typed, errors, interruptions, turns taken back, sub-agents, how commands ended.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from core.importers._shapes.blocks import MessageParts, string, whole_number
from core.importers._shapes.responses import Replies, Spot
from core.importers._shapes.responses_items import COMPACTIONS, kind_of, parts_of
from core.importers.codex.agents import Spawned, agent_in_event, agent_in_result
from core.importers.codex.compactions import Compactions
from core.importers.codex.context import ended_badly, injected_kind, still_runs
from core.importers.codex.tokens import Tokens
from core.importers.codex.typed_messages import TypedMessages
from core.model.session import Message


@dataclass
class Reading:
    """What has been read. `about` is the header of this session, `others` the ids of those that it goes on from.

    The first `copied` messages came from there; `taken_back` are the lines of those gone back from.
    """

    replies: Replies = field(default_factory=Replies)
    tokens: Tokens = field(default_factory=Tokens)
    typed: TypedMessages = field(default_factory=TypedMessages)
    agents: dict[str, Spawned] = field(default_factory=dict)
    about: dict[str, Any] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)
    other: Counter[str] = field(default_factory=Counter)
    errors: list[str] = field(default_factory=list)
    failed: set[str] = field(default_factory=set)
    known: dict[str, dict[str, Any]] = field(default_factory=dict)
    project: str = ""
    title: str = ""
    copied: int = 0
    rewound: list[int | None] = field(default_factory=list)
    aborted: int = 0
    retried: int = 0
    own: bool = False
    turned: bool = False

    def __post_init__(self) -> None:
        self.compactions = Compactions(self.replies)

    def record(self, line: int, record: dict[str, Any]) -> None:
        """One line: an envelope with its payload, or, in files from before mid-2025, the bare item."""
        kind, payload = string(record.get("type")), record.get("payload")
        spot = Spot(line, string(record.get("timestamp")))
        if not isinstance(payload, dict):
            self._bare(kind, record, spot)
        elif kind == "response_item":
            self._item(payload, spot)
        elif kind == "event_msg":
            self._event(string(payload.get("type")) or "unknown", payload)
        else:
            self.other[kind or "unknown"] += 1
            self._apart(kind, payload, spot)

    def _bare(self, kind: str, record: dict[str, Any], spot: Spot) -> None:
        if not kind and "id" in record and "timestamp" in record:
            self.other["session_meta"] += 1
            self._header(record, spot)
        elif "payload" not in record and (kind or isinstance(record.get("role"), str)):
            self._item(record, spot)
        else:
            self.other[string(record.get("record_type")) or kind or "unknown"] += 1

    def _apart(self, kind: str, payload: dict[str, Any], spot: Spot) -> None:
        """Records that are neither items nor events."""
        if kind == "session_meta":
            self._header(payload, spot)
        elif kind == "compacted":
            self.compactions.record(payload, spot, self.tokens, self.known)
        elif kind == "turn_context":
            self.replies.model = string(payload.get("model")) or self.replies.model
            self.project = self.project or string(payload.get("cwd"))
            self._turn(payload)

    def _header(self, about: dict[str, Any], spot: Spot) -> None:
        """The first header is this session's; those behind it are of the sessions whose records were copied."""
        if self.about:
            id = string(about.get("id"))
            if id and id != self.about.get("id") and id not in self.others:
                self.others.append(id)
            return
        self.about, self.project = about, string(about.get("cwd"))
        base = about.get("base_instructions")
        text = string(base.get("text") if isinstance(base, dict) else base) or string(about.get("instructions"))
        if text:
            base = self.replies.add_message("system", MessageParts([text]), {"id": "instructions"}, spot)
            self.compactions.base = base.id

    @property
    def forked(self) -> bool:
        """Whether the file begins with records of another session."""
        return bool(self.others or self.about.get("forked_from_id"))

    @property
    def is_agent(self) -> bool:
        """Whether another session started this one: nobody typed what it is asked."""
        source = self.about.get("source")
        return isinstance(source, dict) and "subagent" in source

    def _turn(self, payload: dict[str, Any]) -> None:
        """Ids begin with their time: a turn whose id is less than the session's was copied from another."""
        turn = string(payload.get("turn_id"))
        if not self.own and turn and turn >= string(self.about.get("id")):
            self.own = True
            self._all_copied()
        self.turned = self.turned or bool(turn)

    def _all_copied(self) -> None:
        """What there is up to here came from another session."""
        self.replies.close()
        self.copied = len(self.replies.messages) if self.forked else 0

    def _item(self, item: dict[str, Any], spot: Spot) -> None:
        """One item of the history."""
        kind, role, id = kind_of(item), string(item.get("role")), string(item.get("id"))
        if id:
            self.known[id] = item
        if kind == "message" and role == "user":
            self._user(item, spot)
        elif kind == "message" and role in ("developer", "system"):
            self.replies.add_message("system", parts_of(item.get("content")), item, spot, "context")
        elif kind in COMPACTIONS:
            self.other[f"response_item/{kind}"] += 1  # said again by the record of the compaction
        else:
            self.replies.item(item, spot)

    def _user(self, item: dict[str, Any], spot: Spot) -> None:
        """What stands in a person's role: typed, asked by the session that started this one, or put in by Codex."""
        parts = parts_of(item.get("content"))
        kind = injected_kind(parts.texts)
        if not kind and self.is_agent and (self.own or not self.forked):
            kind = "agent"
        message = self.replies.add_message("user", parts, item, spot, kind)
        if not kind:
            self.typed.message(message.id, parts)

    def _event(self, kind: str, event: dict[str, Any]) -> None:
        self.other[f"event_msg/{kind}"] += 1
        if kind == "token_count":
            size = self.tokens.read(event.get("info"), self.replies)
            if size:
                self.compactions.sized(size)
        elif kind == "user_message":
            self.typed.event(string(event.get("message")))
        elif kind in ("task_started", "turn_started"):
            self._turn(event)
        elif kind == "thread_rolled_back":
            self.rewound += [m.line for m in self.compactions.back(whole_number(event.get("num_turns")))]
        elif kind == "thread_name_updated":
            self.title = string(event.get("thread_name"))
        else:
            self._happened(kind, event)

    def _happened(self, kind: str, event: dict[str, Any]) -> None:
        """What went wrong, how a command ended, which sub-agent was started."""
        if kind == "error":
            self.errors.append(string(event.get("message")))
        elif kind == "stream_error":
            self.retried += 1
        elif kind == "turn_aborted":
            self.replies.close()
            self.aborted += 1
        elif kind.endswith("_end"):
            code = event.get("exit_code")
            if event.get("success") is False or (isinstance(code, int) and code != 0):
                self.failed.add(string(event.get("call_id")))
        if (agent := agent_in_event(kind, event)) and (self.own or not self.forked):
            self.agents[agent.id] = agent

    def end(self) -> list[Message]:
        """All messages, with what events told later, or elsewhere."""
        self.replies.close()
        self.tokens.lose(None)
        if self.turned and not self.own:
            self._all_copied()
        for message in self.replies.messages[self.copied :]:
            if agent := agent_in_result(message):
                self.agents.setdefault(agent.id, agent)
        put_in = self.typed.put_in()
        return [self._with_events(m, put_in) for m in self.replies.messages]

    def _with_events(self, message: Message, put_in: set[str]) -> Message:
        if message.id in put_in:
            return message.model_copy(update={"injected": "context"})
        if message.role != "tool":
            return message
        failed = message.tool_call_id in self.failed and not still_runs(message.content)
        if not message.is_error and (failed or ended_badly(message.content)):
            return message.model_copy(update={"is_error": True})
        return message
