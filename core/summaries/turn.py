"""Which request a reply belongs to, as far as the order of messages tells it without doubt."""

from dataclasses import dataclass

from core.summaries.quotes import NOTHING, Exchange, Quote

_FAR = (
    60  # calls and results: the reply behind so much work reports on that, and answers no question asked in front of it
)


@dataclass
class Turn:
    """From a request to the reply that closes it: one without calls, behind which no work comes.

    Where a request comes before the one in front of it was answered, the reply may be to either: then it is paired with none.
    `working` says that a closing reply is still to come.
    """

    asked: Exchange | None = None
    reply: Quote = NOTHING
    working: bool = False
    work_done: int = 0

    def ask(self, request: Exchange | None) -> None:
        """A user's message begins a turn; None for one that is no request."""
        self.asked = None if self.working else request
        self.reply, self.working, self.work_done = NOTHING, True, 0

    def say(self, reply: Quote, calls: bool) -> None:
        """The reply of the turn so far: the first of those that end it, as its first words decide what it says."""
        if calls:
            self.work()
        else:
            self.reply, self.working = self.reply if self.reply.text else reply, False

    def doubt(self) -> None:
        """What is said next contradicts the reply of the turn so far, and takes its place."""
        self.reply = NOTHING

    def work(self, times: int = 1) -> None:
        """Work goes on: what was said so far did not close the turn."""
        self.reply, self.working, self.work_done = NOTHING, True, self.work_done + times

    def close(self) -> Exchange | None:
        """Put the reply beside its request; the exchange where that was possible. What follows belongs to neither."""
        done = self.asked if self._answered() else None
        if done:
            done.answer = self.reply
        if not self.working:
            self.asked, self.reply = None, NOTHING
        return done

    def _answered(self) -> bool:
        if not self.asked or not self.reply.text or self.working:
            return False
        return self.work_done < _FAR or "?" not in self.asked.ask.text

    def stop(self) -> None:
        """The turn was broken off: nothing answers its request any more."""
        self.asked, self.reply, self.working = None, NOTHING, False
