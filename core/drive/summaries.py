"""What writes the summaries of a live run: the model that drives it, or an offline summarizer."""

from collections.abc import Sequence

from core.agents.memory import summary_request
from core.drive.live_run import LiveRun
from core.drive.observer import RunObserver
from core.drive.recorded_model import RecordedModel
from core.model.session import Message
from core.summaries.summarizers import Summarizer, summarizer

BY_MODEL = "model"


class ByModel:
    """Asks the run's model, with one user message that quotes what is summarized, and without tools."""

    name = BY_MODEL

    def __init__(self, model: RecordedModel, observer: RunObserver) -> None:
        self._model, self._observer = model, observer

    def __call__(self, messages: Sequence[Message], prior: str | None = None) -> str:
        """The model's summary. Raises what the model raises."""
        before = f"An earlier summary, which this one replaces:\n{prior}\n\n" if prior else ""
        request = Message(role="user", content=_after_first_line(summary_request(messages), before))
        self._observer.summary_requested(request)
        reply = self._model.summary(request, self._observer.cancelled)
        self._observer.summary_written(reply)
        return reply.content


def _after_first_line(request: str, text: str) -> str:
    """The request with a text after its first line, which says what is wanted."""
    first, _, rest = request.partition("\n\n")
    return f"{first}\n\n{text}{rest}"


class PhaseReporting:
    """A summarizer that tells the observer when messages are chosen and when their summary is written."""

    def __init__(self, write: Summarizer, observer: RunObserver) -> None:
        self._write, self._observer = write, observer
        self.name = getattr(write, "name", type(write).__name__)

    def __call__(self, messages: Sequence[Message], prior: str | None = None) -> str:
        """The summary that the wrapped summarizer writes."""
        self._observer.phase("partition", {"messages": len(messages), "first": messages[0].id if messages else ""})
        text = self._write(messages, prior)
        self._observer.phase("summarise", {"by": self.name, "text": text})
        return text


def summarizer_of(run: LiveRun, observer: RunObserver, model: RecordedModel) -> PhaseReporting:
    """The summarizer that the run's settings name; it reports its phases to the observer."""
    name = run.settings.summaries
    return PhaseReporting(ByModel(model, observer) if name == BY_MODEL else summarizer(name), observer)
