"""LangChain and LangGraph: dumped messages, states and checkpoints, runs of LangSmith.

https://docs.langchain.com/oss/python/langchain/messages
Messages come as constructors (`dumpd`, `dumps`, of Python and of JavaScript), as `messages_to_dict` gives them, or flat, as
LangGraph's API does. Several checkpoints of a thread each hold its whole state, and the model runs of a trace each the whole
prompt: they are put together, and what went missing between two of them had been compacted. The content of some providers'
messages repeats the tool calls; they are read once. `usage_metadata.input_tokens` includes what was cached.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain

from core.importers._files.damage import with_damage_once
from core.importers._files.source import Head, Source
from core.importers._files.text import counted
from core.importers._shapes.blocks import first_typed, label, most_used, total
from core.importers._shapes.notes import pluralize, sub_agents, without_call
from core.importers._shapes.prompts import Prompts
from core.importers.langchain.message_list import Reading
from core.importers.langchain.messages import fields, messages_of
from core.importers.langchain.states import State, state_of, states
from core.model.session import Message, Session, SubAgent

LABEL = "LangChain / LangGraph"
DOCS = "https://docs.langchain.com/oss/python/langchain/messages"
GROUP = "frameworks"


def recognises(head: Head) -> bool:
    """Whether there are messages in one of the shapes that only LangChain writes, or a run of LangSmith's with messages."""
    if head.value is not None:
        return bool(states(head.value))
    return any(map(state_of, head.records))


def read(source: Source) -> Iterator[Session]:
    """Each thread or trace; of a list of messages the one session."""
    read_all = source.value is not None
    found = states(source.value) if read_all else list(_lines(source))
    groups: dict[str, list[State]] = {}
    for state in found:
        groups.setdefault(state.thread, []).append(state)
    yield from with_damage_once((_session(thread, group) for thread, group in groups.items()), source)


def _lines(source: Source) -> Iterator[State]:
    """The states of a JSONL file; where its lines are messages, the one state they are."""
    single: list[object] = []
    for _, record in source.records():
        for state in state_of(record):
            if state.items == [record] and not state.reply:
                single.append(record)
            else:
                yield state
    if single:
        yield State(single)


def _session(thread: str, group: list[State]) -> Session:
    if len(group) == 1 and not group[0].reply:
        return _one(thread, group[0])
    return _joined(thread, group)


def _one(thread: str, state: State) -> Session:
    """The session of a single state, with the compactions that its list tells of."""
    reading = Reading().take(state.items).beside(state.event)
    return _made(thread, reading.messages).model_copy(
        update={
            "compactions": tuple(reading.compactions),
            "records": reading.records,
            "malformed_lines": reading.malformed,
            "subagents": reading.agents,
            "other": counted(reading.other),
            "notes": tuple(_notes(reading)),
        }
    )


def _made(thread: str, messages: Iterable[Message]) -> Session:
    given = tuple(messages)
    models = Counter(m.model for m in given if m.model)
    return Session(
        id=thread,
        format="langchain",
        title=label(first_typed(given)),
        model=most_used(models),
        messages=given,
        usage=total(m.usage for m in given),
    )


def _notes(reading: Reading) -> Iterator[str]:
    if reading.malformed:
        yield f"{pluralize(reading.malformed, 'item')} of the list skipped: not messages"
    if reading.again:
        yield f"{pluralize(reading.again, 'message')} written a second time under the same id: the last one counts"
    if reading.unknown:
        yield f"{pluralize(reading.unknown, 'message')} removed that the list does not contain"
    if reading.orphans:
        yield without_call(reading.orphans)
    if reading.agents:
        yield sub_agents(reading.agents)
    if reading.room < 0:
        yield "too many removals: only the first ones are shown as compactions"


def _joined(thread: str, group: list[State]) -> Session:
    """The session of several states, or of the model runs of a trace: what each adds to those before it."""
    runs = [s for s in group if s.kind == "llm"]
    roots = [s for s in group if not s.parent]
    chosen = _in_order([s for s in runs or roots or group if not s.summarizes])
    lanes: dict[tuple[str, ...], list[State]] = {}
    for state in chosen:
        lanes.setdefault(_opening(state) if runs else (), []).append(state)
    first, *rest = [_lane(thread, lane) for lane in lanes.values()] or [_made(thread, ())]
    children = tuple(SubAgent(id=f"{thread}-{n}", session=s) for n, s in enumerate(rest, 1))
    others = Counter(s.kind for s in group if s.kind and not any(s is c for c in chosen[:1])) if not runs else Counter()
    return first.model_copy(
        update={
            "children": children,
            "subagents": len(children),
            "records": len(group),
            "other": counted(Counter({f"run/{kind}": n for kind, n in others.items()})),
            "notes": (*first.notes, *((sub_agents(len(children)),) if children else ())),
        }
    )


def _in_order(group: list[State]) -> list[State]:
    """In order of time: a history comes with the newest first."""
    if all(s.time for s in group):
        return sorted(group, key=lambda s: s.time)
    if all(s.step is not None for s in group):
        return sorted(group, key=lambda s: s.step or 0)
    return group


def _opening(state: State) -> tuple[str, ...]:
    """What a model's prompt begins with: prompts of one window share it."""
    texts: list[str] = []
    for item in state.items[:10]:
        kind, found = fields(item)
        texts.append(f"{kind} {found.get('content')}" if kind else "")
        if kind not in ("", "system", "developer"):
            break
    return tuple(texts)


def _lane(thread: str, lane: list[State]) -> Session:
    prompts, place = Prompts(), 0
    for place, state in enumerate(lane, 1):
        prompts.prompt(_read(state.items, place), line=place)
        for message in _read(state.reply, place):
            prompts.reply(message)
    return _made(thread, prompts.messages).model_copy(
        update={"compactions": tuple(prompts.compactions), "records": place}
    )


def _read(items: list[object], place: int) -> list[Message]:
    """The messages of one state; which of them are summaries is seen when they are put together."""
    pairs = [pair for item in items if (pair := fields(item))[0] not in ("", "remove")]
    found = chain.from_iterable(messages_of(kind, fields_, place) for kind, fields_ in pairs)
    return [m.model_copy(update={"injected": "meta"}) if m.injected == "summary" else m for m in found]
