"""Items of the OpenAI Responses API as messages: one API reply is one message, of any number of items.

Shared by the Responses format and by Codex, whose rollouts hold these items one a line. Nothing in an item says which
reply it belongs to. A reply ends with what a person or a tool says; where the tokens of each reply are recorded, as in
Codex, it ends with those: there a result may be written before the rest of the reply that made the call.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from core.importers._shapes.blocks import MessageParts, string
from core.importers._shapes.responses_items import (
    ROLES,
    Outcome,
    call_of,
    held_by,
    is_call,
    is_result,
    kind_of,
    outcome_of,
    parts_of,
    thinking_of,
)
from core.model.session import Message, Usage, construct_unchecked


@dataclass(slots=True)
class Spot:
    """Where an item stands: its place in the file, and when it was written."""

    place: int
    time: str = ""


@dataclass(slots=True)
class _Reply:
    """A reply that may go on. `results` wait for its end; `answered` is whether a tool has answered already.

    `answer` is where the first of its final answers begins, behind what it said while it worked; None while it has none.
    """

    id: str
    spot: Spot
    model: str
    parts: MessageParts = field(default_factory=MessageParts)
    results: list[Message] = field(default_factory=list)
    usage: Usage | None = None
    answered: bool = False
    answer: int | None = None

    @property
    def says(self) -> bool:
        """Whether there is anything in it but reasoning that cannot be read."""
        parts = self.parts
        return bool(parts.texts or parts.thinking or parts.calls or parts.images or self.results or self.usage)


@dataclass
class Replies:
    """Reads items in order; `messages` are those that are complete, so call `close` before you read it.

    `counted` says that every reply ends with its tokens, `whole` that all that comes is one. `other` counts items that say
    nothing to the model, `orphans` are results whose call is not here, `put_in` the ids of what compactions put in.
    """

    counted: bool = False
    whole: bool = False
    model: str = ""
    messages: list[Message] = field(default_factory=list)
    other: Counter[str] = field(default_factory=Counter)
    tools: dict[str, str] = field(default_factory=dict)
    orphans: int = 0
    put_in: set[str] = field(default_factory=set)
    _open: _Reply | None = None
    _unpaid: int = -1
    _searches: list[str] = field(default_factory=list)
    _ids: dict[str, int] = field(default_factory=dict)

    @property
    def arrived(self) -> int:
        """How many messages are complete, those left aside that compactions put in."""
        return len(self.messages) - len(self.put_in)

    def item(self, item: dict[str, Any], spot: Spot) -> None:
        """One item of any type; compactions are left to the formats."""
        kind = kind_of(item)
        if kind == "message":
            self._message(item, spot)
        elif kind == "reasoning":
            self._going_on(item, spot, ends=True).parts.thinking += [t for t in [thinking_of(item)] if t]
        elif is_call(kind):
            self._call(kind, item, spot)
        elif is_result(kind):
            self._result(kind, item, spot)
        elif kind == "additional_tools":
            self.add_message("system", outcome_of(kind, item).parts, item, spot, injected="tools")
        elif kind == "agent_message":
            self.add_message("user", parts_of(item.get("content")), item, spot, injected="agent")
        else:
            self.other[kind] += 1

    def _message(self, item: dict[str, Any], spot: Spot) -> None:
        role = ROLES.get(string(item.get("role")))
        parts = parts_of(item.get("content"))
        if role == "assistant":
            reply = self._going_on(item, spot)
            if item.get("phase") == "final_answer" and reply.answer is None:
                reply.answer = len(reply.parts.text) + 1 if reply.parts.texts else 0  # a line break joins them
            reply.parts.texts += parts.texts
            reply.parts.images += parts.images
        elif role is not None:
            self.add_message(role, parts, item, spot)
        else:
            self.other["message/unknown"] += 1

    def add_message(
        self, role: Any, parts: MessageParts, item: dict[str, Any], spot: Spot, injected: str = ""
    ) -> Message:
        """A message that is no reply: it ends the one before."""
        self.close()
        return self.put(
            id=self.name(string(item.get("id")) or f"line-{spot.place}"),
            role=role,
            content=parts.text,
            images=tuple(parts.images),
            line=spot.place,
            timestamp=spot.time,
            injected=injected,
        )

    def put(self, **fields: Any) -> Message:
        """Add a message whose id is its own."""
        message = construct_unchecked(Message, **fields)
        self.messages.append(message)
        if message.injected == "summary":
            self.put_in.add(message.id)
        return message

    def name(self, wanted: str) -> str:
        """An id like the one wanted, that no other message here has."""
        named, number = wanted, self._ids.get(wanted, 0)
        while named in self._ids:
            number += 1
            named = f"{wanted}~{number}"
        self._ids[named] = 1
        self._ids[wanted] = max(number, 1)
        return named

    def _going_on(self, item: dict[str, Any], spot: Spot, ends: bool = False) -> _Reply:
        """The reply that an item belongs to. `ends`: no reply thinks once more after a tool has answered it."""
        if self._open is not None and self._open.answered and not self.whole and (ends or not self.counted):
            self.close()
        if self._open is None:
            id = self.name(string(item.get("id")) or f"line-{spot.place}")
            self._open, self._unpaid = _Reply(id, spot, self.model), -1
        return self._open

    def _call(self, kind: str, item: dict[str, Any], spot: Spot) -> None:
        reply = self._going_on(item, spot)
        call = call_of(kind, item, f"{reply.id}-call-{len(reply.parts.calls)}")
        reply.parts.calls.append(call)
        self.tools[call.id] = call.name
        if kind == "tool_search_call":
            self._searches.append(call.id)
        held = held_by(kind, item)
        if held is not None:
            self._answer(held, call.id, {}, spot)

    def _result(self, kind: str, item: dict[str, Any], spot: Spot) -> None:
        """What came back. A search for tools that the server ran names no call: it answers the last one."""
        keys = ("call_id", "approval_request_id", "id")
        call = next((item[key] for key in keys if isinstance(item.get(key), str) and item[key]), "")
        if kind == "tool_search_output" and call not in self.tools and self._searches:
            call = self._searches[-1]
        self._answer(outcome_of(kind, item), call, item, spot)
        if self._open is not None and item.get("execution") != "server":
            self._open.answered = True

    def _answer(self, outcome: Outcome, call: str, item: dict[str, Any], spot: Spot) -> None:
        """A tool message: at once, or, where the reply that made the call may go on, behind it."""
        self.orphans += call not in self.tools
        id = string(item.get("id"))
        fields = {
            "id": self.name(id if id and id != call else f"line-{spot.place}-result"),
            "role": "tool",
            "content": outcome.parts.text,
            "images": tuple(outcome.parts.images),
            "tool_call_id": call,
            "name": self.tools.get(call) or string(item.get("name")) or None,
            "line": spot.place,
            "timestamp": spot.time,
            "is_error": outcome.failed,
        }
        if self._open is None:
            self.put(**fields)
        else:
            self._open.results.append(construct_unchecked(Message, **fields))

    def used(self, usage: Usage) -> bool:
        """The tokens of the reply that ends here, or of the last one; False where that has its own already."""
        if self._open is not None:
            self._open.usage = usage
            self.close()
        elif self._unpaid >= 0:
            self.messages[self._unpaid] = self.messages[self._unpaid].model_copy(update={"usage": usage})
        else:
            return False
        self._unpaid = -1
        return True

    @property
    def going_on(self) -> bool:
        """Whether a reply is not complete yet."""
        return self._open is not None

    def cut(self, place: int) -> list[Message]:
        """Take back all messages from a place on: those."""
        gone = self.messages[place:]
        del self.messages[place:]
        self.put_in.difference_update(m.id for m in gone)
        self._unpaid = -1
        return gone

    def close(self) -> None:
        """The reply is complete; one of encrypted reasoning alone says nothing."""
        reply, self._open = self._open, None
        if reply is None:
            return
        if not reply.says:
            self.other["reasoning/encrypted"] += 1
            return
        self._unpaid = len(self.messages) if reply.usage is None else -1
        self.put(
            id=reply.id,
            role="assistant",
            content=reply.parts.text,
            tool_calls=tuple(reply.parts.calls),
            reply_id=reply.id,
            thinking="\n".join(reply.parts.thinking),
            images=tuple(reply.parts.images),
            usage=reply.usage,
            model=reply.model,
            line=reply.spot.place,
            timestamp=reply.spot.time,
            answer=reply.answer or 0,
        )
        self.messages += reply.results
