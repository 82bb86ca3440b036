"""The sub-agents that a Codex session started. Each is a session with a file of its own, mostly beside this one."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from core.importers._files.text import parse
from core.importers._shapes.blocks import string
from core.model.session import Message

MOST = 200
"""The most sub-agents whose files are looked for."""

_ID = re.compile(r"[\w-]{8,64}")


@dataclass(slots=True)
class Spawned:
    """A sub-agent as the session that started it knows it."""

    id: str
    name: str = ""
    call: str = ""

    @property
    def pattern(self) -> str:
        """What the name of its file is like; empty where the id could not stand in one."""
        return f"rollout-*-{self.id}.jsonl" if _ID.fullmatch(self.id) else ""


def agent_in_event(kind: str, event: dict[str, Any]) -> Spawned | None:
    """The sub-agent that an event says was started."""
    if kind == "collab_agent_spawn_end":
        name = string(event.get("new_agent_nickname")) or string(event.get("new_agent_role"))
        return _spawned(string(event.get("new_thread_id")), name, string(event.get("call_id")))
    if kind == "sub_agent_activity" and event.get("kind") == "started":
        name = string(event.get("agent_path")).rpartition("/")[2]
        return _spawned(string(event.get("agent_thread_id")), name, string(event.get("event_id")))
    return None


def agent_in_result(message: Message) -> Spawned | None:
    """The sub-agent that a result names, if its call was to start one."""
    if message.name is None or not message.name.endswith("spawn_agent") or not message.content.startswith("{"):
        return None
    try:
        found = parse(message.content)
    except ValueError:
        return None
    if not isinstance(found, dict):
        return None
    return _spawned(string(found.get("agent_id")), string(found.get("nickname")), message.tool_call_id or "")


def _spawned(id: str, name: str, call: str) -> Spawned | None:
    return Spawned(id, name, call) if id else None


def callers(messages: Iterable[Message]) -> dict[str, str]:
    """The message that made each call."""
    return {call.id: m.id for m in messages for call in m.tool_calls}
