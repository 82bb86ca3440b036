"""LangChain's ClearToolUsesEdit: above a threshold, each request is sent with the bodies of older tool results emptied.

The history itself stays; what is cleared is worked out anew for every call. Source: langchain 1.4.7 (MIT), read and run;
checked 2026-11-20 and held to 133 golden vectors.
"""

from core.policy.parameters import Parameter, amount, switch
from core.policy.policy import Policy
from core.policy.vocabulary import Clear, Condition, Scope, Source, Trigger

POLICY = Policy(
    name="langchain.clear_tool_uses",
    title="LangChain ClearToolUsesEdit",
    family="LangChain",
    about="Replaces the content of all but the newest tool results with a placeholder; nothing is summarized.",
    rule="Before every model call, if the whole history exceeds `trigger`: the content of all but the newest "
    "`keep` tool results becomes the `placeholder`, oldest first, until clear_at_least tokens are freed (0: "
    "all of them). It skips exclude_tools and results whose call is not in the assistant message right "
    "before.",
    faults=(
        "A placeholder can be longer than the result it stands for.",
        "The cleared part grows with every call, so the prompt cache is lost each time.",
        "clear_at_least says when to stop, not what must be freed: if it is never reached, what was cleared stays cleared.",
        "It does not check whether the result is below `trigger`.",
    ),
    not_modelled=(
        "a result that already is the placeholder: it counts as cleared, and the arguments of its call are kept",
    ),
    source=Source(
        url="https://github.com/langchain-ai/langchain/blob/master/libs/langchain_v1/langchain/agents/middleware/context_editing.py",
        version="langchain 1.4.7",
        licence="MIT",
        checked="2026-11-20",
    ),
    fidelity="exact",
    meter="agentkit",
    parameters=(
        amount("trigger", 100_000, "tokens", "clear when the history has more tokens than this"),
        amount("clear_at_least", 0, "tokens", "stop after freeing this many tokens; 0: clear all"),
        amount("keep", 3, "results", "newest tool results that stay as they are"),
        switch("clear_tool_inputs", False, "clear the arguments of the calls as well"),
        Parameter(name="exclude_tools", kind="names", default=[], about="tools whose results are never cleared"),
        Parameter(name="placeholder", kind="text", default="[cleared]", about="text that replaces the content"),
    ),
    trigger=Trigger(phase="before_call", any_of=((Condition(value="trigger"),),), counts="history"),
    scope=Scope(head="none", evict="n - keep"),
    transform=Clear(
        inputs="clear_tool_inputs",
        text="placeholder",
        exclude="exclude_tools",
        nearest=True,
        at_least="clear_at_least",
        at_least_is="enough",
    ),
    effect="view",
)
