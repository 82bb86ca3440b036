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
    about="When the context window is nearly full after a step, summarizes everything and repeats the request.",
    rule="After each step of the model, with the results of its calls, if no more than largeContextWindowBuffer "
    "tokens are free (in a context window of up to largeContextWindowThreshold: smallContextWindowRatio of "
    "it): everything becomes one user message. If that interrupts a turn, a user message quotes the request "
    "and asks the model to continue.",
    faults=(
        "Keeps nothing verbatim; the request returns as a quotation, and each further summary quotes the quotation.",
        "The request for the summary contains the whole window and more: if it does not fit, the turn fails.",
        "A window of 200,000 tokens leaves 40,000 free, one of 200,001 only 20,000.",
    ),
    not_modelled=(
        "tokens written to the cache, and the results of the step itself, which are not counted",
        "the reminder of open tasks at the front",
        "the list of tasks in the summary prompt",
        "the partial summary that a failure leaves in the store",
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
        amount("largeContextWindowBuffer", 20_000, "tokens", "tokens kept free in a large one"),
        share("smallContextWindowRatio", 0.2, "of the context window", "share kept free in a small one"),
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
