"""A window under way: messages arrive one by one, and a policy acts on it in the phases it names.

What `simulate` does over a recorded session this does while a run happens, with the same engine: the trace of a run is that
of simulating its messages with the same policy, meter and summaries (tests/drive/test_same_as_simulated.py). Here alone can a
person step in: compact now, change the policy, remove a message, or pin one.
"""

import re
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from core.engine.due import PolicyState
from core.engine.failures import Failures
from core.engine.policies_used import for_session_model
from core.engine.policy_run import PolicyRun
from core.engine.removal import removal, with_pairs
from core.engine.simulate import summarizer_name
from core.meters import Meter, bound, meter_name
from core.meters import meter as meter_called
from core.model.errors import RunError
from core.model.session import Message, Session
from core.policies import policy as policy_called
from core.policy.policy import Policy
from core.policy.vocabulary import Phase
from core.summaries.summarizers import Summarizer
from core.trace.compaction import Compaction
from core.trace.recorded import session_of
from core.trace.taken_back import without_step
from core.trace.trace import PolicyChange, Trace
from core.window.clear_in_place import cleared_copies_over
from core.window.cleared_copy import ClearedCopy
from core.window.growing import Growing
from core.window.measured import Measured
from core.window.window import Pool, Window

_NUMBERED = re.compile(r"\+(\d+)\Z")  # the engine numbers what it puts in: "summary#2+3"


