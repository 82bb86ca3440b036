"""A baseline: the rules that were broken when it was written. Only what is worse since then fails."""

import json
from collections.abc import Iterable
from pathlib import Path

from core.check.verdict import Verdict
from core.model.errors import FoldlineError, format_error

_VERSION = 1
_NEARLY = 1e-9  # of an amount: sums of floats may differ in their last digits

Amounts = dict[str, dict[str, float]]
"""How badly each rule was broken, by session and by rule; rules that held are not in it."""


def read_baseline(path: Path) -> Amounts:
    """The amounts in a file. Raises FoldlineError for a file that is not there, or is no baseline."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if found["version"] != _VERSION:
            raise ValueError(f"its version is {found['version']!r}, not {_VERSION}")
        return {str(s): {str(r): float(a) for r, a in rules.items()} for s, rules in found["broken"].items()}
    except FileNotFoundError:
        raise FoldlineError(f"there is no baseline {path}", "write it with --update-baseline") from None
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise FoldlineError(
            f"{path} is no baseline: {format_error(error)}", "write it again with --update-baseline"
        ) from None


def write_baseline(path: Path, verdicts: Iterable[Verdict]) -> None:
    """Write what is broken now; sessions and rules in order, so that two versions can be compared by eye."""
    broken: Amounts = {}
    for found in verdicts:
        if found.status in ("failed", "known"):
            broken.setdefault(found.session, {})[found.rule] = found.amount
    path.write_text(json.dumps({"version": _VERSION, "broken": broken}, indent=1, sort_keys=True) + "\n", "utf-8")


def beside(verdict: Verdict, known: Amounts) -> Verdict:
    """The verdict in view of a baseline: "known" where the rule is broken no worse than it was."""
    was = known.get(verdict.session, {}).get(verdict.rule)
    if verdict.status != "failed" or was is None or verdict.amount > was * (1 + _NEARLY):
        return verdict
    return verdict.model_copy(update={"status": "known"})
