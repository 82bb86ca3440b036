"""The noun that comes out: every step of a run, every compaction, enough to rebuild the window at any step.

A trace keeps the session and, for each compaction, the window it left as ranges over the session's messages (see
`core/window.py`). Windows, regions and steps are worked out when asked for, so a trace of 100,000 steps is small.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Literal, overload

from pydantic import Field, PrivateAttr, computed_field, model_validator

from core.errors import StepError
from core.heads import is_summary, leading_systems
from core.lighten import shadows_over
from core.measured import Measured
from core.model import Fidelity, Frozen, Message, Session, same_fields
from core.partition import Partition, partition
from core.policy import Policy
from core.shadow import SPACE, Shadow
from core.vocabulary import Clear, Status
from core.window import Pool, Ranges, Region, Window, without

TRACE_VERSION = 1

Action = Literal["summarised", "dropped", "cleared", "truncated"]
IN_PLACE = ("cleared", "truncated")


class Edit(Frozen):
    """What a compaction did to some messages of the window, and why: ranges over the pool."""

    action: Action
    ranges: Ranges
    reason: str = ""


class Compaction(Frozen):
    """One event that rewrote the window, or a look at why it was left alone. Recorded and simulated alike.

    `tokens_before` and `tokens_after` are as recorded for a recorded compaction (None where the transcript does not say)
    and by the trace's meter for a simulated one; `window_before` and `window_after` are always by the meter. `at` counts
    the messages that had arrived; `number` n and `folded` k are those of "summary #n of k earlier messages". `tiers` are the
    stages that acted where a policy has several, `unread` the messages that went without the summarizer being given them.
    `blank` is whether it said nothing at all (None: it was not asked, or nobody knows), `setback` why it failed where
    something was done all the same. `times` is how many passes in a row came to nothing like this one, the first of them.
    `before_from`, `after_from` and `unreadable` are those of a recorded compaction (`core/model.py`).
    """

    status: Status
    reason: str = ""
    recorded: bool = False
    policy: str = ""
    kind: Literal["compaction", "microcompaction"] = "compaction"
    trigger: str = ""
    fidelity: Fidelity = "exact"
    at: int = 0
    number: int | None = None
    folded: int = 0
    layout_before: Ranges = ()
    layout_after: Ranges = ()
    edits: tuple[Edit, ...] = ()
    added: tuple[Message, ...] = ()
    added_tokens: tuple[int, ...] = ()
    tokens_before: int | None = None
    tokens_after: int | None = None
    before_from: str = ""
    after_from: str = ""
    unreadable: str = ""
    window_before: int = 0
    window_after: int = 0
    limit: int | None = None
    line: int | None = None
    timestamp: str = ""
    tiers: tuple[str, ...] = ()
    unread: int = 0
    blank: bool | None = None
    setback: str = ""
    times: int = 1

    _pool: Pool | None = PrivateAttr(default=None)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Compaction) and same_fields(self, other)

    def __hash__(self) -> int:
        return hash((self.policy, self.at, self.number, self.layout_after))

    def attach(self, pool: Pool) -> "Compaction":
        """This compaction, able to name its messages: they are read from the pool."""
        self._pool = pool
        return self

    @property
    def acted(self) -> bool:
        """Whether the window was rewritten."""
        return self.layout_before != self.layout_after

    @property
    def summary(self) -> Message | None:
        """The summary that was put in, or None."""
        return next((m for m in self.added if m.injected == "summary"), None)

    @property
    def summary_tokens(self) -> int:
        """Tokens of what was put in for the messages taken out, by the meter."""
        cleared = [t for m, t in zip(self.added, self.added_tokens, strict=True) if m.injected == "cleared"]
        return sum(self.added_tokens) - sum(cleared)

    @property
    def before(self) -> list[Message]:
        """The window before."""
        return Window(self._pool, self.layout_before).messages if self._pool else []

    @property
    def after(self) -> list[Message]:
        """The window after; the same messages as `before` where nothing was done."""
        return Window(self._pool, self.layout_after).messages if self._pool else []

    @computed_field  # type: ignore[prop-decorator]
    @property
    def removed(self) -> tuple[str, ...]:
        """Ids of the messages that left the window, in order."""
        return self._ids("summarised", "dropped")

    @computed_field  # type: ignore[prop-decorator]
    @property
    def cleared(self) -> tuple[str, ...]:
        """Ids of the messages that stayed with their body emptied or shortened."""
        return self._ids("cleared", "truncated")

    @property
    def left(self) -> tuple[Message, ...]:
        """The messages that stand otherwise than before, as they are left: emptied or shortened in place, or whole again."""
        pool = self._pool
        if pool is None:
            return ()
        stood = {m.id: m for m in pool.listed(without(self.layout_before, self.layout_after))}
        new = pool.listed(without(self.layout_after, self.layout_before))
        return tuple(m for m in new if pool.is_copy(m) or stood.get(m.id, m) != m)

    @property
    def put_in(self) -> tuple[Message, ...]:
        """What it added that is no message of the session, left otherwise."""
        return tuple(m for m in self.added if self._pool is None or not self._pool.is_copy(m))

    @property
    def kept(self) -> tuple[str, ...]:
        """Ids of the messages that stayed as they were, in order."""
        if self._pool is None:
            return ()
        parts = without(self.layout_before, tuple(r for e in self.edits for r in e.ranges))
        return tuple(m.id for m in self._pool.listed(parts))

    @property
    def removed_tokens(self) -> int:
        """Tokens that left the window, by the meter."""
        parts = [r for e in self.edits if e.action not in IN_PLACE for r in e.ranges]
        return sum(map(self._pool.tokens, parts)) if self._pool else 0

    def _ids(self, *actions: Action) -> tuple[str, ...]:
        if self._pool is None:
            return ()
        parts = [r for e in self.edits if e.action in actions for r in e.ranges]
        return tuple(m.id for m in self._pool.listed(parts))


class Step(Frozen):
    """One position of the cursor. `messages` have arrived, `tokens` are in the window.

    `message` is the id of the message that arrived at this step, or `compaction` the index of what happened instead.
    """

    index: int
    kind: Literal["message", "compaction"]
    messages: int
    tokens: int
    message: str | None = None
    compaction: int | None = None


class Steps(Sequence[Step]):
    """The steps of a trace, made when asked for."""

    def __init__(self, trace: "Trace") -> None:
        self._trace = trace

    def __len__(self) -> int:
        return len(self._trace)

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> list[Step]: ...
    def __getitem__(self, index: int | slice) -> Step | list[Step]:
        if isinstance(index, slice):
            return [self._trace.step(i) for i in range(*index.indices(len(self)))]
        position = index + len(self) if index < 0 else index
        if not 0 <= position < len(self):
            raise IndexError(index)
        return self._trace.step(position)

    def __iter__(self) -> Iterator[Step]:
        return (self._trace.step(i) for i in range(len(self)))


class Era(Frozen):
    """From which step on a policy governed a live run."""

    since: int
    policy: Policy


class _Regions:
    """Which region each message of one window is in, under a policy or none."""

    def __init__(self, window: Window, policy: Policy | None) -> None:
        self.window, self.policy = window, policy
        if policy is None:
            self.parts = Partition(leading_systems(window), 0, len(window))
            return
        self.parts, self.place = partition(window, policy), policy.placement
        clears = isinstance(policy.transform, Clear)
        self.shadow = window.pool.shadow_of(policy.main) if clears else None

    def of(self, message: Message, index: int) -> Region:
        """The region of the message at that index."""
        if message.injected == "cleared":
            return "cleared"
        place = self.place if self.policy else None
        if message.injected in ("summary", "ack") or (place is not None and is_summary(message, place)):
            return "summary"
        if index < self.parts.head:
            return "system"
        if index >= self.parts.tail:
            return "recent"
        return self._inside(message, index) if self.policy else "compactable"

    def _inside(self, message: Message, index: int) -> Region:
        """Of a message in front of the tail: it may go, or it is pinned for what it is."""
        if self.policy is None:
            return "compactable"
        place, scope = self.window.at(index), self.policy.scope
        if place % SPACE in self.window.pool.held:
            return "system"
        if scope.keep_systems and message.role == "system":
            return "system"
        if self.parts.spared is not None and message.typed and place >= self.parts.spared:
            return "recent"
        if self.shadow is not None and not self.shadow.touched(place, place + 1):
            return "system"
        return "compactable"


class Trace(Frozen):
    """What came out of replaying or simulating a session.

    `tokens` are those of `messages` (the session's, without the summaries it recorded) by `meter`; `compactions` are in
    order of time. Steps count from 0: `window(i)` is what the model could see once step i had happened. `failed` are the
    passes that came to nothing because of the summary, the first of each run of them; they are no steps. `lighter` are the
    tokens of what was emptied in place, by place, for each stage of the policy that does so.

    Of a live run in which the policy was changed, `eras` are all that governed it, the last of which is `policy`; `held` are
    the places of the messages that a person has pinned.
    """

    version: int = Field(default=TRACE_VERSION, ge=1, le=TRACE_VERSION)
    kind: Literal["replay", "simulate"]
    session: Session
    meter: str
    tokens: tuple[int, ...] = Field(repr=False)
    policy: Policy | None = None
    summarizer: str = ""
    compactions: tuple[Compaction, ...] = ()
    failed: tuple[Compaction, ...] = ()
    lighter: tuple[dict[int, int], ...] = Field(default=(), repr=False)
    notes: tuple[str, ...] = ()
    eras: tuple[Era, ...] = ()
    held: tuple[int, ...] = ()

    _pool: Pool = PrivateAttr()

    @model_validator(mode="after")
    def _rebuild(self) -> "Trace":
        messages = conversation(self.session)
        if len(messages) != len(self.tokens):
            raise ValueError(f"{len(self.tokens)} token counts for {len(messages)} messages")
        check_compactions(self.compactions, len(messages))
        self.attach(Measured(messages, self.tokens))
        return self

    def attach(self, base: Measured) -> "Trace":
        """This trace over messages already measured; its compactions can name theirs."""
        pool = Pool(base, shadows=self._shadows(base), held=frozenset(self.held))
        for compaction in self.compactions:
            for message, tokens in zip(compaction.added, compaction.added_tokens, strict=True):
                pool.add(message, tokens)
            compaction.attach(pool)
        for attempt in self.failed:
            attempt.attach(pool)
        return self.over(pool)

    def _shadows(self, base: Measured) -> list[Shadow]:
        """The shadows its policy casts, with the tokens that were counted when the trace was made."""
        governed = [era.policy for era in self.eras] or ([self.policy] if self.policy else [])
        made = list(shadows_over(base, governed, lambda message: 0).values())
        for shadow, known in zip(made, self.lighter, strict=False):
            shadow.counted(known)
        return made

    def over(self, pool: Pool) -> "Trace":
        """This trace over a pool that holds what its compactions added, and that they name their messages from."""
        self._pool = pool
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trace) and same_fields(self, other)

    def __hash__(self) -> int:
        return hash((self.kind, self.meter, len(self.tokens), len(self.compactions)))

    def __len__(self) -> int:
        return len(self.tokens) + len(self.compactions)

    @property
    def messages(self) -> Sequence[Message]:
        """The messages that arrive, in order: the session's, without the summaries it recorded."""
        return self._pool.base.messages

    @property
    def measured(self) -> Measured:
        """The messages that arrive with their tokens, and the sums over them."""
        return self._pool.base

    @property
    def shadows(self) -> Sequence[Shadow]:
        """What its policy leaves of each message, for each stage that empties some."""
        return self._pool.shadows

    @property
    def steps(self) -> Steps:
        """Every step, in order; a sequence that makes each when it is asked for."""
        return Steps(self)

    @cached_property
    def _compaction_steps(self) -> list[int]:
        return [c.at + k for k, c in enumerate(self.compactions)]

    def compaction_step(self, k: int) -> int:
        """The step at which compaction k happened."""
        return self._compaction_steps[k]

    def step(self, i: int) -> Step:
        """Step i. Raises StepError outside the trace."""
        self._check(i)
        done = bisect_right(self._compaction_steps, i)
        tokens = self.window_of(i).tokens
        if done and self._compaction_steps[done - 1] == i:
            return Step(index=i, kind="compaction", messages=i - done + 1, tokens=tokens, compaction=done - 1)
        arrived = i - done
        message = self.messages[arrived].id
        return Step(index=i, kind="message", messages=arrived + 1, tokens=tokens, message=message)

    def window_of(self, i: int) -> Window:
        """The window at step i as ranges over the pool. Raises StepError outside the trace."""
        self._check(i)
        done = bisect_right(self._compaction_steps, i)
        arrived = i + 1 - done
        if not done:
            return Window(self._pool, ()).grown(0, arrived)
        last = self.compactions[done - 1]
        return Window(self._pool, last.layout_after).grown(last.at, arrived)

    def counted(self, i: int) -> int:
        """The tokens that the policy's trigger looks at at step i: of a view, those of all that arrived."""
        window, policy = self.window_of(i), self.policy_at(i)
        if policy is None:
            return window.tokens
        arrived = self.step(i).messages
        return self.measured.running[arrived] if policy.trigger.counts == "history" else window.counted(policy)

    def window(self, i: int) -> list[Message]:
        """What the model could see at step i, in order. Raises StepError outside the trace."""
        return self.window_of(i).messages

    def policy_at(self, i: int) -> Policy | None:
        """The policy that governed step i."""
        found = bisect_right(self.eras, i, key=lambda era: era.since)
        return self.eras[found - 1].policy if found else self.policy

    def regions(self, i: int) -> dict[str, Region]:
        """The region of each message of the window at step i, by message id, in order."""
        window = self.window_of(i)
        return {m.id: r for m, r in zip(window.messages, self._regions(window, self.policy_at(i)), strict=True)}

    def regions_of(self, window: Window) -> list[Region]:
        """The region of each message of a window of this trace, in order."""
        return self._regions(window, self.policy)

    def _regions(self, window: Window, policy: Policy | None) -> list[Region]:
        rule = _Regions(window, policy)
        return [rule.of(m, k) for k, m in enumerate(window.messages)]

    def gone(self, i: int) -> dict[str, Region]:
        """What had arrived by step i and is not in the window: "summarised" or "dropped", by message id."""
        self._check(i)
        done, inside = bisect_right(self._compaction_steps, i), {m.id for m in self.window(i)}
        left: dict[str, Region] = {}
        for compaction in self.compactions[:done]:
            for edit in compaction.edits:
                if edit.action not in IN_PLACE:
                    names = (m.id for part in edit.ranges for m in self._pool.slice(part))
                    region: Region = "dropped" if edit.action == "dropped" else "summarised"
                    left.update((name, region) for name in names if name not in inside)
        return left

    def _check(self, i: int) -> None:
        if not 0 <= i < len(self):
            raise StepError(i, len(self))


def conversation(session: Session) -> Sequence[Message]:
    """The session's messages without what its recorded compactions put in, which no other run would have seen."""
    put_in = {c.summary for c in session.compactions if c.summary}
    put_in.update(id for c in session.compactions for id in c.added)
    if not put_in:
        return session.messages
    return tuple(m for m in session.messages if m.id not in put_in)


def as_session(messages: Sequence[Message], **known: Any) -> Session:
    """Messages that came from nowhere in particular, as a session."""
    return Session(messages=tuple(messages), records=len(messages), **known)


def check_compactions(compactions: Sequence[Compaction], messages: int) -> None:
    """Raise ValueError unless each compaction speaks only of messages that had arrived or been added by then."""
    at, pool = 0, messages
    for k, found in enumerate(compactions):
        if not at <= found.at <= messages:
            raise ValueError(
                f"compaction {k} happened after {found.at} of {messages} messages, the one before after {at}"
            )
        if len(found.added) != len(found.added_tokens):
            raise ValueError(f"compaction {k} added {len(found.added)} messages, {len(found.added_tokens)} counted")
        at, before, pool = found.at, pool, pool + len(found.added)
        gone = tuple(part for edit in found.edits for part in edit.ranges)
        for ranges, end in ((found.layout_before, before), (gone, before), (found.layout_after, pool)):
            if any(not _there(part, end, messages, at) for part in ranges):
                raise ValueError(f"compaction {k} names messages that were not there")


def _there(part: tuple[int, int], end: int, messages: int, at: int) -> bool:
    """Whether a range names only messages that had arrived, emptied or not, or had been added by then."""
    a, b = part
    if a >= SPACE:
        return a % SPACE < (b - 1) % SPACE + 1 <= at and a // SPACE == (b - 1) // SPACE
    return 0 <= a < b <= end and not (a < messages and min(b, messages) > at)
