"""`foldline library`: the agent sessions on this machine."""

import argparse
import sqlite3
import sys
from dataclasses import asdict

from core.cli.terminal import print_facts, print_json, print_table, safe_line
from core.importers import formats
from core.importers._files.folder import MOST_FILES
from core.library import Index, Listing, Progress, Row, build, damaged, places
from core.model.errors import FoldlineError, UnknownNameError


def run(options: argparse.Namespace) -> int:
    """Update the index and print the sessions, or those that match the words; returns 0."""
    index = Index()
    try:
        # the build that a page starts waits: the one that runs may be another server's, of other folders
        build(index, report=_print_progress if sys.stderr.isatty() else None, wait=options.build)
        found = None if options.build else _search(index, options)
    except (sqlite3.Error, OSError) as error:
        raise FoldlineError(
            f"the index {index.path} cannot be used ({error})", "delete it, or free disk space"
        ) from None
    if found is not None:
        print_json([asdict(row) for row in found.rows]) if options.json else _print(found, index)
    return 0


def _search(index: Index, options: argparse.Namespace) -> Listing:
    words, agent = " ".join(options.words), _agent_label(options.agent)
    try:
        return index.listing(words, agent, among=places())
    except sqlite3.DatabaseError as error:
        if not damaged(error):
            raise
        build(index)
        return index.listing(words, agent, among=places())


def _agent_label(name: str) -> str:
    """The label of an agent, from its label or the name of its format. Raises UnknownNameError."""
    labels = {info.name: info.label for info in formats()}
    if name and name not in (*labels, *labels.values()):
        raise UnknownNameError("agent", name, labels)
    return labels.get(name, name)


def _print_progress(progress: Progress) -> None:
    text = f"\033[Kreading {progress.done:,} of {progress.total:,} {safe_line(progress.now)[:60]}"
    print(text, end="\r" if progress.now else "\r\033[K", file=sys.stderr, flush=True)


def _print(found: Listing, index: Index) -> None:
    shown: list[tuple[str, object]] = [(safe_line(agent), number) for agent, number in found.agents]
    if index.progress().pid:
        shown.append(("note", "another foldline is still reading; there may be more"))
    for folder in index.cut(places()):
        shown.append(("note", f"of {safe_line(folder)} only the first {MOST_FILES:,} files are looked at"))
    unread = index.problems(places())
    if unread:
        shown.append(("not read", f"{len(unread):,}, the first one: {safe_line(unread[0][1])}"))
    print_facts([("sessions", found.total), *shown])
    if not found.rows:
        return
    print()
    heads = ("when", "agent", "title", "project", "messages", "~tokens", "compactions", "path")
    print_table(heads, list(map(_cells, found.rows)), cut=True)


def _cells(row: Row) -> list[object]:
    when, project = row.ended[:16].replace("T", " ") or "-", row.project.rpartition("/")[2]
    return [when, row.agent, row.title, project, row.messages, row.tokens, row.compactions, row.path]
