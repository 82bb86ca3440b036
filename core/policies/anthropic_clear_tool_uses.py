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
    about="Clears all tool results but the newest keep, anew for each request: the history itself stays whole.",
    rule="At each request, if the whole history counts more than trigger: the results of all tool uses but the newest keep "
    "become a placeholder, those of exclude_tools left as they are; with clear_tool_inputs the calls lose their input too. "
    "Where that frees fewer tokens than clear_at_least, nothing is cleared.",
    faults=(
        "Once over the trigger every new tool use moves the first change on and breaks the prefix cache there.",
        "The client is told only how many went; the model may call the same tool again for what was cleared.",
        "Where less than clear_at_least can be cleared the prompt grows on to the window's end.",
    ),
    not_modelled=(
        "clear_tool_inputs as a list of tools",
        "server tools",
        "the warning before results of the memory tool go",
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
            about="act above so many tokens of prompt, or tool uses in it",
        ),
        amount("keep", 3, "tool_uses", "newest tool uses whose results stay"),
        amount("clear_at_least", None, "tokens", "clear nothing unless it frees so many tokens", optional=True),
        Parameter(name="exclude_tools", kind="names", default=[], about="tools whose results always stay"),
        switch("clear_tool_inputs", False, "empty the calls' arguments too"),
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
