"""The figures of a whole run as the browser gets them; docs/wire.md."""

import json
from collections.abc import Iterator
from itertools import chain

from core import Trace
from core.analyse.losses import losses
from core.measure.prices import price_list, prices_of
from core.summaries.written_later import quotes_at, written_later
from core.trace.denied import denying_prompts
from core.tune.row import row_of
from core.why.price import sent_on_record
from viewer.wire.findings import finding_rows
from viewer.wire.losses import rules_in

MOST = 32
"""Compactions of a run whose lost rules are counted, as many as the overview looks through unasked."""


def total_lines(trace: Trace) -> Iterator[str]:
    """Lines of JSON: the figures of `core.tune.row` but for the findings, the lost rules, the findings as Debug counts them."""
    prices = prices_of(trace.session.model) if trace.session.model else None
    row = row_of(trace, "", prices=prices, findings=False)
    shown = row.model_dump(mode="json", exclude={"session", "policy", "settings", "findings"})
    limit = trace.policy.limit if trace.policy else None
    yield _line(shown | {"limit": limit, "prices": price_list() if prices else "", **_beside(trace)})
    yield _line(_rules(trace))
    yield _line({"findings": len(finding_rows(trace))})


def _rules(trace: Trace) -> dict[str, object]:
    """How many rules and statements of the user went, as the ledgers tell, and how many of them were needed later.

    And how many only the quotes of a stand-in still keep, and how many of these were needed later. None where nobody can tell:
    of more compactions than MOST, or of a summary that cannot be read.
    """
    events = trace.compactions
    if len(events) > MOST or any(event.unreadable for event in events):
        return {"rules_lost": None, "rules_needed": None, "rules_quoted": 0, "needed_quoted": 0}
    found = [losses(trace, k) for k in range(len(events))]
    rules = [rules_in(one) for one in found]
    quoted = next((one.quoted for one in reversed(found) if one.requests.asked), (0, 0, 0))
    return {
        "rules_lost": sum(map(len, rules)),
        "rules_needed": sum(one.used_at is not None for one in chain(*rules)),
        "rules_quoted": quoted[1],
        "needed_quoted": quoted[2],
    }


def _beside(trace: Trace) -> dict[str, object]:
    """What the figures must be read beside: the usage that the transcript records, and who wrote the summaries.

    `usage` is the tokens of all recorded prompts, how many there are and the most that the window held, or null; `summaries` is
    "recorded", the name of a summarizer, or "" where none was written; `unread` is whether what a summary says cannot be known.
    Of a simulation with recorded summaries, `later` is how many the transcript wrote only later, and `stand_ins` for how many
    it has none.
    """
    sent, calls = sent_on_record(trace.session)
    written = any(event.summary for event in trace.compactions)
    by = trace.summarizer if trace.policy else "recorded"
    taken = range(len(trace.compactions) if trace.policy and by == "recorded" else 0)
    return {
        "usage": {"sent": sent, "calls": calls, "peak": _peak(trace)} if calls else None,
        "summaries": by if written else "",
        "unread": any(event.unreadable for event in trace.compactions),
        "later": sum(written_later(trace, k) is not None for k in taken),
        "stand_ins": sum(trace.compactions[k].summary is not None and quotes_at(trace, k) for k in taken),
    }


def _peak(trace: Trace) -> int:
    """The largest window on record: a prompt, or what the agent says it compacted, unless the prompts around deny it."""
    prompts = (m.usage.prompt for m in trace.session.messages if m.usage is not None)
    sizes = (event.size_before or 0 for k, event in enumerate(trace.compactions) if _believed(trace, k))
    return max(chain(prompts, sizes), default=0)


def _believed(trace: Trace, k: int) -> bool:
    return trace.compactions[k].recorded and denying_prompts(trace, k) is None


def _line(body: dict[str, object]) -> str:
    return json.dumps(body) + "\n"
