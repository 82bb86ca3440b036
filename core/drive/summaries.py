"""What writes the summaries of a live run: the model that drives it, or one that needs none."""

from collections.abc import Callable, Sequence
from typing import Any

from core.events import CompactionPhase
from core.llm.protocol import LLM, Streams
from core.memory import summary_request
from core.model import Message
from core.summarizers import Summarizer

BY_MODEL = "model"

Tell = Callable[[CompactionPhase, dict[str, Any]], None]


class ByModel:
    """Asks the model: one user message that quotes what is folded, no tools. `asked` and `answered` hear of each request."""

    name = BY_MODEL

    def __init__(
        self,
        llm: LLM,
        cancelled: Callable[[], bool],
        asked: Callable[[Message], None],
        answered: Callable[[Message], None],
    ) -> None:
        self.llm, self.cancelled, self.asked, self.answered = llm, cancelled, asked, answered

    def __call__(self, messages: Sequence[Message], prior: str | None = None) -> str:
        """The model's summary. Raises what it raises."""
        before = f"An earlier summary, which this one replaces:\n{prior}\n\n" if prior else ""
        request = Message(role="user", content=_first_line_first(summary_request(messages), before))
        self.asked(request)
        reply = self._reply(request)
        self.answered(reply)
        return reply.content

    def _reply(self, request: Message) -> Message:
        if isinstance(self.llm, Streams):
            return self.llm.stream([request], [], lambda text: None, self.cancelled)
        return self.llm.complete([request], [])


def _first_line_first(request: str, before: str) -> str:
    """The request with the earlier summary behind its first line, which says what is wanted."""
    first, _, rest = request.partition("\n\n")
    return f"{first}\n\n{before}{rest}"


class Phased:
    """A summarizer that says how far the compaction has come: what goes is known when it is asked, the text when it is done."""

    def __init__(self, write: Summarizer, tell: Tell) -> None:
        self.write, self.tell = write, tell
        self.name = getattr(write, "name", type(write).__name__)

    def __call__(self, messages: Sequence[Message], prior: str | None = None) -> str:
        """What the other one writes."""
        self.tell("partition", {"messages": len(messages), "first": messages[0].id if messages else ""})
        text = self.write(messages, prior)
        self.tell("summarise", {"by": self.name, "text": text})
        return text
