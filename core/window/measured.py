"""Messages with their tokens by one meter, and what a search over them needs, each worked out once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from itertools import accumulate

from core.model.cached import cached
from core.model.session import Message
from core.model.tool_pairs import tool_pairs
from core.policy.vocabulary import Grouping


@dataclass(eq=False)
class Measured:
    """Messages with their tokens by one meter.

    `running[i]` is the sum of the first i token counts; `calls` the places where the model was called (before the message
    that stands there), `replies` what each call brought, `turn_starts` where a typed message stands.
    """

    messages: Sequence[Message]
    tokens: Sequence[int]

    @cached_property
    def running(self) -> list[int]:
        """The sum of the first i token counts, for every i."""
        return list(accumulate(self.tokens, initial=0))

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """The tokens as every trace over these messages keeps them."""
        return tuple(self.tokens)

    @cached_property
    def turn_starts(self) -> list[int]:
        """Where a typed message stands."""
        return [i for i, m in enumerate(self.messages) if m.typed]

    @cached_property
    def requests(self) -> list[int]:
        """Where a typed message stands, whole or with its middle cut out."""
        return [i for i, m in enumerate(self.messages) if m.typed or is_cut_request(m)]

    def place_of(self, id: str) -> int:
        """Where the message of this id stands. Raises KeyError where there is none."""
        return self.places[id]

    @cached_property
    def places(self) -> dict[str, int]:
        """Where each message stands, by its id."""
        return {m.id: i for i, m in enumerate(self.messages)}

    @cached_property
    def replies(self) -> list[list[int]]:
        """Where the messages of each reply stand: an assistant message opens one unless it has the reply_id of the one before.

        A reply goes on after a tool result that was recorded before it ended. A message that a harness put in is no reply.
        """
        found: list[list[int]] = []
        for place, message in enumerate(self.messages):
            if not is_reply(message):
                continue
            if found and self._same_reply(found[-1][0], place):
                found[-1].append(place)
            else:
                found.append([place])
        return found

    @cached_property
    def calls(self) -> list[int]:
        """Where the model was called: before the message that stands there."""
        return [parts[0] for parts in self.replies]

    @cached_property
    def continued(self) -> set[int]:
        """Where a reply goes on that a message before has opened."""
        return {place for parts in self.replies for place in parts[1:]}

    @cached_property
    def systems(self) -> list[int]:
        """Where a system message stands."""
        return [i for i, m in enumerate(self.messages) if m.role == "system"]

    @cached_property
    def results(self) -> list[int]:
        """Where a tool message stands."""
        return [i for i, m in enumerate(self.messages) if m.role == "tool"]

    @cached_property
    def leading_systems(self) -> int:
        """How many system messages stand at the very front."""
        return next((k for k, i in enumerate(self.systems) if k != i), len(self.systems))

    @cached_property
    def active(self) -> list[int]:
        """Like `running`, with system messages and summaries left out of the sum."""
        pairs = zip(self.messages, self.tokens, strict=True)
        counted = (0 if m.role == "system" or m.injected == "summary" else t for m, t in pairs)
        return list(accumulate(counted, initial=0))

    def counted(self, counts: str) -> list[int]:
        """The running sum that a trigger which counts so looks at."""
        if counts == "active":
            return self.active
        if counts == "wordless":
            return self.with_wordless
        return self.without_systems if counts == "spoken" else self.running

    @cached_property
    def without_systems(self) -> list[int]:
        """Like `running`, with system messages left out of the sum."""
        pairs = zip(self.messages, self.tokens, strict=True)
        return list(accumulate((0 if m.role == "system" else t for m, t in pairs), initial=0))

    def counted_messages(self, grouping: Grouping) -> Sequence[int]:
        """How many messages of the real system the first i are, for every i."""
        return self.results_joined if grouping == "results" else self.calls_apart

    @cached_property
    def results_joined(self) -> list[int]:
        """How many the first i messages are where results that follow one another are one."""
        before = (None, *self.messages[:-1])
        weights = (results_as_one(m, last) for m, last in zip(self.messages, before, strict=False))
        return list(accumulate(weights, initial=0))

    @cached_property
    def calls_apart(self) -> list[int]:
        """How many the first i messages are where each call of a reply is one."""
        return list(accumulate(map(calls_each, self.messages), initial=0))

    @cached_property
    def with_wordless(self) -> list[int]:
        """Like `running`, with one token more for each reply that only calls tools."""
        pairs = zip(self.messages, self.tokens, strict=True)
        return list(accumulate((t + is_wordless(m) for m, t in pairs), initial=0))

    @cached_property
    def call_of(self) -> list[int]:
        """For every message that answers a call, where the call was made; -1 for the others and where it is not known."""
        found = [-1] * len(self.messages)
        for pair in tool_pairs(enumerate(self.messages)):
            found[pair.result_at] = pair.call_at
        return found

    @cached_property
    def answers(self) -> dict[int, list[int]]:
        """Where the results of the calls of each reply stand, in order, by where the reply does."""
        found: dict[int, list[int]] = {}
        for i, start in enumerate(self.call_of):
            if start >= 0:
                found.setdefault(start, []).append(i)
        return found

    @cached_property
    def answered_late(self) -> list[int]:
        """Where the replies stand whose results do not all follow at once."""
        return [
            start for start, places in self.answers.items() if places != list(range(start + 1, start + 1 + len(places)))
        ]

    @cached_property
    def inside(self) -> list[int]:
        """How many tool pairs, or replies of several messages, a cut before message i would part; n + 1 entries."""
        change = [0] * (len(self.messages) + 2)
        for i, start in self._bonds():
            change[start + 1] += 1
            change[i + 1] -= 1
        return list(accumulate(change))[: len(self.messages) + 1]

    @cached_property
    def open(self) -> list[int]:
        """How many of the calls made before message i are never answered; n + 1 entries."""
        answered = {(start, self.messages[i].tool_call_id) for i, start in enumerate(self.call_of) if start >= 0}
        waiting = (sum((i, c.id) not in answered for c in m.tool_calls) for i, m in enumerate(self.messages))
        return list(accumulate(waiting, initial=0))

    @cached_property
    def result_tokens(self) -> list[int]:
        """Like `running`, of tool results alone."""
        pairs = zip(self.messages, self.tokens, strict=True)
        return list(accumulate((t if m.role == "tool" else 0 for m, t in pairs), initial=0))

    @cached_property
    def dialogue(self) -> list[int]:
        """Where a message of a user or an assistant stands."""
        return [i for i, m in enumerate(self.messages) if m.role in ("user", "assistant")]

    @cached_property
    def conversation(self) -> list[int]:
        """Where a message stands that is not the system's."""
        return [i for i, m in enumerate(self.messages) if m.role != "system"]

    @cached_property
    def groups(self) -> list[int]:
        """Where a message stands that calls tools."""
        return [i for i, m in enumerate(self.messages) if m.tool_calls]

    @cached_property
    def bound(self) -> dict[int, list[int]]:
        """Where the first result of each call of a reply stands, by where the reply does."""
        found: dict[int, list[int]] = {}
        for pair in tool_pairs(enumerate(self.messages)):
            if pair.first:
                found.setdefault(pair.call_at, []).append(pair.result_at)
        return found

    def continues(self, first: int, place: int) -> bool:
        """Whether a message is a further part of the reply before it, which is not before message `first`."""
        return first < place < len(self.messages) and self._same_reply(place - 1, place)

    def _bonds(self) -> list[tuple[int, int]]:
        """Places of two messages that belong together, the later one first: results and calls, parts of one reply.

        A call has one result, the first: what answers it once more binds nothing.
        """
        pairs = [(i, start) for start, places in self.bound.items() for i in places]
        return pairs + [(i, i - 1) for i in range(1, len(self.messages)) if self._same_reply(i - 1, i)]

    @cached_property
    def pauses(self) -> list[float]:
        """For every number of messages that had arrived: the minutes from the newest reply to the newest time known.

        0 where there is no reply yet, or none with a time; n + 1 entries.
        """
        found, reply, now = [0.0], None, None
        for message in self.messages:
            time = seconds(message.timestamp)
            now = now if time is None else time
            reply = time if message.role == "assistant" else reply
            found.append(0.0 if reply is None or now is None else (now - reply) / 60)
        return found

    def pauses_over(self, minutes: float) -> Sequence[int]:
        """How many messages had arrived each time the pause was longer than this."""
        return cached(
            self, ("pauses", minutes), lambda base: [at for at, pause in enumerate(base.pauses) if pause > minutes]
        )

    @cached_property
    def mark(self) -> str:
        """What the ids of added summaries begin with: "summary#", or more where a message's own id already does."""
        mark, taken = "summary#", [m.id for m in self.messages if m.id.startswith("summary")]
        while any(name.startswith(mark) for name in taken):
            mark = mark[:-1] + "+#"
        return mark

    def _same_reply(self, first: int, other: int) -> bool:
        """Whether both messages are known to be parts of one reply."""
        reply = self.messages[other].reply_id
        return bool(reply) and self.messages[first].reply_id == reply


