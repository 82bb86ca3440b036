"""The size of the next prompt, by the run's meter and, where the settings ask for it, by the provider."""

import json

from core.drive.live_run import LiveRun
from core.drive.state import PromptSize
from core.drive.stoppable import stoppable
from core.llm.protocol import Counts
from core.model.errors import FoldlineError
from core.model.session import Message


class PromptSizes:
    """Keeps `state.next_prompt` up to date. With `count_first` the provider counts each prompt before it is sent."""

    def __init__(self, run: LiveRun) -> None:
        self._run = run
        self._tool_tokens = -1
        self._counted_at: tuple[int, int] | None = None  # the moment of the provider's last count
        self._counted: int | None = None

    def update(self) -> PromptSize:
        """The next prompt by the run's meter, with the provider's count if nothing has changed since."""
        run, context = self._run, self._run.context
        with run.lock:
            counted = self._counted if self._counted_at == context.moment else None
            run.state.next_prompt = size = PromptSize(len(context), context.tokens(), self._of_tools(), counted)
            return size

    def count(self) -> PromptSize:
        """The same, counted by the provider first where the settings ask for it. A count that fails stops nothing."""
        run = self._run
        if run.settings.count_first and self._counted_at != run.context.moment and isinstance(run.llm, Counts):
            run.status.set_activity("counting")
            self._counted_at, self._counted = run.context.moment, self._by_provider(run.llm)
        return self.update()

    def _by_provider(self, llm: Counts) -> int | None:
        messages, specs = self._run.context.messages(), self._run.tools.specs()
        try:
            return stoppable(lambda: llm.count_tokens(messages, specs), self._run.cancel.is_set)
        except FoldlineError:
            return None

    def _of_tools(self) -> int:
        """The tokens of the tools' schemas, as JSON."""
        if self._tool_tokens < 0:
            texts = (json.dumps(spec, ensure_ascii=False) for spec in self._run.tools.specs())
            count = self._run.context.meter.count
            self._tool_tokens = sum(count(Message(role="system", content=text)) for text in texts)
        return self._tool_tokens
