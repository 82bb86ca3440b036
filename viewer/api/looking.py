"""The search for what looks secret, once for each session, as lines: how far it is, and at last what it found."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from core import FoldlineError, Session
from core.cli.redact import row
from core.secrets.found import Found, Tell, find_secrets, quiet
from viewer.api.answers import json_lines
from viewer.sessions.registry import RecentCache, digest

TICK = 0.1
"""Seconds between two looks at how far it is."""

_FOUND: RecentCache[list[Found]] = RecentCache(16)


def found_in(key: str, session: Session, tell: Tell = quiet) -> list[Found]:
    """What looks secret or personal in the session that `key` names; searched for once."""
    return _FOUND.get_or_make(key, lambda: find_secrets(session, tell=tell))


def looking(key: str, session: Session) -> Response:
    """The lines of the search in the session that `key` names. A thread makes it."""
    return json_lines(looking_lines(key, session))


async def looking_lines(key: str, session: Session) -> AsyncIterator[dict[str, Any]]:
    """How many texts have been read of all, whenever that changes; at last what is found, or why the search did not run."""
    reports: list[tuple[int, int]] = []
    work = asyncio.ensure_future(run_in_threadpool(found_in, key, session, lambda *report: reports.append(report)))
    sent = 0
    while not work.done():
        if len(reports) > sent:
            sent = len(reports)
            yield dict(zip(("read", "of"), reports[-1], strict=True))
        await asyncio.wait({work}, timeout=TICK)
    try:
        yield listed(work.result())
    except FoldlineError as error:
        yield {"failed": str(error), "hint": error.hint}


def listed(found: list[Found]) -> dict[str, Any]:
    """A row each, and what names the whole list: the numbers that are kept are of one list."""
    return {"found": [row(number, secret, set()) for number, secret in enumerate(found, 1)], "list": name_of(found)}


def name_of(found: list[Found]) -> str:
    """What names a list of what was found."""
    return digest(*(f"{secret.kind} {secret.text}" for secret in found))
