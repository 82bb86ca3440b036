"""A window under way: messages arrive one by one, and a policy acts on it in the phases it names.

What `simulate` does over a recorded session this does while a run happens, with the same engine: the trace of a run is that
of simulating its messages with the same policy, meter and summaries (tests/drive/test_same_as_simulated.py). Here alone can a
person step in: compact now, change the policy, take a message out, or pin one.

The pool of a window counts what compactions added from behind the session's last message on. As more messages arrive here, that
place moves: what is kept counts them from `ADDED` on, and is turned into places of the pool when the engine is asked.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any

from core.compact import Past, compact_window
from core.errors import RunError
from core.growing import Growing
from core.lighten import shadows_over
from core.measured import Measured
from core.meters import Meter, bound, meter_name
from core.meters import meter as meter_called
from core.model import Message, RecordedCompaction, Session
from core.policies import policy as policy_called
from core.policy import Policy
from core.shadow import SPACE, Shadow
from core.simulate import Failures, fitted
from core.summarizers import Summarizer
from core.trace import Compaction, Edit, Era, Trace
from core.vocabulary import Phase
from core.window import Pool, Range, Ranges, Window, joined, without

ADDED = 50_000_000
"""What a compaction added k-th stands here at ADDED + k, however many messages have arrived."""

BY_HAND = "by hand"
_MADE = re.compile(r"\+\d+\Z")  # the engine numbers what it puts in: "summary#2+3"


class Course:
    """The messages of a run, what compactions made of them, and the window the next model call would be sent.

    `meter` None is the policy's own, `summarizer` None the offline structural one; `model` is the name of the model the run is
    driven with, by which a policy knows its context window. One thread changes a course, and holds `guard` for the moment it
    does: others may read it while they hold that.
    """

    def __init__(
        self,
        policy: Policy,
        *,
        meter: Meter | None = None,
        summarizer: Summarizer | None = None,
        model: str = "",
    ) -> None:
        self._of_model = Session(model=model)
        self.policy = fitted(policy, self._of_model)
        self.meter = bound(meter or meter_called(self.policy.meter), self._of_model)
        self.summarizer = summarizer
        self.guard: AbstractContextManager[Any] = nullcontext()
        self.base = Growing()
        self.compactions: list[Compaction] = []  # ranges counted from ADDED on
        self.eras = [Era(since=0, policy=self.policy)]
        self.held: frozenset[int] = frozenset()
        self.failures = Failures()
        self._added: list[Message] = []
        self._added_tokens: list[int] = []
        self._made = 0
        self._layout: Ranges = ()
        self._since = 0
        self._laid = 0
        self._past, self._number = Past(), 1
        self._ids: set[str] = set()
        self._alike: dict[str, int] = {}
        self._acted: tuple[int, Phase | None] = (-1, None)
        self._shadows: dict[Any, Shadow] = {}
        self._cast = -1

    # What there is

    def __len__(self) -> int:
        """How many messages the window holds."""
        return len(self.window())

    @property
    def added(self) -> list[Message]:
        """What compactions have put in, in order: the k-th stands at ADDED + k."""
        return self._added

    @property
    def summary_count(self) -> int:
        """How many summaries were written."""
        return self._number - 1

    @property
    def steps(self) -> int:
        """How many steps the run has come."""
        return len(self.base.messages) + len(self.compactions)

    def messages(self) -> list[Message]:
        """What the next model call would be sent, in order; a list of one's own."""
        return list(self.window().messages)

    def tokens(self) -> int:
        """Tokens of the window, by the meter."""
        return self._laid + self.base.running[-1] - self.base.running[self._since]

    def window(self) -> Window:
        """The window now, as ranges over a pool of its own."""
        arrived = len(self.base.messages)
        window = Window(self._pool(), self.real(self._layout)).knowing(self._laid)
        return window.grown(self._since, arrived)

    def _pool(self) -> Pool:
        added, tokens = list(self._added), list(self._added_tokens)
        return Pool(self.base, added, tokens, self._shadows_now(), self._made, self.held)

    def _shadows_now(self) -> Sequence[Shadow]:
        """The shadows of every policy so far over the messages so far; what was emptied before is not counted again."""
        arrived = len(self.base.messages)
        if self._cast != arrived and (self._cast < 0 or not all(s.grow() for s in self._shadows.values())):
            made = shadows_over(self.base, [era.policy for era in self.eras], self.meter.count)
            for key in made.keys() & self._shadows.keys():
                made[key].carry_on(self._shadows[key])
            self._shadows = made
        self._cast = arrived
        return list(self._shadows.values())

    def real(self, ranges: Ranges, arrived: int | None = None) -> Ranges:
        """Ranges that count from ADDED on as places of a pool, once so many messages (None: all) have arrived."""
        return moved(ranges, ADDED, len(self.base.messages) if arrived is None else arrived)

    # What happens

    def append(self, message: Message) -> Message:
        """A message arrives; returns it, under an id of its own. The result of a call that is pinned is pinned with it."""
        message = self._named(message)
        tokens = self.meter.count(message)
        with self.guard:
            place = self.base.append(message, tokens)
            if self.held and message.role == "tool" and self.base.asked[place] in self.held:
                self.held |= {place}
        return message

    def _named(self, message: Message) -> Message:
        name, k = message.id, self._alike.get(message.id, 1)
        while name in self._ids:
            k += 1
            name = f"{message.id}~{k}"
        self._ids.add(name)
        self._alike[message.id] = k
        return message if name == message.id else message.model_copy(update={"id": name})

    def look(self, phase: Phase) -> Compaction | None:
        """Let the policy act if it is due in this phase: what it did, or how its try came to nothing; None if it is not due."""
        if phase not in self._phases or self._past.stopped(self.policy) or self._has_acted(phase):
            return None
        past = replace(self._past, failures=self.failures.running, refused=self.failures.refused)
        found = self._take(self._compacted(self.policy, phase=phase, past=past))
        if found and found.acted:
            self._acted = (found.at, phase)
        return found

    def _has_acted(self, phase: Phase) -> bool:
        """Whether it has acted at this very place: a call that is made again is not compacted again."""
        at, when = self._acted
        return at == len(self.base.messages) and when in (None, phase)

    @property
    def _phases(self) -> set[Phase]:
        return {p for stage in (*self.policy.tiers, self.policy.main) for p in self.policy.phases_of(stage)}

    def compact(self) -> Compaction:
        """Compact now, whether or not the policy is due: what was done, or why nothing was."""
        self._acted = (-1, None)
        by_command = self.policy.by_command
        rules = fitted(policy_called(by_command), self._of_model) if by_command else self.policy
        found = self._compacted(rules, force=True)
        return self._take(found) or found

    def _compacted(self, rules: Policy, **how: Any) -> Compaction:
        window = self.window()
        found = compact_window(
            window,
            rules,
            meter=self.meter,
            summarizer=self.summarizer,
            number=self._number,
            at=len(self.base.messages),
            **how,
        )
        self._made = window.pool.made
        return found

    def _take(self, found: Compaction) -> Compaction | None:
        """Keep what came of a look; None where there is nothing to tell."""
        if found.acted:
            self._past = self._past.after(found.at, self.base, self.policy)
            self.failures.over(found)
            return self._rewrite(found)
        if found.status in ("failed", "inflated"):
            self.failures.add(found)
            if why := replace(self._past, failures=self.failures.running).stopped(self.policy):
                self.failures.stopped = f"after {found.at:,} messages {self.policy.name} stopped: {why}"
            return found
        return None

    def _rewrite(self, found: Compaction) -> Compaction:
        """The window is as this compaction left it."""
        with self.guard:
            self._keep(found)
        return found

    def _keep(self, found: Compaction) -> None:
        self._added += found.added
        self._added_tokens += found.added_tokens
        self._ids.update(m.id for m in found.added)
        self._number += found.summary is not None
        self._made = max([self._made, *(int(m.id.rpartition("+")[2]) for m in found.added if _MADE.search(m.id))])
        self._since, self._laid = found.at, found.window_after
        self._layout = virtual(found.layout_after, found.at)
        self.compactions.append(_shifted(found, lambda ranges: virtual(ranges, found.at)))

    # What a person does

    def govern(self, policy: Policy) -> bool:
        """Let another policy, or the same with other parameters, act from now on; whether that changed anything.

        The step the run has come to is shown under it already: that window is the one the next call may be sent.
        """
        chosen = fitted(policy, self._of_model)
        if (chosen.name, chosen.settings) == (self.policy.name, self.policy.settings):
            return False
        since = max(0, self.steps - 1)
        with self.guard:
            self.eras = [*(era for era in self.eras if era.since < since), Era(since=since, policy=chosen)]
            self.policy, self._cast = chosen, -1
        self._past, self.failures, self._acted = Past(at=self._past.at), Failures(), (-1, None)
        return True

    def drop(self, places: Iterable[int], added: Iterable[int] = ()) -> Compaction:
        """Take messages out of the window, tool pairs as a whole: places of the session, and of what compactions added.

        Raises RunError where none of them is in the window.
        """
        wanted = {(i, i + 1) for place in places for i in self.pair_of(place)}
        window = self.window()
        size = len(self.base.messages)
        spots = [part for part in _single(window.ranges) if _own(part, size) in wanted]
        spots += [(size + k, size + k + 1) for k in added if (size + k, size + k + 1) in set(_single(window.ranges))]
        if not spots:
            raise RunError("that is not in the window any more", "choose a message that is")
        self._acted = (-1, None)
        return self._rewrite(self._dropped(window, joined(tuple(sorted(spots)))))

    def _dropped(self, window: Window, gone: Ranges) -> Compaction:
        layout = without(window.ranges, gone)
        after = Window(window.pool, layout)
        return Compaction(
            status="compacted",
            reason="taken out by hand",
            policy=BY_HAND,
            trigger="manual",
            at=len(self.base.messages),
            layout_before=window.ranges,
            layout_after=layout,
            edits=(Edit(action="dropped", ranges=gone, reason="taken out by hand"),),
            tokens_before=window.tokens,
            tokens_after=after.tokens,
            window_before=window.tokens,
            window_after=after.tokens,
        ).attach(window.pool)

    def pin(self, places: Iterable[int], on: bool = True) -> frozenset[int]:
        """Pin messages, so that no policy takes them, or let them go: tool pairs as a whole. Returns all that are pinned.

        Raises RunError for a place where no message has arrived.
        """
        chosen = {i for place in places for i in self.pair_of(place)}
        return self.hold(self.held | chosen if on else self.held - chosen)

    def hold(self, places: Iterable[int]) -> frozenset[int]:
        """Have these pinned and no others; returns them."""
        self.held, self._acted = frozenset(places), (-1, None)
        return self.held

    def pair_of(self, place: int) -> list[int]:
        """The places of a message and of those that must stand with it: a call and its results. Raises RunError outside."""
        if not 0 <= place < len(self.base.messages):
            raise RunError(f"no message has arrived at place {place}", "choose one of the window")
        start = self.base.asked[place] if self.base.messages[place].role == "tool" else place
        start = place if start < 0 else start
        return sorted({place, start, *self.base.answers.get(start, ())})

    # What came of it

    def session(self, **known: Any) -> Session:
        """The run so far as a session: its messages, with those that compactions added where they came in."""
        return Session(
            model=self._of_model.model,
            messages=tuple(self._with_added()),
            compactions=tuple(self._recorded()),
            records=len(self.base.messages),
            **known,
        )

    def _with_added(self) -> Iterable[Message]:
        at, k = 0, 0
        for found in self.compactions:
            yield from self.base.messages[at : found.at]
            yield from (m for m in self._added[k : k + len(found.added)] if m.id not in self.base.places)
            at, k = found.at, k + len(found.added)
        yield from self.base.messages[at:]

    def _recorded(self) -> Iterable[RecordedCompaction]:
        pool = self._pool()
        for found in self.compactions:
            real = _shifted(found, self.real).attach(pool)
            yield recorded_of(real, pool, meter_name(self.meter))

    def trace(self, session: Session | None = None) -> Trace:
        """The run so far as a trace, as `simulate` gives one; `session` is what `session()` gave."""
        whole = session or self.session()
        now = Measured(list(self.base.messages), list(self.base.tokens))  # the run may go on while this is looked at
        pool = replace(self._pool(), base=now)
        return Trace.model_construct(
            kind="simulate",
            session=whole,
            meter=meter_name(self.meter),
            tokens=now.counts,
            policy=self.policy,
            summarizer=getattr(self.summarizer, "name", "structural"),
            compactions=tuple(_shifted(found, self.real).attach(pool) for found in self.compactions),
            failed=self.failures.runs(),
            lighter=tuple(shadow.known for shadow in pool.shadows),
            notes=tuple(self.failures.notes()),
            eras=tuple(self.eras) if len(self.eras) > 1 else (),
            held=tuple(sorted(self.held)),
        ).over(pool)

    def compactions_as_told(self, start: int = 0) -> list[Compaction]:
        """The compactions from one on, able to name their messages."""
        pool = self._pool()
        return [_shifted(found, self.real).attach(pool) for found in self.compactions[start:]]

    # From a record

    def again(self, found: Compaction) -> None:
        """A compaction that happened before, as it was recorded: its ranges are over the messages that had arrived."""
        if found.policy != BY_HAND and found.acted:
            self._past = self._past.after(found.at, self.base, self.policy)
        self._acted = (found.at, None) if found.acted and found.trigger == "auto" else (-1, None)
        if found.acted:
            self.failures.over(found)
            self._rewrite(found.attach(self._pool()))
        else:
            self.failures.add(found)


