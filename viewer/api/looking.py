"""The search for what looks secret, as lines: how far it is, and at last what it found."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from core import FoldlineError
from core.cli.redact import row
from core.secrets.found import Found
from viewer.api.answers import json_lines
from viewer.sessions.registry import digest

TICK = 0.1
"""Seconds between two looks at how far it is."""

Tell = Callable[[int, int], None]
"""Takes how many of how many texts have been read."""


def quiet(read: int, of: int) -> None:
    """Tell nobody."""


def looking(find: Callable[[Tell], list[Found]]) -> Response:
    """The lines of a search, which is made in a thread."""
    return json_lines(looking_lines(find))


async def looking_lines(find: Callable[[Tell], list[Found]]) -> AsyncIterator[dict[str, Any]]:
    """How far it is, whenever that changes, and what is found, or why the search did not run."""
    read: list[tuple[int, int]] = []
    work = asyncio.ensure_future(run_in_threadpool(find, lambda *far: read.append(far)))
    told = 0
    while not work.done():
        if len(read) > told:
            told = len(read)
            yield dict(zip(("read", "of"), read[-1], strict=True))
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
