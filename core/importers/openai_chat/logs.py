"""Logs of model calls, put together: each call's prompt repeats what was said before, so a run is what its calls add up to.

LiteLLM, OpenHands, batches: whoever writes them, a log holds the `messages` that were sent, and the `response`, if one came.
"""

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from core.importers._shapes.blocks import first_typed, label, most_used, string, total
from core.importers._shapes.chat_lines import choices_of, is_message, opened
from core.importers._shapes.notes import failed
from core.importers._shapes.openai_messages import Reader, usage_of
from core.importers._shapes.prompts import Prompts
from core.importers._shapes.prompts_match import Key, key
from core.model.session import Message, Session

_IDS = ("session_id", "litellm_session_id", "conversation_id", "thread_id", "trace_id")


@dataclass
class Run:
    """One run: its calls so far. `first` is what the first of them was sent."""

    name: str
    first: list[Key]
    prompts: Prompts = field(default_factory=Prompts)
    calls: int = 0
    reader: Reader = field(default_factory=Reader)
    choices: int = 1
    answered: bool = False
    errors: list[str] = field(default_factory=list)

    def session(self) -> Session:
        """The run as a session: what is sent once more was not said twice."""
        messages = tuple(self.prompts.messages)
        models = Counter(m.model for m in messages if m.model)
        return Session(
            id=self.name,
            format="openai-chat",
            title=label(first_typed(messages)),
            model=most_used(models),
            messages=messages,
            compactions=tuple(self.prompts.compactions),
            usage=total(m.usage for m in (*messages, *self.prompts.retried)),
            records=self.calls,
            notes=tuple(self._notes()),
        )

    def _notes(self) -> Iterator[str]:
        yield from self.reader.notes()
        if self.choices > 1:
            yield f"a reply has {self.choices} choices; the first is shown"
        if self.errors:
            yield failed(self.errors)


@dataclass
class _Past:
    """What a call was sent, and what was made of it."""

    items: list[Any] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    reader: Reader = field(default_factory=Reader)


@dataclass
class Logs:
    """Takes in calls in the order they were made; `runs` are those they belong to."""

    runs: list[Run] = field(default_factory=list)
    left: int = 0
    _openings: dict[tuple[str, tuple[Key, ...]], Run] = field(default_factory=dict)
    _saying: dict[Key, Run] = field(default_factory=dict)
    _past: deque[_Past] = field(default_factory=lambda: deque(maxlen=8))

    def take(self, item: dict[str, Any], line: int) -> None:
        """One call."""
        call = opened(item)
        given = call.get("messages")
        choices = choices_of(call)
        sent = given if isinstance(given, list) else []
        if not any(map(is_message, sent)) and not choices:
            self.left += 1
            return
        prompt, reader = self._read(sent, line)
        run = self._run(_name(call), prompt)
        run.calls += 1
        run.reader = max(run.reader, reader, key=lambda r: r.orphans + r.left)
        run.choices = max(run.choices, len(choices))
        reply = reply_of(call, reader, len(sent) + 1)
        reply = reply.model_copy(update={"line": line}) if reply else None
        run.prompts.prompt(prompt, line=line)
        if reply is not None:
            run.prompts.reply(reply)
            run.answered = True
        elif error := _error(call):
            run.errors.append(error)
        self._remember(run, [*prompt, *([reply] if reply else [])])

    def _read(self, sent: list[Any], line: int) -> tuple[list[Message], Reader]:
        """The messages that were sent: those that a call before was sent too are not read again."""
        past = next((p for p in reversed(self._past) if p.items == sent[: len(p.items)]), _Past())
        reader, start = past.reader.copied(), len(past.items)
        fresh = [m for n, item in enumerate(sent[start:], start + 1) for m in reader.messages(item, n)]
        messages = [*past.messages, *(m.model_copy(update={"line": line}) for m in fresh)]
        self._past.append(_Past(sent, messages, reader.copied()))
        return messages, reader

    def _run(self, name: str, prompt: Sequence[Message]) -> Run:
        """The run that said something of the prompt, or that began so; one that begins anew is another run."""
        keys = [key(m) for m in prompt]
        known = next((run for k in reversed(keys) if (run := self._saying.get((name, *k)))), None)
        opening = (name, tuple(_opening(keys)))
        if known is None:
            known = self._openings.get(opening) if keys else None
            if known is not None and known.answered and known.first == keys:
                known = None
        if known is None:
            known = Run(name, keys)
            self.runs.append(known)
            self._openings[opening] = known
        return known

    def _remember(self, run: Run, messages: Sequence[Message]) -> None:
        """What a model said, and what its tools did, tells one run from another."""
        visible = (
            m for m in messages if m.role in ("assistant", "tool") and (m.content or m.tool_calls or m.tool_call_id)
        )
        self._saying.update(((run.name, *key(m)), run) for m in visible)


def _opening(keys: Sequence[Key]) -> Iterator[Key]:
    """The first messages, up to the first that is none of the system's."""
    for found in keys:
        yield found
        if found[0] != "system":
            break


def _name(call: dict[str, Any]) -> str:
    """What the log calls the run, if it does."""
    metadata = call.get("metadata") if isinstance(call.get("metadata"), dict) else {}
    return next((text for place in (call, metadata) for id in _IDS if (text := string((place or {}).get(id)))), "")


def read_messages(reader: Reader, items: Sequence[Any]) -> list[Message]:
    """The messages of a list; the reader counts what is none."""
    return [message for place, item in enumerate(items, 1) for message in reader.messages(item, place)]


def reply_of(call: dict[str, Any], reader: Reader, line: int) -> Message | None:
    """What the model answered, with its usage; None where it did not."""
    choices = choices_of(call)
    if not choices:
        return None
    response = call["response"] if isinstance(call.get("response"), dict) else call
    message = reader.messages(choices[0]["message"], line)[0]
    known = {"usage": usage_of(response), "model": string(response.get("model")) or string(call.get("model"))}
    return message.model_copy(
        update={**known, "reply_id": string(response.get("id")) or None, "timestamp": moment(response.get("created"))}
    )


def moment(seconds: Any) -> str:
    """A time in seconds since 1970 as text, in UTC; empty where there is none."""
    if not isinstance(seconds, (int, float)) or isinstance(seconds, bool) or not 0 < seconds < 2**36:
        return ""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _error(call: dict[str, Any]) -> str:
    """Why a call was not answered, as far as its log tells."""
    response = call.get("response")
    inner = response.get("error") if isinstance(response, dict) else None
    found = call.get("error") or call.get("error_str") or inner
    return string(found.get("message")) if isinstance(found, dict) else string(found)
