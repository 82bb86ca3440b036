"""Anthropic's context editing, clear_thinking_20251015: the server leaves out the thinking of all but the newest turns.

Known faults: each turn that falls out breaks the prefix cache there. The server is closed: rules from
https://platform.claude.com/docs/en/build-with-claude/context-editing and the types of the SDKs (MIT); checked 2026-11-20,
not run. A turn is taken to be what follows a typed message; the documentation speaks of assistant turns with thinking,
and does not say whether one without counts.
"""

from core.policy.parameters import amount
from core.policy.policy import Policy
from core.policy.vocabulary import Clear, Scope, Size, Source, Trigger

POLICY = Policy(
    name="anthropic.clear_thinking",
    title="Anthropic, clear thinking",
    family="provider APIs",
    about="Omits the thinking of all but the newest turns from each request; the stored history is unchanged.",
    rule="At each request: replies before the newest `keep` turns lose their thinking; everything else is unchanged.",
    faults=(
        "Each turn that loses its thinking changes the middle of the prompt and breaks the prefix cache there.",
        "Models differ: newer ones keep all thinking unless this edit is requested.",
        "Frees nothing within a single long turn.",
    ),
    not_modelled=('`keep` "all", which clears nothing',),
    source=Source(
        url="https://platform.claude.com/docs/en/build-with-claude/context-editing",
        version="clear_thinking_20251015, beta context-management-2025-06-27",
        licence="MIT (types)",
        checked="2026-11-20",
    ),
    fidelity="approximate",
    parameters=(amount("keep", 1, "turns", "newest turns that keep thinking", at_least=1),),
    trigger=Trigger(phase="turn_begun", any_of=((),), counts="history"),  # within a turn nothing more falls out
    scope=Scope(tail=Size(unit="turns", value="keep")),
    transform=Clear(results=False, thinking=True, text=""),
    effect="view",
)
