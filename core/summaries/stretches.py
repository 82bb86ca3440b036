"""Messages in a row that are taken into a ledger at once.

Most messages only add to a ledger: a call, its result, a request, a reply. What a stretch of such messages adds is worked out
once, by a ledger whose own content is unknown. To join it to a ledger then costs little more than one message, and comes to
exactly the same. Messages that may take something back are taken one by one.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from core.summaries.facts import Facts
from core.summaries.ledger import Ledger, Ran, Touched, answer_of, is_doubtful
from core.summaries.outcomes import Outcome
from core.summaries.quotes import NOTHING, Exchange, Quote, Span
from core.summaries.turn import Turn

SHORTEST = 4
"""Messages in a stretch that is worth it."""

T = TypeVar("T")

_UNKNOWN = Quote("\0", "\0")
_SLIPS = ("read", "edit", "search", "look", "other")


class Single(NamedTuple):
    """One message, to be taken by itself; `source` is its id as cited."""

    facts: Facts
    source: str


class Stretch(NamedTuple):
    """What messages in a row, none of which takes anything back, add to a ledger.

    `turns` is how the turn goes on that they begin in: how much work was done, and what was said at the end of it. `standing`
    is what they say in it. `told` is what a ledger of unknown content held behind them; of its conversation only what comes
    behind the first request among them counts, if there is one: then it is `asked`.
    """

    singles: tuple[Single, ...]
    size: int
    turns: tuple[tuple[int, Quote | None], ...]
    standing: Quote
    asked: bool
    told: Ledger
    asks: tuple[str, ...]
    calls: frozenset[str]
    announced: frozenset[str]
    passed: dict[str, str]
    variants: dict[frozenset[str], "Stretch"]

    def join(self, ledger: Ledger) -> None:
        """Account for the messages, as `take` does for one after the other."""
        if not self.suits(ledger):
            for facts, source in self.singles:
                ledger.take(facts, source)
            return
        task = ledger.task.ask
        if self.asked and task.text.startswith(self.asks):
            self._where_asked_again(task).join_known(ledger)
        else:
            self.join_known(ledger)

    def _where_asked_again(self, task: Quote) -> "Stretch":
        """The stretch under a task that some of its requests repeat."""
        again = frozenset(filter(task.text.startswith, self.asks))
        if again not in self.variants:
            self.variants[again] = Draft.of(self.singles, task).stretch()
        return self.variants[again]

    def join_known(self, ledger: Ledger) -> None:
        """Account for the messages, in a ledger on which what they add does not depend."""
        self.join_turn(ledger)
        if self.asked:
            self.join_requests(ledger)
        self.join_work(ledger)
        self.join_results(ledger)

    def suits(self, ledger: Ledger) -> bool:
        """Whether what is known does not depend on what stands in this ledger."""
        if ledger.plan in self.announced or not self.calls.isdisjoint(ledger.waiting):
            return False
        return not self.asked or bool(ledger.task.ask.text)

    def join_turn(self, ledger: Ledger) -> None:
        """How the open turn goes on."""
        if not self.turns:
            return
        turn, planned = ledger.turn, ledger.next if ledger.next.source == ledger.plan else NOTHING
        for worked, reply in self.turns:
            if worked:
                turn.work(worked)
            if reply is not None:
                turn.say(reply, False)
        ledger.standing = ledger.standing if self.standing is _UNKNOWN else self.standing
        ledger.next = planned if self.told.next is _UNKNOWN else self.told.next

    def join_requests(self, ledger: Ledger) -> None:
        """The turn that was open ends with the first request; all behind it is known."""
        told = self.told
        ledger.close_turn()
        ledger.this_turn.clear()
        made = {id(one): Exchange(one.ask, one.answer) for one in told.requests.values()}
        for key, one in told.requests.items():
            ledger.requests.pop(key, None)
            ledger.requests[key] = made[id(one)]
        if told.answered:
            ledger.answered = made.get(id(told.answered)) or Exchange(told.answered.ask, told.answered.answer)
        asked = made[id(told.turn.asked)] if told.turn.asked else None
        ledger.turn = Turn(asked, told.turn.reply, told.turn.working, told.turn.work_done)
        ledger.standing = ledger.standing if told.standing is _UNKNOWN else told.standing

    def join_work(self, ledger: Ledger) -> None:
        """Files, commands and searches."""
        told = self.told
        _put_behind(ledger.files, told.files, Touched.and_then)
        _put_behind(ledger.commands, told.commands, Ran.and_then)
        _put_behind(ledger.searches, told.searches)
        _put_behind(ledger.looks, told.looks)
        for name, span in told.spans.items():
            ledger.spans[name] = Span(ledger.spans.get(name, span).first or span.first, span.last)
        ledger.waiting.update(told.waiting)

    def join_results(self, ledger: Ledger) -> None:
        """What came of calls, their own and earlier ones."""
        _put_behind(ledger.results, self.told.results)
        for kind in ledger.slips.keys() - self.told.slips.keys():
            del ledger.slips[kind]
        if ledger.failing in self.passed:
            ledger.settle(self.passed[ledger.failing])


def _put_behind(kept: dict[str, T], new: dict[str, T], both: Callable[[T, T], T] | None = None) -> None:
    """Put the new entries behind those that are kept; one that was there comes last as well, as `both` makes it."""
    if not new:
        return
    again = kept.keys() & new.keys()
    if not again:
        kept.update(new)
        return
    merged = dict(new)
    for key in again:
        old = kept.pop(key)
        if both is not None:
            merged[key] = both(old, new[key])
    kept.update(merged)


class Draft:
    """A stretch in the making."""

    def __init__(self, task: Quote = _UNKNOWN) -> None:
        self.singles: list[Single] = []
        self.turns: list[tuple[int, Quote | None]] = []
        self.asked, self.standing = False, _UNKNOWN
        self.calls, self.passed = set[str](), dict[str, str]()
        self.told = Ledger(task=Exchange(task), standing=_UNKNOWN, next=_UNKNOWN, plan=_UNKNOWN.source)
        self.told.slips = dict.fromkeys(_SLIPS, _UNKNOWN)
        self.told.turn.working = True

    @classmethod
    def of(cls, singles: Sequence[Single], task: Quote) -> "Draft":
        """The stretch of messages known to suit, under this task."""
        draft = cls(task)
        for single in singles:
            draft.take(single)
        return draft

    def takes(self, part: Single | Stretch) -> bool:
        """Add a message or a stretch, if it suits."""
        if isinstance(part, Stretch):
            if part.suits(self.told):
                self._add(part)
                return True
        elif self._suits(part.facts):
            self.take(part)
            return True
        return False

    def _add(self, part: Stretch) -> None:
        """Add a stretch behind what there is."""
        if not self.asked:
            self.turns += part.turns
        part.join_turn(self.told)
        if part.asked:
            self._ask()
            part.join_requests(self.told)
        part.join_work(self.told)
        part.join_results(self.told)
        self.passed = part.passed | self.passed
        self.calls |= part.calls
        self.singles += part.singles

    def _ask(self) -> None:
        """The first request is known to come: behind it the conversation begins anew."""
        if not self.asked:
            self.asked, self.standing, self.told.standing = True, self.told.standing, _UNKNOWN

    def _suits(self, facts: Facts) -> bool:
        """Whether what a message adds depends on nothing but the messages of the stretch so far."""
        if facts.by == "user":
            return bool(self.turns) and _only_asks(facts)
        if facts.by == "assistant":
            return _only_adds(facts)
        if facts.by == "tool":
            return facts.outcome is None or self._went_well(facts.outcome)
        return not facts.by and not facts.summary

    def _went_well(self, outcome: Outcome) -> bool:
        """Whether a result is of a call of the stretch, did not fail, and is not what the user said."""
        if outcome.by_user or outcome.failed or outcome.call not in self.calls:
            return False
        call, _ = self.told.waiting.get(outcome.call, (None, ""))
        return not is_doubtful(call, outcome)

    def take(self, single: Single) -> None:
        """Add a message that suits."""
        facts, source = single
        if facts.by == "user":
            self._ask()
        if not self.asked:
            self._goes_on(facts, source)
        call, _ = self.told.waiting.get(facts.outcome.call, (None, "")) if facts.outcome else (None, "")
        if call and call.kind == "command":
            self.passed.setdefault(call.targets[0], source)
        self.calls |= {call.id for call in facts.calls}
        self.told.take(facts, source)
        self.singles.append(single)

    def _goes_on(self, facts: Facts, source: str) -> None:
        """The turn that was open when the stretch began goes on by a call or a result, or a reply ends it."""
        if facts.by == "assistant" and not facts.calls:
            self.turns.append((0, answer_of(facts, source)))
        elif facts.by:
            worked, _ = self.turns.pop() if self.turns and self.turns[-1][1] is None else (0, None)
            self.turns.append((worked + 1, None))

    def pieces(self) -> Iterator[Single | Stretch]:
        """The stretch; a short one in single messages."""
        if len(self.singles) < SHORTEST:
            yield from self.singles
        else:
            yield self.stretch()

    def stretch(self) -> Stretch:
        """What the messages come to."""
        every = [single.facts for single in self.singles]
        return Stretch(
            tuple(self.singles),
            sum(facts.size for facts in every),
            tuple(self.turns),
            self.standing if self.asked else self.told.standing,
            self.asked,
            self.told,
            tuple({facts.ask for facts in every if facts.by == "user" and facts.ask}),
            frozenset(self.calls),
            frozenset(single.source for single in self.singles if single.facts.intent),
            self.passed,
            {},
        )


def _only_asks(facts: Facts) -> bool:
    takes_back = facts.stops or facts.objects or facts.fails or facts.denies
    states = facts.states.rules or facts.states.told or facts.states.only or facts.decisions
    return not (takes_back or states or (facts.ask and _UNKNOWN.text.startswith(facts.ask)))


def _only_adds(facts: Facts) -> bool:
    takes_back = facts.retracts or facts.fails or facts.denies
    return not (takes_back or facts.decisions or facts.found or facts.plan is not None)
