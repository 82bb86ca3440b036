"""A run from its settings: the model is connected, the tools are made, the file is opened. And a run taken up again."""

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from core.drive.drive import Drive
from core.drive.restore import Restored, restored
from core.drive.store import Store
from core.events import RunSettings
from core.llm import LLM, connect
from core.mcp_servers import McpSpec
from core.mcp_servers import connect as connect_server
from core.model import Message, ToolCall
from core.toolbox import limited_answer, make_tools
from core.tools import Tool, ToolRegistry


class LimitedTools(ToolRegistry):
    """Tools whose answers are cut at a limit, whoever wrote them; what is cut says so."""

    def answer(self, call: ToolCall) -> Message:
        """The tool message that answers a call."""
        return limited_answer(super().answer(call))


def start(
    settings: RunSettings, store: Store, *, key: str = "", title: str = "", servers: Sequence[McpSpec] = ()
) -> Drive:
    """A new run, ready to be told what to do. `servers` are MCP servers whose tools it may call.

    Raises FoldlineError: no key, no such folder, a server that does not start, a file that cannot be written.
    """
    known = {"mcp": tuple(spec.recorded() for spec in servers), "base_url": bare(settings.base_url)}
    held = ExitStack()
    try:
        llm, tools = model_for(settings, key), _tools(settings, servers, held)
        id = store.new_id()
        recorder = store.recorder(id)
        held.callback(store.release, id)
        return Drive(settings.model_copy(update=known), llm, tools, recorder, id=id, title=title, closing=held.close)
    except BaseException:
        held.close()
        raise


def resume(id: str, store: Store, *, key: str = "", servers: Sequence[McpSpec] = ()) -> Drive:
    """A run taken up where its file ends, with these MCP servers: none is started because a file names it.

    The drive's `note` tells of those that the run had and that are missing now. Raises FoldlineError as `start` does, also
    where another process drives the run.
    """
    recorder, events = store.reopened(id)
    held = ExitStack()
    held.callback(store.release, id)
    held.callback(recorder.close)
    try:
        before = restored(events)
        before.note, settings = _note(before.settings, servers), before.settings
        llm, tools = model_for(settings, key), _tools(settings, servers, held, _answered(before))
        if hasattr(llm, "made"):  # a script has to know how far it had come
            llm.made = sum(m.role == "assistant" for m in before.course.base.messages)
        drive = Drive(settings, llm, tools, recorder, id=id, title=before.title, before=before, closing=held.close)
        drive.note = before.note
        return drive
    except BaseException:
        held.close()
        raise


def _note(settings: RunSettings, servers: Sequence[McpSpec]) -> str:
    """Which MCP servers of the run are not started again, as a sentence; "" if there are none."""
    again = {spec.name for spec in servers}
    names = ", ".join(str(one.get("name", "?")) for one in settings.mcp if one.get("name") not in again)
    return f"its MCP servers ({names}) are not started again: name them in a new run" if names else ""


def bare(url: str) -> str:
    """An address without the user, the password and the query that may stand in it."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", "")) if url else ""


def _answered(before: Restored) -> list[ToolCall]:
    messages = before.course.base.messages
    done = {m.tool_call_id for m in messages if m.role == "tool" and not m.is_error}
    return [call for m in messages for call in m.tool_calls if call.id in done]


def model_for(settings: RunSettings, key: str) -> LLM:
    """The model that the settings name, to be asked with this key. Raises ModelError; nothing is sent yet."""
    more: dict[str, Any] = {"max_output": settings.max_output} if settings.max_output else {}
    return connect(settings.provider, settings.model, key, settings.base_url, **more)


def _tools(
    settings: RunSettings, servers: Sequence[McpSpec], held: ExitStack, calls: Sequence[ToolCall] = ()
) -> ToolRegistry:
    own = make_tools(settings.tools, settings.folder or None, calls)
    theirs: list[Tool] = []
    for spec in servers:
        server = connect_server(spec)
        held.callback(server.close)
        theirs += server.tools({tool.name for tool in (*own, *theirs)})
    return LimitedTools([*own, *theirs])
