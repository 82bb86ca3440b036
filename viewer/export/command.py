"""`foldline export FILE -o OUT`."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from core.cli.loading import one_session
from core.cli.redact import KNOWN_FORMS, kept_of, row
from core.cli.terminal import print_json, print_table, safe_line
from core.cli.traced import simulator, trace_of
from core.meters.tokenizer import encoding
from core.model.gc_pause import gc_paused
from core.model.session import Session
from core.secrets.found import Found, find_secrets
from core.secrets.redact import redacted
from viewer.export.handed import Handed
from viewer.export.lanes_named import lanes_named
from viewer.export.sharing import handed, handed_lanes, handed_lesson


def run(options: argparse.Namespace) -> int:
    """Write the file, unless --list only asks what it would hold; returns 0."""
    with gc_paused():  # the process ends with the command
        return _run(options)


def _titled(session: Session, file: str) -> Session:
    """The session; called after its file where it has no title, as in the app."""
    return session if session.title else session.model_copy(update={"title": Path(file).name})


def _run(options: argparse.Namespace) -> int:
    given = _titled(one_session(options), options.file) if options.file else None
    found = [] if options.keep_secrets or given is None else find_secrets(given, encoding)
    kept = kept_of(options.keep, found)
    masked = [secret for secret in found if secret not in kept and secret.times]
    made = _made(given, masked, options)
    rows = [row(number, secret, kept) for number, secret in enumerate(found, 1)]
    if not options.json:
        _say(rows, made, options)
    written = 0 if options.list else made.write(Path(options.output))
    if options.json:
        output = None if options.list else options.output
        print_json({"written": output, "bytes": written, "sizes": made.sizes, "left_out": made.left_out, "found": rows})
    elif written:
        print(f"{safe_line(options.output)}: {written:,} bytes")
    return 0


def _made(given: Session | None, masked: Sequence[Found], options: argparse.Namespace) -> Handed:
    """The file: of a lesson, of lanes of the session, or of one run of it."""
    if options.lesson is not None:
        return handed_lesson(options.lesson, given, options.meter, masked)
    assert given is not None
    session = redacted(given, masked) if masked else given
    if options.compare:
        return handed_lanes(lanes_named(session, options), masked, options.why)
    others = simulator(session, options) if options.policy else None
    return handed(trace_of(session, options), options.form, options.step, masked, others, options.why)


def _say(rows: Sequence[dict[str, object]], made: Handed, options: argparse.Namespace) -> None:
    """What is masked, what is not in the file, and how large it becomes: before it is written."""
    if rows:
        shown = [[r["number"], r["kind"], r["times"], _fate(r), r["preview"]] for r in rows]
        print_table(("#", "kind", "times", "", "what"), shown)
        print(f"{KNOWN_FORMS} --keep N leaves one as it is.\n")
    elif options.keep_secrets:
        print("--keep-secrets: nothing was looked for, nothing is masked.")
    elif options.file:
        print(f"Nothing looks secret or personal. {KNOWN_FORMS}")
    for sentence in made.left_out:
        print(f"Not in the file: {sentence}")
    parts = ", ".join(f"{name} {size:,}" for name, size in made.sizes.items())
    print(f"{'Would be' if options.list else 'Writing'} {sum(made.sizes.values()):,} bytes: {parts}", flush=True)


def _fate(found: dict[str, object]) -> str:
    return "masked" if found["masked"] else "kept" if found["times"] else "NOT masked: encoded"
