"""Starts a run from its settings, and reopens one from its file: connects the model, makes the tools, opens the file."""

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

from core.drive.drive import Drive
from core.drive.restore import Restored, restored
from core.drive.store import Store
from core.llm import LLM, connect
from core.llm.endpoint import without_secrets
from core.model.session import Message, ToolCall
from core.toolbox import limited_answer, make_tools
from core.toolbox.mcp_servers import McpSpec
from core.toolbox.mcp_servers import connect as connect_server
from core.toolbox.tools import Tool, ToolRegistry
from core.trace.events import RunSettings


class LimitedTools(ToolRegistry):
    """Tools whose answers are cut at a limit; an answer that is cut says so."""

    def answer(self, call: ToolCall) -> Message:
        """The tool message that answers a call."""
        return limited_answer(super().answer(call))


def start(
    settings: RunSettings, store: Store, *, key: str = "", title: str = "", servers: Sequence[McpSpec] = ()
) -> Drive:
    """A new run that waits for its first message. `servers` are MCP servers whose tools it may call.

    Raises FoldlineError: no key, no such folder, a server that does not start, a file that cannot be written.
    """
    known = {"mcp": tuple(spec.recorded() for spec in servers), "base_url": without_secrets(settings.base_url)}
    stack = ExitStack()
    try:
        llm, tools = model_for(settings, key), _tools(settings, servers, stack)
        id = store.new_id()
        recorder = store.recorder(id)
        stack.callback(store.release, id)
        return Drive(settings.model_copy(update=known), llm, tools, recorder, id=id, title=title, on_close=stack.close)
    except BaseException:
        stack.close()
        raise


def reopen(id: str, store: Store, *, key: str = "", base_url: str = "", servers: Sequence[McpSpec] = ()) -> Drive:
    """The run as its file ends, with these MCP servers: none is started because a file names it.

    `base_url` is the whole address of the model's server where the file holds only a part of it.

    The `note` of the run names the servers that are missing now. Raises FoldlineError as `start` does, and where another
    process has the run open.
    """
    recorder, events = store.reopen(id)
    stack = ExitStack()
    stack.callback(store.release, id)
    stack.callback(recorder.close)
    try:
        before = restored(events)
        settings = before.settings
        address = {"base_url": base_url or settings.base_url}
        llm = model_for(settings.model_copy(update=address), key)
        tools = _tools(settings, servers, stack, _answered(before))
        if hasattr(llm, "made"):  # a script must know its place
            llm.made = sum(m.role == "assistant" for m in before.context.base.messages)
        drive = Drive(settings, llm, tools, recorder, id=id, title=before.title, before=before, on_close=stack.close)
        drive.note = _note(settings, servers)
        return drive
    except BaseException:
        stack.close()
        raise


def _note(settings: RunSettings, servers: Sequence[McpSpec]) -> str:
    """Which MCP servers of the run are not restarted, as a sentence; "" if there are none."""
    again = {spec.name for spec in servers}
    names = ", ".join(str(one.get("name", "?")) for one in settings.mcp if one.get("name") not in again)
    return f"its MCP servers ({names}) are not restarted: name them in a new run" if names else ""


def _answered(before: Restored) -> list[ToolCall]:
    messages = before.context.base.messages
    done = {m.tool_call_id for m in messages if m.role == "tool" and not m.is_error}
    return [call for m in messages for call in m.tool_calls if call.id in done]


def model_for(settings: RunSettings, key: str) -> LLM:
    """The model that the settings name, with this key. Raises ModelError; sends nothing yet."""
    more: dict[str, Any] = {"max_output": settings.max_output} if settings.max_output else {}
    return connect(settings.provider, settings.model, key, settings.base_url, **more)


def _tools(
    settings: RunSettings, servers: Sequence[McpSpec], stack: ExitStack, calls: Sequence[ToolCall] = ()
) -> ToolRegistry:
    own = make_tools(settings.tools, settings.folder or None, calls)
    theirs: list[Tool] = []
    for spec in servers:
        server = connect_server(spec)
        stack.callback(server.close)
        theirs += server.tools({tool.name for tool in (*own, *theirs)})
    return LimitedTools([*own, *theirs])
