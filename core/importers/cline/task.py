"""One task of the Cline or Roo Code extension: the messages of its API history, with what the other files tell of them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.importers._files.text import counted
from core.importers._shapes.blocks import label, most_used, object_of, string, total
from core.importers._shapes.notes import failed, pluralize, sub_agents, without_call
from core.importers._shapes.times import iso
from core.importers.cline.blocks import Content, Result, content_of
from core.importers.cline.compactions import Item, cline_cuts, roo_cuts, within
from core.importers.cline.text import injected, model_of, project_of, typed_text
from core.importers.cline.ui import Screen, matched, moment
from core.model.session import Message, RecordedCompaction, Session, Usage, construct_unchecked

ROLES = ("user", "assistant", "tool", "system")


@dataclass
class Files:
    """What lies beside the API history: what was shown, the task's metadata, Roo Code's entry of the task in its list."""

    shown: Any = None
    metadata: Any = None
    entry: Any = None
    notes: list[str] = field(default_factory=list)


@dataclass
class Task:
    """Reads message after message."""

    files: Files
    screen: Screen = field(default_factory=Screen)
    usage: dict[int, Usage] = field(default_factory=dict)
    messages: list[Message] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    tools: dict[str, str] = field(default_factory=dict)
    thought: list[str] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    unasked: list[int] = field(default_factory=list)
    other: Counter[str] = field(default_factory=Counter)
    project: str = ""
    model: str = ""
    roo: bool = False
    arrived: int = 0
    unmatched: int = 0

    def read(self, given: list[Any]) -> "Task":
        """Every message of the list."""
        self.screen = Screen.of(self.files.shown)
        self.other.update(self.screen.kinds)
        replies = [(n, moment(item)) for n, item in enumerate(given) if _is_reply(item)]
        self.usage, self.unmatched = matched(self.screen, replies)
        for index, item in enumerate(given):
            self._item(index, item)
        return self

    def _item(self, index: int, item: Any) -> None:
        """One message of the file; what is none still takes its place, so that the others can be named by theirs."""
        before, fields = len(self.messages), object_of(item)
        started = self.arrived
        if fields.get("type") == "reasoning" and "content" not in fields:
            self._reasoning(fields)
        elif string(fields.get("role")) not in ROLES:
            self.left.append(index + 1)
        else:
            self._message(index, fields)
        made = self.messages[before:]
        self.arrived += sum(m.injected != "summary" for m in made)
        self.items.append(_marked(fields, index, made, started))

    def _reasoning(self, item: dict[str, Any]) -> None:
        """Thinking that stands by itself: it belongs to the next reply; encrypted, it is only counted."""
        self.other["reasoning"] += 1
        self.thought += [text for text in content_of(item.get("summary") or []).texts if text]

    def _message(self, index: int, item: dict[str, Any]) -> None:
        content, role, place = content_of(item.get("content")), string(item["role"]), index + 1
        for number, result in enumerate(content.results):
            self._result(result, item, place, number)
        texts = content.texts
        self.project = self.project or project_of(texts)
        named = model_of(texts)
        self.model, self.roo = named or self.model, self.roo or bool(named)
        if item.get("isSummary") is True:
            self._put(content, item, place, role=role if role != "tool" else "user", injected="summary")
        elif role == "assistant":
            self._reply(content, item, index)
        elif texts or content.files or content.images or not content.results:
            kind = "truncation" if item.get("isTruncationMarker") is True else _kind(content)
            self._put(content, item, place, role="system" if role == "system" else "user", injected=kind)

    def _put(self, content: Content, item: dict[str, Any], place: int, **more: Any) -> None:
        known = {"id": f"message-{place}", "line": place, "timestamp": iso(moment(item)), "content": content.text}
        known |= {"images": tuple(content.images), "tool_calls": tuple(content.calls)}
        known |= {"thinking": "\n".join(text for text in content.thinking if text)}
        self.tools.update((call.id, call.name) for call in content.calls)
        self.messages.append(construct_unchecked(Message, **known | more))

    def _reply(self, content: Content, item: dict[str, Any], index: int) -> None:
        content.thinking = [*self.thought, *content.thinking, string(item.get("reasoning_content"))]
        self.thought = []
        model_info = object_of(item.get("modelInfo"))
        self._put(
            content,
            item,
            index + 1,
            role="assistant",
            reply_id=string(item.get("id")) or None,
            model=string(model_info.get("modelId")) or string(model_info.get("id")) or self.model,
            usage=self.usage.get(index),
        )

    def _result(self, result: Result, item: dict[str, Any], place: int, number: int) -> None:
        if result.call not in self.tools:
            self.unasked.append(place)
        self.messages.append(
            construct_unchecked(
                Message,
                id=f"message-{place}-result-{number}",
                role="tool",
                content=result.text,
                tool_call_id=result.call or None,
                name=self.tools.get(result.call) or result.name or None,
                images=result.images,
                timestamp=iso(moment(item)),
                line=place,
                is_error=result.failed,
            )
        )

    def session(self, damage: Sequence[str]) -> Session:
        """The session of what was read."""
        entry, metadata = object_of(self.files.entry), object_of(self.files.metadata)
        typed = next((text for m in self.messages if m.typed and (text := typed_text(m.content))), "")
        models = Counter(m.model for m in self.messages if m.model)
        spawned, compactions = entry.get("childIds"), tuple(self._compactions())
        agents = len(spawned) if isinstance(spawned, list) else 0
        return Session(
            id=string(entry.get("id")),
            format="cline",
            agent=self._agent(),
            title=label(string(entry.get("task"))) or label(typed),
            model=most_used(models) or _last_model(metadata),
            project=string(entry.get("workspace")) or self.project,
            messages=tuple(self.messages),
            compactions=compactions,
            usage=total(m.usage for m in self.messages),
            records=len(self.items),
            malformed_lines=len(self.left),
            subagents=agents,
            other=counted(self.other),
            notes=(*self._notes(agents, len(compactions)), *self.files.notes, *damage),
        )

    def _agent(self) -> str:
        """Which of the two wrote it, by what only one of them writes; empty where nothing tells."""
        marked = any(item.is_cut or item.parents for item in self.items)
        if marked or self.screen.compactions or object_of(self.files.entry) or self.roo:
            return "Roo Code"
        return "Cline" if self.screen.removed else ""

    def _compactions(self) -> list[RecordedCompaction]:
        found = [cut for cuts in (roo_cuts, cline_cuts) for cut in within(cuts(self.items, self.screen, self.arrived))]
        return sorted(found, key=lambda c: c.at)

    def _notes(self, agents: int, shown: int) -> Iterator[str]:
        if agents:
            yield sub_agents(agents)
        if self.left:
            yield f"{pluralize(len(self.left), 'message')} skipped: unknown role"
        if self.unasked:
            yield without_call(len(self.unasked), self.unasked[0])
        if self.unmatched:
            yield f"the tokens of {pluralize(self.unmatched, 'request')} belong to no reply in the file"
        if any(item.summary.startswith("#") for item in self.items):
            yield "the messages that a summary replaced were removed from the file"
        if shown < sum(item.is_cut for item in self.items) + len(self.screen.removed):
            yield f"only the first {pluralize(shown, 'compaction')} are shown"
        if self.screen.errors:
            yield failed(self.screen.errors)


def _is_reply(item: Any) -> bool:
    fields = object_of(item)
    return (
        fields.get("role") == "assistant" and fields.get("isSummary") is not True and fields.get("type") != "reasoning"
    )


def _kind(content: Content) -> str:
    """Who put a user message in: with pictures or files only, a person did."""
    kind = injected(content.texts)
    return "" if kind == "environment" and (content.images or content.files) else kind


def _marked(item: dict[str, Any], index: int, made: list[Message], arrived: int) -> Item:
    """A message of the file with Roo Code's marks; a summary of old, that nothing names, is called by its place."""
    parents = [string(item.get(key)) for key in ("condenseParent", "truncationParent")]
    summary = (string(item.get("condenseId")) or f"#{index}") if item.get("isSummary") is True and made else ""
    marker = string(item.get("truncationId")) if item.get("isTruncationMarker") is True and not summary else ""
    return Item(made, arrived, moment(item), tuple(p for p in parents if p), summary, marker)


def _last_model(metadata: dict[str, Any]) -> str:
    """The model that was used last, as the task's metadata has it."""
    used = metadata.get("model_usage")
    names = [string(object_of(item).get("model_id")) for item in used] if isinstance(used, list) else []
    return next((name for name in reversed(names) if name), "")