def results_as_one(message: Message, before: Message | None) -> int:
    """A message counts one, a result that follows another nothing: they are one message of the real system."""
    return int(message.role != "tool" or before is None or before.role != "tool")


def calls_each(message: Message, before: Message | None = None) -> int:
    """A message counts one, a reply one for each call it makes."""
    return max(1, len(message.tool_calls))


WEIGHTS: dict[Grouping, Callable[[Message, Message | None], int]] = {
    "none": lambda message, before: 1,
    "results": results_as_one,
    "calls": calls_each,
}
"""How many messages of the real system one is, and the message in front of it."""


def is_reply(message: Message) -> bool:
    """Whether the model wrote it: an assistant message that no harness put in."""
    return message.role == "assistant" and not message.injected


def is_wordless(message: Message) -> bool:
    """Whether it is a reply without text that calls tools."""
    return message.role == "assistant" and bool(message.tool_calls) and not message.content


def is_cut_request(message: Message) -> bool:
    """Whether it is a typed message whose middle a compaction cut out."""
    return message.role == "user" and message.injected == "cleared"


def seconds(text: str) -> float | None:
    """A timestamp in seconds since 1970; None where it cannot be read. Without a zone it is taken as UTC."""
    try:
        found = datetime.fromisoformat(text) if text else None
    except ValueError:
        return None
    if found is None:
        return None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
