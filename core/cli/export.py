"""`foldline export FILE -o OUT`: one file that is the debugger, or another form, made by the viewer in a process of its own."""

import argparse
import json
import subprocess
import sys

from core.cli.terminal import print_error
from core.model.import_name import import_name


def run(options: argparse.Namespace) -> int:
    """Export; returns 0, or 2 for options that do not go together."""
    if wrong := _wrong(options):
        return print_error(*wrong) + 1
    sys.stdout.flush()
    given = json.dumps(vars(options), default=str)
    return subprocess.call([sys.executable, "-m", import_name("viewer.export"), given])


def _wrong(options: argparse.Namespace) -> tuple[str, str] | None:
    """What is wrong with how the options go together, and what to do; None where nothing is."""
    if options.output is None and not options.list:
        return "there is no file to write to", "give -o OUT.html, or --list to see what it would hold"
    if options.lesson is None:
        return None if options.file else ("there is no FILE to export", "give a transcript, or --lesson N")
    own = {
        "--policy": options.policy,
        "--form": options.form != "html",
        "--step": options.step is not None,
        "--why": options.why,
    }
    named = [name for name, given in own.items() if given]
    return (f"a lesson has no {named[0]}", "leave it out: a lesson has its own policies and steps") if named else None
