"""Claude Code's automatic compaction: close to the window's end, summarize everything into one user message.

Known faults: nothing stays verbatim, summaries grow from pass to pass, and a conversation may be too long to summarize.
Closed source: rules and figures (20,000 kept for the summary, 13,000 of buffer, 3 failures) are from the documentation
(code.claude.com/docs), issue threads of anthropics/claude-code and write-ups, versions 2.1.7x to 2.1.30x; checked
2026-11-20. Before 2.1.21 the whole reply was kept free, 32,000 unless set otherwise (a buffer of 45,000 on screen: issues
12053, 15435; of 77,000 where 64,000 were set: 17660); four recorded compactions, by 2.0.76 and 2.1.7, came between 154,980
and 156,699, and a prompt of 165,728 was sent by 2.1.29. Where it stops for good, the microcompaction stops with it here.
"""

from core.policies import claude_code_microcompact
from core.policy.parameters import amount, of_output, of_window
from core.policy.policy import Policy
from core.policy.vocabulary import Condition, EarlierLimit, Guards, Placement, Source, Summarize, Trigger

PERCENT, CAPPED = "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", "CLAUDE_CODE_AUTO_COMPACT_WINDOW"
SPACES = ("window", f"min(window, max(100000, min(1000000, {CAPPED})))")
EFFECTIVE = tuple(f"({space} - min(output, 20000))" for space in SPACES)  # the summary's reserve, from issue threads
THRESHOLDS = (
    *(f"{left} - 13000" for left in EFFECTIVE),
    *(f"floor({left} * {PERCENT} / 100)" for left in EFFECTIVE),
)  # the lowest of those whose parameters are set: neither parameter can raise it

POLICY = Policy(
    name="claude_code.auto",
    title="Claude Code, auto-compact",
    family="coding agents",
    about="Summarizes the whole window into one user message when the context window is nearly full.",
    rule="Before a model call: first the microcompaction, after a long pause. Then, if the window has context "
    "window - min(longest reply, 20,000) - 13,000 tokens or more: everything except the system message "
    "becomes one user message. After three failures in a row it stops trying.",
    faults=(
        "Nothing is kept verbatim: the user's last request is in the summary or lost.",
        "Summaries grow with each compaction, and early decisions vanish after two or three.",
        "An override in percent can only lower the threshold, never raise it.",
        (
            "A conversation too long to continue may be too long to summarize; after three failures it runs into the end "
            "of the window."
        ),
        "If the window is full again within three model calls, three times in a row, it stops for good.",
    ),
    not_modelled=(
        "a summary written in advance (session memory)",
        "files, skills, plan and to-do list added again after the summary",
        "leaving out the oldest rounds when the summarizer's own prompt is too long",
    ),
    source=Source(
        url="https://code.claude.com/docs/en/how-claude-code-works",
        version="2.1.7x to 2.1.30x",
        licence="proprietary",
        checked="2026-11-20",
    ),
    fidelity="approximate",
    formats=("claude-code",),
    earlier=EarlierLimit(value="window - 32000 - 13000", until="2.1.21"),
    parameters=(
        amount(
            PERCENT,
            None,
            "percent",
            "compact at this share of the window less the reply, if that is lower; issue 31806",
            optional=True,
            at_least=1,
            at_most=100,
        ),
        amount(
            CAPPED,
            None,
            "tokens",
            "cap the context window at this size, 100,000 to 1,000,000; from the documentation",
            optional=True,
        ),
        *claude_code_microcompact.PARAMETERS,
        of_window("window", "the model's context window; 200,000 if unknown, as in the documentation"),
        of_output("output", "the longest reply of the model; at most 20,000 of it count"),
    ),
    trigger=Trigger(phase="before_call", any_of=tuple((Condition(value=t, at_least=True),) for t in THRESHOLDS)),
    tiers=(claude_code_microcompact.STAGE,),
    transform=Summarize(strip=True, on_empty="fail"),
    placement=Placement(
        role="user",
        template="This session is being continued from a previous conversation that ran out of context.\n{text}",
    ),
    guards=Guards(strikes=3, refills=3),
)
