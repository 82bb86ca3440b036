"""`foldline export FILE -o OUT`: one file that is the debugger, or another form, made by the viewer."""

import argparse
from importlib import import_module

from core.cli.terminal import print_error
from core.model.import_name import import_name

OF_A_RUN = ("policy", "set", "pin", "summaries", "summary_tokens", "compare", "form", "step", "why")
OF_A_FILE = ("meter", "session", "lane", "keep", "keep_secrets")
NOT_OF_LANES = ("policy", "set", "form", "step")
OF_A_POLICY = ("set", "pin", "summaries", "summary_tokens")
WITHOUT_POLICY = ("recorded", "none")
NOTHING_TO_SET = "a recorded run has no parameters, pins nothing and writes no summaries"


def run(options: argparse.Namespace) -> int:
    """Export; returns 0, or 2 for options that do not go together."""
    if wrong := _wrong(options):
        return print_error(*wrong) + 1
    made_by = import_module(import_name("viewer.export.command"))  # by its name: nothing in core depends on the viewer
    return int(made_by.run(options))


def _wrong(options: argparse.Namespace) -> tuple[str, str] | None:
    """What is wrong with how the options go together, and what to do; None where nothing is."""
    if options.output is None and not options.list:
        return "there is no file to write to", "give -o OUT.html, or --list to see what it would hold"
    if options.lesson is not None:
        return _wrong_of_lesson(options)
    if not options.file:
        return "there is no FILE to export", "give a transcript, or --lesson N"
    if options.compare:
        return _wrong_of_lanes(options)
    name = "" if options.policy else _first_given(options, OF_A_POLICY)
    return (f"{name} needs --policy", NOTHING_TO_SET) if name else None


def _wrong_of_lesson(options: argparse.Namespace) -> tuple[str, str] | None:
    if name := _first_given(options, OF_A_RUN):
        return f"a lesson has no {name}", "leave it out: a lesson has its own policies and steps"
    if not options.file and (name := _first_given(options, OF_A_FILE)):
        return f"{name} needs a FILE", "leave it out, or give the transcript that the last step of the lesson is about"
    return None


def _wrong_of_lanes(options: argparse.Namespace) -> tuple[str, str] | None:
    if name := _first_given(options, NOT_OF_LANES):
        return (
            f"--compare does not go with {name}",
            "leave it out; a lane names its policy and settings: agentkit.memory,budget=8000",
        )
    name = "" if any(map(_has_policy, options.compare)) else _first_given(options, OF_A_POLICY)
    if name:
        return f"{name} needs a lane with a policy", NOTHING_TO_SET
    many = len(options.compare)
    return None if 2 <= many <= 4 else (f"--compare is given {many} times", "give it two to four times, once a lane")


def _has_policy(lane: str) -> bool:
    return lane.partition(",")[0] not in WITHOUT_POLICY


def _first_given(options: argparse.Namespace, names: tuple[str, ...]) -> str:
    """The first of these options that is not at its default, as it is written; "" where none is."""
    from core.cli import parser  # which finds this module by its name

    defaults = parser().parse_args(["export"])
    given = (name for name in names if getattr(options, name) != getattr(defaults, name))
    return next((f"--{name.replace('_', '-')}" for name in given), "")
