"""Strands' SlidingWindowConversationManager: the newest window_size messages stay, from a user message on; the rest is gone.

Known faults are reproduced: far fewer may stay than asked for, and on overflow only the oldest result is ever shortened.
Source: strands-agents 1.62.0 (Apache-2.0), read and run 2026-11-20, held to golden vectors. An overflow is taken to be a
window larger than the model's.
"""

from functools import partial

from core.policy.parameters import amount, of_window, share, switch
from core.policy.policy import Policy
from core.policy.rules import Boundary
from core.policy.vocabulary import Clear, Condition, Drop, Scope, Source, Stage, Trigger
from core.window.cut_boundary import Listed, forward, is_tool, is_user


@partial(Boundary, looks_ahead=True)
def user_or_pair(window: Listed, cut: int, low: int) -> int:
    """Forward to a user message; if there is none, to the next call whose result follows, else nothing goes."""
    found = forward(window, cut, is_user)
    if found < len(window) or cut >= len(window):
        return found
    pairs = (i for i in range(cut, len(window) - 1) if window[i].tool_calls and is_tool(window[i + 1]))
    return next(pairs, low)


_OLD = Scope(evict="n - window_size if n > window_size else 2 if n > 2 else 0", cut_boundary=user_or_pair)

POLICY = Policy(
    name="strands.sliding_window",
    title="Strands, sliding window",
    family="Strands",
    about="Drops all but the newest window_size messages, on overflow the oldest tool result's middle first.",
    rule="At the end of a turn, with more than window_size messages: all before the first user message among the newest "
    "window_size goes; if there is none, all before the first call among them whose result follows; else nothing. "
    "When a call overflows: the oldest tool result of more than 400 characters keeps 200 at each end if it is the "
    "oldest of all; after that messages go, two at least, in the same way. The results of one reply are one message and "
    "are shortened together.",
    faults=(
        "The cut moves forward to a user message: of a window of 40 only the last two messages may stay.",
        "In one long run of tools the cut falls on a call: the only user message is gone.",
        "On overflow only the oldest result is shortened; if that one is small, history goes and a huge newer result stays.",
        "What goes leaves no trace: no summary, no marker.",
    ),
    not_modelled=(
        "pin_first",
        "per_turn",
        "pictures in results",
        "the result that is then the oldest, which is shortened after a drop on overflow",
    ),
    source=Source(
        url="https://github.com/strands-agents/sdk-python/blob/main/src/strands/agent/conversation_manager/"
        "sliding_window_conversation_manager.py",
        version="strands-agents 1.62.0",
        licence="Apache-2.0",
        checked="2026-11-20",
    ),
    fidelity="modelled",
    parameters=(
        amount("window_size", 40, "messages", "newest messages that stay at most"),
        switch("should_truncate_results", True, "whether the oldest tool result is shortened before messages go"),
        share(
            "compression_threshold",
            None,
            "of the window",
            "drop before it overflows, from this share of the window on; None: only once it has",
            optional=True,
        ),
        of_window("window", "the context window of the model"),
    ),
    trigger=Trigger(phase="before_call", any_of=((Condition(value="window"),),)),
    tiers=(
        Stage(
            name="window size",
            phase="turn_end",
            when=((Condition(of="messages", value="window_size"),),),
            scope=_OLD,
            transform=Drop(),
        ),
        Stage(
            name="proactive",
            when=((Condition(value="compression_threshold * window", at_least=True),),),
            scope=_OLD,
            transform=Drop(),
        ),
        Stage(
            name="oldest result",
            when=((Condition(value="window"),),),
            scope=Scope(evict="min(n, should_truncate_results)"),
            transform=Clear(
                text="...\n\n... [truncated: {cut} chars removed] ...\n\n...", above=400, head=200, tail=200
            ),
        ),
    ),
    scope=_OLD,
    transform=Drop(),
    passes=10,
    grouping="results",
)
