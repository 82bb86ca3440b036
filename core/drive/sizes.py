"""How large the next prompt is, by every count there is: the run's meter, and the provider's own where that is asked for."""

import json
from collections.abc import Callable

from core.course import Course
from core.drive.board import Board
from core.drive.state import Sized
from core.drive.stoppable import stoppable
from core.errors import FoldlineError
from core.llm.protocol import LLM, Counts
from core.model import Message
from core.tools import ToolRegistry


class Sizes:
    """Keeps `state.next` true. With `first` the provider counts each prompt before it is sent: method A of the seed."""

    def __init__(
        self, board: Board, course: Course, llm: LLM, tools: ToolRegistry, first: bool, cancelled: Callable[[], bool]
    ) -> None:
        self._board, self._course, self.llm, self._tools = board, course, llm, tools
        self._first, self._cancelled = first, cancelled
        self._schemas = -1
        self._counted: tuple[int, int | None] | None = None  # at which step, and what

    def look(self) -> Sized:
        """The next prompt by the run's meter, and as it was counted, if it has not changed since."""
        with self._board.lock:
            course = self._course
            counted = self._counted[1] if self._counted and self._counted[0] == course.steps else None
            self._board.state.next = found = Sized(len(course), course.tokens(), self._of_tools(), counted)
            return found

    def count(self) -> Sized:
        """The same, counted by the provider first where that is wanted; an answer that fails to come stops nothing."""
        known = self._counted is not None and self._counted[0] == self._course.steps
        if self._first and not known and isinstance(self.llm, Counts):
            self._board.doing("counting")
            self._counted = (self._course.steps, self._asked(self.llm))
        return self.look()

    def _asked(self, llm: Counts) -> int | None:
        messages, specs = self._course.messages(), self._tools.specs()
        try:
            return stoppable(lambda: llm.count_tokens(messages, specs), self._cancelled)
        except FoldlineError:
            return None

    def _of_tools(self) -> int:
        """The tokens of the tools' schemas, as JSON."""
        if self._schemas < 0:
            texts = (json.dumps(spec, ensure_ascii=False) for spec in self._tools.specs())
            self._schemas = sum(self._course.meter.count(Message(role="system", content=text)) for text in texts)
        return self._schemas
