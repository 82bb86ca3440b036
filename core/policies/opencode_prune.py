"""opencode's pruning: when a turn is over, tool results older than the newest 40,000 tokens of them are emptied.

Known faults are reproduced. Source: opencode, packages/opencode/src/session/compaction.ts at 31e22f65 (MIT); checked
2026-11-20 by reading a stored copy. There it is switched off unless `compaction.prune` is set; choosing it here is
setting it. Its tokens are a quarter of a result's characters; the meter here adds four for each.
"""

from core.policy.parameters import Parameter, amount
from core.policy.policy import Policy
from core.policy.vocabulary import Clear, Scope, Size, Source, Trigger

POLICY = Policy(
    name="opencode.prune",
    title="opencode, prune",
    family="coding agents",
    about="After each turn, clears tool results older than the newest 40,000 tokens of them; no summary.",
    rule="After each turn, at any size of the window: before the last two turns, keeps the newest tool results "
    "within PRUNE_PROTECT tokens and clears older ones, including the one that crosses the limit, if that "
    "frees more than PRUNE_MINIMUM. Failed results and those of protected tools are kept and not counted.",
    faults=(
        "One long turn is never pruned, however large it grows.",
        "It ignores the size of the window: old messages change, and the prompt cache is lost, while there is room to spare.",
        "The model cannot get back what was cleared.",
    ),
    not_modelled=("stopping at the first result that was cleared earlier: whole results before it stay forever",),
    source=Source(
        url="https://github.com/anomalyco/opencode/blob/dev/packages/opencode/src/session/compaction.ts",
        version="31e22f65",
        licence="MIT",
        checked="2026-11-20",
    ),
    fidelity="modelled",
    meter="agentlib",
    parameters=(
        amount("PRUNE_PROTECT", 40_000, "tokens", "newest tool results, by size, that stay whole"),
        amount("PRUNE_MINIMUM", 20_000, "tokens", "clear only if it frees more than this"),
        Parameter(
            name="PRUNE_PROTECTED_TOOLS",
            default=["skill"],
            kind="names",
            about="tools whose results are never cleared",
        ),
    ),
    trigger=Trigger(phase="turn_end", any_of=((),)),
    scope=Scope(
        head="none",
        tail=Size(unit="turns", value=2),
        beyond="PRUNE_PROTECT",
    ),
    transform=Clear(
        text="[Old tool result content cleared]",
        exclude="PRUNE_PROTECTED_TOOLS",
        errors=False,
        keeps="emptied",
        at_least="PRUNE_MINIMUM + 1",
        at_least_of="emptied",
    ),
)