class LiveContext(PolicyRun):
    """The messages of a run, what compactions made of them, and the window the next model call would be sent.

    `meter` None is the policy's own, `summarizer` None the offline structural one; `model` is the name of the model the run is
    driven with, by which a policy knows its context window. One thread changes a context, and holds `guard` for the moment it
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
        self.base = Growing()
        counted = bound(meter or meter_called(policy.meter), self._of_model)
        super().__init__(Pool(self.base), for_session_model(policy, self._of_model), counted, summarizer)
        self.guard: AbstractContextManager[Any] = nullcontext()
        self.compactions: list[Compaction] = []
        self.policy_changes = [PolicyChange(since=0, policy=self.policy)]
        self.undone = 0
        self._sent = 0  # how many compactions the window had that a model call was sent last
        self._ids = _Ids()
        self._acted: tuple[int, Phase | None] = (-1, None)
        self._copies: dict[Any, ClearedCopy] = {}
        self._copied = -1  # how many messages had arrived when the cleared copies were last brought up to date
        self._trace: Trace | None = None

    # What there is

    def __len__(self) -> int:
        """How many messages the window holds."""
        return len(self.window())

    @property
    def added(self) -> list[Message]:
        """What compactions have put in, in order: the k-th stands at ADDED + k of the pool."""
        return self.pool.added

    @property
    def pinned(self) -> frozenset[int]:
        """The places of the messages that a person has pinned."""
        return self.pool.pinned

    @property
    def summary_count(self) -> int:
        """How many summaries were written."""
        return self.number - 1

    @property
    def steps(self) -> int:
        """How many steps the run has come."""
        return len(self.base.messages) + len(self.compactions)

    @property
    def moment(self) -> tuple[int, int]:
        """Another one whenever the window is another: how many steps there are, and how many removals were undone."""
        return self.steps, self.undone

    @property
    def can_undo(self) -> bool:
        """Whether what a person removed last was sent in no model call yet."""
        return len(self.compactions) > self._sent and self.compactions[-1].by_hand

    def messages(self) -> list[Message]:
        """What the next model call would be sent, in order; a list of one's own."""
        return list(self.window().messages)

    def tokens(self) -> int:
        """Tokens of the window, by the meter."""
        return super().window_at(len(self.base.messages)).tokens

    def window(self) -> Window:
        """The window now, as ranges over the pool."""
        return self.window_at(len(self.base.messages))

    def window_at(self, arrived: int) -> Window:
        """The window once so many messages have arrived, over a pool with the copies of all messages here."""
        here = len(self.base.messages)
        if self._copied != here and (self._copied < 0 or not all(copy.grow() for copy in self._copies.values())):
            made = cleared_copies_over(self.base, [change.policy for change in self.policy_changes], self.meter.count)
            for key in made.keys() & self._copies.keys():
                made[key].carry_on(self._copies[key])
            self._copies, self.pool.cleared_copies = made, list(made.values())
        self._copied = here
        return super().window_at(arrived)

    def session(self, **known: Any) -> Session:
        """The run so far as a session: its messages, with those that compactions added where they came in."""
        return self.trace().session.model_copy(update=known)

    def trace(self) -> Trace:
        """The run so far as a trace, as `simulate` gives one; the same object until something changes."""
        if self._trace is None:
            self._trace = self._traced()
        return self._trace

    def _traced(self) -> Trace:
        self.window()
        now = Measured(list(self.base.messages), list(self.base.tokens))  # the run may go on while this is looked at
        pool, meter = self.pool.copy(), meter_name(self.meter)
        pool.base = now
        pool.forget(sum(len(found.added) for found in self.compactions))
        return Trace.model_construct(
            kind="simulate",
            session=session_of(pool, self.compactions, meter, self._of_model.model),
            meter=meter,
            tokens=now.counts,
            policy=self.policy,
            summarizer=summarizer_name(self.summarizer),
            compactions=tuple(self.compactions),
            failed=self.failures.runs(),
            lighter=tuple(copy.known for copy in pool.cleared_copies),
            notes=tuple(self.failures.notes()),
            policy_changes=tuple(self.policy_changes) if len(self.policy_changes) > 1 else (),
            pinned=tuple(sorted(self.pinned)),
        ).over(pool)

    # What happens

    def append(self, message: Message) -> Message:
        """A message arrives; returns it, under an id of its own. The result of a call that is pinned is pinned with it."""
        message = self._ids.own(message)
        tokens = self.meter.count(message)
        if message.role == "assistant":
            self.mark_sent()
        with self.guard:
            self._trace = None
            place = self.base.append(message, tokens)
            if self.pinned and message.role == "tool" and self.base.call_of[place] in self.pinned:
                self.pool.pinned |= {place}
        return message

    def mark_sent(self) -> None:
        """A model call is sent the window as it is: a person can undo none of its removals any more."""
        self._sent = len(self.compactions)

    def maybe_compact(self, phase: Phase) -> Compaction | None:
        """Let the policy act if it is due in this phase: what it did, or how its attempt failed; None if it is not due."""
        if not self._looks(phase):
            return None
        found = self.attempt(len(self.base.messages), phase)
        if found.acted:
            self._acted = (found.at, phase)
        return found if found.acted or found.status in ("failed", "inflated") else None

    def due(self, phase: Phase) -> Compaction | None:
        """The compaction that `maybe_compact` would attempt in this phase, but for its summary; None if it would do nothing.

        Which messages go is certain, but for a policy of several passes: more may go where the summary is long. Whether one is
        written is not known before.
        """
        if not self._looks(phase):
            return None
        found = self.rehearse(len(self.base.messages), phase)
        return found if found.acted or found.status in ("failed", "inflated") else None

    def _looks(self, phase: Phase) -> bool:
        """Whether the policy looks at the window in this phase."""
        return phase in self._phases and not self.stopped and not self._has_acted(phase)

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
        rules = for_session_model(policy_called(by_command), self._of_model) if by_command else None
        return self.attempt(len(self.base.messages), rules=rules, force=True)

    def take(self, found: Compaction) -> None:
        """Keep what came of an attempt."""
        with self.guard:
            self._trace = None
            super().take(found)

    def rewrite(self, found: Compaction) -> None:
        """The window is as this compaction left it."""
        with self.guard:
            self._trace = None
            super().rewrite(found)
            self._ids.known.update(m.id for m in found.added)
            self.compactions.append(found)

    def restore(self, found: Compaction) -> None:
        """Take over a compaction, or a failed attempt, that was recorded when the run was driven before."""
        for message, tokens in zip(found.added, found.added_tokens, strict=True):
            self.pool.add(message, tokens)
        numbers = (_NUMBERED.search(m.id) for m in found.added)
        self.pool.made = max([self.pool.made, *(int(number[1]) for number in numbers if number)])
        self._acted = (found.at, None) if found.acted and found.trigger == "auto" else (-1, None)
        keep = self.rewrite if found.by_hand else self.take
        keep(found.attach(self.pool))

    # What a person does

    def set_policy(self, policy: Policy) -> bool:
        """Let another policy, or the same with other parameters, act from now on; whether that changed anything.

        The step the run has come to is shown under it already: that window is the one the next call may be sent.
        """
        chosen = for_session_model(policy, self._of_model)
        if (chosen.name, chosen.settings) == (self.policy.name, self.policy.settings):
            return False
        since = max(0, self.steps - 1)
        with self.guard:
            self._trace = None
            self.policy_changes = [
                *(change for change in self.policy_changes if change.since < since),
                PolicyChange(since=since, policy=chosen),
            ]
            self.policy, self._copied = chosen, -1
            self.state, self.failures, self._acted = PolicyState(at=self.state.at), Failures(), (-1, None)
        return True

    def drop(self, places: Iterable[int], added: Iterable[int] = ()) -> Compaction:
        """Remove messages from the window, tool pairs as a whole: places of the session, and of what compactions added.

        Raises RunError where none of them is in the window.
        """
        found = removal(self.window(), places, added, len(self.base.messages))
        self._acted = (-1, None)
        self.rewrite(found)
        return found

    def undo(self) -> Compaction:
        """Take back what a person removed last; returns it. Raises RunError where a model call was sent without it."""
        if not self.can_undo:
            raise RunError("nothing was dropped since the last model call", "fork from before it instead")
        with self.guard:
            self._trace, self._acted = None, (-1, None)
            found = self.compactions.pop()
            self.undone += 1
            self.policy_changes = without_step(self.policy_changes, found.at + len(self.compactions))
            last = self.compactions[-1] if self.compactions else None
            self.left = Window(self.pool, last.layout_after, last.window_after) if last else Window(self.pool, (), 0)
            self.since = last.at if last else 0
        return found

    def pin(self, places: Iterable[int], on: bool = True) -> frozenset[int]:
        """Pin messages, so that no policy takes them, or let them go: tool pairs as a whole. Returns all that are pinned.

        Raises RunError for a place where no message has arrived.
        """
        chosen = with_pairs(self.base, places)
        return self.pin_only(self.pinned | chosen if on else self.pinned - chosen)

    def pin_only(self, places: Iterable[int]) -> frozenset[int]:
        """Have these messages pinned and no others; returns them."""
        with self.guard:
            self._trace, self._acted = None, (-1, None)
            self.pool.pinned = frozenset(places)
        return self.pinned


class _Ids:
    """The ids of a run's messages, each of them once."""

    def __init__(self) -> None:
        self.known: set[str] = set()
        self._next: dict[str, int] = {}

    def own(self, message: Message) -> Message:
        """The message under an id that no other has: its own, or that with a number."""
        name, k = message.id, self._next.get(message.id, 1)
        while name in self.known:
            k += 1
            name = f"{message.id}~{k}"
        self.known.add(name)
        self._next[message.id] = k
        return message if name == message.id else message.model_copy(update={"id": name})
