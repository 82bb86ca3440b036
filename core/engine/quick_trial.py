"""What a policy would come to in a session, quickly: how often it compacts, and how much of the time it is over its limit.

The engine's own compactions, with summaries of about the length that the structural summarizer writes and no words in them.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from core.engine.compaction import pool_over
from core.engine.policy_run import PolicyRun
from core.engine.simulate import compactions_of
from core.model.session import Message
from core.policy.policy import Policy
from core.summaries.actions import size_of
from core.summaries.summarizers import room
from core.trace.compaction import Compaction
from core.window.measured import Measured
from core.window.window import Pool, Window

MOST = 40  # compactions: a trial ends here


@dataclass(frozen=True)
class Trial:
    """How many compactions there were, MOST at most, and the share of steps (0 to 1) that were over the limit.

    `only_cleared` of them took nothing out of the window, but emptied messages in it; `places` says of the others how many
    messages had arrived.
    """

    compactions: int
    over: float
    only_cleared: int = 0
    places: tuple[int, ...] = ()


class _Length:
    """Counts what a trial adds: four characters to a token."""

    def count(self, message: Message) -> int:
        """A quarter of its characters."""
        return len(message.content) // 4 + 1


def _padded(messages: Sequence[Message], prior: str | None) -> str:
    """As many characters as a summary of these messages would take, at most."""
    before = len(prior or "") + sum(len(m.content) for m in messages if m.injected == "summary")
    size = sum(len(m.content) + sum(map(size_of, m.tool_calls)) for m in messages if m.injected != "summary")
    return "x" * room(size, before)


def tried(policy: Policy, measured: Measured) -> Trial:
    """What the policy with its settings comes to in these messages.

    Without a limit in tokens there is no being over it, and neither is there for a view that counts all that arrived.
    """
    pool = pool_over(measured, policy, _Length())
    found = list(islice(compactions_of(PolicyRun(pool, policy, _Length(), _padded)), MOST))
    places = tuple(event.at for event in found if event.ranges_of("summarised", "dropped"))
    emptied = len(found) - len(places)
    if policy.limit is None or policy.trigger.counts == "history":
        return Trial(len(found), 0.0, emptied, places)
    limit, steps = policy.limit, len(measured.messages) + len(found)
    over = sum(_over(policy, measured, limit, *part) for part in _stretches(pool, policy, found))
    return Trial(len(found), over / steps if steps else 0.0, emptied, places)


def _stretches(pool: Pool, policy: Policy, found: Sequence[Compaction]) -> list[tuple[int, int, int, bool]]:
    """Between compactions: the messages there were at its start and end, the tokens at its start, whether one began it."""
    after = [(c.at, Window(pool, c.layout_after).counted(policy), True) for c in found]
    ends = [*(c.at for c in found), len(pool.base.messages)]
    return [(at, end, tokens, made) for (at, tokens, made), end in zip([(0, 0, False), *after], ends, strict=True)]


def _over(policy: Policy, measured: Measured, limit: int, at: int, end: int, tokens: int, made: bool) -> int:
    """How many steps of a stretch are over the limit: from the message on with which it is passed."""
    running = measured.counted(policy.trigger.counts)
    within = bisect_right(running, limit - tokens + running[at], at, end + 1) - 1
    return end - max(at, within) + (made and tokens > limit)
