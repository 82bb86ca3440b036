"""A compaction: what was done to the window, in ranges and numbers, and the messages that these name."""

from collections.abc import Iterable, Sequence
from typing import Literal

from pydantic import PrivateAttr, computed_field

from core.model.session import BY_HAND, Amount, Fidelity, Frozen, Message, RecordedSizes, same_fields
from core.policy.vocabulary import Status
from core.window.ranges import ADDED, SPACE, Range, Ranges, joined, originals, size, without
from core.window.window import Pool, Window

Action = Literal["summarised", "dropped", "cleared", "truncated"]
IN_PLACE: tuple[Action, ...] = ("cleared", "truncated")
_IN_SHORT = ("cleared", "shortened")  # what is left of messages: `injected` of what stands in for them


class Edit(Frozen):
    """What a compaction did to some messages of the window, and why: ranges over the pool."""

    action: Action
    ranges: Ranges
    reason: str = ""


class CompactionRecord(RecordedSizes):
    """What a compaction did, in ranges over the pool and in numbers: all that is written to a file.

    `tokens_before` and `tokens_after` are as recorded for a recorded compaction (None where the transcript does not say)
    and by the trace's meter for a simulated one; `window_before` and `window_after` are always by the meter. `at` counts
    the messages that had arrived; `number` n and `folded` k are those of "summary #n of k earlier messages". `tiers` are the
    stages that acted where a policy has several, `unread` the messages that went without the summarizer being given them.
    `blank` is whether the summarizer gave nothing but white space (None: it was not called, or nobody knows), `setback` why it
    failed where something was done all the same. `times` is how many attempts in a row failed like this one, the first of
    them. `duration_ms`, `context_window`, `instructions`, `unreadable` and what says where sizes are from are those of a
    recorded compaction (`core/model/session.py`).
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
    duration_ms: Amount | None = None
    context_window: int | None = None
    instructions: str = ""
    unreadable: str = ""
    window_before: Amount = 0
    window_after: Amount = 0
    limit: int | None = None
    line: int | None = None
    timestamp: str = ""
    tiers: tuple[str, ...] = ()
    unread: int = 0
    blank: bool | None = None
    setback: str = ""
    times: int = 1

    @property
    def by_hand(self) -> bool:
        """Whether it is an edit of the window that a person made in a live run, and so no compaction."""
        return self.policy == BY_HAND

    @property
    def counted_as(self) -> str:
        """The name it is counted under: a person's edit is no compaction, whatever else it looks like."""
        return "edit" if self.by_hand else self.kind

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
        """Tokens of what was put in for the messages taken out, by the meter: none of a summary that nobody can read."""
        back = {m.id for m in self.put_back}
        pairs = zip(self.added, self.added_tokens, strict=True)
        return sum(tokens for m, tokens in pairs if m.injected not in _IN_SHORT and m.id not in back)

    @property
    def put_back(self) -> tuple[Message, ...]:
        """What an agent put in beside its summary, as its own transcript records it: files, lists, the texts of hooks.

        A message that it holds in short is none of them: it never left.
        """
        if not self.recorded or self.policy:
            return ()
        return tuple(m for m in self.added if m.injected not in ("", "summary", *_IN_SHORT))

    @property
    def known_summary_tokens(self) -> int | None:
        """The same, or None where nobody can read the summary: its size is unknown."""
        return None if self.unreadable else self.summary_tokens

    def ranges_of(self, *actions: Action) -> Ranges:
        """The ranges that edits of these actions name, one after the other."""
        return tuple(part for edit in self.edits if edit.action in actions for part in edit.ranges)


class Compaction(CompactionRecord):
    """One event that rewrote the window, or an attempt that left it alone, recorded or simulated; it can name its messages.

    The messages are read from a pool; without one, as after reading a compaction alone from JSON, there are none.
    """

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
        return self._ids(self.ranges_of("summarised", "dropped"))

    @computed_field  # type: ignore[prop-decorator]
    @property
    def cleared(self) -> tuple[str, ...]:
        """Ids of the messages that stayed with their body emptied or shortened."""
        return self._ids(self.ranges_of(*IN_PLACE))

    @property
    def kept(self) -> tuple[str, ...]:
        """Ids of the messages that stayed as they were, in order."""
        return self._ids(without(self.layout_before, tuple(r for edit in self.edits for r in edit.ranges)))

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
    def removed_tokens(self) -> int:
        """Tokens that left the window, by the meter."""
        return sum(map(self._pool.tokens, self.ranges_of("summarised", "dropped"))) if self._pool else 0

    def _ids(self, ranges: Ranges) -> tuple[str, ...]:
        """Ids of these messages: a copy has that of its message."""
        return tuple(m.id for m in self._pool.listed(originals(ranges))) if self._pool else ()


def check_compactions(compactions: Sequence[Compaction], messages: int) -> None:
    """Raise ValueError unless each compaction speaks only of messages that had arrived or been added by then."""
    at, added = 0, 0
    for k, found in enumerate(compactions):
        if not at <= found.at <= messages:
            raise ValueError(
                f"compaction {k} happened after {found.at} of {messages} messages, the one before after {at}"
            )
        if len(found.added) != len(found.added_tokens):
            raise ValueError(f"compaction {k} added {len(found.added)} messages, {len(found.added_tokens)} counted")
        at, before, added = found.at, added, added + len(found.added)
        gone = tuple(part for edit in found.edits for part in edit.ranges)
        for ranges, count in ((found.layout_before, before), (gone, before), (found.layout_after, added)):
            if any(not exists(part, at, count) for part in ranges):
                raise ValueError(f"compaction {k} names messages that were not there")


def exists(part: Range, arrived: int, added: int) -> bool:
    """Whether a range names only messages that have arrived, emptied or not, or have been added: so many of each."""
    a, b = part
    if a >= SPACE:
        return a % SPACE < (b - 1) % SPACE + 1 <= arrived and a // SPACE == (b - 1) // SPACE
    return ADDED <= a < b <= ADDED + added if a >= ADDED else 0 <= a < b <= arrived


def fits(found: Compaction, arrived: int, added: int) -> bool:
    """Whether all that a compaction speaks of is there once so many messages have arrived, and others have added so many."""
    ranges = (*found.layout_before, *found.layout_after, *(part for edit in found.edits for part in edit.ranges))
    known = added + len(found.added)
    there = all(exists(part, arrived, known) for part in ranges) and size(ranges) <= 4 * (arrived + known)
    return found.at == arrived and there


def of_version_1(found: Compaction, messages: int) -> Compaction:
    """A compaction whose added messages count from so many messages on, as files of version 1 have them, as they count now.

    One that counts as now stays as it is.
    """
    gone = tuple(part for edit in found.edits for part in edit.ranges)
    if not any(a < ADDED and b > messages for a, b in (*found.layout_before, *gone, *found.layout_after)):
        return found
    edits = tuple(edit.model_copy(update={"ranges": _from_added(edit.ranges, messages)}) for edit in found.edits)
    before, after = _from_added(found.layout_before, messages), _from_added(found.layout_after, messages)
    return found.model_copy(update={"layout_before": before, "layout_after": after, "edits": edits})


def _from_added(ranges: Iterable[Range], messages: int) -> Ranges:
    parts: list[Range] = []
    for a, b in ranges:
        start = min(b, max(a, messages)) if a < ADDED else b
        parts += [(a, start), (start - messages + ADDED, b - messages + ADDED)]
    return joined(parts)
