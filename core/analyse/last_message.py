"""What the newest message of a session is: a reply, a call without its result, a request that nothing answers, and so on."""

from collections.abc import Mapping
from typing import Literal

from core.analyse.commands_run import in_replies
from core.model.session import Message
from core.trace.trace import Trace

Kind = Literal["reply", "failure", "finish", "call", "result", "request", "command", "stop", "submission", "other"]
_FINISHING = frozenset({"finish", "submit", "attempt_completion", "task_complete"})
"""Tools by which an agent ends its run: of OpenHands, SWE-agent, Cline, Copilot CLI. At most its result follows such a call."""
_SERVERS = "srvtoolu_"
"""How the ids of calls begin that Anthropic's server answers within the reply: that goes on behind the result."""
_PUT_IN: Mapping[str, Kind] = {
    "command": "command",
    "interruption": "stop",
    "aborted": "stop",
    "observation": "result",
    "submission": "submission",
    "failure": "failure",
}
"""What of the messages that no person typed may be how a session ends; all others are passed over."""


def last_message(trace: Trace) -> tuple[int, Kind]:
    """The place of the newest message that is more than a note of the harness, and what it is; -1 without one."""
    messages = trace.messages
    at = next((i for i in range(len(messages) - 1, -1, -1) if _tells(messages[i])), -1)
    if at > 0 and messages[at].role == "tool" and _finishes(messages[at - 1]):
        return at, "finish"
    if {at, at - 1} & {one.at for one in in_replies(trace) if one.ends}:
        return at, "finish"
    return at, _kind(messages[at]) if at >= 0 else "other"


def _tells(message: Message) -> bool:
    return message.typed or not message.injected or message.injected in _PUT_IN


def _finishes(message: Message) -> bool:
    return any(call.name in _FINISHING for call in message.tool_calls)


def _kind(newest: Message) -> Kind:
    if newest.injected in _PUT_IN:
        return _PUT_IN[newest.injected]
    if newest.role == "assistant":
        if _finishes(newest):
            return "finish"
        return "call" if newest.tool_calls else "failure" if newest.is_error else "reply"
    if newest.role == "tool":
        return "reply" if (newest.tool_call_id or "").startswith(_SERVERS) else "result"
    return "request" if newest.role == "user" else "other"
