"""A policy on its way through messages: the window it left, what it remembers, and what follows from each of its attempts.

`simulate` asks at the places where the policy is due in a recorded session, `LiveContext` as messages arrive.
"""

from dataclasses import replace

from core.engine.compaction import compact_window
from core.engine.due import PolicyState
from core.engine.failures import Failures
from core.meters import Meter
from core.policy.policy import Policy
from core.policy.vocabulary import Phase
from core.summaries.summarizers import Summarizer
from core.trace.compaction import Compaction
from core.window.window import Pool, Window


class PolicyRun:
    """The state of a policy over the messages of a pool; `summarizer` None is the offline structural one."""

    def __init__(self, pool: Pool, policy: Policy, meter: Meter, summarizer: Summarizer | None) -> None:
        self.pool, self.policy, self.meter, self.summarizer = pool, policy, meter, summarizer
        self.state, self.failures = PolicyState(), Failures()
        self.number = 1  # of the next summary
        self.since = 0  # how many messages had arrived when the window was last rewritten
        self.left = Window(pool, (), 0)  # the window as it was left then

    def window_at(self, arrived: int) -> Window:
        """The window once so many messages have arrived."""
        return self.left.grown(self.since, arrived)

    @property
    def stopped(self) -> str:
        """Why the policy makes no more attempts, or ""."""
        return self.state.stopped(self.policy)

    def attempt(
        self, at: int, phase: Phase | None = None, rules: Policy | None = None, force: bool = False
    ) -> Compaction:
        """Let the policy, or other rules in its place, act on the window of this moment; what came of it is kept."""
        added, made = len(self.pool.added), self.pool.made
        try:
            found = compact_window(
                self.window_at(at),
                rules or self.policy,
                meter=self.meter,
                summarizer=self.summarizer,
                force=force,
                number=self.number,
                at=at,
                phase=phase,
                past=self.state,
            )
        except BaseException:  # also where a run is cancelled: what was put in on the way goes again
            self.pool.forget(added)
            self.pool.made = made
            raise
        self.take(found)
        return found

    def rehearse(self, at: int, phase: Phase) -> Compaction:
        """What an attempt in this phase would come to, with a few words in place of the summary; nothing of it is kept."""
        window = self.window_at(at)
        return compact_window(
            Window(window.pool.copy(), window.ranges),
            self.policy,
            meter=self.meter,
            summarizer=lambda messages, prior: "(the summary)",
            number=self.number,
            at=at,
            phase=phase,
            past=self.state,
        )

    def take(self, found: Compaction) -> None:
        """Keep what came of an attempt."""
        if found.acted:
            self.failures.over(found)
            self.state = self.state.after(found.at, self.pool.base, self.failures.refused)
            self.number += found.summary is not None
            self.rewrite(found)
        elif found.status in ("failed", "inflated"):
            self.failures.add(found)
            self.state = replace(self.state, failures=self.failures.running, refused=self.failures.refused)
        if why := self.stopped:
            self.failures.stopped = f"after {found.at:,} messages {self.policy.name} stopped: {why}"

    def rewrite(self, found: Compaction) -> None:
        """The window is as this compaction left it."""
        self.left, self.since = Window(self.pool, found.layout_after, found.window_after), found.at
