"""What a person changes in the window of a live run. The thread that drives makes the changes, between two model calls."""

from collections.abc import Iterable, Sequence

from core.drive.live_run import LiveRun
from core.drive.observer import RunObserver
from core.drive.restore import waiting_calls
from core.model.errors import RunError
from core.trace.events import Compacted, Pinned, Undone


class WindowEdits:
    """Compacts, drops, undoes and pins. Each edit is recorded, and raises RunError where it is impossible."""

    def __init__(self, run: LiveRun, observer: RunObserver) -> None:
        self._run, self._observer = run, observer

    def compact(self) -> None:
        """Compact now, whether or not the policy is due."""
        context = self._run.context
        self._refuse_while_a_tool_runs(range(len(context.base.messages)))
        self._observer.begin_compaction()
        found = context.compact()
        if found.acted or found.status in ("failed", "inflated"):
            self._observer.compacted(found)
        self._run.status.set_activity("")
        if not found.acted:
            all_pinned = found.status == "nothing_to_do"
            hint = "unpin a message, or wait for more messages" if all_pinned else "try again, or choose another policy"
            raise RunError(f"nothing was compacted: {found.reason}", hint)

    def drop(self, places: Sequence[int], added: Sequence[int] = ()) -> None:
        """Take messages out of the window, tool pairs as a whole."""
        context = self._run.context
        self._refuse_while_a_tool_runs(place for place in places if place < len(context.base.messages))
        self._run.journal.write(Compacted(compaction=context.drop(places, added)))

    def undo(self) -> None:
        """Take back the newest removal, unless a model call was sent without what it removed."""
        self._run.journal.write(Undone(at=self._run.context.undo().at))

    def pin(self, places: Sequence[int], on: bool) -> None:
        """Pin messages, or unpin them, tool pairs as a whole."""
        context = self._run.context
        pinned = context.pin(places, on)
        self._run.journal.keep(Pinned(ids=tuple(context.base.messages[place].id for place in sorted(pinned))))

    def _refuse_while_a_tool_runs(self, places: Iterable[int]) -> None:
        """A call that waits for its result stays: the result would be an orphan."""
        messages = self._run.context.base.messages
        waiting = {call.id for call in waiting_calls(messages)}
        if any(call.id in waiting for place in places for call in messages[place].tool_calls):
            raise RunError("a tool is still running", "let it finish, or stop the turn")
