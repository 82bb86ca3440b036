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
    about="Drops all but the newest messages; on overflow first shortens the oldest tool result.",
    rule="At the end of a turn, with more than window_size messages: drops everything before the first user "
    "message among the newest window_size; if there is none, before the first call among them whose result "
    "follows; else nothing. When a model call overflows: if the oldest tool result has more than 400 "
    "characters, it keeps 200 at each end; after that drops messages, at least two, in the same way. The "
    "results of one reply count as one message and are shortened together.",
    faults=(
        "The cut moves forward to a user message: of a window of 40, perhaps only the last two messages are kept.",
        "In one long run of tools the cut falls on a call: the only user message is dropped.",
        (
            "On overflow only the oldest result is shortened; if it is small, messages are dropped while a huge newer "
            "result stays."
        ),
        "Dropped messages leave neither a summary nor a marker.",
    ),
    not_modelled=(
        "pin_first",
        "per_turn",
        "images in results",
        "shortening the next oldest result after messages were dropped on overflow",
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
            "drop before an overflow, from this share of the window on; None: only after one",
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
