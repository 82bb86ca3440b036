"""OpenAI's compaction of the Responses API: everything becomes one encrypted item that only the server can read.

Known faults: nobody can audit what was kept, and the item is worthless to another account or model family. The server is
closed and the item encrypted: rules from https://developers.openai.com/api/docs/guides/compaction and the types of
openai/openai-python (Apache-2.0) at 49a85c4; checked 2026-11-20, not run. There is no default threshold: 200,000 is the
guide's example. The item's size is not known either: item_tokens is our assumption, not a setting of the API.
"""

from core.policy.parameters import amount, switch
from core.policy.policy import Policy
from core.policy.vocabulary import Condition, Opaque, Placement, Protect, Scope, Size, Source, Trigger

POLICY = Policy(
    name="openai.responses_compact",
    title="OpenAI Responses, compaction",
    family="provider APIs",
    about="Replaces everything with one encrypted item; the standalone call keeps every user message before it.",
    rule="Before a model call, if the window has compact_threshold tokens or more: everything except the system "
    "message becomes one item that nobody can read. With `standalone`, as in /responses/compact, user "
    "messages are kept, in order, and the item follows them. Callers make that call themselves; here it is "
    "made at the same threshold.",
    faults=(
        "Opaque: what was kept cannot be read, audited or carried to another provider.",
        "The standalone call keeps every user message: a file pasted into one is never compacted.",
        "A client that drops unknown items loses the whole history.",
    ),
    not_modelled=("a threshold that is crossed in the middle of a reply",),
    source=Source(
        url="https://developers.openai.com/api/docs/guides/compaction",
        version="openai-python types @49a85c4",
        licence="Apache-2.0 (types)",
        checked="2026-11-20",
    ),
    fidelity="opaque",
    formats=("openai-responses",),
    parameters=(
        amount(
            "compact_threshold",
            200_000,
            "tokens",
            "compact at this many tokens; the API has no default, this is the example in its guide",
            at_least=1_000,
        ),
        switch("standalone", False, "as in /responses/compact, not in the stream; a switch of foldline"),
        amount("item_tokens", 2_000, "tokens", "assumed size of the item; the real size is unknown"),
    ),
    trigger=Trigger(phase="before_call", any_of=((Condition(value="compact_threshold", at_least=True),),)),
    scope=Scope(protect=Protect(size=Size(unit="messages", value="1000000000 if standalone else 0"))),
    transform=Opaque(tokens="item_tokens", text="(encrypted: only the provider can read what this item holds)"),
    placement=Placement(role="assistant", template="{text}", where="end"),
)
