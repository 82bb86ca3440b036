"""Claude Code sessions: ~/.claude/projects/<project>/<session>.jsonl, and the files of sub-agents beside it.

One record a line. One API reply is written on as many lines as it has content blocks, each with the usage so far: lines
that share message.id are joined here, and the last line's usage counts; its input does not include what was cached. Tool
results are user records. The file is only ever added to, so a compaction removes nothing from it: it is a boundary record,
followed by the summary. A sub-agent is a session of its own below the one that started it.
The format is not documented; what is said here was read off files of versions 1.0 to 2.1. What `claude -p` prints as
stream-json is read here as well, and the one object with `loglines` in which a session on the web is given out.
"""

from collections.abc import Iterator
from typing import Any

from core.importers._files.source import Head, Source
from core.importers.claude_code.agents import Agents
from core.importers.claude_code.files import is_session_folder, is_sidechain, left_over, main_of
from core.importers.claude_code.session import session_of
from core.importers.claude_code.stream import is_another, is_from_web, is_stream, records_in, records_of
from core.importers.claude_code.window import Reading
from core.model.advice import Advice
from core.model.errors import TranscriptError
from core.model.session import Session

LABEL = AGENT = "Claude Code"
DOCS = "https://docs.claude.com/en/docs/claude-code/overview"
GROUP = "coding agents"
COVERS = "sessions with their sub-agents, `stream-json`, sessions on the web"
RECORDS_COMPACTIONS = True
KEEPS = Advice(
    "Put it into the project's `CLAUDE.md`: Claude Code reads that file when a session starts, and again after each "
    "compaction.",
    "https://code.claude.com/docs/en/context-window#what-survives-compaction",
)
KEEPS_ONCE = Advice(
    "Compact by hand before the window is full, `/compact Keep word for word {words}`, or say it again after the compaction.",
    "https://code.claude.com/docs/en/context-window#what-survives-compaction",
)

_KINDS = {"user", "assistant", "system", "progress", "attachment", "queue-operation", "mode", "last-prompt"}
_KINDS |= {"permission-mode", "custom-title", "ai-title", "agent-name", "pr-link", "bridge-session", "frame-link"}
_SAID = ("user", "assistant", "system", "attachment")


def recognises(head: Head) -> bool:
    """Whether a record has the marks of this format; the first ones are often no messages. A folder may be one session."""
    if head.names:
        return is_session_folder(head, recognises)
    records = records_in(head)
    if is_from_web(head):
        return True
    return any(map(_is_record, head.records)) or (any(map(is_stream, records)) and not is_another(records))


def _is_record(record: dict[str, Any]) -> bool:
    kind = record.get("type")
    if not isinstance(kind, str) or "payload" in record:
        return False
    envelope = "parentUuid" in record or "isSidechain" in record or ("sessionId" in record and kind in _KINDS)
    summary = kind == "summary" and "leafUuid" in record
    return envelope or summary or (kind == "file-history-snapshot" and "snapshot" in record)


def is_part(head: Head) -> bool:
    """Whether it is the file of a sub-agent, which is read with its session where that is at hand."""
    return not head.names and is_sidechain(head.records)


def read(source: Source) -> Session | Iterator[Session]:
    """The session with its sub-agents; a file that holds the records of sub-agents only is a session of its own."""
    return _folder(source) if source.is_folder else _session(source)


def _folder(source: Source) -> Iterator[Session]:
    """The session in a folder, then the sub-agents that are of none there."""
    assert source.folder is not None
    yield _session(source.inside(main_of(source.folder.names)))
    for file in left_over(source):
        try:
            yield _session(file)
        except TranscriptError:
            continue


def _session(source: Source) -> Session:
    main, agents = Reading(), Agents()
    for line, record in records_of(source):
        kind = record.get("type")
        if record.get("isSidechain") and kind in _SAID:
            main.records += 1
            agents.take(line, record)
            continue
        if kind == "progress":
            agents.report(line, record)
        main.take(line, record)
    main.answer()
    return _with_agents(main, agents, source) if main.entries or not agents.inline else _alone(source)


def _with_agents(main: Reading, agents: Agents, source: Source) -> Session:
    family = agents.family(main, source)
    return session_of(
        main,
        next(iter(main.sessions), ""),
        children=family.children(),
        agents=family.count,
        starts_midway=main.starts_midway and not source.damage.malformed_lines,
        damage=source.damage,
        notes=(*family.words(), *agents.notes, *_input_only_note(main)),
    )


def _input_only_note(main: Reading) -> Iterator[str]:
    """The note that a stream holds no questions, where it does not replay user messages."""
    if "system/init" in main.other and not any(m.typed for m in main.messages):
        yield "this output contains only the replies, not the questions"


def _alone(source: Source) -> Session:
    """The session of a sub-agent's file."""
    reading = Reading()
    for line, record in records_of(source):
        reading.take(line, record)
    return session_of(reading, reading.agent or next(iter(reading.sessions), ""), damage=source.damage)
