"""What the items of a request and of a reply come to: messages, compactions, and what is not here."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from core.importers._files.text import Damage, counted
from core.importers._shapes.blocks import first_typed, label, string, total
from core.importers._shapes.notes import failed, pluralize, without_call
from core.importers._shapes.responses import Replies, Spot
from core.importers._shapes.responses_items import COMPACTIONS, kind_of, parts_of, sealed, usage_of
from core.model.session import RecordedCompaction, Session, Usage


@dataclass
class Reading:
    """What has been read. `about` is what the request and the reply say of themselves; the window began at `start`.

    `is_run` is whether the reply holds all of an agent's run; then `usage` is that of the run.
    """

    replies: Replies = field(default_factory=Replies)
    compactions: list[RecordedCompaction] = field(default_factory=list)
    about: dict[str, Any] = field(default_factory=dict)
    records: int = 0
    invalid: int = 0
    start: int = 0
    request_missing: bool = False
    is_run: bool = False
    usage: Usage | None = None

    def exchange(self, request: dict[str, Any], reply: dict[str, Any]) -> None:
        """What was sent, as far as it is here, and what came back."""
        self.about = {**request, **{key: value for key, value in reply.items() if value is not None}}
        given, sent = self.about.get("instructions"), request.get("input")
        self.request_missing = not sent
        if isinstance(given, str) and given:
            self.replies.add_message("system", parts_of(given), {"id": "instructions"}, Spot(1))
        for part in (given, [{"role": "user", "content": sent}] if isinstance(sent, str) else sent):
            self.items(enumerate(part, self.records + 1) if isinstance(part, list) else ())
        if reply:
            self._reply(reply)

    def _reply(self, reply: dict[str, Any]) -> None:
        """All of it is one message, with its tokens; of a run, whose tools answered between, a message of each reply."""
        before, compactions = len(self.replies.messages), len(self.compactions)
        self.is_run = any(isinstance(item, dict) and _by_client(item) for item in reply["output"])
        self.replies.whole, self.replies.model = not self.is_run, string(reply.get("model"))
        self.items(enumerate(reply["output"], self.records + 1), _moment(reply.get("created_at")))
        usage = usage_of(reply.get("usage"))
        if self.is_run:
            self.usage = usage if usage and (usage.prompt or usage.output) else None
            return
        self._used(before, usage)
        for place in range(compactions, len(self.compactions)):
            source = "prompt of the reply (`usage.input_tokens`)"
            known = {"tokens_before": usage.prompt, "before_from": source} if usage else {}
            self.compactions[place] = self.compactions[place].model_copy(update={"in_reply": True, **known})

    def _used(self, before: int, usage: Usage | None) -> None:
        """The tokens go to the last message of the reply; of one that only compacts that is the summary."""
        messages, error = self.replies.messages, self._error() is not None
        replies = [i for i in range(before, len(messages)) if messages[i].role == "assistant"]
        for place in replies:
            update = {"reply_id": string(self.about.get("id")) or messages[place].reply_id, "is_error": error}
            messages[place] = messages[place].model_copy(update=update)
        last = replies[-1:] or [i for i in range(before, len(messages)) if messages[i].injected == "summary"][-1:]
        for place in last:
            messages[place] = messages[place].model_copy(update={"usage": usage})

    def items(self, found: Iterable[tuple[int, Any]], time: str = "") -> None:
        """Items with their places."""
        for place, item in found:
            self.records += 1
            if not isinstance(item, dict):
                self.invalid += 1
            elif kind_of(item) in COMPACTIONS:
                self._compaction(item, Spot(place, time))
            else:
                self.replies.item(item, Spot(place, time))
        self.replies.close()

    def _compaction(self, item: dict[str, Any], spot: Spot) -> None:
        """What stood before it is gone; where only a person's messages do, they are what was kept of more."""
        self.replies.close()
        messages, at = self.replies.messages, self.replies.arrived
        window = [m for m in messages[self.start :] if m.role != "system" and m.injected != "summary"]
        kept = () if any(m.role != "user" for m in window) else tuple(m.id for m in window)
        id = self.replies.name(string(item.get("id")) or f"line-{spot.place}")
        known = {"line": spot.place, "timestamp": spot.time}
        self.replies.put(id=id, role="user", content=sealed(item), injected="summary", **known)
        self.start = len(messages) - 1
        self.compactions.append(
            RecordedCompaction(
                at=at,
                trigger="auto" if self.about.get("context_management") else "",
                summary=id,
                unreadable="encrypted",
                lead=len(kept),
                kept=kept,
                fidelity="partial",
                **known,
            )
        )

    def session(self, damage: Damage) -> Session:
        """What the items come to."""
        messages = self.replies.messages
        return Session(
            id=string(self.about.get("id")),
            format="openai-responses",
            title=label(first_typed(messages)),
            model=string(self.about.get("model")),
            messages=tuple(messages),
            compactions=tuple(self.compactions),
            usage=self.usage or total(m.usage for m in messages),
            records=self.records,
            malformed_lines=damage.malformed_lines + self.invalid,
            recovered_records=damage.recovered,
            other=counted(Counter(self.replies.other)),
            notes=(*self._notes(), *damage.notes()),
            starts_midway=bool(self.about.get("previous_response_id") or self.about.get("conversation")),
        )

    def _error(self) -> str | None:
        """Why the reply failed, in its words; None where it did not."""
        error = self.about.get("error")
        if isinstance(error, dict):
            return string(error.get("message"))
        return "" if self.about.get("status") == "failed" else None

    def _notes(self) -> Iterator[str]:
        """What is not here, was left out, or failed, in words."""
        if self.request_missing:
            yield "only a reply: its request is not in this file"
        if before := self.about.get("previous_response_id"):
            yield f"continues response {label(str(before))}"
        if self.about.get("conversation"):
            yield "continues a conversation stored by the provider"
        if references := self.replies.other["item_reference"]:
            yield f"{pluralize(references, 'item')} by reference only: the content is not in this file"
        if self.replies.orphans:
            yield without_call(self.replies.orphans)
        if self.invalid:
            yield f"{pluralize(self.invalid, 'item')} skipped: not an object"
        if (error := self._error()) is not None:
            yield failed([error])
        if self.about.get("status") == "incomplete":
            why = self.about.get("incomplete_details")
            yield f"the reply is incomplete: {string(why.get('reason')) if isinstance(why, dict) else ''}".rstrip(": ")


def _moment(seconds: Any) -> str:
    """A time in seconds since 1970 as text; empty where it is none that a calendar has."""
    if not isinstance(seconds, (int, float)) or isinstance(seconds, bool) or not 0 < seconds < 2**36:
        return ""
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")


def _by_client(item: dict[str, Any]) -> bool:
    """Whether an item is the result of a function that the API cannot run itself."""
    return kind_of(item) in ("function_call_output", "custom_tool_call_output")
