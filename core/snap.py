"""Where a cut may fall: from where a size puts it to a place that does not part what belongs together.

Each rule is a function of the window, the cut and the lowest place it may go back to. It looks only at messages near the
cut and answers the window's end where nothing better follows, so that what it says of a window holds, cut to its size,
for the same window with more messages behind: `core/bands.py` rests on that.
"""

from collections.abc import Callable
from typing import Protocol

from core.model import Message


class Listed(Protocol):
    """What a rule needs of a window."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> Message: ...
    def parts(self, index: int, since: int = 0) -> bool:
        """Whether a cut there would part a tool pair or a reply; calls made before `since` need no answer."""
        ...


Rule = Callable[[Listed, int, int], int]


def snapped(kind: str, window: Listed, cut: int, low: int) -> int:
    """The cut moved to a place the rule of that name allows. Raises KeyError on a name that is none."""
    return cut if kind == "none" else _RULES[kind](window, cut, low)


def _forward(window: Listed, cut: int, holds: Callable[[Message], bool]) -> int:
    while cut < len(window) and not holds(window[cut]):
        cut += 1
    return cut


def _back(window: Listed, cut: int, low: int, holds: Callable[[Message], bool]) -> int:
    while cut > low and (cut >= len(window) or not holds(window[cut])):
        cut -= 1
    return cut


def is_tool(message: Message) -> bool:
    """Whether it is a tool's result."""
    return message.role == "tool"


def is_user(message: Message) -> bool:
    """Whether it stands in the user's role, typed or injected, and is no summary."""
    return message.role == "user" and message.injected not in ("summary", "ack")


def _call(window: Listed, cut: int, low: int) -> int:
    """Back to the newest assistant message that made one of the calls answered from the cut on."""
    end = _forward(window, cut, lambda m: not is_tool(m))
    if end == cut:
        return cut
    wanted = {window[i].tool_call_id for i in range(cut, end)}
    made = (i for i in range(cut - 1, -1, -1) if any(c.id in wanted for c in window[i].tool_calls))
    return next(made, end)


def _off_results(window: Listed, cut: int, low: int) -> int:
    found = _forward(window, cut, lambda m: not is_tool(m))
    return found if found < len(window) else _back(window, found - 1, low, lambda m: not is_tool(m))


def _own_results(window: Listed, cut: int, low: int) -> int:
    if cut <= low or cut > len(window):
        return cut
    asked = {call.id for call in window[cut - 1].tool_calls}
    while asked and cut < len(window) and is_tool(window[cut]) and window[cut].tool_call_id in asked:
        cut += 1
    return cut


def _pairs(window: Listed, cut: int, low: int) -> int:
    for place in range(cut, len(window) + 1):
        if not window.parts(place):
            return place
    return low


def _off_pairs(window: Listed, cut: int, low: int) -> int:
    if cut >= len(window):
        return cut
    found = _forward(window, cut, lambda m: not is_tool(m))
    while found + 1 < len(window) and window[found].tool_calls and not is_tool(window[found + 1]):
        found = _forward(window, found + 1, lambda m: not is_tool(m))
    return found if found < len(window) else low


def _user_or_pair(window: Listed, cut: int, low: int) -> int:
    found = _forward(window, cut, is_user)
    if found < len(window) or cut >= len(window):
        return found
    pairs = (i for i in range(cut, len(window) - 1) if window[i].tool_calls and is_tool(window[i + 1]))
    return next(pairs, low)


def _user_or_done(window: Listed, cut: int, low: int) -> int:
    found = _forward(window, cut, is_user)
    if found < len(window):
        return found
    last = window[len(window) - 1] if len(window) else None
    if last is None or (last.role == "assistant" and not last.tool_calls):
        return found
    return _back(window, len(window) - 1, low, is_user)


def _exchange(window: Listed, cut: int, low: int) -> int:
    start = low + (low < len(window) and window[low].injected == "summary")
    if start >= len(window):
        return low
    found = _back(window, max(cut, start), start, is_user)
    if found > start:
        return found
    newest = _back(window, len(window) - 1, start, is_user)
    return newest if newest > start else start if start > low else len(window)


def _asked(window: Listed, cut: int, low: int) -> int:
    if not any(window[i].role == "assistant" for i in range(min(cut, len(window)) - 1, low - 1, -1)):
        return low
    reply = _forward(window, cut, lambda m: m.role == "assistant")
    return _back(window, min(reply, len(window) - 1), low, is_user)


def _group(window: Listed, cut: int, low: int) -> int:
    start = _back(window, cut, low, lambda m: not is_tool(m)) if cut < len(window) else cut
    return start if start == cut or window[start].tool_calls else start + 1


def _run(window: Listed, cut: int, low: int) -> int:
    if cut >= len(window) or not _tools(window[cut]):
        return cut
    while cut > low and _tools(window[cut - 1]):
        cut -= 1
    return cut


def _tools(message: Message) -> bool:
    return is_tool(message) or bool(message.tool_calls)


def _closed(window: Listed, cut: int, low: int) -> int:
    while cut > low and window.parts(cut):
        cut -= 1
    return cut


def _answered(window: Listed, cut: int, low: int) -> int:
    newest = next((i for i in range(len(window) - 1, low - 1, -1) if window[i].typed), low)
    while cut > low and window.parts(cut, newest):
        cut -= 1
    return cut


def _after_assistant(window: Listed, cut: int, low: int) -> int:
    while cut > low + 1 and window[cut - 1].role != "assistant":
        cut -= 1
    return cut


_RULES: dict[str, Rule] = {
    "call": _call,
    "off_results": _off_results,
    "off_replies": lambda window, cut, low: _forward(window, cut, lambda m: m.role not in ("assistant", "tool")),
    "own_results": _own_results,
    "off_pairs": _off_pairs,
    "pairs": _pairs,
    "user": lambda window, cut, low: _forward(window, cut, is_user),
    "user_or_done": _user_or_done,
    "user_or_pair": _user_or_pair,
    "turn": lambda window, cut, low: _back(window, cut, low, lambda m: m.typed),
    "exchange": _exchange,
    "asked": _asked,
    "assistant": lambda window, cut, low: _forward(window, cut, lambda m: m.role == "assistant"),
    "back_to_assistant": lambda window, cut, low: _back(window, cut, low, lambda m: m.role == "assistant"),
    "after_assistant": _after_assistant,
    "group": _group,
    "run": _run,
    "closed": _closed,
    "answered": _answered,
}
FORWARD = frozenset({"off_replies", "pairs", "user", "assistant"})  # a step forward past what is not allowed, no more
