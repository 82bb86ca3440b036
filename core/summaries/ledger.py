"""What a summary keeps account of, message after message.

A ledger is read from the text of the summary before it (`core.summaries.reading`), takes the facts of what is folded now, and
is written down within a limit (`core.summaries.writing`). So summaries of summaries stay bounded, and what was said first is
still there after many.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from core.summaries.actions import Call
from core.summaries.doubts import denied, telling_words
from core.summaries.facts import Facts
from core.summaries.outcomes import Outcome
from core.summaries.phrases import FOUND, ONLY_NOTED, SUCCESS
from core.summaries.quotes import NOTHING, Exchange, Quote, Span
from core.summaries.statements import Stated
from core.summaries.turn import Turn

SETTLED = "passes again: "  # in front: cut short, a settled error must not look like an open one


class Touched(NamedTuple):
    """How often a file was edited and read."""

    edited: int = 0
    read: int = 0

    def note(self) -> str:
        """In words: "edited 3×, read"."""
        return _touched(self.edited, self.read)

    def and_then(self, more: "Touched") -> "Touched":
        """Both together."""
        return Touched(self.edited + more.edited, self.read + more.read)

    def without(self, less: "Touched") -> "Touched":
        """What is left of both together."""
        return Touched(self.edited - less.edited, self.read - less.read)


class Ran(NamedTuple):
    """How often a command ran and how that went, the first and the last time; `source` is the last message on it."""

    times: int = 0
    first: str = ""
    last: str = ""
    source: str = ""

    def and_then(self, more: "Ran") -> "Ran":
        """Both together: what is known of the later runs comes last."""
        return Ran(self.times + more.times, self.first or more.first, more.last or self.last, more.source)

    def note(self) -> str:
        """In words: "3×: 2 failed; then 15 passed"."""
        how = self.last if self.first in ("", self.last) else f"{self.first}; then {self.last}"
        how = "" if how == "ok" else how
        return f"{self.times}×{': ' if how else ''}{how}" if self.times > 1 else how


@dataclass
class Ledger:
    """Everything a summary may say, in order of time; dictionaries are ordered by last use.

    `spans` are the first and last messages of the sections that gather many into one line.
    """

    task: Exchange = field(default_factory=lambda: Exchange(NOTHING))
    rules: dict[str, Quote] = field(default_factory=dict)
    told: dict[str, Quote] = field(default_factory=dict)
    decisions: dict[str, Quote] = field(default_factory=dict)
    found: dict[str, Quote] = field(default_factory=dict)
    requests: dict[str, Exchange] = field(default_factory=dict)
    files: dict[str, Touched] = field(default_factory=dict)
    commands: dict[str, Ran] = field(default_factory=dict)
    results: dict[str, Quote] = field(default_factory=dict)
    searches: dict[str, None] = field(default_factory=dict)
    looks: dict[str, None] = field(default_factory=dict)
    error: Quote = NOTHING
    failing: str = ""
    slips: dict[str, Quote] = field(default_factory=dict)
    standing: Quote = NOTHING
    next: Quote = NOTHING
    waiting: dict[str, tuple[Call, str]] = field(default_factory=dict)
    earlier: Quote = NOTHING
    more: dict[str, tuple[int, bool]] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict)
    turn: Turn = field(default_factory=Turn)
    answered: Exchange | None = None
    this_turn: set[str] = field(default_factory=set)
    plan: str = ""

    def take(self, facts: Facts, source: str) -> None:
        """Account for one message; `source` is its id as cited."""
        if facts.by == "tool":
            self._take_result(facts.outcome, source)
        elif facts.by == "assistant":
            self._take_reply(facts, source)
        elif facts.by == "user":
            self._take_user(facts, source)
        elif facts.by == "harness":  # what follows may answer it, and not the user
            self.close_turn()

    def resume(self, open: bool) -> None:
        """Go on where the summary before ended; `open` says that its last request may still be at work."""
        newest = next(reversed(self.requests.values()), self.task)
        self.answered = newest if newest.answer.text else None
        self.turn.working = open

    def _take_user(self, facts: Facts, source: str) -> None:
        self.next = NOTHING
        if facts.stops:
            self.turn.stop()
            return
        if facts.objects:
            self._doubt_this_turn()
        else:
            self.close_turn()
        self._doubt_what_is_denied(facts)
        self.this_turn.clear()
        first = not self.task.ask.text and not facts.command
        if not (first and facts.states.only):
            _note(self.rules, facts.states.rules, source)
            _note(self.told, facts.states.told, source)
        _note(self.decisions, facts.decisions, source)
        self.turn.ask(self._request(facts, source, first) if facts.ask else None)

    def _request(self, facts: Facts, source: str, first: bool) -> Exchange | None:
        """The request of a message: the task if it is the first; None where there is none, or it is the task again."""
        asked = Exchange(Quote(facts.ask, source))
        if first:
            self.task = asked
            return asked
        if facts.states.only or self.task.ask.text.startswith(facts.ask):
            return None
        self.requests.pop(facts.ask_key, None)
        self.requests[facts.ask_key] = asked
        return asked

    def close_turn(self) -> None:
        """What closed the turn answers the request it began with; said there, it need not be said again."""
        if done := self.turn.close():
            self.answered = done
            self.standing = NOTHING if self.standing.source == done.answer.source else self.standing

    def _doubt_this_turn(self) -> None:
        """The user does not accept what was said: nothing that the turn came to is told, and no success before it.

        Which of them is meant nobody can tell: "The tests still fail" may come one exchange late.
        """
        if not self.turn.reply.text and self.answered:
            self.answered.answer = NOTHING
        self.turn.stop()
        self._doubt_success()
        for key in self.this_turn:
            self.found.pop(key, None)
            self.decisions.pop(key, None)

    def _take_reply(self, facts: Facts, source: str) -> None:
        if facts.retracts:
            self._take_back(facts)
        self._doubt_what_is_denied(facts)
        self._conclude(facts, source)
        if facts.said:
            self.standing = Quote(facts.said, source)
        self.turn.say(answer_of(facts, source), bool(facts.calls))
        self._take_next(facts, source)
        for call in facts.calls:
            self._call(call, source)

    def _take_next(self, facts: Facts, source: str) -> None:
        """A plan holds until the turn ends; anything else announced holds only as long as nothing comes behind it."""
        if facts.plan is not None:
            self.plan, self.next = source, Quote(facts.plan, source)
        planned = self.next if self.next.source == self.plan else NOTHING
        ends = facts.said and not facts.calls
        self.next = Quote(facts.intent, source) if facts.intent else NOTHING if ends else planned

    def _take_back(self, facts: Facts) -> None:
        """A reply says that an earlier one was wrong: the newest, one that claims a success, or one on the same subject."""
        if self.answered:
            self.answered.answer = NOTHING
        about = telling_words(facts.said)
        self._doubt(lambda text: bool(SUCCESS.search(text) or about & telling_words(text)))

    def _doubt_what_is_denied(self, facts: Facts) -> None:
        """What a message denies is told no longer; and no success where it says that something fails."""
        if facts.fails:
            self._doubt_success()
        if facts.denies:
            self._doubt(lambda text: denied(text, facts.denies))

    def _conclude(self, facts: Facts, source: str) -> None:
        """What a reply found out takes the place of all found before it, and of answers that say so: it may contradict them."""
        if facts.found:
            self.found = {key: one for key, one in self.found.items() if key in dict(facts.found)}
            self._doubt_answers(lambda text: bool(FOUND.search(text)))
        for kept, new in ((self.decisions, facts.decisions), (self.found, facts.found)):
            if not new:
                continue
            self.this_turn |= {key for key, _ in new if key not in kept}
            _note(kept, new, source)

    def _call(self, call: Call, source: str) -> None:
        if call.kind in ("read", "edit"):
            for path in call.targets:
                self.files[path] = self.files.pop(path, _UNTOUCHED).and_then(_TOUCHED[call.kind])
            self._gather("files", source)
        elif call.kind == "command":
            ran = self.commands.pop(call.targets[0], _NOT_RAN)
            self.commands[call.targets[0]] = Ran(ran.times + 1, ran.first, ran.last, source)
        elif call.kind in ("search", "look"):
            name = "searches" if call.kind == "search" else "looks"
            kept = self.searches if call.kind == "search" else self.looks
            kept.pop(call.targets[0], None)
            kept[call.targets[0]] = None
            self._gather(name, source)
        if call.kind not in ("plan", "silent"):
            self.waiting[call.id] = (call, source)

    def _gather(self, name: str, source: str) -> None:
        self.spans[name] = self.spans.get(name, Span()).extended_to(source)

    def _take_result(self, outcome: Outcome | None, source: str) -> None:
        if outcome and outcome.by_user:
            self.turn.stop()  # what follows answers what was said here
        self.turn.work()
        if self.next.source != self.plan:
            self.next = NOTHING  # it was under way, and has come to something
        if not outcome:
            return
        call, _ = self.waiting.pop(outcome.call, (None, ""))
        if is_doubtful(call, outcome):
            self._doubt_success()
        if call and outcome.undone:
            self._untouch(call)
        if call and call.targets:
            self._take_outcome(call, outcome, source)

    def _untouch(self, call: Call) -> None:
        """A call failed or was declined: it is no read or edit of its files."""
        for path in call.targets if call.kind in _TOUCHED else ():
            left = self.files[path].without(_TOUCHED[call.kind])
            if any(left):
                self.files[path] = left
            else:
                del self.files[path]

    def _take_outcome(self, call: Call, outcome: Outcome, source: str) -> None:
        target = call.targets[0]
        if call.kind == "command":
            self._take_command(target, outcome, source)
        elif outcome.failed:
            self.slips[call.kind] = Quote(f"{outcome.error or 'it failed'} (on {target})", source)
            self.standing = NOTHING
        else:
            self.slips.pop(call.kind, None)
            self.standing = NOTHING if call.kind == "edit" else self.standing  # said of what has changed since
            if call.kind == "other" and not outcome.first.startswith("Async agent launched"):
                self.results.pop(target, None)
                self.results[target] = Quote(outcome.first or "(empty)", source)

    def _take_command(self, command: str, outcome: Outcome, source: str) -> None:
        if ran := self.commands.get(command):
            how = outcome.counts or ("failed" if outcome.command_failed else "ok")
            self.commands[command] = Ran(ran.times, ran.first or how, how, source)
        if outcome.command_failed:
            text = f"{outcome.error or outcome.counts or 'failed'} (from `{command}`)"
            self.error, self.failing = Quote(text, source), command
        elif self.failing == command:
            self.settle(source)

    def settle(self, source: str) -> None:
        """The command that failed last has passed."""
        self.error, self.failing = Quote(f"{SETTLED}{self.error.text}", source), ""

    def _doubt_success(self) -> None:
        """Something failed: what was said to pass or to be done may not hold any longer."""
        self.standing = NOTHING
        self._doubt(lambda text: bool(SUCCESS.search(text)))

    def _doubt(self, applies: Callable[[str], bool]) -> None:
        """Tell no longer what a later message contradicts, wherever it stands; `applies` picks it by its text."""
        self._doubt_answers(applies)
        self.found = {key: one for key, one in self.found.items() if not applies(one.text)}
        if applies(self.standing.text):
            self.standing = NOTHING

    def _doubt_answers(self, applies: Callable[[str], bool]) -> None:
        for one in (self.task, *self.requests.values()):
            if one.answer.text and applies(one.answer.text):
                one.answer = NOTHING
        if applies(self.turn.reply.text):
            self.turn.doubt()


def answer_of(facts: Facts, source: str) -> Quote:
    """What a reply may answer a request with; no text where it only takes note, or asks back."""
    empty = ONLY_NOTED.fullmatch(facts.said) or facts.said.endswith("?")
    return Quote("" if empty else facts.said, source)


def is_doubtful(call: Call | None, outcome: Outcome) -> bool:
    """Whether a result makes earlier successes doubtful: tests failed, or anything but a look at something did.

    A file may hold the word error and be no failure, so only of a command the text alone decides.
    """
    kind = call.kind if call else ""
    if kind == "command" or (kind == "other" and outcome.counts):
        return outcome.command_failed
    return outcome.failed and (bool(outcome.counts) or kind not in ("read", "search", "look"))


@lru_cache(maxsize=1024)
def _touched(edited: int, read: int) -> str:
    pairs = (("edited", edited), ("read", read))
    return ", ".join(word if times == 1 else f"{word} {times}×" for word, times in pairs if times)


_UNTOUCHED, _NOT_RAN = Touched(), Ran()
_TOUCHED = {"read": Touched(read=1), "edit": Touched(edited=1)}


def _note(kept: dict[str, Quote], stated: Stated, source: str) -> None:
    """Keep what is stated; the same in other words, with another amount perhaps, takes the place of what was there."""
    for key, text in stated:
        if key not in kept or kept[key].text != text:
            kept[key] = Quote(text, source)