def virtual(ranges: Ranges, arrived: int) -> Ranges:
    """Ranges over a pool of so many messages, with what was added counted from ADDED on."""
    return moved(ranges, arrived, ADDED)


def moved(ranges: Ranges, start: int, to: int) -> Ranges:
    """The ranges with what stands from `start` on, but for shadows, moved to `to`; one across that border becomes two."""
    if all(b <= start or a >= SPACE for a, b in ranges):
        return ranges
    shift = to - start
    parts: list[Range] = []
    for a, b in ranges:
        if b <= start or a >= SPACE:
            parts.append((a, b))
            continue
        parts += [(a, start)] if a < start else []
        parts.append((max(a, start) + shift, b + shift))
    return joined(tuple(parts))


def _shifted(found: Compaction, how: Callable[[Ranges], Ranges]) -> Compaction:
    """The compaction with its ranges counted in another way."""
    changed = {"layout_before": how(found.layout_before), "layout_after": how(found.layout_after)}
    edits = tuple(edit.model_copy(update={"ranges": how(edit.ranges)}) for edit in found.edits)
    return found.model_copy(update={**changed, "edits": edits})


def _single(ranges: Ranges) -> Iterable[Range]:
    return ((i, i + 1) for a, b in ranges for i in range(a, b))


def _own(part: Range, size: int) -> Range | None:
    """The session's message that stands here, emptied or not."""
    place = part[0] % SPACE
    return (place, place + 1) if part[0] >= SPACE or place < size else None


def recorded_of(found: Compaction, pool: Pool, meter: str) -> RecordedCompaction:
    """A compaction as a session records it: the new window message by message, and what was left of those it emptied."""
    after = pool.listed(found.layout_after)
    removed = set(found.removed)
    summary = found.summary
    return RecordedCompaction(
        at=found.at,
        trigger=found.trigger,
        tokens_before=found.window_before,
        tokens_after=found.window_after,
        before_from=f"counted by {meter}",
        after_from=f"counted by {meter}",
        summary=summary.id if summary else None,
        edit="summarised" if summary else "dropped",
        kept=tuple(m.id for m in after if m.id not in removed and m not in found.added),
        cleared=found.cleared,
        fidelity="exact",
        policy=found.policy,
        reason=found.reason,
        window=tuple(m.id for m in after),
        added=tuple(m.id for m in found.put_in),
        left=found.left,
    )
