"""The session made of a Claude Code window, with its notes."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from core.importers._files.text import Damage, counted, places
from core.importers._shapes.blocks import label, most_used, total
from core.importers._shapes.notes import failed, pluralize
from core.importers.claude_code.compactions import Compactions
from core.importers.claude_code.entries import Boundary
from core.importers.claude_code.text import as_title
from core.importers.claude_code.window import SYNTHETIC, Reading
from core.model.session import Session, SubAgent
from core.model.text import is_bare_command

FORMAT = "claude-code"

_TITLES = ("custom-title", "ai-title", "summary")


def session_of(
    reading: Reading,
    id: str,
    *,
    title: str = "",
    children: Sequence[SubAgent] = (),
    agents: int = 0,
    starts_midway: bool = False,
    damage: Damage | None = None,
    notes: Iterable[str] = (),
) -> Session:
    """The session of what was read, with what its caller knows: its id, its agent, the damage of its file."""
    messages = reading.messages
    models = Counter(m.model for m in messages if m.model and m.model != SYNTHETIC)
    damage = damage or Damage()
    return Session(
        id=id,
        format=FORMAT,
        title=title or _title(reading),
        model=most_used(models),
        project=reading.project,
        messages=messages,
        compactions=tuple(Compactions(reading.live, reading.ids_of, reading.parents)),
        children=tuple(children),
        usage=total(m.usage for m in messages),
        records=reading.records,
        malformed_lines=damage.malformed_lines,
        recovered_records=damage.recovered,
        subagents=agents,
        other=counted(reading.other),
        notes=(*notes, *_notes(reading), *damage.notes()),
        starts_midway=starts_midway,
        copied=_copied(reading),
    )


def _title(reading: Reading) -> str:
    """As it was given, else what a person typed first; a command without words only where they typed nothing else."""
    recorded = next((reading.titles[k] for k in _TITLES if k in reading.titles), "")
    typed, users = (m for m in reading.messages if m.typed), (m for m in reading.messages if m.role == "user")
    asked, others = ([title for m in some if (title := as_title(m.content))] for some in (typed, users))
    return label(recorded or next(iter([*sorted(asked, key=is_bare_command), *others]), ""))


def _copied(reading: Reading) -> int:
    """How many messages stand before the place where it was forked from another session."""
    return sum(1 for _ in takewhile(lambda message: (message.line or 0) <= reading.forked, reading.messages))


def _notes(reading: Reading) -> Iterator[str]:
    if number := _copied(reading):
        are = "message is" if number == 1 else f"{number:,} messages are"
        yield f"continues session {reading.origin}: the first {are} copied from it (up to line {reading.forked})"
    if left := reading.dead:
        yield f"{pluralize(len(left), 'message')} skipped: on abandoned branches ({places(left)})"
    if again := reading.repeated:
        how = _rewritten(reading.rewritten, len(again))
        yield f"{pluralize(len(again), 'record')} skipped: same uuid as an earlier one{how} ({places(again)})"
    if copied := reading.copied:
        where = places(copied)
        yield f"{pluralize(len(copied), 'tool call')} skipped: a copy of an earlier one in the same reply ({where})"
    if unmatched := [found.line for found in reading.unmatched if found.reply is None]:
        note = f"{pluralize(len(unmatched), 'text')} {'was' if len(unmatched) == 1 else 'were'} typed while the agent worked"
        yield f"{note} and appear{'s' * (len(unmatched) == 1)} in no message ({places(unmatched)})"
    if retried := reading.retried:
        yield f"{pluralize(retried, 'model call')} failed and {'was' if retried == 1 else 'were'} retried"
    if reading.errors and (errors := [reading.errors[m.id] for m in reading.messages if m.id in reading.errors]):
        yield failed(errors)
    for cut in (e for e in reading.live if isinstance(e, Boundary) and e.kind == "compaction" and e.summary is None):
        yield f"line {cut.line}: the summary of the compaction is not in the file"


def _rewritten(number: int, of: int) -> str:
    """How many of the repeated records a compaction wrote again; empty for none."""
    if not number:
        return ""
    who = f"{'all' if number == of else f'{number:,}'} of them "
    return f", {who if of > 1 else ''}written again after a compaction"
