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
    about="Before a turn, keeps the newest maxTurns turns of at most maxTokens tokens; the rest is gone.",
    rule="Before a user message is added: of the newest maxTurns turns (0: of all) the newest messages of at most "
    "maxTokens tokens are sent, up to the first that does not fit. System messages are neither counted nor dropped.",
    faults=(
        "The cut by tokens knows nothing of turns or pairs: a reply may come first, or a result without its call.",
        "A newest message larger than maxTokens empties the history.",
        "Arguments of tool calls are not counted.",
    ),
    not_modelled=(
        "turns that come twice, as every run writes what it has read once more",
        "a turn that ends with a reply without calls: here it lasts to the next typed message",
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
        amount("maxTokens", 4000, "tokens", "tokens that are read back at most"),
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
