"""What the request bodies of all providers share: images, arguments that are not JSON, and valid ids of calls.

Exports use the same conversion with `faithful=True`: ids and arguments stay unchanged. A request changes what a server would
refuse.
"""

import json
import re
from dataclasses import dataclass, field

from core.model.session import INVALID, Message, ToolCall

OPENING = "Continue."
"""The user message for providers that require one where the window has none, as when only a summary is left."""

IMAGE = "[image]"
_INVALID = re.compile(r"[^a-zA-Z0-9_-]")


def text_with_images(message: Message) -> str:
    """A message's text, with a line "[image]" for each image: a session does not keep the bytes of images."""
    return "\n".join([*([message.content] if message.content else []), *[IMAGE] * len(message.images)])


def arguments(call: ToolCall) -> dict[str, object]:
    """A call's arguments as an object; text that is no object as `{"INVALID_JSON": text}`.

    Anthropic accepts only an object, and servers that fill a chat template decode the text and fail. Anthropic's documentation
    recommends this wrapping for calls that broke off:
    https://platform.claude.com/docs/en/agents-and-tools/tool-use/fine-grained-tool-streaming
    """
    return dict(call.arguments) if call.raw is None else {INVALID: call.raw}


def arguments_text(call: ToolCall, faithful: bool = False) -> str:
    """The same as JSON text, for OpenAI; `faithful` leaves text that is no object unchanged."""
    if faithful and call.raw is not None:
        return call.raw
    return json.dumps(arguments(call), ensure_ascii=False, default=str)


@dataclass
class CallIds:
    """Gives calls ids that any provider accepts: of letters, digits, _ and -, unique in one window.

    A result gets the id of its call: within one assistant message and its results, old ids identify the calls.
    """

    faithful: bool = False
    _taken: set[str] = field(default_factory=set)
    _now: dict[str, list[str]] = field(default_factory=dict)

    def begin(self) -> None:
        """An assistant message begins; the calls before it are answered."""
        self._now = {}

    def of_call(self, old: str) -> str:
        """The id that a call is sent with."""
        new = old if self.faithful else self._free(_INVALID.sub("_", old)[:64] or "call")
        self._taken.add(new)
        self._now.setdefault(old, []).append(new)
        return new

    def of_result(self, old: str) -> str:
        """The id that a result is sent with. Results of several calls with one old id go to them in order."""
        names = self._now.get(old) or [old]
        return names.pop(0) if len(names) > 1 else names[0]

    def _free(self, wanted: str) -> str:
        number, new = 1, wanted
        while new in self._taken:
            number += 1
            new = f"{wanted[:60]}_{number}"
        return new
