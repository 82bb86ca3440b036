"""The messages of one agent in a Copilot CLI session: the main one's, or a sub-agent's."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from core.importers._shapes.blocks import string, tool_call, whole_number
from core.importers.copilot_cli.parts import Assets, Event, injected_kind, result_pictures, result_text, usage_of
from core.importers.copilot_cli.window import Window
from core.model.session import Message, ToolCall, Usage, construct_unchecked


@dataclass(slots=True)
class Reply:
    """An API reply, which may come in several events; `output` are the tokens it says itself."""

    event: Event
    api: str
    texts: list[str] = field(default_factory=list)
    thinking: list[str] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    model: str = ""
    output: int = 0
    usage: Usage | None = None

    def message(self) -> Message:
        """What it comes to."""
        output = construct_unchecked(Usage, input_uncached=0, cache_read=0, cache_write=0, output=self.output)
        return construct_unchecked(
            Message,
            id=self.event.id,
            role="assistant",
            content="\n".join(text for text in self.texts if text),
            tool_calls=tuple(self.calls),
            reply_id=self.api or None,
            thinking="\n".join(text for text in self.thinking if text),
            usage=self.usage or (output if self.output else None),
            model=self.model,
            timestamp=self.event.time,
            line=self.event.line,
        )


@dataclass
class Thread:
    """Takes in event after event. `calls` are the message and the tool's name of each call."""

    assets: Assets
    sub_agent: bool = False
    put: list[Message | Reply] = field(default_factory=list)
    window: Window = field(default_factory=Window)
    calls: dict[str, tuple[str, str]] = field(default_factory=dict)
    title: str = ""
    orphans: int = 0
    repeated: int = 0
    _systems: set[str] = field(default_factory=set)
    _replies: dict[str, Reply] = field(default_factory=dict)
    _last: Reply | None = None
    _thought: str = ""
    _used: Usage | None = None
    _requests: dict[str, Event] = field(default_factory=dict)

    def take(self, event: Event) -> bool:
        """Take in one event; False for a kind that is nothing the model sees."""
        handler = _HANDLERS.get(event.kind)
        if handler is not None:
            handler(self, event)
        return handler is not None

    def messages(self) -> tuple[Message, ...]:
        """Every message in order of arrival."""
        return tuple(item.message() if isinstance(item, Reply) else item for item in self.put)

    def _message(self, event: Event, **fields: Any) -> None:
        message = construct_unchecked(Message, id=event.id, timestamp=event.time, line=event.line, **fields)
        self.put.append(message)
        self.window.arrive(event.id, system=message.role == "system")

    def _system(self, event: Event) -> None:
        """The prompt; each time a session goes on it is written again."""
        text = string(event.data.get("content"))
        if text in self._systems:
            self.repeated += 1
        else:
            self._systems.add(text)
            self._message(event, role="system", content=text)

    def _user(self, event: Event) -> None:
        """What a person typed, as the model was sent it: with the time and reminders around it."""
        data, kind = event.data, injected_kind(event.data) or ("agent" if self.sub_agent else "")
        typed = string(data.get("content"))
        self.title = self.title or ("" if kind and not self.sub_agent else typed)
        images = self.assets.pictures(data.get("attachments"))
        text = string(data.get("transformedContent")) or typed
        self._message(event, role="user", content=text, images=images, injected=kind)

    def _notified(self, event: Event) -> None:
        self._message(event, role="user", content=string(event.data.get("content")), injected="notification")

    def _reply(self, event: Event) -> None:
        """A reply, or a further part of one; what was thought may have come before it."""
        data, api = event.data, string(event.data.get("apiCallId"))
        reply = self._replies.get(api) if api else None
        if reply is None:
            reply = Reply(event, api, usage=self._used)
            self._replies[api], self._used = reply, None
            self.put.append(reply)
            self.window.arrive(event.id)
        reply.texts.append(string(data.get("content")))
        reply.thinking.append(string(data.get("reasoningText")) or self._thought)
        reply.model = string(data.get("model")) or reply.model
        reply.output = max(reply.output, whole_number(data.get("outputTokens")))
        self._last, self._thought = reply, ""
        requests = data.get("toolRequests")
        for request in requests if isinstance(requests, list) else []:
            if isinstance(request, dict):
                self._call(reply, request)

    def _call(self, reply: Reply, request: dict[str, Any]) -> None:
        call = tool_call(request.get("toolCallId"), request.get("name"), request.get("arguments"))
        reply.calls.append(call)
        self.calls[call.id] = (reply.event.id, call.name)

    def _thinks(self, event: Event) -> None:
        self._thought = string(event.data.get("content"))

    def _uses(self, event: Event) -> None:
        """Tokens of a reply: the one named, else the last, or the next where the last has some."""
        if event.data.get("interactionType") == "conversation-compaction":
            return
        reply, used = self._replies.get(string(event.data.get("apiCallId"))) or self._last, usage_of(event.data)
        if reply is not None and reply.usage is None:
            reply.usage = used
        else:
            self._used = used

    def _requested(self, event: Event) -> None:
        self._requests[string(event.data.get("toolCallId"))] = event

    def _result(self, event: Event) -> None:
        """The result of a call; of one that a person made, a message with what they ran."""
        data, id = event.data, string(event.data.get("toolCallId"))
        text, images = result_text(data), result_pictures(data, self.assets)
        request = self._requests.get(id) if id not in self.calls else None
        if request is not None:
            ran = request.data.get("arguments")
            command = string(ran.get("command")) if isinstance(ran, dict) else ""
            text = f"! {command or string(request.data.get('toolName'))}\n{text}"
            self._message(event, role="user", content=text, images=images, injected="command")
            return
        self.orphans += id not in self.calls
        name = self.calls[id][1] if id in self.calls else string(data.get("toolName"))
        self._message(
            event,
            role="tool",
            content=text,
            tool_call_id=id,
            name=name or None,
            images=images,
            is_error=data.get("success") is False,
        )

    def _compacts(self, event: Event) -> None:
        summary = self.window.compact(event)
        if summary is not None:
            self.put.append(summary)

    def _clears(self, event: Event) -> None:
        """A host cleared the conversation, and may have put in the first message of the next."""
        self.window.clear(event)
        if text := string(event.data.get("initialMessage")):
            self._message(event, role="user", content=text, injected="context")


_HANDLERS: dict[str, Callable[[Thread, Event], None]] = {
    "system.message": Thread._system,
    "user.message": Thread._user,
    "assistant.message": Thread._reply,
    "assistant.reasoning": Thread._thinks,
    "assistant.usage": Thread._uses,
    "tool.user_requested": Thread._requested,
    "tool.execution_complete": Thread._result,
    "system.notification": Thread._notified,
    "session.compaction_start": lambda thread, event: thread.window.start(event),
    "session.compaction_complete": Thread._compacts,
    "session.truncation": lambda thread, event: thread.window.truncate(event),
    "session.context_cleared": Thread._clears,
}
