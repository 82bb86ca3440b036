"""Claude Code's microcompaction by time: after a long pause, empty all but the newest tool results.

Known faults: it is silent, it clears what tools loaded as memory, and it breaks a prefix cache that may still be warm.
Closed source: rules and figures (60 minutes, 5 results, the list of tools, the placeholder) are from issue threads of
anthropics/claude-code (42542, 57788, 9089) and an open port, QwenLM/qwen-code 3006 (Apache-2.0); checked 2026-11-20. Said
to be off by default behind a switch of the server; here it acts.
"""

from core.policy.parameters import amount
from core.policy.policy import Policy
from core.policy.vocabulary import Clear, Condition, Scope, Size, Source, Stage, Trigger

TOOLS = ("Read", "Bash", "Grep", "Glob", "WebSearch", "WebFetch", "Edit", "Write")
PARAMETERS = (
    amount(
        "gapThresholdMinutes",
        60,
        "minutes",
        "clear old tool results after a pause of this many minutes; figure from open ports",
    ),
    amount(
        "keepRecent", 5, "results", "newest results of these tools that stay; at least 1 does; figure from open ports"
    ),
)
STAGE = Stage(
    name="microcompact",
    when=((Condition(of="pause", value="gapThresholdMinutes"),),),
    scope=Scope(tail=Size(unit="results", value="max(1, keepRecent)")),
    transform=Clear(
        text="[Old tool result content cleared]", only=TOOLS, keeps="emptied", at_least=1, at_least_of="emptied"
    ),
)

POLICY = Policy(
    name="claude_code.microcompact",
    title="Claude Code, microcompact",
    family="coding agents",
    about="After a pause of an hour, clears all but the newest results of its own tools.",
    rule="Before a model call, if the newest reply is more than gapThresholdMinutes older than the newest "
    "message: all but the newest keepRecent results of Read, Bash, Grep, Glob, WebSearch, WebFetch, Edit "
    "and Write become a fixed line. Calls and other tools' results are unchanged. The number of tokens does "
    "not matter.",
    faults=(
        "Silent: neither user nor model is told, and the model continues as if it had just read what was cleared.",
        "Output that a tool loaded as memory is cleared like any other.",
        "Stays on when automatic compaction is switched off, and breaks the prefix cache even while it is warm.",
    ),
    not_modelled=("the variant that tells the server to delete cached results, which leaves no trace in a transcript",),
    source=Source(
        url="https://github.com/anthropics/claude-code/issues/42542",
        version="1.0.68 to 2.1.30x",
        licence="proprietary",
        checked="2026-11-20",
    ),
    fidelity="approximate",
    parameters=PARAMETERS,
    trigger=Trigger(phase="before_call", any_of=STAGE.when or ()),
    scope=STAGE.scope,
    transform=STAGE.transform,
)
