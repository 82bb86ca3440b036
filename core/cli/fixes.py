"""What would have kept a text, as `foldline fate FILE --text T --fix` prints it."""

from typing import Any

from core.cli.loading import tilde
from core.cli.terminal import print_facts, print_table
from core.meters import bound, meter
from core.model.text import counted
from core.trace.places import step_name
from core.trace.trace import Trace
from core.why.fixes import Fix, Fixes


def fix_rows(asked: Fixes) -> list[dict[str, Any]]:
    """Every row as plain values, the first as it is now: what is changed, to which value, and which it has now.

    `policy`, `settings`, `summaries` and `pinned` are those of the whole run, so that it can be made again.
    """
    return [_row(fix, asked.trace) for fix in asked if isinstance(fix, Fix)]


def _row(fix: Fix, trace: Trace) -> dict[str, Any]:
    return {
        "change": fix.change.partition(",")[0],
        "value": None if fix.now or fix.baseline else fix.shown,
        "now": _now(fix, trace),
        "compactions": fix.price.compactions,
        "peak_tokens": fix.price.peak_tokens,
        "tokens_sent": fix.price.tokens_sent,
        "kept": fix.kept,
        "cure": fix.cure,
        "drawbacks": [found.text for found in fix.drawbacks],
        "in_summary": fix.in_summary,
        "until": fix.until,
        "proved": fix.proved,
        "text": fix.full_text,
        "policy": fix.policy.name if fix.policy else None,
        "settings": fix.policy.settings if fix.policy else {},
        "summaries": fix.summaries,
        "pinned": [trace.messages[place].id for place in fix.pinned],
    }


def _now(fix: Fix, trace: Trace) -> Any:
    """Today's value of what is changed; None where there is none."""
    if fix.change.startswith("policy"):
        return trace.policy.name if trace.policy else None
    if fix.change == "summaries":
        return trace.summarizer
    turned = fix.of or trace.policy
    return turned.settings.get(fix.change) if turned else None


def print_fixes(asked: Fixes, trace: Trace) -> None:
    """Print them as a table: as it is now, without a change, then what counts, the recorded agent's own policy first.

    Each group begins with the cheapest; the column "kept" says why the others do not count.
    """
    rows = (fix for fix in asked if isinstance(fix, Fix))
    found = sorted(
        rows, key=lambda fix: (not fix.now, not fix.baseline, not fix.cure, fix.of is None, fix.price.tokens_sent)
    )
    mark = tilde(bound(meter(trace.meter), trace.session), trace.session)
    print()
    whole = asked.inquiry.now.throughout
    where = "to the end" if whole else f"at {step_name(trace, asked.inquiry.step)}"
    if found[1:] or not found[0].kept:
        where = f"{counted(sum(fix.cure for fix in found), 'change')}, {where}"
    print_facts([("what would have kept it", where), ("note", asked.note)])
    heads = ("change", "kept", "compactions", "largest visible window", "tokens sent")
    print_table(heads, [_cells(fix, mark) for fix in found])


def _cells(fix: Fix, mark: str) -> list[Any]:
    paid = fix.price
    kept = "in a summary" if fix.in_summary else "yes" if fix.kept else "no"
    kept = ", ".join(drawback.text for drawback in fix.drawbacks) or kept
    return [fix.full_text, kept, f"{paid.compactions:,}", f"{mark}{paid.peak_tokens:,}", f"{mark}{paid.tokens_sent:,}"]
