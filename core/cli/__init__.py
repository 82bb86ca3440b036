"""The command line: `foldline COMMAND`, or `python -m core COMMAND`. Each command is a module here with a function `run`.

A command prints JSON with --json and a table without. An error is one line on stderr with a hint below it; the exit code
is 1, or 2 for wrong usage.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from core.cli.terminal import preview, print_error
from core.model.errors import FoldlineError, format_error
from core.model.import_name import own_version


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code: 0, 1 for an error, 130 after Ctrl+C, 141 if the reader of the output is gone."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        getattr(stream, "reconfigure", lambda **_: None)(errors="backslashreplace")  # the terminal may be ASCII only
    try:
        options = parsed(given)
        code = int(importlib.import_module(f"{__name__}.{options.module}").run(options))  # only now, to start fast
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else Python complains when it exits
        return 141
    except KeyboardInterrupt:
        return 130
    except FoldlineError as error:
        return print_error(str(error), error.hint)
    except Exception as error:
        if os.environ.get("FOLDLINE_DEBUG"):
            raise
        return print_error(f"internal error: {format_error(error)}", "set FOLDLINE_DEBUG=1 for the traceback")
    return code


def parsed(given: list[str]) -> argparse.Namespace:
    """The options of the command that is meant: without one it is `serve`, also where a file stands alone."""
    top = parser()
    if not given:
        return top.parse_args(["serve"])
    if given[0] in top.commands or given[0].startswith("-"):
        return top.parse_args(given)
    there = os.path.exists(given[0])  # False also for a name that no file can have
    if there and len(given) == 1:
        return top.parse_args(["serve", *given])
    name = preview(given[0], 60)
    hint = "check the path; foldline --help lists the commands"
    print_error(
        f"there is no {'' if there else 'file or '}command '{name}'", f"foldline serve {name}" if there else hint
    )
    sys.exit(2)


class Parser(argparse.ArgumentParser):
    """A parser that prints wrong usage as any other error and exits with 2. `commands` are those below it, by name."""

    commands: Mapping[str, "Parser"] = {}

    def error(self, message: str) -> NoReturn:
        """Print the message and exit."""
        print_error(message, f"see {self.prog} --help")
        sys.exit(2)


class _Version(argparse.Action):
    """Prints the version, which is read only now: no other command needs the file that has it."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object, **__: object) -> NoReturn:
        print(f"foldline {own_version()}")
        parser.exit()


def parser() -> Parser:
    """The commands and their arguments."""
    top = Parser(prog="foldline", description="See what an agent's model could see.", allow_abbrev=False)
    top.add_argument("--version", action=_Version, nargs=0, help="print the version")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=Parser)
    top.commands = commands.choices
    _show(_command(commands, "show", "what a transcript contains"))
    _window(_command(commands, "window", "the window at a message, and what a compaction would do there"))
    _simulate(_command(commands, "simulate", "simulate a policy on a transcript and print the trace"))
    _fate(_command(commands, "fate", "where a text was in the window, what took it, and when it was needed again"))
    _provenance(_command(commands, "provenance", "what the summary of a compaction was made of, and what it lost"))
    _tune(_command(commands, "tune", "what each setting of a policy would have cost and lost", json=False))
    _check(_command(commands, "check", "fail where a policy forgets what must be kept: a check for a build"))
    _redact(_command(commands, "redact", "write a session with secrets and personal names masked"))
    _export(_command(commands, "export", "write one HTML file that is the debugger with this session, or another form"))
    for name in ("policies", "formats", "meters"):
        _command(commands, name, f"list the {name}", "listings").set_defaults(what=name)
    _library(_command(commands, "library", "list the agent sessions on this machine, newest first"))
    _lesson(_command(commands, "lesson", "a lesson of Learn with its answers, and settings that solve its tasks"))
    _serve(_command(commands, "serve", "start the web app", json=False))
    return top


def _show(to: Parser) -> None:
    _file(to)
    to.add_argument("--messages", action="store_true", help="list every message")
    _meter(to)


def _window(to: Parser) -> None:
    _file(to)
    where = to.add_mutually_exclusive_group(required=True)
    where.add_argument("--message", type=int, metavar="M", help="the message that has just arrived, counted from 1")
    where.add_argument("--step", type=int, metavar="I", help="the step, counted from 0: compactions are steps, too")
    _policy(to)


def _simulate(to: Parser) -> None:
    _file(to)
    _policy(to, required=True)


