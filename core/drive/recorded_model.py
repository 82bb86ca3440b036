"""The model of a live run, with each of its calls recorded: request and reply as sent, times, attempts."""

from collections.abc import Callable
from contextlib import suppress

from core.drive.call_files import CallFiles, kept_call
from core.drive.live_run import LiveRun
from core.llm.exchange import Exchange, exchanging
from core.llm.masking import masked_json, masker
from core.llm.protocol import Cancelled, Messages, OnText, Shows, Streams, Tools
from core.model.errors import BrokenPairError, RunCancelledError, format_error
from core.model.session import Message
from core.trace.events import CallAttempt, Exchanged, Purpose


class RecordedModel:
    """Asks the model that the run has now, and records what went over the wire. `files` None keeps no request and no reply."""

    def __init__(self, run: LiveRun, files: CallFiles | None) -> None:
        self._run, self._files = run, files

    def complete(self, messages: Messages, tools: Tools = ()) -> Message:
        """The reply, in one piece. Raises what the model raises."""
        return self.stream(messages, tools, lambda text: None, self._run.cancel.is_set)

    def stream(self, messages: Messages, tools: Tools, on_text: OnText, cancelled: Cancelled) -> Message:
        """The reply; its text goes to `on_text` as it comes. Raises what the model raises."""
        return self._ask("reply", messages, tools, on_text, cancelled)

    def summary(self, request: Message, cancelled: Cancelled) -> Message:
        """The reply to a request for a summary. Raises what the model raises."""
        return self._ask("summary", [request], (), lambda text: None, cancelled)

    def _ask(
        self, purpose: Purpose, messages: Messages, tools: Tools, on_text: OnText, cancelled: Cancelled
    ) -> Message:
        call = _Call(self._run, purpose, messages, tools)
        try:
            with exchanging(call.exchange):
                reply = call.reply = self._reply(messages, tools, _both(call.exchange.note_text, on_text), cancelled)
        except BrokenPairError:  # nothing was sent
            raise
        except RunCancelledError:
            self._record(call, call.over("stopped"))
            raise
        except Exception as error:
            with suppress(Exception):  # an error of the file itself is told with the next event
                self._record(call, call.over("failed", format_error(error)))
            raise
        self._record(call, call.over("answered"))
        return reply

    def _reply(self, messages: Messages, tools: Tools, on_text: OnText, cancelled: Cancelled) -> Message:
        llm = self._run.llm
        if isinstance(llm, Streams):
            return llm.stream(messages, tools, on_text, cancelled)
        return llm.complete(messages, tools)

    def _record(self, call: "_Call", event: Exchanged) -> None:
        unkept = self._keep(call)
        event = event.model_copy(update={"unkept": unkept})
        with self._run.lock:
            self._run.exchanges.append(event)
        self._run.journal.write(event)

    def _keep(self, call: "_Call") -> str:
        """Keep request and reply; why that failed, or ""."""
        if self._files is None:
            return "this run does not keep its requests"
        try:
            self._files.write(call.number, kept_call(call.request(), call.answer()))
        except (OSError, ValueError, RecursionError) as error:  # a reply may be nested deeper than JSON can be written
            return f"the request could not be written: {getattr(error, 'strerror', None) or format_error(error)}"
        return ""


class _Call:
    """One call: what it is asked, and what comes of it."""

    def __init__(self, run: LiveRun, purpose: Purpose, messages: Messages, tools: Tools) -> None:
        self.run, self.purpose, self.messages, self.tools = run, purpose, messages, tools
        self.number, self.at = run.state.calls, len(run.context.base.messages)
        self.exchange, self.llm = Exchange(on_next_try=run.status.set_next_try), run.llm
        self.reply: Message | None = None

    def over(self, outcome: str, problem: str = "") -> Exchanged:
        """The call as an event, from now on without change."""
        found = self.exchange
        return Exchanged.model_validate(
            {
                "number": self.number,
                "purpose": self.purpose,
                "at": self.at,
                "seconds": round(found.seconds, 3),
                "first": None if found.first is None else round(found.first, 3),
                "url": found.url,
                "attempts": [CallAttempt(**vars(attempt)) for attempt in [*found.attempts]],
                "outcome": outcome,
                "problem": problem,
            }
        )

    def request(self) -> object:
        """What was sent; of a model that does not say, what it was given, as it or foldline would write it."""
        if self.exchange.request is not None:
            return self.exchange.request
        if isinstance(self.llm, Shows):
            given = self.llm.request(self.messages, self.tools, isinstance(self.llm, Streams))
        else:
            given = {"messages": [m.model_dump(exclude_defaults=True) for m in self.messages], "tools": [*self.tools]}
        return masked_json(given, masker())

    def answer(self) -> object:
        """What came; of a model that does not say, the message that it gave."""
        if self.exchange.reply is not None or self.reply is None:
            return self.exchange.reply
        return masked_json(self.reply.model_dump(mode="json", exclude_defaults=True), masker())


def _both(note_text: Callable[[], None], on_text: OnText) -> OnText:
    def hear(text: str) -> None:
        note_text()
        on_text(text)

    return hear
