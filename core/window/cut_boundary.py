"""Where a cut may fall: the boundary rules of the vocabulary, and steps that rules of policies are made of."""

from collections.abc import Callable
from typing import Protocol

from core.model.session import Message
from core.policy.rules import Boundary


class Listed(Protocol):
    """What a rule needs of a window."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> Message: ...
    def parts(self, index: int, since: int = 0) -> bool:
        """Whether a cut there would part a tool pair or a reply; calls made before `since` need no answer."""
        ...


def forward(window: Listed, cut: int, holds: Callable[[Message], bool]) -> int:
    """The first place from the cut on whose message is of this kind; the window's end where there is none."""
    end = len(window)
    while cut < end and not holds(window[cut]):
        cut += 1
    return cut


def back(window: Listed, cut: int, low: int, holds: Callable[[Message], bool]) -> int:
    """The last place from the cut down to `low` whose message is of this kind; `low` where there is none."""
    while cut > low and (cut >= len(window) or not holds(window[cut])):
        cut -= 1
    return cut


def is_tool(message: Message) -> bool:
    """Whether it is a tool's result."""
    return message.role == "tool"


def is_not_tool(message: Message) -> bool:
    """Whether it is anything but a tool's result."""
    return message.role != "tool"


def is_assistant(message: Message) -> bool:
    """Whether it is a model's reply."""
    return message.role == "assistant"


def is_user(message: Message) -> bool:
    """Whether it stands in the user's role, typed or injected, and is no summary."""
    return message.role == "user" and message.injected not in ("summary", "ack")


def off_results(window: Listed, cut: int, low: int) -> int:
    """Forward past tool results; back to the call where nothing else follows."""
    found = forward(window, cut, is_not_tool)
    return found if found < len(window) else back(window, found - 1, low, is_not_tool)


def pairs(window: Listed, cut: int, low: int) -> int:
    """Forward to where no tool pair and no reply of several messages is parted; `low` if there is no such place."""
    for place in range(cut, len(window) + 1):
        if not window.parts(place):
            return place
    return low


BOUNDARIES = {"off_results": Boundary(off_results), "pairs": Boundary(pairs)}
