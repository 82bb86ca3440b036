"""The minimal agent of chapter 5 on foldline's engine: a chat that summarizes old turns before a new one would not fit.

Behavior as of minimal_agent.py @eff7b76 and its course, chapter 5; the policies `minimal_agent.rolling` and
`minimal_agent.compact` hold the rules.
"""

import json
from collections.abc import Callable, Iterable, Sequence

from core.agents.loop import AT_TURN_START, Context, Loop, Watcher
from core.engine.compaction import compact_window
from core.llm.protocol import LLM
from core.meters import meter
from core.model.session import Message
from core.policies import policy
from core.policy.policy import Policy
from core.policy.vocabulary import Phase
from core.toolbox.tools import Tool, ToolRegistry
from core.trace.compaction import Compaction
from core.window.window import whole

ASK = (
    "Write a summary of the conversation so far, for yourself: you will go on with it and nothing else of these messages. "
    "Keep what was asked, decisions and their reasons, files and names that matter, results, and what is still open."
)

_TOKENS = meter("o200k_base")


class ChatAgent:
    """A conversation with a model and its tools, kept under `max_input_tokens` by summarizing all but the newest turns.

    `messages` is the conversation so far, the system message left aside. Tokens are counted in two ways: before a turn
    by `count_tokens`, to see whether to compact; after each reply `last_input_tokens` is what the provider says it read (0
    until a reply says so).
    """

    def __init__(
        self,
        llm: LLM,
        tools: ToolRegistry | Iterable[Tool | Callable[..., object]] = (),
        max_input_tokens: int = 100_000,
        keep_recent_turns: int = 5,
        system: str = "",
        max_calls: int = 50,
    ) -> None:
        self.llm, self.system, self.max_calls = llm, system, max_calls
        self.tools = tools if isinstance(tools, ToolRegistry) else ToolRegistry(tools)
        self.max_input_tokens, self.keep_recent_turns = max_input_tokens, keep_recent_turns
        self.messages: list[Message] = []
        self.last_input_tokens = 0
        self.last_compaction: Compaction | None = None

    def chat(self, text: str) -> str:
        """The answer to what a person typed, after as many tool calls as the model wants (`max_calls` replies at most).

        Compacts first where there are too many tokens. What the model raises is raised, the turn removed.
        """
        context = _ChatContext(self)
        loop = Loop(self.llm, self.tools, context, self.max_calls, context)
        loop.maybe_compact(AT_TURN_START)
        before = list(self.messages)
        loop.add(Message(role="user", content=text))
        try:
            return loop.go_on().answer
        except BaseException:
            self.messages = before
            raise

    def compact(self) -> bool:
        """Replace the whole conversation by one summary; whether there was anything to replace."""
        return self._compact_by(policy("minimal_agent.compact"))

    def reset(self) -> None:
        """Forget the conversation."""
        self.messages, self.last_input_tokens = [], 0

    def count_tokens(self) -> int:
        """Tokens of what the next call would send: by the model's own `count_tokens(messages, tools)` if it has one.

        Else by the o200k_base tokenizer, the tools' schemas included.
        """
        counted = getattr(self.llm, "count_tokens", None)
        if counted is not None:
            return int(counted(self._sent(), self.tools.specs()))
        schemas = [Message(role="system", content=json.dumps(spec)) for spec in self.tools.specs()]
        return sum(map(_TOKENS.count, [*self._sent(), *schemas]))

    def _sent(self) -> list[Message]:
        return [Message(role="system", content=self.system), *self.messages] if self.system else list(self.messages)

    def _trim(self) -> None:
        """Compact until the budget is met; as only the newest turns are left after one pass, there is never a second."""
        settings = {"max_input_tokens": self.max_input_tokens, "keep_recent_turns": self.keep_recent_turns}
        rules = policy("minimal_agent.rolling", **settings)
        while self.count_tokens() > self.max_input_tokens:
            if not self._compact_by(rules):
                break

    def _compact_by(self, rules: Policy) -> bool:
        """Let the policy act on the conversation now; whether it did."""
        window = whole(list(self.messages), [_TOKENS.count(m) for m in self.messages])
        found = compact_window(window, rules, meter=_TOKENS, summarizer=self._summarize, force=True, raises=True)
        if found.acted:
            self.messages, self.last_compaction = found.after, found
        return found.acted

    def _summarize(self, messages: Sequence[Message], prior: str | None) -> str:
        request = [*messages, Message(role="user", content=ASK)]
        return self.llm.complete(messages=request, tools=[]).content


class _ChatContext(Context, Watcher):
    """The agent's own messages as a context: a turn begins with the budget, and each reply says what was read."""

    def __init__(self, agent: ChatAgent) -> None:
        self.agent = agent

    def messages(self) -> list[Message]:
        return self.agent._sent()

    def append(self, message: Message) -> Message:
        self.agent.messages.append(message)
        return message

    def maybe_compact(self, phase: Phase) -> Compaction | None:
        if phase == "turn_start":
            self.agent._trim()
        return None

    def arrived(self, message: Message) -> None:
        if message.usage:
            self.agent.last_input_tokens = message.usage.prompt
