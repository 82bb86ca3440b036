"""aider chat histories: .aider.chat.history.md in the folder aider was started in, one Markdown file for all its runs.

A run is a session. The person's lines begin with `#### `, aider's own with `> `; the rest are replies. Of what aider printed,
that which the model was surely not sent (its start, questions and answers, costs, errors) is counted in `other`, the rest
stands here as user messages of the kind "aider" (`printed.py`). Files in the chat, the map of the repository
and the prompt are not in it. `/clear` and `/reset` drop all that was said, also where aider prints nothing of it. Tokens are
those aider printed behind a reply, rounded from 1,000 on; what it sent is taken to include what was cached. A published chat
may stand behind front matter, and an introduction, in boxes of a page; it may be without the line that a run begins with.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from core.importers._files.source import Head, Source
from core.importers._files.text import Damage, counted
from core.importers._shapes.blocks import label, most_used, total
from core.importers._shapes.notes import pluralize, reason
from core.importers.aider.printed import ANSWER, sent_lines
from core.importers.aider.runs import Block, Run, runs
from core.model.advice import Advice
from core.model.session import Message, RecordedCompaction, Session, Usage, construct_unchecked

LABEL = AGENT = "aider"
DOCS = "https://aider.chat/docs/config/options.html#--chat-history-file-chat_history_file"
GROUP = "coding agents"
KEEPS = Advice(
    "Put it into a file such as `CONVENTIONS.md`, and add that with `/read CONVENTIONS.md`: a read-only file stays in the "
    "chat.",
    "https://aider.chat/docs/usage/conventions.html",
)

_STARTED = re.compile(r"^# [Aa]ider chat started at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d", re.MULTILINE)
_OWN = re.compile(
    r"^> (?:Aider v\d|Tokens: [\d.,]+k? sent|Applied edit to \S|Commit [0-9a-f]{7} |Added \S.* to the chat)",
    re.MULTILINE,
)
_TYPED = re.compile(r"^#### ", re.MULTILINE)

_MODEL = re.compile(r"(?:Main model|Models?): ([^\s,]+)")
_FOLDER = re.compile(r"Git working dir: (.+)")
_CLEARED = re.compile(r"All (?:files dropped and )?chat history cleared|Reset complete: all files dropped and chat")
_CLEARS = re.compile(r"/(?:clear|reset)\s*\Z")
_TOKENS = re.compile(r"Tokens: [\d.,]+k? sent")
_COUNT = re.compile(r"([\d.,]{1,12})(k?) (sent|cached|cache write|cache hit|received)")
_COMMAND = re.compile(r"[/!](?!(?:ask|code|architect|context|help)\s+\S)\S")
_THOUGHT = re.compile(r"<(thinking-content-[0-9a-f]+)>")


def recognises(head: Head) -> bool:
    """Whether a text has the line that aider begins a run with, or, without it, lines of aider's and of a person's."""
    if head.problem is None:
        return False
    return bool(_STARTED.search(head.text) or (_OWN.search(head.text) and _TYPED.search(head.text)))


def read(source: Source) -> Iterator[Session]:
    """Every run with a message; notes count the empty runs between them."""
    last: _Reading | None = None
    names, silent = Counter[str](), 0
    for run in runs(source):
        if not run.has_messages:
            silent += bool(run.blocks)
            continue
        if last is not None:
            yield last.session(Damage(not_utf8=source.damage.not_utf8))
        name = run.started or "start"
        names[name] += 1
        last = _Reading(run, name if names[name] == 1 else f"{name}-{names[name]}", before=silent)
        silent = 0
    if last is not None:
        last.after = silent
        yield last.session(source.damage)


@dataclass
class _Reading:
    """One run, block by block. `before` and `after` are the runs left out there."""

    run: Run
    id: str
    before: int = 0
    after: int = 0
    messages: list[Message] = field(default_factory=list)
    compactions: list[RecordedCompaction] = field(default_factory=list)
    other: Counter[str] = field(default_factory=Counter)
    errors: list[str] = field(default_factory=list)
    ended_with: str = ""
    model: str = ""
    project: str = ""
    rounded: bool = False
    command: str = ""
    started: bool = False
    cleared: int = 0

    def session(self, damage: Damage) -> Session:
        """The run as a session."""
        for block in self.run.blocks:
            self._block(block)
        messages = tuple(self.messages)
        models = Counter(m.model for m in messages if m.model)
        damaged = damage.not_utf8
        here = damaged[bisect_left(damaged, self.run.first) : bisect_right(damaged, self.run.last)]
        return Session(
            id=self.id,
            format="aider",
            title=label(self._title()),
            model=most_used(models) or self.model,
            project=self.project,
            messages=messages,
            compactions=tuple(self.compactions),
            usage=total(m.usage for m in messages),
            records=len(self.run.blocks),
            other=counted(self.other),
            notes=(*self._notes(), *Damage(not_utf8=here, torn=damage.torn).notes()),
            ended_with=self.ended_with,
        )

    def _title(self) -> str:
        """What was typed first, or else the first command."""
        said = [m for m in self.messages if m.injected in ("", "command") and m.role == "user" and m.content.strip()]
        return next((m.content for m in (*(m for m in said if m.typed), *said)), "")

    def _block(self, block: Block) -> None:
        if block.kind == "aider":
            self._aider(block)
            return
        self.command, self.started = "", True
        if block.kind == "user":
            self._typed("\n".join(line[5:].rstrip() for line in block.lines), block)
        else:
            thinking, text = _thought("\n".join(block.lines).strip())
            self._put(block, text, role="assistant", thinking=thinking, model=self.model)

    def _typed(self, text: str, block: Block) -> None:
        """A command is run by aider; an answer to its own question aider writes as if the person had typed it."""
        if ANSWER.search(text) and not _COMMAND.match(text):
            self.other["aider/answer"] += 1
            return
        self.command = text if _COMMAND.match(text) else ""
        self._put(block, text, injected="command" if self.command else "")
        if _CLEARS.match(self.command):
            self._cleared(block.line)

    def _put(self, block: Block, content: str, **more: str) -> None:
        known = {"role": "user", "timestamp": "" if self.messages else self.run.started, **more}
        if block.kind != "aider":
            self.ended_with = ""
        self.messages.append(
            construct_unchecked(Message, id=f"line-{block.line}", content=content, line=block.line, **known)
        )

    def _aider(self, block: Block) -> None:
        """What aider printed: some of it tells of the reply before, of the model, or of what was dropped."""
        for number, line in enumerate(block.lines, block.line):
            if line.startswith("> "):
                self._information(line[2:].strip(), number)
        found = sent_lines(block.lines, self.command, self.started)
        self.other += found.left
        if found.lines:
            text = "\n".join(line[2:] if line.startswith("> ") else line.removeprefix(">") for line in found.lines)
            text = "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")
            self._put(Block("aider", block.line + found.first), text, injected="aider")

    def _information(self, line: str, number: int) -> None:
        if found := _MODEL.match(line):
            self.model = found[1]
        elif found := _FOLDER.match(line):
            self.project = found[1]
        elif _TOKENS.match(line):
            self._used(line)
        elif _CLEARED.match(line):
            self._cleared(number)
        elif line.startswith("litellm.") and "Error" in line:
            self.errors.append(line)
            self.ended_with = reason(line)

    def _used(self, line: str) -> None:
        """Tokens belong to the reply right before, unless that has some already."""
        usage, rounded = _usage(line)
        last = self.messages[-1] if self.messages else None
        if last is None or last.role != "assistant" or last.usage is not None:
            self.other["tokens of no reply"] += 1
            return
        self.rounded = self.rounded or rounded
        self.messages[-1] = last.model_copy(update={"usage": usage})

    def _cleared(self, number: int) -> None:
        """The person cleared the conversation: once, whether aider says so behind the command or not, and if there was one."""
        at = len(self.messages)
        if any(message.injected != "command" for message in self.messages[self.cleared :]):
            self.compactions.append(
                RecordedCompaction(at=at, trigger="manual", edit="dropped", fidelity="exact", line=number)
            )
        self.cleared = at

    def _notes(self) -> Iterator[str]:
        """Notes on what was skipped, and what is uncertain."""
        for number, where in ((self.before, "before"), (self.after, "after")):
            if number:
                yield f"{pluralize(number, 'run')} {where} this one skipped: only output of aider"
        if self.rounded:
            yield "tokens are as aider printed them, rounded above 1,000"
        if lines := self.run.doubtful:
            first = f"line {lines[0]}" if len(lines) == 1 else f"{len(lines):,} lines, the first one {lines[0]},"
            yield f"{first} may be part of a reply: it looks like the user's or aider's text, but does not end as theirs do"
        if len(self.errors) > bool(self.ended_with):
            yield f"{pluralize(len(self.errors), 'model call')} failed, the first one: {label(self.errors[0])}"


def _thought(text: str) -> tuple[str, str]:
    """What was thought, which stands in a tag of aider's at the beginning, and what was said."""
    found = _THOUGHT.match(text)
    if found is None:
        return "", text
    thought, tag, said = text[found.end() :].partition(f"</{found[1]}>")
    return (thought.strip(), said.strip()) if tag else ("", text)


def _usage(line: str) -> tuple[Usage, bool]:
    """The tokens of a line, and whether they are rounded."""
    found = {what: (number, unit) for number, unit, what in _COUNT.findall(line)}
    counts = {what: _count(*sent_lines) for what, sent_lines in found.items()}
    hit, write = counts.get("cache hit", counts.get("cached", 0)), counts.get("cache write", 0)
    fresh = max(counts.get("sent", 0) - hit - write, 0)
    usage = Usage(input_uncached=fresh, cache_read=hit, cache_write=write, output=counts.get("received", 0))
    return usage, any(unit for _, unit in found.values())


def _count(number: str, unit: str) -> int:
    try:
        return round(float(number.replace(",", "")) * (1000 if unit else 1))
    except ValueError:
        return 0
