"""`foldline check FILES… --policy P --keep "TEXT" --max-misses 2%`: exit 1 where a policy forgets what must be kept."""

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path

from core.check.baseline import Baseline, changes, read_baseline, write_baseline
from core.check.judge import judge
from core.check.keep import Keep
from core.check.max_cost import MaxCost
from core.check.max_misses import MaxMisses
from core.check.no_finding import NoFinding
from core.check.reports import junit, markdown
from core.check.rule import Rule
from core.check.runs import run as run_session
from core.check.sessions import sessions_at
from core.check.verdict import Verdict, counted, failed
from core.cli.terminal import print_error, print_json, safe_line
from core.cli.window import needs_policy
from core.measure.prices import prices_in
from core.model.errors import FoldlineError
from core.model.session import Session
from core.policies import policy
from core.policy.policy import Policy
from core.trace.trace import Trace

_WORDS = {"passed": "ok", "failed": "FAILED", "known": "known", "skipped": "skipped"}


def run(options: argparse.Namespace) -> int:
    """Print a line for each rule on each session; returns 0, 1 if any failed, or 2 for wrong usage."""
    if needs_policy(options):
        return 2
    if options.update_baseline and not options.baseline:
        return print_error("there is no baseline to update", "give --baseline FILE") + 1
    try:
        rules = rules_of(options)
        rule = policy(options.policy, **dict(options.set)) if options.policy else None
        base = read_baseline(options.baseline) if options.baseline and not options.update_baseline else None
    except FoldlineError as error:
        return print_error(str(error), error.hint) + 1
    sessions = (named for path in options.files for named in sessions_at(path))
    verdicts = judge(sessions, lambda session: _trace(options, rule, session), rules)
    return _ended(options, _compared(verdicts, base, quiet=options.json), base)


def _ended(options: argparse.Namespace, found: Sequence[Verdict], base: Baseline | None) -> int:
    """Write the files, say what it comes to and how the sessions differ from the baseline's; returns the exit code."""
    new, gone = (base.new(found), base.gone(found, options.files)) if base else ([], [])
    _write(options, found, changes(new, gone))
    bad = failed(found)
    if options.json:
        dumped = [one.model_dump(mode="json") for one in found]
        print_json({"failed": len(bad), "verdicts": dumped} | ({"new": new, "gone": gone} if base else {}))
    else:
        updated = [f"{options.baseline} has what is broken now"] * options.update_baseline
        for line in ("", counted(found), *changes(new, gone), *updated):
            print(safe_line(line))
    return 0 if not bad or options.update_baseline else 1


def _compared(verdicts: Iterable[Verdict], base: Baseline | None, quiet: bool) -> list[Verdict]:
    """The verdicts in view of the baseline, each printed as soon as it is there."""
    found = []
    for verdict in verdicts:
        found.append(base.beside(verdict) if base else verdict)
        if not quiet:
            _print(found[-1])
    return found


def rules_of(options: argparse.Namespace) -> list[Rule]:
    """The rules that the options state. Raises FoldlineError for one that cannot be, and where there is none."""
    rules: list[Rule] = [Keep(text) for text in dict.fromkeys([*options.keep, *_texts(options.keep_file)])]
    if options.max_misses:
        rules.append(MaxMisses.parse(options.max_misses))
    if options.max_cost is not None:
        rules.append(MaxCost(options.max_cost, prices_in(options.prices) if options.prices else None))
    rules += [NoFinding(kind) for kind in dict.fromkeys(options.no_finding)]
    if not rules:
        raise FoldlineError("there is nothing to check", "give --keep, --max-misses, --max-cost or --no-finding")
    return rules


def _texts(path: Path | None) -> list[str]:
    """The texts of a file, one a line; blank lines and those that begin with # are left out."""
    if path is None:
        return []
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeError) as error:
        raise FoldlineError(f"{path} cannot be read: {error}", "give a text file with one text a line") from None
    return [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]


def _trace(options: argparse.Namespace, rule: Policy | None, session: Session) -> Trace:
    """The session as recorded, or under the policy."""
    return run_session(session, rule, options.meter, options.summaries, options.summary_tokens, options.pin)


def _print(found: Verdict) -> None:
    where = f"{found.session}: " if found.session else ""
    print(f"{_WORDS[found.status]:8}{safe_line(f'{where}{found.rule}: {found.text}')}", flush=True)
    if found.status == "failed":
        for line in found.story:
            print(f"{'':10}{safe_line(line)}")


def _write(options: argparse.Namespace, found: Sequence[Verdict], changed: Sequence[str]) -> None:
    """The files that were asked for. Raises FoldlineError where one cannot be written."""
    try:
        if options.junit:
            options.junit.write_text(junit(found), encoding="utf-8")
        if options.markdown:
            options.markdown.write_text(markdown(found, changed), encoding="utf-8")
        if options.baseline and options.update_baseline:
            write_baseline(options.baseline, found)
    except OSError as error:
        raise FoldlineError(f"{error.filename} cannot be written: {error.strerror}", "give another path") from None
