"""Where a live run waits: by hand, in step mode, at a breakpoint. While it waits, what a person changes is done at once."""

import threading

from core.course import Course
from core.drive.board import Board
from core.drive.breakpoints import Breakpoints
from core.drive.edits import Edits
from core.drive.journal import Journal
from core.drive.sizes import Sizes
from core.events import Paused


class Gate:
    """Holds the loop up before model calls and tools. `cancel` lets it through, to be stopped behind it."""

    def __init__(
        self, board: Board, journal: Journal, course: Course, edits: Edits, sizes: Sizes, cancel: threading.Event
    ) -> None:
        self._board, self._journal, self._course = board, journal, course
        self._edits, self._sizes, self.cancel = edits, sizes, cancel
        self.breakpoints = Breakpoints()
        self._go = threading.Event()
        self._asked = self._one_step = self._step_made = False
        self._shown: tuple[int, int] | None = None

    def reset(self) -> None:
        """A turn begins, or is gone on with: nothing asked for before holds any more, but for one step."""
        self.cancel.clear()
        self._go.clear()
        self._asked = False

    def ask(self) -> None:
        """Pause at the next opportunity."""
        self._asked = True

    def take_back(self) -> None:
        """Do not, after all."""
        self._asked = False

    def one_step(self) -> None:
        """Pause before the call that comes after the next reply."""
        self._one_step, self._step_made = True, False

    def replied(self) -> None:
        """The model has answered."""
        self._step_made = self._one_step

    def open(self) -> None:
        """Let a run that waits go on."""
        self._go.set()

    def before_call(self) -> bool:
        """Make the changes that wait, then pause if there is a reason to; True where the window may be another one now."""
        if self._edits.make():
            return True
        self._sizes.look()
        why = self._reason()
        if not why:
            return self._keep_pace()
        self._wait(why)
        return self._edits.make()

    def before_tool(self, name: str) -> None:
        """Pause if somebody asked to, or a breakpoint is on this tool."""
        why = "paused by hand" if self._asked else self.breakpoints.before_tool(name)
        if why:
            self._board.state.tool = name
            self._wait(why)
            self._board.state.tool = ""

    def _reason(self) -> str:
        """Why to pause before the call that comes next; the same call and window are paused at once."""
        state = self._board.state
        here = (state.calls, self._course.steps)
        hit = self.breakpoints.before_call(self._course.tokens())
        if self._shown == here and not self._asked:
            return ""
        self._shown = here
        if self._asked:
            return "paused by hand"
        return hit or ("step mode" if state.stepping else "one step made" if self._step_made else "")

    def _keep_pace(self) -> bool:
        state = self._board.state
        if state.pace and state.calls:
            self._board.doing("waiting, as the pace wants it")
            self.cancel.wait(state.pace)
        return self._edits.make() or self._asked

    def _wait(self, why: str) -> None:
        self._journal.write(Paused(why=why))
        self._asked = self._one_step = self._step_made = False
        self._go.clear()
        self._board.state.why = why
        self._sizes.count()
        self._board.show("paused")
        self._until_let_go()
        with self._board.lock:
            self._board.state.why, self._shown = "", (self._board.state.calls, self._course.steps)
        self._board.show("running")

    def _until_let_go(self) -> None:
        while not self._go.is_set() and not self.cancel.is_set():
            self._edits.make()
            with self._board.changed:
                if not self._go.is_set() and self._edits.none:
                    self._board.changed.wait(0.1)
