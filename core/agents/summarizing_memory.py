"""@agentlib/memory's SummarizingMemory on foldline's engine: what is written counts too much, so the older half is folded.

Behavior as of packages/memory/src/summarizing.ts @f44595f (MIT), its faults included; see the policy
`agentlib.summarizing`, which holds the rules.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from core.engine.compaction import compact_window
from core.engine.summarize import prior_text
from core.llm.protocol import LLM
from core.meters import Meter, meter
from core.model.session import Message
from core.policies import policy
from core.policy.policy import Policy
from core.summaries.summarizers import Summarizer
from core.window.window import whole

DEFAULT_PROMPT = (
    "You are a memory compression assistant.\n"
    "Summarize the following conversation concisely, preserving key facts, decisions, and context.\n"
    "Output only the summary — no preamble or commentary."
)


@dataclass(frozen=True)
class MemoryEntry:
    """One session as stored: its active messages, and `metadata`: created_at, accessed_at, agent_name, token_count."""

    id: str
    session_id: str
    messages: list[Message]
    metadata: dict[str, Any]


@dataclass
class _Stored:
    agent_name: str | None
    id: str = field(default_factory=lambda: str(uuid4()))
    summary: str | None = None
    active: list[Message] = field(default_factory=list)
    created_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    accessed_at: datetime = field(default_factory=lambda: datetime.now(UTC))


class SummarizingMemory:
    """Conversations by session id, each a running summary and the messages that are still verbatim.

    Tokens are agentlib's estimate. When the messages of a `write` count more than `active_window_tokens`, the older half
    of them becomes the new summary, cut to four characters for each of `summary_max_tokens`.
    """

    def __init__(
        self,
        model: LLM,
        active_window_tokens: int = 3000,
        summary_max_tokens: int = 600,
        summary_prompt: str | None = None,
    ) -> None:
        self.model = model
        self.summary_prompt = DEFAULT_PROMPT if summary_prompt is None else summary_prompt
        self._policy: Policy = policy(
            "agentlib.summarizing",
            active_window_tokens=active_window_tokens,
            summary_max_tokens=summary_max_tokens,
            summary_prompt=summary_prompt,
        )
        self._meter: Meter = meter("agentlib")
        self._sessions: dict[str, _Stored] = {}

    def read(self, session_id: str = "default") -> list[Message]:
        """The summary, if there is one, as a system message, and the messages that are still verbatim; [] if unknown."""
        stored = self._sessions.get(session_id)
        if stored is None:
            return []
        stored.accessed_at = datetime.now(UTC)
        return self._window(stored)

    def write(
        self,
        messages: Sequence[Message],
        session_id: str = "default",
        agent_name: str | None = None,
        tags: Sequence[str] = (),
    ) -> None:
        """Replace the session's messages by these, system messages left out, and fold their older half if they are too many.

        What the model raises is raised: a session known before keeps its summary and these messages, a new one is lost.
        `tags` are taken and not kept, as in the original.
        """
        stored = self._sessions.get(session_id) or _Stored(agent_name)
        stored.active = [m for m in messages if m.role != "system"]
        stored.accessed_at = datetime.now(UTC)
        self._fold(stored)
        self._sessions[session_id] = stored

    def clear(self, session_id: str | None = None) -> None:
        """Forget one session, or all of them."""
        if session_id:
            self._sessions.pop(session_id, None)
        else:
            self._sessions.clear()

    def entries(self, session_id: str | None = None) -> list[MemoryEntry]:
        """What is stored, of one session or of all."""
        chosen = [session_id] if session_id else list(self._sessions)
        return [self._entry(name, self._sessions[name]) for name in chosen if name in self._sessions]

    def get_summary(self, session_id: str = "default") -> str | None:
        """The session's running summary; None where there is none yet, "" where the model's last one was empty."""
        stored = self._sessions.get(session_id)
        return None if stored is None else stored.summary

    def _entry(self, session_id: str, stored: _Stored) -> MemoryEntry:
        known = {"created_at": stored.created_at, "accessed_at": stored.accessed_at, "agent_name": stored.agent_name}
        tokens = sum(map(self._meter.count, stored.active))
        return MemoryEntry(stored.id, session_id, list(stored.active), known | {"token_count": tokens})

    def _window(self, stored: _Stored) -> list[Message]:
        """What `read` gives: the policy's own placement of the summary, then the active messages."""
        place = self._policy.placement
        if not stored.summary or place is None:
            return list(stored.active)
        content = place.template.format(text=stored.summary)
        return [Message(role=place.role, content=content, injected="summary"), *stored.active]

    def _fold(self, stored: _Stored) -> None:
        messages = self._window(stored)
        window = whole(messages, [self._meter.count(m) for m in messages])
        found = compact_window(window, self._policy, meter=self._meter, summarizer=self._asking(), raises=True)
        if found.status == "not_triggered":
            return
        stored.summary = prior_text(found.summary, self._policy.placement) if found.summary else ""
        stored.active = [m for m in found.after if m.role != "system"]

    def _asking(self) -> Summarizer:
        def summarize(messages: Sequence[Message], prior: str | None) -> str:
            before = f"Previous summary:\n{prior}\n\nNew conversation to add:" if prior else ""
            lines = "\n".join(f"{m.role.upper()}: {m.content}" for m in messages)
            request = [
                Message(role="system", content=self.summary_prompt),
                Message(role="user", content=f"{before}\n{lines}"),
            ]
            return self.model.complete(messages=request, tools=[]).content

        return summarize
