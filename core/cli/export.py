"""`foldline export FILE -o OUT`: one file that is the debugger, or another form, made by the viewer in a process of its own."""

import argparse
import json
import subprocess
import sys

from core.cli.terminal import print_error
from core.model.import_name import import_name


def run(options: argparse.Namespace) -> int:
    """Export; returns 0, or 2 where neither a file to write nor --list is named."""
    if options.output is None and not options.list:
        return print_error("there is no file to write to", "give -o OUT.html, or --list to see what it would hold") + 1
    sys.stdout.flush()
    given = json.dumps(vars(options), default=str)
    return subprocess.call([sys.executable, "-m", import_name("viewer.export"), given])
