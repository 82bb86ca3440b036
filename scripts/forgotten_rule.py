"""Writes the sample foldline/forgotten-rule.json: a coding session whose second summary leaves a rule out.

python -m scripts.forgotten_rule

The messages are those of openai-chat/coding-session.json; agentkit.memory folds them, and the three summaries below stand where
a model would have written them. As a model's, they are mostly right: #1 gives a wrong exit code, confuses two banks and
closes an issue that nobody opened; #2 has one of the user's two rules, without the exporter, and has her say the
opposite of what she said; #3 repeats half of a request, and a wish that was never uttered.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from core import Message, Session, load, meter, policy, simulate
from core.trace.recorded import session_of

SAMPLES = Path(__file__).parents[1] / "sample_sessions"
STORY = SAMPLES / "openai-chat" / "coding-session.json"
SAMPLE = SAMPLES / "foldline" / "forgotten-rule.json"

SUMMARIES = (
    """\
## Goal
Mira maintains pocketbook, a small package that makes monthly reports from bank statements. Two rules for everything:
- Do not change the public API: the dashboard, the tax exporter and the mailer import it, see docs/stability.md.
- No new dependency, not even a small one; the exporter runs on a machine that cannot reach a package index.

## Done: a transaction counts for the month of the place (51885f4)
- `Book` kept its `timezone` but never used it, so a purchase at 23:40 UTC on 31 March counted for March in Berlin, too.
- `Book.month_of(transaction)` is new and converts to the book's zone; `months()` and `monthly_report()` use it. \
`Transaction.month` stays UTC, because the mailer uses it.
- An unknown time zone is an error when the book is made. On the command line that is one line and exit code 2.
- The mailer team's issue MAIL-212 can be closed.

## In progress: a booking that two statements share is counted twice
- December 2025 is in both main-2025.csv and main-2026q1.csv. The newer export writes the text in capitals and appends `*CARD`.
- Decision: account, date, amount and reference identify a booking, never the description. Without a reference, compare \
only against what was in the book before that file: two equal coffees in one file are two coffees.
- Harbour and Alpenbank always give a reference; Northline has no reference column.
- `add_statement` in pocketbook/book.py counts fingerprints now (edited, not run yet). Next: \
tests/test_book.py, then commit.""",
    """\
## Context
Working in pocketbook (monthly reports from bank statements) for Mira. The public API must stay as it is: the dashboard and \
the mailer import it, see docs/stability.md. She wants the cause and a measurement before a change.

## Committed
1. 51885f4: a transaction counts for the month of the place. `Book.month_of()` is new, `Transaction.month` stays UTC.
2. 6ff943e: a booking that two statements share is added once. Account, date, amount and reference decide.
3. fe2a535: report in one pass, each rule compiled once. Over ten years (4,000 bookings) the report took 1.86 s and now takes \
0.03 s; the output is identical. If book.rules changes between two imports, older unsorted transactions still get the new rules.
   tools/make_years.py makes statements to measure with; Mira wants it removed before the release.

## In progress: `pocketbook report --json`, for the dashboard
- One object per month: month, earned, spent, saved, by_category. Numbers with two decimals.
- A thousand bookings of ten cents came to 99.9999999999986. Cents inside, floats outside: `cents()` in pocketbook/model.py; \
`monthly_report`, `balance` and `MonthTotal.saved` add up whole cents and divide by 100 once at the end.
- `as_json` is in pocketbook/report.py, `--json` in pocketbook/cli.py; the table stays the default.
- Tests: 18 passed before the option. Next: look at the output, tests/test_cli.py, commit.""",
    """\
## Context
Working in pocketbook for Mira. The public API must stay as it is (docs/stability.md).

## Committed
51885f4 months of the place, 6ff943e shared bookings added once, fe2a535 report in one pass, 6b213fd sums in whole cents and \
`report --json`, 2bfaab8 a refund lowers the spending of its category.
- JSON has no trailing zeros, so 2100.10 appears as 2100.1; Mira is fine with that.
- What counts as income is said by a rule with a plus, `salary|payroll = Income +`. `Rule` has one new field with a default \
at the end; `Category` is untouched, because the dashboard unpacks it as a pair. Without any plus nothing changes.
- A category can come out negative in a month with more refunds than purchases. Mira asked to show it as zero.
- 25 tests pass.

## Last request
Write the changelog for all of this as 0.5.0, bump the version, and then check with a command, not from memory, that the \
public API is what it was: same names in `__all__`, same parameters apart from new optional ones at the end. \
CHANGELOG.md still begins with 0.4.2.""",
)


class InTurn:
    """A summarizer that gives these texts, one after the other."""

    name = "written"

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts: Iterator[str] = iter(texts)

    def __call__(self, messages: Sequence[Message], prior: str | None = None) -> str:
        """The next text; StopIteration where there are more compactions than texts."""
        return next(self.texts)


def forgotten_rule() -> Session:
    """The session of the sample."""
    story = load(STORY)
    rule = policy("agentkit.memory", budget=16_000, keep_recent=8)
    trace = simulate(story, rule, meter=meter("o200k_base"), summarizer=InTurn(SUMMARIES))
    assert len(trace.compactions) == len(SUMMARIES), f"{len(trace.compactions)} compactions"
    found = session_of(trace.pool, trace.compactions, "o200k_base", story.model)
    return found.model_copy(
        update={"id": "forgotten-rule", "format": "foldline", "title": story.title, "other": story.other}
    )


def main() -> None:
    """Write the sample as foldline saves a session, without what is not set."""
    value = {"foldline": "session", "version": 1, **forgotten_rule().model_dump(mode="json", exclude_defaults=True)}
    SAMPLE.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
