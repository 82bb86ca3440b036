"""A trace: every step of a run, every compaction, enough to rebuild the window at any step.

A trace keeps the session and, for each compaction, the window it left as ranges over the session's messages (see
`core/window/window.py`). Windows, regions and steps are worked out when asked for, so a trace of 100,000 steps is small.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Literal, overload

from pydantic import AliasChoices, Field, ModelWrapValidatorHandler, PrivateAttr, model_validator

from core.model.errors import StepError
from core.model.session import Frozen, Message, Session, same_fields
from core.policy.policy import Policy
from core.trace.compaction import IN_PLACE, Compaction, check_compactions, of_version_1
from core.trace.hindsight import Hindsight, hindsight
from core.trace.regions import Regions
from core.window.clear_in_place import cleared_copies_over
from core.window.cleared_copy import ClearedCopy
from core.window.measured import Measured
from core.window.window import Pool, Region, Window

TRACE_VERSION = 2


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


class PolicyChange(Frozen):
    """From which step on a policy is in force in a live run."""

    since: int
    policy: Policy


class Trace(Frozen):
    """What came out of replaying or simulating a session.

    `tokens` are those of `messages` (the session's, without the summaries it recorded) by `meter`; `compactions` are in
    order of time. Steps count from 0: `window(i)` is what the model could see once step i had happened. `failed` are the
    compaction attempts that failed because of the summary, the first of each run of them; they are no steps. `lighter` are the
    tokens of what was emptied in place, by place, for each stage of the policy that does so.

    Of a live run in which the policy was changed, `policy_changes` are all that were in force, the last of which is
    `policy` (older files call them `eras`). `pinned` are the places of the messages that a person has pinned, in a live run or
    for a simulation (`held`).
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
    policy_changes: tuple[PolicyChange, ...] = Field(
        default=(), validation_alias=AliasChoices("policy_changes", "eras")
    )
    pinned: tuple[int, ...] = Field(default=(), validation_alias=AliasChoices("pinned", "held"))

    _pool: Pool = PrivateAttr()

    @model_validator(mode="wrap")
    @classmethod
    def _opened(cls, value: Any, handler: ModelWrapValidatorHandler["Trace"]) -> "Trace":
        found = handler(value)
        messages = conversation(found.session)
        if len(messages) != len(found.tokens):
            raise ValueError(f"{len(found.tokens)} token counts for {len(messages)} messages")
        trace = found._of_version_1() if found.version == 1 else found
        check_compactions(trace.compactions, len(messages))
        return trace.attach(Measured(messages, trace.tokens))

    def _of_version_1(self) -> "Trace":
        """This trace, read from a file of version 1, in which what compactions added followed the messages."""
        compactions, failed = (
            tuple(of_version_1(one, len(self.tokens)) for one in found) for found in (self.compactions, self.failed)
        )
        return self.model_copy(update={"version": TRACE_VERSION, "compactions": compactions, "failed": failed})

    def attach(self, base: Measured) -> "Trace":
        """This trace over messages already measured; its compactions can name theirs."""
        pool = Pool(base, cleared_copies=self._cleared_copies(base), pinned=frozenset(self.pinned))
        for compaction in self.compactions:
            for message, tokens in zip(compaction.added, compaction.added_tokens, strict=True):
                pool.add(message, tokens)
            compaction.attach(pool)
        for attempt in self.failed:
            attempt.attach(pool)
        return self.over(pool)

    def _cleared_copies(self, base: Measured) -> list[ClearedCopy]:
        """What its policies clear, with the tokens that were counted when the trace was made."""
        policies = [change.policy for change in self.policy_changes] or ([self.policy] if self.policy else [])
        made = list(cleared_copies_over(base, policies, lambda message: 0).values())
        for copies, known in zip(made, self.lighter, strict=False):
            copies.counted(known)
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
        return self.pool.base.messages

    @property
    def measured(self) -> Measured:
        """The messages that arrive with their tokens, and the sums over them."""
        return self.pool.base

    @property
    def pool(self) -> Pool:
        """What the windows of this trace are ranges over."""
        private: dict[str, Any] = self.__pydantic_private__ or {}  # by `self._pool` it takes ten times as long
        pool: Pool = private["_pool"]
        return pool

    @property
    def cleared_copies(self) -> Sequence[ClearedCopy]:
        """What its policy leaves of each message, for each stage that empties some."""
        return self.pool.cleared_copies

    @property
    def steps(self) -> Steps:
        """Every step, in order; a sequence that makes each when it is asked for."""
        return Steps(self)

    @cached_property
    def compaction_ats(self) -> list[int]:
        """How many messages had arrived at each compaction."""
        return [c.at for c in self.compactions]

    @cached_property
    def compaction_steps(self) -> list[int]:
        """The step at which each compaction happened."""
        return [c.at + k for k, c in enumerate(self.compactions)]

    def compaction_step(self, k: int) -> int:
        """The step at which compaction k happened."""
        return self.compaction_steps[k]

    def message_step(self, m: int) -> int:
        """The step at which message m arrived, counted from 0."""
        return m + bisect_right(self.compaction_ats, m)

    def arrived(self, i: int) -> int:
        """How many messages had arrived by step i."""
        return i + 1 - bisect_right(self.compaction_steps, i)

    def compaction_at(self, i: int) -> int | None:
        """The compaction that happened at step i, counted from 0."""
        k = bisect_left(self.compaction_steps, i)
        return k if self.compaction_steps[k : k + 1] == [i] else None

    def step(self, i: int) -> Step:
        """Step i. Raises StepError outside the trace."""
        tokens, arrived, k = self.window_of(i).tokens, self.arrived(i), self.compaction_at(i)
        if k is not None:
            return Step(index=i, kind="compaction", messages=arrived, tokens=tokens, compaction=k)
        return Step(index=i, kind="message", messages=arrived, tokens=tokens, message=self.messages[arrived - 1].id)

    def window_of(self, i: int) -> Window:
        """The window at step i as ranges over the pool. Raises StepError outside the trace."""
        self._check(i)
        done = bisect_right(self.compaction_steps, i)
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
        return self.measured.running[self.arrived(i)] if policy.trigger.counts == "history" else window.counted(policy)

    def window(self, i: int) -> list[Message]:
        """What the model could see at step i, in order. Raises StepError outside the trace."""
        return self.window_of(i).messages

    def policy_at(self, i: int) -> Policy | None:
        """The policy in force at step i."""
        found = bisect_right(self.policy_changes, i, key=lambda change: change.since)
        return self.policy_changes[found - 1].policy if found else self.policy

    def regions(self, i: int) -> dict[str, Region]:
        """The region of each message of the window at step i, by message id, in order.

        Without a policy, as recorded, they are told with hindsight: "compactable" is what the next compaction took, "recent"
        what it kept, and "message" what no later one tells of.
        """
        return {m.id: r for m, r in zip(self.window(i), self.region_list(i), strict=True)}

    def region_list(self, i: int) -> list[Region]:
        """The region of each message of the window at step i, in order."""
        window = self.window_of(i)
        rule = Regions(window, self.policy_at(i), self.hindsight(i))
        return [rule.of(m, k) for k, m in enumerate(window.messages)]

    def hindsight(self, i: int) -> Hindsight | None:
        """What the next compaction took of the window at step i; None under a policy, or where nobody knows."""
        return None if self.policy else hindsight(self.compactions, bisect_right(self.compaction_steps, i))

    def gone(self, i: int) -> dict[str, Region]:
        """What had arrived by step i and is not in the window: "summarised" or "dropped", by message id."""
        self._check(i)
        done, inside = bisect_right(self.compaction_steps, i), {m.id for m in self.window(i)}
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
