"""What a rule is asked about: a window that is about to be cut, and one that grows."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from core.policy.formula import Number, names_in
from core.policy.policy import Policy
from core.policy.vocabulary import Formula, Scope, Stage
from core.window.grouped import behind, size
from core.window.heads import head_size, replaced_size
from core.window.window import Window


class CutContext(NamedTuple):
    """A window about to be cut: `[0, head)` is pinned, `[head, body)` an earlier summary that the new one replaces."""

    window: Window
    policy: Policy
    stage: Stage
    head: int
    body: int

    @property
    def scope(self) -> Scope:
        """What the stage says may go."""
        return self.stage.scope

    def amount(self, formula: Formula) -> int:
        """The whole number that a formula of the scope comes to: over the parameters, and what is counted in the window."""
        names = names_in(formula) if isinstance(formula, str) else ()
        return self.policy.value(formula, **{name: COUNTS[name](self) for name in names if name in COUNTS})

    def value(self, amount: Formula) -> int:
        """The whole number that a formula over the parameters comes to."""
        return self.policy.value(amount)

    def messages(self, start: int = 0, stop: int | None = None) -> int:
        """How many messages those from index `start` up to `stop` are, as the policy counts them."""
        return size(self.window, self.policy.grouping, start, stop)

    def behind(self, start: int, count: int) -> int:
        """The index behind the first so many messages from index `start` on, as the policy counts them."""
        return behind(self.window, self.policy.grouping, start, count)

    def tokens(self, start: int, stop: int) -> int:
        """The tokens of the messages from index `start` up to `stop`."""
        return sum(map(self.window.pool.tokens, self.window.cut(start, stop)))


COUNTS: dict[str, Callable[[CutContext], Number]] = {
    "n": lambda context: context.messages(context.body),
    "count": lambda context: context.messages(context.body),
    "all": lambda context: context.messages(),
    "tokens": lambda context: context.window.tokens,
}
"""What formulas of a scope may use, beside the parameters: of what may go or be kept, and of the whole window."""


def context_of(window: Window, policy: Policy, stage: Stage) -> CutContext:
    """The window with its head and the summary behind it found."""
    head = head_size(window, policy, stage)
    return CutContext(window, policy, stage, head, head + replaced_size(window, head, stage))


@dataclass(frozen=True)
class Growth:
    """A window as it was when `at` messages had arrived, and the messages up to `upto` that join it one by one."""

    window: Window
    policy: Policy
    at: int
    upto: int

    @property
    def scope(self) -> Scope:
        """What the policy says may go."""
        return self.policy.scope

    @property
    def sizes(self) -> range:
        """The window's size after each arrival."""
        return range(len(self.window), len(self.window) + self.upto - self.at + 1)

    @cached_property
    def whole(self) -> CutContext:
        """The window once everything has arrived."""
        return context_of(self.window.grown(self.at, self.upto), self.policy, self.policy.main)

    def after(self, size: int) -> CutContext:
        """The window when it had this size. Its head and body are those of the whole, as far as it reaches."""
        window = self.window.grown(self.at, self.at + size - len(self.window))
        return CutContext(window, self.policy, self.policy.main, min(self.whole.head, size), min(self.whole.body, size))
