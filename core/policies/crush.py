"""Crush's automatic summary: when the window is nearly full after a step, all of it becomes one user message.

Known faults are reproduced. Source: charmbracelet/crush, internal/agent/agent.go at 004515c4 (FSL-1.1, so facts only);
checked 2026-11-20 by reading a stored copy.
"""

from core.policy.parameters import amount, of_window, share
from core.policy.policy import Policy
from core.policy.vocabulary import Condition, Placement, Scope, Source, Summarize, Trigger

_FREE = "largeContextWindowBuffer if window > largeContextWindowThreshold else int(smallContextWindowRatio * window)"

POLICY = Policy(
    name="crush",
    title="Crush, auto-summarize",
    family="coding agents",
    about="When little of the context window is free after a step, summarizes everything and asks the request again.",
    rule="After each step of the model, with the results of its calls, if no more is free than largeContextWindowBuffer, or in "
    "a context window of largeContextWindowThreshold or less smallContextWindowRatio of it: everything becomes one user "
    "message. If the turn was cut short by that, a user message quotes the request and asks to go on.",
    faults=(
        "Keeps nothing verbatim; the request comes back quoted, and each further summary quotes the quotation.",
        "The request for the summary is the whole window and more: where it does not fit, the turn fails.",
        "A window of 200,000 tokens leaves 40,000 free, one of 200,001 only 20,000.",
    ),
    not_modelled=(
        "tokens written to the cache and the step's own results, which are not counted",
        "the reminder of open tasks in front",
        "the list of tasks in the summary's prompt",
        "the half-written summary that a failure leaves in the store",
    ),
    source=Source(
        url="https://github.com/charmbracelet/crush/blob/main/internal/agent/agent.go",
        version="004515c4",
        licence="FSL-1.1",
        checked="2026-11-20",
    ),
    fidelity="modelled",
    parameters=(
        amount("largeContextWindowThreshold", 200_000, "tokens", "above this a context window is large"),
        amount("largeContextWindowBuffer", 20_000, "tokens", "tokens left free of a large one"),
        share("smallContextWindowRatio", 0.2, "of the context window", "share left free of a small one"),
        of_window("context_window", "the model's context window"),
    ),
    trigger=Trigger(
        phase="after_tools",
        also=("turn_end",),
        any_of=((Condition(value=f"window - ({_FREE})", at_least=True),),),
    ),
    scope=Scope(),
    transform=Summarize(on_error="raise"),
    placement=Placement(
        role="user",
        template="{text}",
        again="The previous session was interrupted because it got too long, the initial user request was: `{request}`",
    ),
)
