"""Codex CLI rollouts: ~/.codex/sessions/<year>/<month>/<day>/rollout-<time>-<session>.jsonl.

One record a line, `{timestamp, type, payload}`; files from before mid-2025 hold the bare items. The items are those of the
Responses API. A session that was forked or resumed begins with the records of the one it goes on from, each with its header.
A compaction records the whole history that took the place of the old one, so what stayed is known; its summary is mostly
encrypted. Sub-agents are sessions with files of their own. Input includes what was cached, which is taken out of it here;
output includes what was thought. https://github.com/openai/codex/blob/main/codex-rs/protocol/src/protocol.rs
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from core.importers._files.source import Head, Source
from core.importers._files.text import counted, places
from core.importers._shapes.blocks import label, most_used, string, total
from core.importers._shapes.notes import failed, pluralize, sub_agents, without_call
from core.importers._shapes.responses_items import is_call, kind_of
from core.importers.codex.agents import MOST, Spawned, callers
from core.importers.codex.rollout import Reading
from core.model.advice import Advice
from core.model.errors import TranscriptError
from core.model.own_text import own_text
from core.model.session import Message, Session, SubAgent, Usage

LABEL = AGENT = "Codex CLI"
DOCS = "https://github.com/openai/codex/blob/main/codex-rs/protocol/src/protocol.rs"
GROUP = "coding agents"
RECORDS_COMPACTIONS = True
KEEPS = Advice(
    "Put it into `AGENTS.md`: Codex reads the file when it starts, and puts it back after a compaction.",
    "https://developers.openai.com/codex/guides/agents-md",
)
KEEPS_ONCE = Advice(
    "Say it again after the compaction, or begin it in a session of its own with `/new`.",
    "https://developers.openai.com/codex/cli/slash-commands",
)

_KINDS = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})

_DEEP = 5
"""Sub-agents of sub-agents are followed this far down."""


def recognises(head: Head) -> bool:
    """Whether there is a record in Codex's envelope, or, in the oldest files, a bare header or state beside bare items."""
    if any(string(r.get("type")) in _KINDS and isinstance(r.get("payload"), dict) for r in head.records):
        return True
    return any(map(_is_old, head.records)) and any(map(_is_bare, head.records))


def _is_old(record: dict[str, Any]) -> bool:
    header = isinstance(record.get("id"), str) and isinstance(record.get("timestamp"), str) and "instructions" in record
    return "type" not in record and (header or record.get("record_type") == "state")


def _is_bare(record: dict[str, Any]) -> bool:
    kind = kind_of(record)
    return is_call(kind) or kind == "reasoning" or (kind == "message" and isinstance(record.get("content"), list))


def is_part(head: Head) -> bool:
    """Whether another session started this one."""
    about = next((r.get("payload") for r in head.records if r.get("type") == "session_meta"), None)
    source = about.get("source") if isinstance(about, dict) else None
    return isinstance(source, dict) and "subagent" in source


def read(source: Source) -> Session:
    """The session, with those of its sub-agents whose files lie beside it."""
    return _session(source, set())


def _session(source: Source, above: set[str]) -> Session:
    reading, records = Reading(), 0
    for line, record in source.records():
        records += 1
        reading.record(line, record)
    messages = reading.end()
    above = above | {string(reading.about.get("id"))}
    children = list(_children(source, reading, messages, above)) if len(above) <= _DEEP else []
    models = Counter(m.model for m in messages if m.model)
    damage = source.damage
    return Session(
        id=string(reading.about.get("id")),
        format="codex",
        title=label(reading.title or _first_request(messages[reading.copied if reading.is_agent else 0 :])),
        model=most_used(models) or reading.replies.model,
        project=reading.project,
        messages=tuple(messages),
        compactions=tuple(reading.compactions.found),
        children=tuple(children),
        usage=_usage(messages, reading.tokens.extra),
        records=records,
        malformed_lines=damage.malformed_lines,
        recovered_records=damage.recovered,
        subagents=len(reading.agents),
        copied=reading.copied,
        other=counted(reading.other + reading.replies.other),
        notes=(*_notes(reading, len(children)), *damage.notes()),
    )


def _first_request(messages: list[Message]) -> str:
    """What was typed first; of a sub-agent what it was asked."""
    requests = [m for m in messages if m.role == "user" and m.injected in ("", "agent") and m.content.strip()]
    return next((own_text(m) for m in requests if m.typed), requests[0].content if requests else "")


def _usage(messages: list[Message], extra: Usage | None) -> Usage | None:
    return total(iter([*(m.usage for m in messages), extra]))


def _children(source: Source, reading: Reading, messages: list[Message], above: set[str]) -> Iterator[SubAgent]:
    """The sub-agents whose sessions are here; a file is one's only if its header says so."""
    callers_of = callers(messages)
    for agent in list(reading.agents.values())[:MOST]:
        if agent.id in above or not agent.pattern:
            continue
        for place in source.near(agent.pattern)[:1]:
            try:
                child = _session(place, above)
            except TranscriptError:  # it counts as a sub-agent whose records are elsewhere
                continue
            if child.id == agent.id and child.messages:
                yield _sub_agent(agent, callers_of, child)


def _sub_agent(agent: Spawned, callers_of: dict[str, str], child: Session) -> SubAgent:
    message = callers_of.get(agent.call, "")
    return SubAgent(id=agent.id, name=agent.name, message=message, call=agent.call if message else "", session=child)


def _notes(reading: Reading, children: int) -> Iterator[str]:
    """Notes on what was copied, skipped, interrupted, or failed."""
    if reading.forked:
        origin = string(reading.about.get("forked_from_id")) or next(iter(reading.others), "unknown")
        much = (
            f"the first {pluralize(reading.copied, 'message')} and their tokens"
            if reading.copied
            else "what stands first"
        )
        where = f" ({_span(reading.replies.messages[: reading.copied])})" if reading.copied else ""
        yield f"continues session {origin}: {much} {'is' if not reading.copied else 'are'} copied from it{where}"
    if back := reading.rewound:
        yield f"{pluralize(len(back), 'message')} skipped: the user rewound the conversation to before them ({places(back)})"
    if reading.aborted:
        yield f"{pluralize(reading.aborted, 'turn')} {'was' if reading.aborted == 1 else 'were'} interrupted"
    if reading.errors:
        yield failed(reading.errors)
    if reading.retried:
        yield f"{pluralize(reading.retried, 'time')} the stream was interrupted and retried"
    if reading.replies.orphans:
        yield without_call(reading.replies.orphans)
    if reading.tokens.lost:
        yield f"{pluralize(reading.tokens.lost, 'model call')} without a reply in this file: the tokens count only in the total"
    if len(reading.agents) > children:
        yield sub_agents(len(reading.agents) - children)


def _span(messages: list[Message]) -> str:
    """The lines that messages stand on, from the first to the last: there may be thousands."""
    lines = [m.line for m in messages if m.line is not None]
    first, last = min(lines, default=0), max(lines, default=0)
    return f"line {first}" if first == last else f"lines {first} to {last}"
