"""OpenAI Chat Completions: a list of messages, a request, a response, logs of both, or runs of such lists.

https://platform.openai.com/docs/api-reference/chat/create
The log with `messages` and `response` is what LiteLLM and OpenHands write, one a file or one a line; several are put together
to the runs they belong to. The runs with `traj` are tau-bench's: each is a session. Lines that hold messages and tell neither
of a model nor of a reply are no logs, but a data set. Recorded prompt tokens include the cached ones: they are taken apart.
"""

from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from core.importers._files.damage import with_damage_once
from core.importers._files.source import Head, Source
from core.importers._shapes.blocks import first_typed, label, string, total
from core.importers._shapes.chat_lines import choices_of, is_log, is_message, kind_of, opened
from core.importers._shapes.notes import pluralize
from core.importers._shapes.openai_messages import Reader
from core.importers._shapes.openai_messages import usage_of as usage_of
from core.importers.anthropic_messages import recognises as is_anthropic
from core.importers.openai_chat.logs import Logs, read_messages, reply_of
from core.model.errors import TranscriptError
from core.model.session import Message, Session

LABEL = "OpenAI chat messages"
DOCS = "https://platform.openai.com/docs/api-reference/chat/create"
GROUP = "provider APIs"
COVERS = "lists, requests, replies, proxy logs, tau-bench runs"
GENERAL = True

_LOOK = 50
_TRIED = 8
"""How many files of a folder are looked at, to see whether all of it is logs."""


def recognises(head: Head) -> bool:
    """Whether the file is, or holds, messages that are not in Anthropic's shape; an empty list is a list of them."""
    value = head.value
    if head.names:
        return _is_folder_of_logs(head)
    if value == []:
        return True
    if isinstance(value, list):
        known = kind_of(value[:_LOOK])
        return known in ("log", "runs") or (known == "messages" and _mostly(value) and not is_anthropic(head))
    if isinstance(value, dict):
        return _is_one(value) and not is_anthropic(head)
    return value is None and kind_of(head.records) in ("log", "runs", "messages")


def _mostly(items: list[Any]) -> bool:
    """Whether at least half of the items at the front are messages: some may be damaged."""
    seen = items[:_LOOK]
    return 2 * sum(map(is_message, seen)) >= len(seen)


def _is_one(value: dict[str, Any]) -> bool:
    """Whether an object is one call, one run, or a list of messages with something beside it."""
    call = opened(value)
    messages = call.get("messages", value.get("traj"))
    listed = isinstance(messages, list) and bool(messages) and _mostly(messages)
    return listed or (bool(choices_of(call)) and not messages)


def _is_folder_of_logs(head: Head) -> bool:
    """Whether the files of a folder are logs of single calls: those looked at lie evenly in it."""
    names = list(head.names)
    if len(names) < 2 or head.source is None:
        return False
    steps = {round(n * (len(names) - 1) / (_TRIED - 1)) for n in range(_TRIED)}
    return all(_is_reply_log(_value_of(head.source, names[n])) for n in sorted(steps))


def _is_reply_log(value: Any) -> bool:
    """Whether it is a log with what was sent and what came back: a request alone may be anybody's."""
    return is_log(value) and isinstance(value.get("messages"), list) and bool(choices_of(value))


def _value_of(source: Source, name: str) -> Any:
    """What a file holds that may be such a log: an object. A list, which may be long, is not parsed."""
    if not name.endswith((".json", ".log", ".txt")) and "." in name:
        return None
    file = source.inside(name)
    try:
        with file.open() as data:
            begins = data.read(_LOOK).lstrip(BOM_UTF8 + b" \t\r\n")[:1]
        return file.parsed() if begins == b"{" else None
    except TranscriptError:
        return None


def read(source: Source) -> Iterator[Session]:
    """The session of a list or a call; each run of a file of runs, or of a file or a folder of logs."""
    return with_damage_once(_sessions(source), source)


def _sessions(source: Source) -> Iterator[Session]:
    value = source.value
    if source.is_folder:
        return _folder(source)
    if value is None:
        return _lines(source)
    known = kind_of(value[:_LOOK]) if isinstance(value, list) else ""
    if known == "log":
        return _logs(enumerate(value, 1), "item")
    if known == "runs" or (isinstance(value, dict) and "traj" in value and not value.get("messages")):
        return _runs(enumerate(value if isinstance(value, list) else [value], 1))
    return iter([_list(value, "") if isinstance(value, list) else _call(value)])


