"""A session as its updates tell it: chunks become messages, tool calls with their patches become calls and results.

The protocol does not say where a reply of the model ends. Chunks and calls in a row are taken for one; what comes behind the
result of one of its calls, or under another `messageId`, is the next.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from core.importers._shapes.blocks import object_of, string, tool_call
from core.importers.acp.compactions import UPDATES, Cut, mark_of
from core.importers.acp.content import image_of, result_of, text_of
from core.importers.acp.frames import Frame
from core.model.session import Image, Message, RecordedCompaction, Role, ToolCall

_CHUNKS: dict[str, Role] = {
    "user_message_chunk": "user",
    "agent_message_chunk": "assistant",
    "agent_thought_chunk": "assistant",
}
_TOOLS = ("tool_call", "tool_call_update")
_ENDS = ("completed", "failed")


@dataclass
class Tool:
    """A tool call while its updates come in: a field that one names replaces what was there."""

    id: str
    known: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What the agent calls the tool, where it tells; else of what kind the call is, else how it is shown."""
        own = string(object_of(object_of(self.known.get("_meta")).get("claudeCode")).get("toolName"))
        kind = string(self.known.get("kind"))
        return (
            own
            or string(self.known.get("name"))
            or (kind if kind != "other" else "")
            or string(self.known.get("title"))
        )

    def call(self) -> ToolCall:
        """The call."""
        return tool_call(self.id, self.name, self.known.get("rawInput"))


@dataclass
class Draft:
    """A message while its chunks come in. `calls` are those of a reply, `result` the call that a result answers.

    `sent` is the text of a prompt; None where a message is known from its chunks alone.
    """

    role: Role
    line: int
    time: str
    texts: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    images: list[Image] = field(default_factory=list)
    calls: list[Tool] = field(default_factory=list)
    result: Tool | None = None
    message_id: str = ""
    sent: str | None = None

    def message(self) -> Message:
        """The message, once all is in."""
        tool = self.result
        text = result_of(tool.known.get("rawOutput"), tool.known.get("content")) if tool else "".join(self.texts)
        return Message(
            id=f"line-{self.line}",
            role=self.role,
            content=text,
            thinking="".join(self.thoughts),
            images=tuple(self.images),
            tool_calls=tuple(call.call() for call in self.calls),
            tool_call_id=tool.id if tool else None,
            name=tool.name if tool else None,
            is_error=tool is not None and tool.known.get("status") == "failed",
            timestamp=self.time,
            line=self.line,
        )


@dataclass
class Timeline:
    """Takes in the frames of a session. `open` is the message that the next chunk may go on with.

    While the session is loaded the agent sends all its history. Where the log has it already, `replays` is set, and what is
    sent is counted in `replayed`.
    """

    entries: list[Draft | Cut] = field(default_factory=list)
    open: Draft | None = None
    tools: dict[str, Tool] = field(default_factory=dict)
    cuts: dict[str, Cut] = field(default_factory=dict)
    other: Counter[str] = field(default_factory=Counter)
    title: str = ""
    model: str = ""
    project: str = ""
    records: int = 0
    replays: bool = False
    replayed: int = 0

    def load(self) -> None:
        """The client asks for the history."""
        self.replays, self.open = bool(self.entries), None

    def loaded(self) -> None:
        """The agent has sent the history, or says that it cannot."""
        self.replays = False

    def prompt(self, frame: Frame, blocks: list[Any]) -> None:
        """What a person sent. Nobody does before the session is loaded, also where the log has no answer that says so."""
        self.loaded()
        draft = self._begin("user", frame)
        draft.sent = "\n".join(filter(None, map(text_of, blocks)))
        draft.texts.append(draft.sent)
        draft.images = [image for block in blocks if (image := image_of(block))]

    def update(self, frame: Frame, update: dict[str, Any]) -> None:
        """What the agent reports."""
        kind = string(update.get("sessionUpdate"))
        if self.replays and (kind in _CHUNKS or kind in UPDATES or kind in _TOOLS):
            self.replayed += 1
        elif kind in _CHUNKS:
            self._chunk(kind, frame, update)
        elif kind in UPDATES:
            self._cut(_id(update, "compactionId", frame), frame, update)
        elif kind in _TOOLS:
            self._tool(_id(update, "toolCallId", frame), frame, update)
        else:
            self.title = string(update.get("title")) or self.title if kind == "session_info_update" else self.title
            self.other[f"update/{kind or 'unknown'}"] += 1

    def _begin(self, role: Role, frame: Frame) -> Draft:
        self.open = Draft(role, frame.line, frame.time)
        self.entries.append(self.open)
        return self.open

    def _chunk(self, kind: str, frame: Frame, update: dict[str, Any]) -> None:
        role, block, id = _CHUNKS[kind], update.get("content"), string(update.get("messageId"))
        draft, text = self.open, text_of(block)
        if draft is not None and draft.sent is not None and role == "user" and text in draft.sent:
            self.other["update/user_message_chunk that repeats the prompt"] += 1
            return
        if draft is None or draft.role != role or (id and draft.message_id and id != draft.message_id):
            draft = self._begin(role, frame)
        draft.message_id = id or draft.message_id
        if kind == "agent_thought_chunk":
            draft.thoughts.append(text)
        else:
            draft.texts.append(text)
            draft.images += [image] if (image := image_of(block)) else []

    def _tool(self, id: str, frame: Frame, update: dict[str, Any]) -> None:
        if id in self.cuts or mark_of(update):
            self._cut(id, frame, update)
            return
        tool = self.tools.get(id)
        if tool is None:
            tool = self.tools[id] = Tool(id)
            draft = self.open if self.open and self.open.role == "assistant" else self._begin("assistant", frame)
            draft.calls.append(tool)
        ended = tool.known.get("status") in _ENDS
        tool.known |= {key: value for key, value in update.items() if value is not None}
        if not ended and tool.known.get("status") in _ENDS:
            self.entries.append(Draft("tool", frame.line, frame.time, result=tool))
            self.open = None

    def _cut(self, id: str, frame: Frame, update: dict[str, Any]) -> None:
        cut = self.cuts.get(id)
        if cut is None:
            cut = self.cuts[id] = Cut(f"compaction-{frame.line}", frame.line, frame.time)
            self.entries.append(cut)
            self.open = None
        cut.take(update)

    def build(self) -> tuple[list[Message], list[RecordedCompaction]]:
        """The messages and the compactions; what failed or did not end is counted."""
        messages: list[Message] = []
        found: list[RecordedCompaction] = []
        summaries = 0
        for entry in self.entries:
            if isinstance(entry, Draft):
                messages.append(entry.message())
            elif entry.status != "completed":
                self.other[f"compaction/{entry.status}"] += 1
            else:
                found.append(entry.recorded(len(messages) - summaries))
                messages.extend(_summary(entry))
                summaries += found[-1].summary is not None
        return messages, found


def _id(update: dict[str, Any], key: str, frame: Frame) -> str:
    """What an update is of; one that does not say is of nothing that was there before."""
    return string(update.get(key)) or f"line-{frame.line}"


def _summary(cut: Cut) -> Iterator[Message]:
    if cut.text:
        yield Message(id=cut.id, role="user", content=cut.text, injected="summary", line=cut.line, timestamp=cut.time)
