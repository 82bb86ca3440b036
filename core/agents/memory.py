"""agentkit's Memory (lesson 3) on foldline's engine: a transcript, a token budget, and what to do when it overflows."""

import json
from collections.abc import Sequence

from core.engine.compaction import compact_window
from core.llm.protocol import LLM
from core.meters import message_tokens, meter
from core.model.session import Message
from core.policies import policy
from core.summaries.summarizers import Summarizer
from core.trace.compaction import Compaction
from core.window.window import whole

ASK = (
    "Summarize the following messages of a running task in two or three sentences. Keep what is needed to go on: "
    "the goal, results so far, decisions, and what comes next."
)


class Memory:
    """The running conversation: a budget in tokens, and the newest `keep_recent` messages that stay verbatim.

    Tokens are agentkit's estimate. `compact` follows the policy `agentkit.memory`: a leading system message and the newest
    messages stay, what lies between becomes one system message. `summary_count` is how often that happened, `last_compaction`
    the newest such event.
    """

    def __init__(self, budget: int = 400, keep_recent: int = 4) -> None:
        self.budget, self.keep_recent, self.summary_count = budget, keep_recent, 0
        self.last_compaction: Compaction | None = None
        self._held: tuple[Message, ...] = ()

    def append(self, message: Message) -> None:
        """Put a message at the end."""
        self._held = (*self._held, message)

    def messages(self) -> list[Message]:
        """The messages, in order; a list of one's own."""
        return [*self._held]

    def __len__(self) -> int:
        return len(self._held)

    def tokens(self) -> int:
        """Estimated tokens of all messages."""
        return sum(map(message_tokens, self._held))

    def over_budget(self) -> bool:
        """Whether there are more tokens than the budget."""
        return self.tokens() > self.budget

    def compact(self, llm: LLM) -> bool:
        """Fold the old middle into a summary by the model; whether that was done.

        False within the budget, and where everything is pinned. What the model raises is raised, the memory as it was.
        """
        if not self.over_budget():
            return False
        rules = policy("agentkit.memory", budget=self.budget, keep_recent=self.keep_recent)
        found = compact_window(
            whole(self._held, list(map(message_tokens, self._held))),
            rules,
            meter=meter("agentkit"),
            summarizer=asking(llm),
            number=self.summary_count + 1,
            raises=True,
        )
        if not found.acted:
            return False
        self._held, self.summary_count = tuple(found.after), self.summary_count + 1
        self.last_compaction = found
        return True


def asking(llm: LLM) -> Summarizer:
    """A summarizer that asks the model for a summary: one user message, no tools."""

    def summarize(messages: Sequence[Message], prior: str | None) -> str:
        request = Message(role="user", content=summary_request(messages))
        return llm.complete(messages=[request], tools=[]).content

    return summarize


def summary_request(messages: Sequence[Message]) -> str:
    """The text that asks for a summary of the messages and quotes them."""
    return "\n".join([ASK, "", *map(quoted, messages)])


def quoted(message: Message) -> str:
    """One message as a line of text: its role, what it says, the tools it calls."""
    calls = (f"-> {c.name}({json.dumps(c.arguments, ensure_ascii=False, default=str)})" for c in message.tool_calls)
    said = " ".join(part for part in (message.content, *calls) if part)
    return f"[{message.role}] {said}"