def _fate(to: Parser) -> None:
    _file(to)
    text = "the text to follow; white space and line ends do not matter"
    to.add_argument("--text", required=True, metavar="T", help=text)
    to.add_argument("--fix", action="store_true", help="find what would have kept it: settings, pins, other policies")
    at = "with --fix, the step at which it should be there, counted from 0; default: never gone, up to the end"
    to.add_argument("--at", type=int, metavar="STEP", help=at)
    _policy(to)


def _provenance(to: Parser) -> None:
    _file(to)
    to.add_argument("--compaction", type=int, required=True, metavar="N", help="compaction N, as it is named: from 1")
    sentence = "look for this sentence instead of the summary's"
    to.add_argument("--sentence", action="append", default=[], metavar="TEXT", help=sentence)
    _policy(to)


def _redact(to: Parser) -> None:
    _file(to)
    to.add_argument("-o", "--output", type=Path, metavar="OUT", help="the file to write, as foldline's own JSON")
    _keep_secrets(to)
    to.add_argument("--list", action="store_true", help="only list what would be masked")


def _keep_secrets(to: Parser) -> None:
    keep = "a number of the list, or a text: it is not masked; may be given again"
    to.add_argument("--keep", action="append", default=[], metavar="N", help=keep)


def _library(to: Parser) -> None:
    to.add_argument("words", nargs="*", metavar="WORD", help="only sessions whose title or text has every word")
    to.add_argument("--agent", default="", metavar="A", help="only sessions of one agent, as named in the list")
    to.add_argument("--build", action="store_true", help="only update the index")


def _lesson(to: Parser) -> None:
    to.add_argument("number", nargs="?", type=int, metavar="N", help="which; default: list them")


def _serve(to: Parser) -> None:
    to.add_argument("file", nargs="?", metavar="FILE", help="a transcript to open")
    to.add_argument("--port", type=int, metavar="N", help="default: 8501 or the next free one")
    opens = "open this lesson of Learn; FILE is then your own session in it"
    to.add_argument("--lesson", type=int, metavar="N", help=opens)
    to.add_argument("--play", action="store_true", help="with --lesson, play it by itself, as at a booth")
    to.add_argument("--no-browser", action="store_true", help="only print the link")
    to.add_argument("--no-token", action="store_true", help="open it to every user of this machine")


def _export(to: Parser) -> None:
    _file(to, nargs="?")
    opens = "this lesson of Learn instead; FILE is then the session in its last step"
    to.add_argument("--lesson", type=int, metavar="N", help=opens)
    to.add_argument("-o", "--output", metavar="OUT", help="the file to write")
    forms = "html (default), answer (--why), compaction, trace, session, openai, anthropic or a table: messages.csv"
    to.add_argument("--form", default="html", metavar="F", help=forms)
    step = "the step, from 0, that it opens at or that the form is about; default: the first compaction, of an answer the end"
    to.add_argument("--step", type=int, metavar="I", help=step)
    why = "a text that the file follows when it opens: where it went, and what would have kept it; may be given again"
    to.add_argument("--why", action="append", default=[], metavar="TEXT", help=why)
    lanes = "a lane of Compare: recorded, none, or POLICY,K=V,…; give two to four, the first is the baseline"
    to.add_argument("--compare", action="append", default=[], metavar="LANE", help=lanes)
    _keep_secrets(to)
    to.add_argument("--keep-secrets", action="store_true", help="mask nothing, and do not look for secrets")
    to.add_argument("--list", action="store_true", help="only list what would be masked, and how large it would be")
    _policy(to)


def _tune(to: Parser) -> None:
    paths = "transcripts: files, folders, zip archives or URLs; or one session, by the name that its row has"
    to.add_argument("files", nargs="+", metavar="PATH", help=paths)
    values = "values to try of each parameter, such as budget=8000,16000 keep_recent=4,8"
    to.add_argument("--grid", nargs="+", action="extend", default=[], metavar="K=V,V", help=values)
    _prices(to)
    window = "the context window of models that foldline does not know, in tokens"
    to.add_argument("--window", type=_count, metavar="N", help=window)
    to.add_argument("--no-findings", action="store_true", help="leave out the number of findings, which takes longest")
    out = to.add_mutually_exclusive_group()
    out.add_argument("--json", action="store_true", help="print JSON")
    out.add_argument("--csv", action="store_true", help="print CSV")
    folder = "write Parquet files to this folder; started again with it, only what is missing is done"
    out.add_argument("--parquet", type=Path, metavar="OUT", help=folder)
    where = to.add_mutually_exclusive_group()
    workers = "processes on this machine; default: one a core, 0: none but this one"
    where.add_argument("--workers", type=_count, metavar="N", help=workers)
    cluster = "run on a Dask cluster: tcp://HOST:PORT of its scheduler, or local:N for N processes here"
    where.add_argument("--cluster", default="", metavar="ADDRESS", help=cluster)
    several = "`foldline policies` lists them; given again, each policy takes those of the parameters that it has"
    to.add_argument("--policy", required=True, action="append", metavar="P", help=several)
    _settings(to, "; own: each session by its own, as the Tune page does")


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no number of processes: give 0 or more")
    return int(text)


