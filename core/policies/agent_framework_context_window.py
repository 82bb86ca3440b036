"""Microsoft Agent Framework's ContextWindowCompactionStrategy: old tool calls become text, then the oldest messages go.

Known faults are reproduced: between the two thresholds each new call rewrites an old one, and requests go without a
trace. Source: agent-framework-core 1.23.0 (MIT), read and run 2026-11-20.
"""

from core.policy.parameters import amount, of_output, of_window, share
from core.policy.policy import Policy
from core.policy.vocabulary import Condition, Digest, Drop, Scope, Size, Source, Stage, Trigger

_EVICT = "int((window - output) * tool_eviction_threshold)"

POLICY = Policy(
    name="agent_framework.context_window",
    title="Agent Framework, context window",
    family="Microsoft Agent Framework",
    about="Above half the budget turns old tool calls into lines of text; above 0.8 of it drops the oldest messages.",
    rule="Before each model call; the budget is the context window less the longest reply. Above "
    "tool_eviction_threshold of it, every tool call with its results, except the newest "
    "keep_last_tool_call_groups, becomes one assistant message of text. If the window is then above "
    "truncation_threshold, drops the oldest messages, a call together with its results, until it is down to "
    "tool_eviction_threshold. System messages and the newest message or call are kept.",
    faults=(
        "Between the two thresholds each new call turns an old one into text, so the cache breaks at every step.",
        "The text of a call may be longer than what it replaces; nothing checks that.",
        "User messages are dropped without a marker, so a reply may come first.",
    ),
    not_modelled=(
        "preserve_first_user_group",
        "its own meter, which counts a token for every four characters of a message's JSON",
        "results without a call, and results that arrive late",
        "replies that contain only reasoning",
    ),
    source=Source(
        url="https://github.com/microsoft/agent-framework/blob/main/python/packages/core/agent_framework/_compaction.py",
        version="agent-framework-core 1.23.0",
        licence="MIT",
        checked="2026-11-20",
    ),
    fidelity="modelled",
    meter="agentkit",
    parameters=(
        of_window("max_context_window_tokens", "the context window of the model"),
        of_output("max_output_tokens", "the longest reply of the model, subtracted from the window"),
        share(
            "tool_eviction_threshold",
            0.5,
            "of the budget",
            "above this share old tool calls become text; messages are dropped down to it",
        ),
        share("truncation_threshold", 0.8, "of the budget", "above this share the oldest messages are dropped"),
        amount("keep_last_tool_call_groups", 4, "results", "newest calls that stay as they are"),
    ),
    trigger=Trigger(phase="before_call", any_of=((Condition(value="int((window - output) * truncation_threshold)"),),)),
    tiers=(
        Stage(
            name="tool eviction",
            when=((Condition(value=_EVICT),),),
            scope=Scope(tail=Size(unit="results", value="keep_last_tool_call_groups")),
            transform=Digest(),
        ),
    ),
    scope=Scope(keep_systems=True, evict=0, reach=f"tokens - {_EVICT}", cut_boundary="off_results"),
    transform=Drop(),
)
