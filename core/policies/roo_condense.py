"""Roo Code: before a request, summarize the whole conversation into one user message; where that fails, hide the older half.

Known faults: the question just typed is summarized too, a half that is hidden may part a call from its result, and a
summary is taken however long it is. Source: src/core/condense and src/core/context-management of RooCodeInc/Roo-Code
(Apache-2.0), the trigger at 0cc04f4, the condensing as a fork of the same path has it; read and worked by hand, checked
2026-11-20.
"""

from core.policy.parameters import amount, of_output, of_window, switch
from core.policy.policy import Policy
from core.policy.vocabulary import Condition, Drop, Guards, Placement, Scope, Source, Stage, Summarize, Trigger

ALLOWED = "window * 0.9 - (output if output else 8192)"  # TOKEN_BUFFER_PERCENTAGE, ANTHROPIC_DEFAULT_MAX_TOKENS
OVER = Condition(value=ALLOWED)

POLICY = Policy(
    name="roo.condense",
    title="Roo Code, condense",
    family="coding agents",
    about="Summarizes the whole window into one user message; if that fails, hides the older half behind a marker.",
    rule="Before a model call, if the window has autoCondenseContextPercent of contextWindow or more, or more "
    "than 90 % of it less maxTokens: everything except the system message becomes one user message. If the "
    "summary fails, is empty or has nothing new to cover, and the second condition holds: keeps the first "
    "message and hides about half of the others, an even number, behind a marker that says how many. The "
    "results of one reply count as one message.",
    faults=(
        "The user's last message is summarized with the rest: the model continues from a summary of it.",
        "Hiding an even number of messages can separate a tool call from its results.",
        "A summary longer than what it replaces is accepted: nothing compares the two.",
        "At the default of 100 % only the second condition ever applies, and with a wrong context window it applies too late.",
    ),
    not_modelled=(
        "a threshold per profile",
        "a second attempt after the provider rejects a request",
        "what is added after the summary: commands, folded files, environment",
        "hidden messages, which still count when the next half is determined",
    ),
    source=Source(
        url="https://github.com/RooCodeInc/Roo-Code",
        version="context-management @0cc04f4, condense as in its forks after the fresh start",
        licence="Apache-2.0",
        checked="2026-11-20",
    ),
    fidelity="modelled",
    parameters=(
        switch("autoCondenseContext", True, "off: no summaries, the older half is hidden"),
        amount(
            "autoCondenseContextPercent",
            100,
            "percent",
            "of the context window; condense at this percentage",
            at_least=5,
            at_most=100,
        ),
        of_output("maxTokens", "the longest reply, kept free; 0: the real default of 8,192", at_least=0),
        of_window("contextWindow", "the model's context window"),
    ),
    trigger=Trigger(
        phase="before_call",
        any_of=(
            (
                Condition(
                    value=f"autoCondenseContextPercent * window / 100 if autoCondenseContext else {ALLOWED} + 1",
                    at_least=True,
                ),
            ),
            (OVER,),
        ),
    ),
    transform=Summarize(strip=True, on_empty="fail"),
    placement=Placement(role="user", template="## Conversation Summary\n{text}"),
    guards=Guards(min_messages=2, not_alone=True, off="1 - autoCondenseContext"),
    grouping="results",
    fallback=Stage(
        name="truncation",
        when=((OVER,),),
        scope=Scope(first=1, stacked=True, evict="n // 2 - n // 2 % 2"),
        transform=Drop(),
        placement=Placement(role="user", template="[Sliding window truncation: {k} messages hidden to reduce context]"),
    ),
)
