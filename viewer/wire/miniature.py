"""A policy's rule as a picture: what one forced compaction makes of a small conversation.

The conversation is always the same: a system message and 14 turns of a question, a tool call, its result and an answer;
some 100,000 tokens, for a model with a context window of 120,000. Tails of four messages, of five turns, of 20,000 tokens
and of 30 % all look different in it.
"""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, takewhile
from typing import Any, Literal

from core import FoldlineError, compact
from core.model.session import Message, ToolCall
from core.model.text import counted
from core.policy.policy import Policy
from core.policy.vocabulary import Clear
from core.summaries.actions import size_of
from core.trace.compaction import Compaction

TURNS = 14
WINDOW, OUTPUT = 120_000, 8_000  # tokens, of the model
SUMMARY = "What was asked, what was found, what is left to do. " * 40  # some 500 tokens
THOUGHT = "It must be one of these. " * 40  # some 250 tokens
_RESULTS = (900, 5_200, 14_000, 2_600, 7_400, 1_200, 9_800)  # tokens of the tool result of each turn; repeated

Fate = Literal["pinned", "goes", "emptied", "cut", "thinking", "stays"]
Kind = Literal["kept", "summary", "emptied", "shortened", "silent", "ack", "marker"]


@dataclass(frozen=True)
class Miniature:
    """The conversation before and after: role, fate or kind, and tokens of every message; and a caption.

    `places` gives the index in `before` of each message in `after`, -1 for an added one. Where the policy does nothing,
    `after` is empty and `caption` says why.
    """

    before: tuple[tuple[str, Fate, int], ...]
    after: tuple[tuple[str, Kind, int], ...]
    places: tuple[int, ...]
    caption: str


class _ByLength:
    """Counts four characters as a token."""

    def count(self, message: Message) -> int:
        """A quarter of the characters of the body, the thinking and the calls."""
        text = len(message.content) + len(message.thinking)
        return (text + sum(map(size_of, message.tool_calls))) // 4 + 1


@lru_cache(maxsize=8)
def demo(tool: str = "read") -> tuple[Message, ...]:
    """The conversation; `tool` is the name of the tool it calls."""
    messages = [_message("system", 1_100, "demo-0")]
    for turn in range(TURNS):
        call = ToolCall(id=f"call-{turn}", name=tool, arguments={"path": "x" * 600})
        result = _RESULTS[turn % len(_RESULTS)]
        messages += [
            _message("user", 240 + 60 * (turn % 4), f"demo-{turn}-user"),
            _message("assistant", 60, f"demo-{turn}-call").model_copy(
                update={"tool_calls": (call,), "thinking": THOUGHT}
            ),
            _message("tool", result, f"demo-{turn}-result").model_copy(update={"tool_call_id": call.id, "name": tool}),
            _message("assistant", 420 + 130 * (turn % 3), f"demo-{turn}-answer"),
        ]
    return tuple(messages)


