"""`foldline check FILES… --policy P --keep "TEXT" --max-misses 2%`: exit 1 where a policy forgets what must be kept."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.check.baseline import beside, read_baseline, write_baseline
from core.check.judge import judge
from core.check.keep import Keep
from core.check.max_cost import MaxCost
from core.check.max_misses import MaxMisses
from core.check.no_finding import NoFinding
from core.check.reports import junit, markdown
from core.check.rule import Rule
from core.check.runs import run as run_session
from core.check.verdict import Verdict, counted, failed
from core.cli.terminal import print_error, print_json, safe_line
from core.cli.window import needs_policy
from core.importers import load_all
from core.measure.prices import prices_in
from core.model.errors import FoldlineError, TranscriptError
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
        known = read_baseline(options.baseline) if options.baseline and not options.update_baseline else {}
    except FoldlineError as error:
        return print_error(str(error), error.hint) + 1
    found = []
    for verdict in judge(_sessions(options.files), lambda session: _trace(options, rule, session), rules):
        found.append(beside(verdict, known))
        if not options.json:
            _print(found[-1])
    _write(options, found)
    bad = failed(found)
    if options.json:
        print_json({"failed": len(bad), "verdicts": [one.model_dump(mode="json") for one in found]})
    else:
        print(f"\n{counted(found)}")
        if options.update_baseline:
            print(f"{safe_line(str(options.baseline))} has what is broken now")
    return 0 if not bad or options.update_baseline else 1


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


def _sessions(paths: Sequence[str]) -> Iterator[tuple[str, Session | TranscriptError]]:
    """Every session of the paths by its path, and its number where the path has several; or why a path has none."""
    for path in paths:
        try:
            for number, session in enumerate(load_all(path)):
                yield f"{path}#{number}" if number else path, session
        except TranscriptError as error:
            yield path, error


def _trace(options: argparse.Namespace, rule: Policy | None, session: Session) -> Trace:
    """The session as recorded, or under the policy."""
    return run_session(session, rule, options.meter, options.summaries, options.summary_tokens, options.pin)


def _print(found: Verdict) -> None:
    where = f"{found.session}: " if found.session else ""
    print(f"{_WORDS[found.status]:8}{safe_line(f'{where}{found.rule}: {found.text}')}", flush=True)
    if found.status == "failed":
        for line in found.story:
            print(f"{'':10}{safe_line(line)}")


def _write(options: argparse.Namespace, found: Sequence[Verdict]) -> None:
    """The files that were asked for. Raises FoldlineError where one cannot be written."""
    try:
        if options.junit:
            options.junit.write_text(junit(found), encoding="utf-8")
        if options.markdown:
            options.markdown.write_text(markdown(found), encoding="utf-8")
        if options.baseline and options.update_baseline:
            write_baseline(options.baseline, found)
    except OSError as error:
        raise FoldlineError(f"{error.filename} cannot be written: {error.strerror}", "give another path") from None
