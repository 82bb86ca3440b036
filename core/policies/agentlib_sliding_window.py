"""@agentlib/memory's SlidingWindowMemory: the newest turns and tokens are read back, whatever stands at the cut.

Known faults are reproduced: token by token it orphans results, and one long message empties the history. Source:
packages/memory/src/sliding-window.ts at 4cf4821 (MIT), read 2026-11-20; the package is not to be had, so it was not run.
"""

from core.policy.parameters import amount
from core.policy.policy import Policy
from core.policy.vocabulary import Condition, Drop, Scope, Size, Source, Trigger

_TURNS = "maxTurns if maxTurns > 0 else 1000000000"  # none at all keeps all of them

POLICY = Policy(
    name="agentlib.sliding_window",
    title="agentlib SlidingWindowMemory",
    family="tutorials and small libraries",
    about="Before a turn, keeps the newest turns within a number of tokens, and drops the rest.",
    rule="Before a user message is added: keeps the newest messages of the newest maxTurns turns (0: of all "
    "turns) within maxTokens tokens, up to the first message that does not fit, and drops the rest. System "
    "messages are neither counted nor dropped.",
    faults=(
        "The cut by tokens ignores turns and tool pairs: the window may begin with a reply, or with a result without its call.",
        "If the newest message is larger than maxTokens, the history is empty.",
        "Arguments of tool calls are not counted.",
    ),
    not_modelled=(
        "duplicate turns: every run writes again what it has read",
        "a turn that ends with a reply without calls: here it ends at the next typed message",
    ),
    source=Source(
        url="https://github.com/sammwyy/agentlib/blob/main/packages/memory/src/sliding-window.ts",
        version="4cf4821",
        licence="MIT",
        checked="2026-11-20",
    ),
    fidelity="modelled",
    contrast="drop the oldest, no summary",
    meter="agentlib",
    parameters=(
        amount("maxTokens", 4000, "tokens", "at most this many tokens are kept"),
        amount("maxTurns", 50, "turns", "newest turns that are kept; 0 keeps all"),
    ),
    trigger=Trigger(
        phase="turn_start",
        any_of=((Condition(of="turns", value=_TURNS),), (Condition(value="maxTokens"),)),
        counts="spoken",
    ),
    scope=Scope(
        tail=(Size(unit="turns", value=_TURNS), Size(unit="tokens", value="maxTokens")),
        of_tails="shortest",
    ),
    transform=Drop(),
)
