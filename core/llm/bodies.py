"""What the bodies of all providers have in common: pictures, calls that were no JSON, and ids that must be sound.

Exports use the same conversion with `faithful=True`: ids and arguments stay what they were. A request changes them where a
server would refuse it.
"""

import json
import re
from dataclasses import dataclass, field

from core.model import INVALID, Message, ToolCall

OPENING = "Continue."
"""What a user says where a provider wants a user message and the window has none: a compaction may leave only a summary."""

IMAGE = "[image]"
_UNSOUND = re.compile(r"[^a-zA-Z0-9_-]")


def shown(message: Message) -> str:
    """A message's text, with a line "[image]" for each picture: a session knows that there was one, and not its bytes."""
    return "\n".join([*([message.content] if message.content else []), *[IMAGE] * len(message.images)])


def arguments(call: ToolCall) -> dict[str, object]:
    """A call's arguments as an object; those that were none as `{"INVALID_JSON": text}`.

    Anthropic takes nothing but an object there, and servers that fill a chat template decode the text and fail. The wrapping is
    the one Anthropic's documentation gives for calls that broke off:
    https://platform.claude.com/docs/en/agents-and-tools/tool-use/fine-grained-tool-streaming
    """
    return dict(call.arguments) if call.raw is None else {INVALID: call.raw}


def arguments_text(call: ToolCall, faithful: bool = False) -> str:
    """The same as JSON text, as OpenAI has it; `faithful` gives back what was no JSON as it came."""
    if faithful and call.raw is not None:
        return call.raw
    return json.dumps(arguments(call), ensure_ascii=False, default=str)


@dataclass
class CallIds:
    """Ids of calls that any provider takes: of letters, digits, _ and -, and no two alike in one window.

    Results follow their call: within one assistant message and what answers it, an id is known by its old name.
    """

    faithful: bool = False
    _taken: set[str] = field(default_factory=set)
    _now: dict[str, list[str]] = field(default_factory=dict)

    def begin(self) -> None:
        """An assistant message begins: the calls before it are answered."""
        self._now = {}

    def of_call(self, old: str) -> str:
        """The id a call is sent with."""
        new = old if self.faithful else self._free(_UNSOUND.sub("_", old)[:64] or "call")
        self._taken.add(new)
        self._now.setdefault(old, []).append(new)
        return new

    def of_result(self, old: str) -> str:
        """The id that its result is sent with; several results of calls of one name go to them in turn."""
        names = self._now.get(old) or [old]
        return names.pop(0) if len(names) > 1 else names[0]

    def _free(self, wanted: str) -> str:
        number, new = 1, wanted
        while new in self._taken:
            number += 1
            new = f"{wanted[:60]}_{number}"
        return new
