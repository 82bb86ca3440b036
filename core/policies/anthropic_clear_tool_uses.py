"""Anthropic's context editing, clear_tool_uses_20250919: the server sends the model old tool results emptied.

Known faults: each pass breaks the prefix cache, and where too little could be cleared nothing is. The server is closed:
rules from https://platform.claude.com/docs/en/build-with-claude/context-editing and the types of the Python SDK (MIT);
checked 2026-11-20, not run. The placeholder's words are ours, the documentation gives none; so is that a tool left out
still counts among the ones that are kept.
"""

from core.policy.parameters import Parameter, amount, switch
from core.policy.policy import Policy
from core.policy.vocabulary import Clear, Scope, Size, Source, Trigger

POLICY = Policy(
    name="anthropic.clear_tool_uses",
    title="Anthropic, clear tool uses",
    family="provider APIs",
    about="Clears all but the newest tool results in each request; the stored history is unchanged.",
    rule="At each request, if the whole history exceeds `trigger`: the results of all but the newest `keep` tool "
    "uses become a placeholder, except those of exclude_tools; with clear_tool_inputs the calls lose their "
    "input too. If that frees fewer tokens than clear_at_least, nothing is cleared.",
    faults=(
        "Once over `trigger`, every new tool use moves the first change and breaks the prefix cache there.",
        "The client learns only how many results were cleared; the model may repeat a call whose result was cleared.",
        "While less than clear_at_least can be cleared, the prompt keeps growing towards the end of the window.",
    ),
    not_modelled=(
        "clear_tool_inputs as a list of tools",
        "server tools",
        "the warning before results of the memory tool are cleared",
    ),
    source=Source(
        url="https://platform.claude.com/docs/en/build-with-claude/context-editing",
        version="clear_tool_uses_20250919, beta context-management-2025-06-27",
        licence="MIT (types)",
        checked="2026-11-20",
    ),
    fidelity="approximate",
    contrast="clear old tool results in place",
    parameters=(
        Parameter(
            name="trigger",
            kind="thresholds",
            default=[{"input_tokens": 100_000}],
            units=("input_tokens", "tool_uses"),
            about="act above this many tokens, or tool uses, in the prompt",
        ),
        amount("keep", 3, "tool_uses", "newest tool uses whose results are kept"),
        amount("clear_at_least", None, "tokens", "clear nothing unless it frees this many tokens", optional=True),
        Parameter(name="exclude_tools", kind="names", default=[], about="tools whose results are always kept"),
        switch("clear_tool_inputs", False, "clear the arguments of the calls too"),
    ),
    trigger=Trigger(phase="before_call", given="trigger", exceeds=True, counts="history"),
    scope=Scope(tail=Size(unit="results", value="keep")),
    transform=Clear(
        text="[cleared to save context]",
        exclude="exclude_tools",
        inputs="clear_tool_inputs",
        at_least="clear_at_least",
    ),
    effect="view",
)