def _lines(source: Source) -> Iterator[Session]:
    """Of JSONL: its first records tell what all of them are."""
    records = source.records()
    first = [record for _, record in zip(range(_LOOK), records, strict=False)]
    known = kind_of([record for _, record in first])
    lines = chain(first, records)
    if known == "messages":
        yield _list([record for _, record in lines], "")
    else:
        yield from _runs(lines) if known == "runs" else _logs(lines, "line")


def _folder(source: Source) -> Iterator[Session]:
    """The runs of a folder of logs, taken in order of time where the logs tell it, else of their names."""
    assert source.folder is not None
    found = [(name, _value_of(source, name)) for name in source.folder.names]
    calls = [(name, value) for name, value in found if is_log(value)]
    times = [_time(value) for _, value in calls]
    if all(times):
        calls = [call for _, call in sorted(zip(times, calls, strict=True), key=lambda pair: pair[0])]
    left = len(found) - len(calls)
    for number, session in enumerate(_logs(enumerate((value for _, value in calls), 1), "file")):
        notes = (
            [f"{pluralize(left, 'file')} of the folder skipped: not a log of a model call"]
            if left and not number
            else []
        )
        yield session.model_copy(update={"notes": (*session.notes, *notes)})


def _time(call: dict[str, Any]) -> float:
    """When a call was made, in seconds; 0 where its log does not tell."""
    response = call.get("response")
    times = (call.get("timestamp"), response.get("created") if isinstance(response, dict) else None)
    return next((float(t) for t in times if isinstance(t, (int, float)) and 0 < t < 2**53), 0.0)


def _logs(calls: Iterable[tuple[int, Any]], what: str) -> Iterator[Session]:
    """The runs that the calls make up."""
    logs = Logs()
    for line, call in calls:
        logs.take(call if isinstance(call, dict) else {}, line)
    for number, run in enumerate(logs.runs):
        session, left = run.session(), 0 if number else logs.left
        notes = [f"{pluralize(left, what)} skipped: not a model call"] if left else []
        yield session.model_copy(update={"notes": (*session.notes, *notes), "malformed_lines": left})


def _runs(items: Iterable[tuple[int, Any]]) -> Iterator[Session]:
    """A session for each run of a benchmark; those that hold no messages are counted."""
    empty = 0
    for _, item in items:
        given = item.get("traj") if isinstance(item, dict) else None
        if not isinstance(given, list) or not any(map(is_message, given)):
            empty += 1
            continue
        notes, empty = [f"{pluralize(empty, 'run')} before this one skipped: no messages in it"] if empty else [], 0
        session = _list(given, _run_title(item))
        id = "-".join(str(item[k]) for k in ("task_id", "trial") if isinstance(item.get(k), (int, str)))
        yield session.model_copy(update={"id": f"task-{id}" if id else "", "notes": (*session.notes, *notes)})


def _run_title(item: dict[str, Any]) -> str:
    """What was run, and how it came out: "task 3, trial 1, reward 0.0"."""
    known = (("task", "task_id"), ("trial", "trial"), ("reward", "reward"))
    words = [f"{word} {item[key]}" for word, key in known if isinstance(item.get(key), (int, float, str))]
    return label(", ".join(words))


def _call(value: dict[str, Any]) -> Session:
    """The session of one call: what was sent, and what came back."""
    call = opened(value)
    given = call.get("messages")
    reader, sent = Reader(), given if isinstance(given, list) else []
    messages = read_messages(reader, sent)
    reply = reply_of(call, reader, len(sent) + 1)
    response = call["response"] if isinstance(call.get("response"), dict) else call
    model = string(response.get("model")) or string(call.get("model"))
    found = _session([*messages, *([reply] if reply else [])], reader, len(sent) + bool(reply), "")
    choices = len(choices_of(call))
    notes = [f"the reply has {choices} choices; this is the first"] if choices > 1 else []
    return found.model_copy(
        update={"id": string(response.get("id")), "model": model or found.model, "notes": (*found.notes, *notes)}
    )


def _list(items: list[Any], title: str) -> Session:
    """The session of a list of messages."""
    reader = Reader()
    return _session(read_messages(reader, items), reader, len(items), title)


def _session(messages: list[Message], reader: Reader, records: int, title: str) -> Session:
    return Session(
        format="openai-chat",
        title=title or label(first_typed(messages)),
        model=next((m.model for m in messages if m.model), ""),
        messages=tuple(messages),
        usage=total(m.usage for m in messages),
        records=records,
        malformed_lines=reader.left,
        notes=tuple(reader.notes()) if records else ("the list contains no messages",),
    )
