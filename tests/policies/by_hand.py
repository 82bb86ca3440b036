"""Windows written by hand: each message is its role and its tokens, so that an expected window can be worked out on paper."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from core.model.session import Message, ToolCall
from core.summaries.summarizers import Summarizer

ROLES = {"s": "system", "u": "user", "a": "assistant", "t": "tool", "i": "user"}
_PART = re.compile(r"([suati])(\d+)(?:\(([^)]*)\))?")


def window(text: str) -> list[Message]:
    """The messages of a notation such as "s10 u30 a30(c1) t40(c1) a5(c2,c3:grep)": role, tokens, calls made or answered.

    Their ids are the role and a number: s1, u1, a1, t1, a2. A call is an id, and the name of its tool, else "read"; `i` is a
    user message that a harness put in.
    """
    seen: Counter[str] = Counter()
    messages = []
    for kind, tokens, named in _PART.findall(text):
        seen[kind] += 1
        messages.append(_message(kind, f"{kind}{seen[kind]}", int(tokens), named))
    return messages


def _message(kind: str, id: str, tokens: int, named: str) -> Message:
    calls = [part.partition(":") for part in named.split(",") if part]
    made = tuple(ToolCall(id=c, name=tool or "read") for c, _, tool in calls) if kind == "a" else ()
    answers, _, tool = calls[0] if calls and kind == "t" else ("", "", "")
    return Message(
        id=id,
        role=ROLES[kind],  # type: ignore[arg-type]
        content=_text(id, tokens),
        tool_calls=made,
        tool_call_id=answers or None,
        name=tool or None,
        injected="meta" if kind == "i" else "",
    )


def _text(id: str, tokens: int) -> str:
    """The id, and as much behind it as makes four characters for each token."""
    return (f"{id} " + "." * 4 * tokens)[: 4 * tokens]


def shown(messages: Iterable[Message]) -> str:
    """The ids in order: S is a summary, K the reply to it, A a request made again, a * follows what was emptied or cut."""
    return " ".join(map(_shown, messages))


def _shown(message: Message) -> str:
    stands_for = {"summary": "S", "ack": "K", "again": "A", "cleared": f"{message.id}*", "marker": "M", "digest": "D"}
    return stands_for.get(message.injected, message.id)


class Chars4:
    """A meter of four characters of content a token, rounded up: what the notation says, and nothing for a frame."""

    def count(self, message: Message) -> int:
        """Tokens of one message."""
        return -(-len(message.content) // 4)


BY_HAND = Chars4()


def says(text: str) -> Summarizer:
    """A summarizer that always says this."""
    return lambda messages, prior: text


class RecordingSummarizer:
    """A summarizer that says "sum" and remembers the ids it was given and the earlier summary, call by call."""

    def __init__(self, text: str = "sum") -> None:
        self.text = text
        self.given: list[tuple[str, str | None]] = []

    def __call__(self, messages: Sequence[Message], prior: str | None) -> str:
        """The fixed words."""
        self.given.append((shown(messages), prior))
        return self.text


def broken(messages: Sequence[Message], prior: str | None) -> str:
    """A summarizer that fails."""
    raise TimeoutError("no answer in 30 s")
