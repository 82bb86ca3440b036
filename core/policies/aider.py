"""aider's chat history: after a turn, the older finished turns become a message in which the user tells of them.

Modelled: aider's own transcripts hold no tool messages; here they are counted and stay or go, unread. Not modelled: it
summarises in the background and throws that away if the history has changed meanwhile, goes on also where summary and
tail count just max_chat_history_tokens, summarises a long summary that stands alone once more, and all after the fourth
pass, and puts its reply behind a history that ends without one.
Source: aider-chat 0.86.2 (Apache-2.0), read, and run on random transcripts against this; checked 2026-11-20.
"""

from core.parameters import Parameter, of_window
from core.policy import Policy
from core.vocabulary import Condition, Guards, Placement, Scope, Size, Source, Summarise, Trigger

POLICY = Policy(
    name="aider",
    title="aider chat history",
    family="coding agents",
    about="Folds the older half of the finished turns into one user message; the system prompt is outside its history.",
    rule="After a turn, if the messages that are not system count more than max_chat_history_tokens: the longest tail of less "
    "than half of that stays, from behind an assistant message on; four messages or fewer in front of it take all with them. "
    "It is repeated, three times at most, while summary and tail count too much.",
    faults=(
        "Where every model fails, the whole history is deleted.",
        "What goes beyond the weak model's context is dropped unread, and that is the newest of it.",
        "An empty summary is accepted; tool messages are never read.",
        "A single long turn is never compacted: only finished turns are.",
    ),
    source=Source(
        url="https://github.com/Aider-AI/aider/blob/main/aider/history.py",
        version="aider-chat 0.86.2",
        licence="Apache-2.0",
        checked="2026-11-20",
    ),
    fidelity="modelled",
    parameters=(
        Parameter(
            name="max_chat_history_tokens",
            default=8192,
            unit="tokens",
            about="compact above this; aider takes a sixteenth of the context window, from 1,024 to 8,192",
        ),
        of_window("max_input_tokens", "context window of the weak model, which writes the summary"),
    ),
    trigger=Trigger(phase="turn_end", any_of=((Condition(value="max_chat_history_tokens"),),), counts="spoken"),
    scope=Scope(
        head="leading",
        tail=Size(unit="tokens", value="max_chat_history_tokens // 2 - 1"),
        snap="after_assistant",
        few=4,
    ),
    transform=Summarise(
        reads="max(0, window - 512)", reads_oldest=True, unread=None, hides="results", on_error="drop_all"
    ),
    placement=Placement(
        role="user",
        template="I spoke to you previously about a number of things.\n{text}",
        ack="Ok.",
        ack_last=True,
    ),
    guards=Guards(not_alone=True),
    passes=4,
)
