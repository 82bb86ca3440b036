"""The history of a SWE-agent run, message by message; of a file without one, what its steps tell."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from core.importers._files.text import counted
from core.importers._shapes.blocks import MessageParts, object_of, objects_in, string, tool_call
from core.importers._shapes.notes import pluralize, without_call
from core.model.session import Message, Role, ToolCall, construct_unchecked

_ROLES: dict[str, Role] = {"system": "system", "user": "user", "assistant": "assistant", "tool": "tool"}


@dataclass
class History:
    """Messages by the agent they belong to. `tasks` are the agents that were told theirs, `left` the places left out."""

    by_agent: dict[str, list[Message]] = field(default_factory=dict)
    tasks: set[str] = field(default_factory=set)
    tools: dict[str, str] = field(default_factory=dict)
    left: list[int] = field(default_factory=list)
    unasked: list[int] = field(default_factory=list)
    other: Counter[str] = field(default_factory=Counter)
    records: int = 0
    made: bool = False

    @classmethod
    def of(cls, run: dict[str, Any]) -> "History":
        """The history of a run."""
        found, items = cls(), run.get("history")
        if not isinstance(items, list) or not items:
            found.made = bool(objects_in(run.get("trajectory")))
            items = list(_from_steps(objects_in(run.get("trajectory"))))
        found.records = len(items)
        for place, item in enumerate(items, 1):
            found._item(item, place)
        return found

    @property
    def agents(self) -> list[str]:
        """The names of the agents, in the order they come."""
        return list(self.by_agent)

    def messages_of(self, agent: str) -> list[Message]:
        """What one agent has."""
        return self.by_agent.get(agent, [])

    def counts(self) -> dict[str, int]:
        """What is no message."""
        return counted(self.other)

    def notes(self) -> Iterator[str]:
        """Notes on what was skipped or is missing."""
        if self.made:
            yield "the file has no history: the messages come from its steps, without the beginning of the run"
        if self.left:
            yield f"{pluralize(len(self.left), 'message')} skipped: unknown role"
        if self.unasked:
            yield without_call(len(self.unasked), self.unasked[0])

    def _item(self, item: Any, place: int) -> None:
        role = _ROLES.get(string(item.get("role"))) if isinstance(item, dict) else None
        if role is None:
            self.left.append(place)
            return
        agent = string(item.get("agent")) or next(iter(self.by_agent), "")
        parts = MessageParts().add(item.get("content"))
        calls = tuple(_calls(item.get("tool_calls"))) if role == "assistant" else ()
        self.tools.update((call.id, call.name) for call in calls)
        message = construct_unchecked(
            Message,
            id=f"message-{place}",
            role=role,
            content=parts.text,
            tool_calls=calls,
            thinking="\n".join([*parts.thinking, *_thinking(item.get("thinking_blocks"))]),
            images=tuple(parts.images),
            line=place,
            injected=self._kind(item, role, agent),
            **self._answered(item, role, place),
        )
        self.by_agent.setdefault(agent, []).append(message)

    def _kind(self, item: dict[str, Any], role: Role, agent: str) -> str:
        """Who put a message in: an agent's first user message is its task, all that follow are observations."""
        if item.get("is_demo") is True:
            return "demo"
        if role != "user":
            return ""
        if agent not in self.tasks:
            self.tasks.add(agent)
            return "" if item.get("step") is not True else "observation"
        return "observation"

    def _answered(self, item: dict[str, Any], role: Role, place: int) -> dict[str, Any]:
        """The call that a tool message answers, and its tool."""
        if role != "tool":
            return {}
        ids = item.get("tool_call_ids")
        call = string(ids[0]) if isinstance(ids, list) and ids else string(item.get("tool_call_id"))
        if call not in self.tools:
            self.unasked.append(place)
        return {"tool_call_id": call or None, "name": self.tools.get(call)}


def _calls(given: Any) -> Iterator[ToolCall]:
    for call in objects_in(given):
        function = object_of(call.get("function")) or call
        yield tool_call(call.get("id"), function.get("name"), function.get("arguments"))


def _thinking(blocks: Any) -> list[str]:
    return [text for text in (string(block.get("thinking")) for block in objects_in(blocks)) if text]


def _from_steps(steps: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The replies and observations of the steps."""
    for step in steps:
        yield {"role": "assistant", "content": step.get("response")}
        yield {"role": "user", "content": step.get("observation"), "step": True}
