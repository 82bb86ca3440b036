"""OpenAI Responses: a list of items, a request, a reply, a pair of both, one item a line, or one run of an agent a line.

An item that the server ran (`mcp_call`, `file_search_call`, …) holds its own result: here that is a tool message. A
`compaction` item is a summary that only the provider can read: what stands before it in a request had been in the window,
and is no longer, unless only a person's messages do: those the API kept. Input includes what was cached, which is taken out
of it here; output includes what was thought. https://platform.openai.com/docs/api-reference/responses

Runs are NeMo Gym's: a request, and a "reply" of all items of the run, with the results of its tools. Each is a session.
https://docs.nvidia.com/nemo/gym/
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from core.importers._files.damage import with_damage_once
from core.importers._files.source import Head, Source
from core.importers._files.text import Damage
from core.importers._shapes.blocks import label
from core.importers._shapes.notes import pluralize
from core.importers._shapes.responses_shapes import ASKED, are_items, inside, is_pair, is_reply, is_request, is_run
from core.importers.openai_responses.reading import Reading
from core.model.session import Session

LABEL = "OpenAI Responses"
DOCS = "https://platform.openai.com/docs/api-reference/responses"
GROUP = "provider APIs"
COVERS = "requests, replies, NeMo Gym rollouts"
RECORDS_COMPACTIONS = True


def recognises(head: Head) -> bool:
    """Whether there are items that no other API has, in a list, a request, a reply, a run, or on lines of their own."""
    value = head.value
    if isinstance(value, dict):
        return is_reply(value) or is_request(value) or is_pair(value) or is_run(value) or are_items([value])
    found = value if isinstance(value, list) else head.records
    return any(map(is_run, found[:1])) or are_items(found)


def read(source: Source) -> Session | Iterator[Session]:
    """The session: what was sent, then what came back. Of a file of runs, one of each."""
    value = source.value
    listed = value if isinstance(value, list) else [value]
    first = listed[:1] if value is not None else [record for _, record in islice(source.records(), 1)]
    if any(map(is_run, first)):
        return with_damage_once(_runs(source.records() if value is None else enumerate(listed, 1)), source)
    return _one(source)


def _runs(lines: Iterable[tuple[int, Any]]) -> Iterator[Session]:
    """A session of each run; what is none is counted by the run behind it."""
    left = 0
    for line, record in lines:
        if not is_run(record):
            left += 1
            continue
        reading = Reading()
        reading.exchange(record[ASKED], record["response"])
        found = reading.session(Damage())
        notes = [f"{pluralize(left, 'record')} before this one skipped: not a run"] if left else []
        yield found.model_copy(
            update={
                "title": _title(record) or found.title,
                "messages": tuple(message.model_copy(update={"line": line}) for message in found.messages),
                "compactions": tuple(event.model_copy(update={"line": line}) for event in found.compactions),
                "malformed_lines": found.malformed_lines + left,
                "notes": (*found.notes, *notes),
            }
        )
        left = 0


def _title(run: dict[str, Any]) -> str:
    """What was run, and how it came out: "astropy-12907, reward 1.0"; "" where the run has no name."""
    about = run[ASKED].get("metadata")
    named = (run, about) if isinstance(about, dict) else (run,)
    name = next((one[key] for one in named for key in ("instance_id", "task_id") if isinstance(one.get(key), str)), "")
    reward = run.get("reward")
    return label(f"{name}, reward {reward}" if name and isinstance(reward, (int, float)) else name)


def _one(source: Source) -> Session:
    reading, value = Reading(), source.value
    if is_pair(value):
        reading.exchange(inside(value, "request"), inside(value, "response"))
    elif is_reply(value):
        reading.exchange({}, value)
    elif is_request(value):
        reading.exchange(value, {})
    elif isinstance(value, (dict, list)):
        reading.items(enumerate(value if isinstance(value, list) else [value], 1))
    else:
        reading.items(source.records())
    return reading.session(source.damage)
