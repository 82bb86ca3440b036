"""Letta's sliding window: after a step, the oldest messages go, 40 % of their number or as many more as it takes.

Modelled. The real trigger is the usage that the last call reported, so that it does not see the newest tool results; it
also compacts when the provider refuses a prompt as too long, which is not modelled, nor are the time and the number of
hidden messages in its JSON, nor the mark behind a summary cut to clip_chars. It measures what would stay as 1.3 times
the bytes of its JSON / 4, and where that with the tools' schemas is at the trigger again, it summarises that too and
loses the first summary.
Source: letta 0.16.7 (Apache-2.0), read and worked through by hand, not run; checked 2026-11-20.
"""

from core.parameters import Parameter, of_window
from core.policy import Policy
from core.vocabulary import Condition, Guards, Placement, Scope, Source, Stage, Summarise, Trigger

_SAID = (
    '{{"type": "system_alert", "message": "Note: prior messages from the beginning of the conversation have been hidden '
    "from view due to conversation memory constraints.\nThe following is a summary of the previous messages:\n {text}"
)
_SUMMARISE = Summarise(strip=True, max_chars="clip_chars", on_error="raise")
_PLACE = Placement(role="user", template=_SAID)
_TRIES = 10  # it adds a tenth to its share time and again, as floats add up; a share of 1 or more is none
_SHARE = "".join(f"sliding_window_percentage{' + 0.1' * (k + 1)} if k == {k} else " for k in range(_TRIES)) + "1"

POLICY = Policy(
    name="letta.sliding",
    title="Letta sliding window",
    family="Letta",
    about="Pins the system message, folds the oldest part of the messages and keeps the rest from an assistant message on.",
    rule="After a model call and its tools, if it counts more than 90 % of the context window: the cut is tried at a share of "
    "all messages, 40 % and a tenth more each time, back to an assistant message, until system message and tail count less "
    "than 70 % of the window. If none will do or only one message would stay, everything behind the system message goes.",
    faults=(
        "It begins with 40 % although 30 % is configured, and takes a share of the number of messages for a goal in tokens.",
        "The summary is left out of its own check, and its size is limited only at 50,000 characters.",
        "An agent that is too big at the start of a request is seen only once the provider has refused the prompt.",
        "Where no cut will do, everything goes, the question just asked included.",
    ),
    source=Source(
        url="https://github.com/letta-ai/letta/blob/main/letta/services/summarizer/compact.py",
        version="letta 0.16.7",
        licence="Apache-2.0",
        checked="2026-11-20",
    ),
    fidelity="modelled",
    parameters=(
        Parameter(
            name="sliding_window_percentage",
            default=0.3,
            whole=False,
            at_most=1,
            unit="share",
            about="share of the messages that goes, less the tenth of the first try",
        ),
        Parameter(name="clip_chars", default=50_000, unit="characters", about="longest summary"),
        of_window("context_window", "context window of the model"),
    ),
    trigger=Trigger(phase="after_tools", also=("turn_end",), any_of=((Condition(value="int(0.9 * window)"),),)),
    scope=Scope(
        head="leading",
        head_limit=1,
        evict=f"round(({_SHARE}) * all) - (all - n) if ({_SHARE}) < 1 else 0",
        until="ceil((1 - sliding_window_percentage) * window)",
        tries=_TRIES,
        snap="back_to_assistant",
        stay=2,
    ),
    transform=_SUMMARISE,
    placement=_PLACE,
    fallback=Stage(
        name="all", when=((),), scope=Scope(head="leading", head_limit=1), transform=_SUMMARISE, placement=_PLACE
    ),
    guards=Guards(),
)
