"""A session of Cline's SDK: one object, with the messages as the next request will have them.

What a compaction removed is no longer in the file. Its summary is the first message; where only what was done is listed, a
notice stands in each user message behind which something was removed, and the replies that stayed are marked: it happened
behind the last of them. Recorded input includes what was cached.
https://github.com/cline/cline/tree/main/sdk/packages/core/src/extensions/context
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from core.importers._files.text import counted
from core.importers._shapes.blocks import label, most_used, object_of, string, total, whole_number
from core.importers._shapes.compaction_tokens import own_count
from core.importers._shapes.notes import pluralize, without_call
from core.importers._shapes.times import iso
from core.importers.cline.blocks import Content, Result, content_of
from core.importers.cline.compactions import MOST, MOST_KEPT
from core.importers.cline.text import injected, is_notice, typed_text
from core.importers.cline.ui import moment
from core.model.session import Message, RecordedCompaction, Session, Usage, construct_unchecked, known_cost


def usage_of(metrics: Any) -> Usage | None:
    """Recorded tokens and cost: what was cached is taken out of the input, where it can be part of it.

    Cline writes a cost of 0 where it knows no price.
    """
    if not isinstance(metrics, dict):
        return None
    fresh, read = whole_number(metrics.get("inputTokens")), whole_number(metrics.get("cacheReadTokens"))
    write = whole_number(metrics.get("cacheWriteTokens"))
    fresh = fresh - read - write if fresh >= read + write else fresh
    output, cost = whole_number(metrics.get("outputTokens")), known_cost(metrics.get("cost")) or None
    return Usage(input_uncached=fresh, cache_read=read, cache_write=write, output=output, cost=cost)


@dataclass(slots=True)
class Entry:
    """One message of the file, as it is called here."""

    id: str
    item: dict[str, Any]
    metadata: dict[str, Any]
    place: int

    @property
    def kind(self) -> str:
        """What Cline put it in for; empty for what was said."""
        return string(self.metadata.get("kind"))


@dataclass
class Reading:
    """Reads message after message. `stayed` are the ids of those that are neither summaries nor leading system messages."""

    messages: list[Message] = field(default_factory=list)
    stayed: list[str] = field(default_factory=list)
    compactions: list[RecordedCompaction] = field(default_factory=list)
    tools: dict[str, str] = field(default_factory=dict)
    left: list[int] = field(default_factory=list)
    unasked: list[int] = field(default_factory=list)
    other: Counter[str] = field(default_factory=Counter)
    ids: set[str] = field(default_factory=set)
    arrived: int = 0
    preserved: tuple[int, int] = (0, 0)
    removed: int = 0
    cuts: int = 0
    kept: int = 0

    def item(self, item: Any, place: int) -> None:
        """One message of the file."""
        role, metadata = string(object_of(item).get("role")), object_of(object_of(item).get("metadata"))
        if role not in ("user", "assistant", "system", "tool"):
            self.left.append(place)
        elif metadata.get("displayOnly") is True:
            self.other["for the eyes only"] += 1
        else:
            self._message(Entry(self._id(item, place), item, metadata, place))

    def _id(self, item: dict[str, Any], place: int) -> str:
        """What an entry is called. An id that another entry has is made its own, so that a compaction names one summary."""
        given = string(item.get("id")) or f"message-{place}"
        name = f"{given}~{place}" if given in self.ids else given
        self.ids.add(name)
        return name

    def _message(self, entry: Entry) -> None:
        content = content_of(entry.item.get("content"))
        for number, result in enumerate(content.results):
            self._result(entry, result, number)
        if entry.item["role"] == "assistant":
            self._reply(entry, content)
        elif entry.kind == "compaction_summary":
            self._cut(entry, entry.id)
            self._put(entry, content, role="user", injected="summary")
        elif entry.kind == "compaction" and any(map(is_notice, content.texts)):
            self._noticed(entry, content)
        elif content.text or content.images or not content.results:
            self._user(entry, content)
        if entry.metadata.get("compaction") == "preserved":
            self.preserved = self.arrived, len(self.stayed)

    def found(self) -> tuple[RecordedCompaction, ...]:
        """The compactions; the last one behind what is marked to have stayed at it."""
        if not self.compactions or self.preserved[0] <= self.compactions[-1].at or self.cuts > MOST:
            return tuple(self.compactions)
        arrived, stayed = self.preserved
        known = {"at": arrived, "kept": tuple(self.stayed[:stayed]), "timestamp": ""}
        return (*self.compactions[:-1], self.compactions[-1].model_copy(update=known))

    def _put(self, entry: Entry, content: Content, **more: Any) -> None:
        known = {"id": entry.id, "line": entry.place, "timestamp": iso(moment(entry.item)), "content": content.text}
        message = construct_unchecked(Message, **known | {"images": tuple(content.images)} | more)
        self.messages.append(message)
        if message.injected != "summary":
            self.arrived += 1
            if self.stayed or message.role != "system":
                self.stayed.append(message.id)

    def _user(self, entry: Entry, content: Content) -> None:
        """A user message. The notice of an overflow stands for the oldest messages, which are gone."""
        overflow = entry.kind == "overflow_truncation"
        if overflow:
            self._cut(entry, None, trigger="overflow")
        hidden = entry.metadata.get("displayRole") == "system" and entry.kind != "compaction"
        who = "truncation" if overflow else injected(content.texts) or ("meta" if hidden else "")
        if entry.item["role"] == "system":
            self._put(entry, content, role="system")
        else:
            self._put(entry, content, role="user", injected=who)
        if entry.kind == "compaction":
            self._cut(entry, None)

    def _noticed(self, entry: Entry, content: Content) -> None:
        """What was typed, and behind it the notice that stands for what was removed: here two messages."""
        notice = Content(texts=[text for text in content.texts if is_notice(text)])
        content.texts = [text for text in content.texts if not is_notice(text)]
        if content.text or content.images:
            self._put(entry, content, role="user", injected=injected(content.texts))
        name = f"{entry.id}-notice"
        self._cut(entry, name)
        self._put(entry, notice, id=name, role="user", injected="summary")

    def _cut(self, entry: Entry, summary: str | None, trigger: str = "") -> None:
        """A compaction here: what stands before it in the file stayed, what it removed is not there."""
        self.cuts += 1
        self.removed += whole_number(entry.metadata.get("messagesRemoved"))
        self.kept += len(self.stayed)
        if self.cuts > MOST or self.kept > MOST_KEPT:
            return
        before = whole_number(entry.metadata.get("tokensBefore")) or None
        self.compactions.append(
            RecordedCompaction(
                at=self.arrived,
                trigger=trigger or string(entry.metadata.get("reason")).removesuffix("_compaction"),
                tokens_before=before,
                before_from=own_count("metadata.tokensBefore") if before else "",
                summary=summary,
                edit="summarised" if summary else "dropped",
                lead=len(self.stayed),
                kept=tuple(self.stayed),
                fidelity="partial",
                line=entry.place,
                timestamp=iso(whole_number(entry.metadata.get("generatedAt")) or moment(entry.item)),
            )
        )

    def _reply(self, entry: Entry, content: Content) -> None:
        self.tools.update((call.id, call.name) for call in content.calls)
        self._put(
            entry,
            content,
            role="assistant",
            reply_id=entry.id,
            tool_calls=tuple(content.calls),
            thinking="\n".join(text for text in content.thinking if text),
            usage=usage_of(entry.item.get("metrics")),
            model=string(object_of(entry.item.get("modelInfo")).get("id")),
        )

    def _result(self, entry: Entry, result: Result, number: int) -> None:
        if result.call not in self.tools:
            self.unasked.append(entry.place)
        self._put(
            entry,
            Content(texts=[result.text], images=list(result.images)),
            id=f"{entry.id}-result-{number}",
            role="tool",
            tool_call_id=result.call or None,
            name=self.tools.get(result.call) or result.name or None,
            is_error=result.failed,
        )

    def notes(self) -> Iterator[str]:
        """Notes on what was skipped or is missing."""
        if self.cuts:
            what = pluralize(self.removed, "message") if self.removed else "messages"
            yield f"a compaction removed {what} that the file no longer contains"
        if len(self.compactions) < self.cuts:
            yield f"only the first {pluralize(len(self.compactions), 'compaction')} are shown"
        if self.left:
            yield f"{pluralize(len(self.left), 'message')} skipped: unknown role"
        if self.unasked:
            yield without_call(len(self.unasked), self.unasked[0])


def session_of(value: dict[str, Any], damage: tuple[str, ...]) -> Session:
    """The session of a file."""
    reading, items = Reading(), value["messages"]
    if string(value.get("system_prompt")):
        reading.messages.append(
            construct_unchecked(Message, id="system-prompt", role="system", content=value["system_prompt"])
        )
        reading.arrived = 1
    for place, item in enumerate(items, 1):
        reading.item(item, place)
    models = Counter(m.model for m in reading.messages if m.model)
    typed = next((text for m in reading.messages if m.typed and (text := typed_text(m.content))), "")
    return Session(
        id=string(value.get("sessionId")),
        format="cline",
        agent="Cline",
        title=label(typed),
        model=most_used(models),
        messages=tuple(reading.messages),
        compactions=reading.found(),
        usage=total(m.usage for m in reading.messages),
        records=len(items),
        malformed_lines=len(reading.left),
        other=counted(reading.other),
        notes=(*reading.notes(), *damage),
    )
