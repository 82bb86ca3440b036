"""stella's tool-result retention: old results are shortened once that frees enough of what would be left.

Source: macanderson/stella (AGPL-3.0), stella-core/src/compaction.rs at 8f933a1 and driver/config.rs at 0aefe66, read, with the
gate of pull request 5066; checked 2026-11-23. By its measurements the gate of before, a share of the budget, picked the
wrong moments at every price.
"""

from core.model.cached import cached
from core.policy.parameters import amount
from core.policy.policy import Policy
from core.policy.rules import Cut
from core.policy.vocabulary import Clear, Scope, Source, Trigger
from core.window.context import CutContext
from core.window.measured import Measured
from core.window.ranges import ADDED
from core.window.sizes import newest

AGE_THRESHOLD, AGE_KEEP = 2_000, 800
MARKER = "\n[… middle elided during compaction — re-run the tool for the full output …]\n"
RETAINED = 2 * AGE_KEEP + len(MARKER)


@Cut
def where_it_pays(context: CutContext) -> int:
    """Before the newest steps with results, if shortening all older ones frees enough; else nothing goes."""
    window, policy = context.window, context.policy
    saved = _saved(window.pool.base)
    cut = newest(window, saved.steps, max(1, policy.value("tool_result_horizon_steps")), context.body)
    whole = [part for part in window.cut(context.body, cut) if part[0] < ADDED]
    characters = sum(saved.characters[b] - saved.characters[a] for a, b in whole)
    freed = sum(saved.tokens[b] - saved.tokens[a] for a, b in whole)
    left = window.tokens - freed
    enough = 100 * freed >= policy.value("RETENTION_TRIGGER_RECLAIM_PERCENT") * left
    return cut if characters >= policy.value("RETENTION_MIN_RECLAIM_CHARS") and enough else context.body


class _Saved:
    """What shortening frees of the first k messages, in characters and tokens, and where the steps with results begin."""

    def __init__(self) -> None:
        self.characters, self.tokens, self.steps = [0], [0], list[int]()

    def take(self, base: Measured) -> "_Saved":
        """Take in the messages that have arrived since."""
        for i in range(len(self.tokens) - 1, len(base.messages)):
            message, free = base.messages[i], 0
            if message.role == "tool":
                free = max(0, len(message.content) - RETAINED) if len(message.content) > AGE_THRESHOLD else 0
                if not i or base.messages[i - 1].role != "tool":
                    self.steps.append(i)
            self.characters.append(self.characters[-1] + free)
            self.tokens.append(self.tokens[-1] + (base.tokens[i] * free // len(message.content) if free else 0))
        return self


def _saved(base: Measured) -> _Saved:
    """The same, kept with the messages."""
    known: _Saved = cached(base, "stella retention", lambda _: _Saved())
    return known.take(base)


POLICY = Policy(
    name="stella.retention",
    title="stella, tool-result retention",
    family="coding agents",
    about="Shortens old tool results to their ends, but only once that frees a good share of what would be left.",
    rule="Before every model call, at any size of the window: the results of all but the newest tool_result_horizon_steps "
    "steps with tool results, where longer than 2,000 characters, keep their first and last 800. It happens to all of them "
    "at once, if it frees at least RETENTION_MIN_RECLAIM_CHARS characters and RETENTION_TRIGGER_RECLAIM_PERCENT % of the "
    "tokens that would be left; otherwise to none.",
    faults=(
        "A window of many results just under 2,000 characters is never shortened.",
        "The share is of the whole window: a large prompt in front keeps old results whole for long.",
        "Each time, the prompt changes from the first shortened result on, and the cache behind it is lost.",
    ),
    not_modelled=(
        "the passes at its budget of 150,000 tokens: repeated and stale results, eviction, a summary",
        "sizes in bytes: here in characters",
        "its own estimate of tokens: here a result's tokens by the meter, in proportion",
        "the digest of the files already read",
    ),
    source=Source(
        url="https://github.com/macanderson/stella/pull/5066",
        version="8f933a1, with pull request 5066",
        licence="AGPL-3.0",
        checked="2026-11-23",
    ),
    fidelity="modelled",
    parameters=(
        amount("tool_result_horizon_steps", 8, "steps", "newest steps with tool results that stay whole"),
        amount("RETENTION_MIN_RECLAIM_CHARS", 12_000, "characters", "shorten only if it frees at least this many"),
        amount(
            "RETENTION_TRIGGER_RECLAIM_PERCENT", 15, "percent", "of the tokens left, what it must free to be worth it"
        ),
    ),
    trigger=Trigger(phase="before_call", any_of=((),)),
    scope=Scope(head="none", cut=where_it_pays),
    transform=Clear(text=MARKER, above=AGE_THRESHOLD, head=AGE_KEEP, tail=AGE_KEEP),
)