def _message(role: Literal["system", "user", "assistant", "tool"], tokens: int, name: str) -> Message:
    return Message(id=name, role=role, content="word " * (tokens * 4 // 5))


def miniature(policy: Policy) -> Miniature:
    """The picture of a policy with its settings. The same policy gives the same picture."""
    return _drawn(policy, repr(sorted(policy.settings.items())))


@lru_cache(maxsize=256)
def _drawn(policy: Policy, settings: str) -> Miniature:
    messages, count = demo(_tool_of(policy)), _ByLength().count
    try:
        event = compact(
            messages,
            policy.for_model(WINDOW, OUTPUT),
            meter=_ByLength(),
            summarizer=lambda given, prior: SUMMARY,
            force=True,
        )
    except FoldlineError as error:
        return _nothing(messages, str(error))
    if not event.acted:
        return _nothing(messages, event.reason.removeprefix("on request, but "))
    after = _after(event, messages)
    before = _before(messages, after)
    return Miniature(
        tuple((m.role, fate, count(m)) for m, fate in zip(messages, before, strict=True)),
        tuple((role, kind, tokens) for role, kind, tokens, _ in after),
        tuple(place for *_, place in after),
        _caption(event, before, after),
    )


def _tool_of(policy: Policy) -> str:
    """A tool that the policy affects: the first it names, if it names any."""
    named = (s.transform.only for s in policy.stages if isinstance(s.transform, Clear) and s.transform.only)
    return next((only[0] for only in named), "read")


def _nothing(messages: tuple[Message, ...], why: str) -> Miniature:
    kept: Fate = "stays"
    before = tuple((m.role, kept, _ByLength().count(m)) for m in messages)
    return Miniature(before, (), (), f"No change to {len(messages)} messages: {why}.")


_After = list[tuple[str, Kind, int, int]]


def _after(event: Compaction, messages: tuple[Message, ...]) -> _After:
    """Role, kind, tokens and place in the window before of every message in the window after."""
    places = {m.id: i for i, m in enumerate(messages)}
    tokens_of = {id(m): tokens for m, tokens in zip(event.added, event.added_tokens, strict=True)}
    found: _After = []
    for message in event.after:
        place = places.get(message.id, -1)
        kind = _kind(message, messages[place] if place >= 0 else None)
        found.append((message.role, kind, tokens_of.get(id(message), _ByLength().count(message)), place))
    return found


def _kind(message: Message, before: Message | None) -> Kind:
    if before is None:
        return {"summary": "summary", "ack": "ack"}.get(message.injected, "marker")  # type: ignore[return-value]
    if message == before:
        return "kept"
    if message.content == before.content and message.tool_calls == before.tool_calls:
        return "silent"
    return "shortened" if len(message.content) > 200 or message.role != "tool" else "emptied"


def _before(messages: tuple[Message, ...], after: _After) -> list[Fate]:
    """The fate of every message; those that stay in front of the first one that goes are pinned there."""
    kept = {place: kind for _, kind, _, place in after if place >= 0}
    fates: list[Fate] = [_FATES[kept[i]] if i in kept else "goes" for i in range(len(messages))]
    if messages[0].role == "system" and fates[0] == "stays":
        fates[0] = "pinned"
    front = sum(1 for _ in takewhile(lambda fate: fate in ("pinned", "stays"), fates))
    if len(_stand_ins(after)) > 1 or front == len(fates) or fates[front] != "goes":
        return fates
    spots = sum(a != "stays" and b == "stays" for a, b in pairwise(fates))
    pinned = front if spots <= 1 else min(front, 1)  # messages kept in several spots are not kept for their place
    for i in range(pinned):
        fates[i] = "pinned"
    return fates


_FATES: dict[Kind, Fate] = {"kept": "stays", "emptied": "emptied", "shortened": "cut", "silent": "thinking"}


def _caption(event: Compaction, before: list[Fate], after: _After) -> str:
    """The picture in words: "Summarizes 40 messages, keeps 17 unchanged. The summary, a system message, goes after …"."""
    added = any(place < 0 for *_, place in after)
    counts: Counter[str] = Counter(before)
    as_text = any(m.injected == "digest" for m in event.added)
    goes = "converts {} to text" if as_text else "summarizes {}" if added else "drops {}"
    done = {goes: "goes", "clears {}": "emptied", "shortens {}": "cut", "removes the thinking from {}": "thinking"}
    parts = [(verb, counts[fate]) for verb, fate in done.items() if counts[fate]]
    texts = [verb.format(f"{n:,}" if k else counted(n, "message")) for k, (verb, n) in enumerate(parts)]
    kept = counts["pinned"] + counts["stays"]
    text = ", ".join([*(texts or ["removes nothing"]), f"keeps {kept or 'none'} unchanged"])
    return f"{text[0].upper()}{text[1:]}.{_placement(after)}"


def _stand_ins(after: _After) -> list[int]:
    """The places of added messages that stand for others."""
    return [i for i, (_, kind, _, place) in enumerate(after) if place < 0 and kind in ("summary", "marker")]


def _placement(after: _After) -> str:
    """Where the added messages are put."""
    made = _stand_ins(after)
    if not made:
        return ""
    role, kind, front = after[made[0]][0], after[made[0]][1], after[: made[0]]
    article = "an" if role == "assistant" else "a"
    if len(made) > 1:
        return f" {len(made)} {role} messages take their places."
    what = "The summary" if kind == "summary" else "A note"
    reply = ", with a reply to it" if any(k == "ack" for _, k, *_ in after) else ""
    return f" {what}, {article} {role} message, goes {_position(front, made[0] == len(after) - 1)}{reply}."


def _position(front: _After, last: bool) -> str:
    """First, or after what: the system message, the pinned messages, or messages kept from among those that go."""
    if not front:
        return "first"
    if [place for *_, place in front] != list(range(len(front))):
        return f"last, after the {len(front)} messages kept" if last else "among the messages kept"
    return "after the system message" if len(front) == 1 else f"after the {len(front)} pinned messages"


def as_rows(picture: Miniature) -> dict[str, Any]:
    """The picture as the browser gets it: a letter for the fate of each message, and the window after.

    A message that stays is its place, any other `[kind, role, tokens]`.
    """
    after = [
        place if kind == "kept" else [kind, role, tokens]
        for (role, kind, tokens), place in zip(picture.after, picture.places, strict=True)
    ]
    return {"before": "".join(fate[0] for _, fate, _ in picture.before), "after": after, "caption": picture.caption}


def demo_rows() -> list[list[str | int]]:
    """Role and tokens of every message of the conversation."""
    return [[m.role, _ByLength().count(m)] for m in demo()]