def _check(to: Parser) -> None:
    to.add_argument("files", nargs="+", metavar="FILE", help="transcripts: files, folders or zip archives")
    keep = "a text that must survive every compaction; may be given again"
    to.add_argument("--keep", action="append", default=[], metavar="TEXT", help=keep)
    lines = "a file of such texts, one a line; lines that begin with # are left out"
    to.add_argument("--keep-file", type=Path, metavar="FILE", help=lines)
    share = "at most this share of what the agent used later is missing, such as 2%%; or a number, such as 12"
    to.add_argument("--max-misses", default="", metavar="N", help=share)
    cost = "a session costs at most so many US dollars"
    to.add_argument("--max-cost", type=_dollars, metavar="USD", help=cost)
    _prices(to)
    kind = "no finding of this kind, or of the kinds whose names have these words: orphaned; may be given again"
    to.add_argument("--no-finding", action="append", default=[], metavar="KIND", help=kind)
    to.add_argument("--baseline", type=Path, metavar="FILE", help="only what is worse than in this file fails")
    to.add_argument("--update-baseline", action="store_true", help="write --baseline anew; nothing fails")
    to.add_argument("--junit", type=Path, metavar="OUT", help="write JUnit XML")
    to.add_argument("--markdown", type=Path, metavar="OUT", help="write a Markdown table")
    _policy(to)


def _dollars(text: str) -> float:
    try:
        amount = float(text)
    except ValueError:
        amount = -1
    if not 0 <= amount < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no amount of dollars: give 0 or more, such as 0.50")
    return amount


def _prices(to: Parser) -> None:
    prices = "dollars a million tokens: input, cache read, cache write, output; default: those of the session's model"
    to.add_argument("--prices", default="", metavar="I,R,W,O", help=prices)


def _command(commands: Any, name: str, about: str, module: str = "", json: bool = True) -> Parser:
    added: Parser = commands.add_parser(name, help=about, description=about, allow_abbrev=False)
    if json:
        added.add_argument("--json", action="store_true", help="print JSON")
    added.set_defaults(module=module or name)
    return added


def _file(to: Parser, nargs: str | None = None) -> None:
    to.add_argument("file", nargs=nargs, metavar="FILE", help="a transcript: a file, a folder or a zip archive")
    to.add_argument("--session", metavar="N", help="one session of a file of many: its number, from 0, or its id")
    to.add_argument("--lane", default="", metavar="L", help="a sub-agent's window: 1, 2, 2.1 …; `show` lists them")


def _meter(to: Parser, more: str = "") -> None:
    to.add_argument("--meter", metavar="M", help=f"the meter that counts tokens; `foldline meters` lists them{more}")


def _policy(to: Parser, required: bool = False) -> None:
    to.add_argument("--policy", required=required, metavar="P", help="`foldline policies` lists them")
    _settings(to)


def _settings(to: Parser, meters: str = "") -> None:
    to.add_argument(
        "--set", action="append", default=[], type=_setting, metavar="K=V", help="a parameter of the policy"
    )
    summaries = (
        "how summaries are written: structural (the default), 'fixed size', or recorded (the transcript's own); "
        "to see a failure: empty, 'white space', error, 'too long'"
    )
    to.add_argument("--summaries", default="structural", metavar="S", help=summaries)
    size = "tokens of each 'fixed size' summary; default: 300"
    to.add_argument("--summary-tokens", type=int, default=300, metavar="N", help=size)
    pin = "messages that the policy leaves in the window: ids, or numbers from 1, separated by commas"
    to.add_argument("--pin", default="", metavar="IDS", help=pin)
    _meter(to, meters)


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form name=value")
    return name, value
