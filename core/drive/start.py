"""Starts a run from its settings, and reopens one from its file: connects the model, makes the tools, opens the file."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from core.drive.drive import Drive
from core.drive.fork import forked
from core.drive.restore import restored
from core.drive.servers import RunServers
from core.drive.store import Store
from core.llm import LLM, connect
from core.llm.endpoint import without_secrets
from core.model.errors import FoldlineError
from core.model.session import Message, ToolCall
from core.toolbox import limited_answer, make_tools
from core.toolbox.mcp_servers import McpSpec
from core.toolbox.mcp_servers import connect as connect_server
from core.toolbox.tools import Tool, ToolRegistry
from core.trace.events import AnyEvent, Began, RunSettings


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
        mcp = RunServers([spec.recorded() for spec in servers])
        llm, tools = model_for(settings, key), _tools(settings, servers, mcp, stack)
        id = store.new_id()
        recorder = store.recorder(id)
        stack.callback(store.release, id)
        more: dict[str, Any] = {"id": id, "title": title, "on_close": stack.close, "calls": store.calls(id)}
        return Drive(settings.model_copy(update=known), llm, tools, recorder, servers=mcp, **more)
    except BaseException:
        stack.close()
        raise


def reopen(id: str, store: Store, *, key: str = "", base_url: str = "", servers: Sequence[McpSpec] = ()) -> Drive:
    """The run as its file ends, with these MCP servers: none is started because a file names it.

    `base_url` is the whole address of the model's server where the file holds only a part of it.

    The `note` of the run names the servers that are missing now; one that does not start is left out. Raises FoldlineError as
    `start` does, and where another process has the run open.
    """
    recorder, events = store.reopen(id)
    stack = ExitStack()
    stack.callback(store.release, id)
    stack.callback(recorder.close)
    try:
        before = restored(events, store.path(id).name)
        settings = before.settings
        address = {"base_url": base_url or settings.base_url}
        llm = model_for(settings.model_copy(update=address), key)
        mcp = RunServers(settings.mcp or [spec.recorded() for spec in servers])
        tools = _tools(settings, servers, mcp, stack, before.ran, go_on=True)
        if hasattr(llm, "made"):  # a script must know its place
            llm.made = sum(m.role == "assistant" for m in before.context.base.messages)
        more: dict[str, Any] = {"id": id, "title": before.title, "on_close": stack.close, "calls": store.calls(id)}
        drive = Drive(settings, llm, tools, recorder, before=before, servers=mcp, **more)
        drive.note = _note(settings, servers, mcp.problems)
        return drive
    except BaseException:
        stack.close()
        raise


def fork(
    id: str,
    step: int,
    store: Store,
    *,
    edit: str | None = None,
    key: str = "",
    base_url: str = "",
    servers: Sequence[McpSpec] = (),
) -> Drive:
    """A new run that begins with the window that run `id` had at this step; that run is only read, also while it is open.

    `edit` is what the message of the step, or its summary, says in the fork. Raises FoldlineError as `reopen` does, and where
    there is no such step.
    """
    return begun_with(forked(store.events(id), step, edit), store, key=key, base_url=base_url, servers=servers)


def begun_with(
    events: Sequence[AnyEvent], store: Store, *, key: str = "", base_url: str = "", servers: Sequence[McpSpec] = ()
) -> Drive:
    """A new run whose file begins with these events. Raises FoldlineError as `reopen` does, and then leaves no file."""
    id = store.new_id()
    recorder = store.recorder(id)
    try:
        for event in events:
            recorder.write(event.model_copy(update={"id": id}) if isinstance(event, Began) else event)
    finally:
        recorder.close()
        store.release(id)
    try:
        return reopen(id, store, key=key, base_url=base_url, servers=servers)
    except BaseException:
        store.delete(id)
        raise


def _note(settings: RunSettings, servers: Sequence[McpSpec], problems: Mapping[str, str]) -> str:
    """Which MCP servers of the run are not restarted, as a sentence; "" if there are none."""
    if problems:
        return f"its MCP servers are not restarted: {'; '.join(problems.values())}"
    again = {spec.name for spec in servers}
    names = ", ".join(str(one.get("name", "?")) for one in settings.mcp if one.get("name") not in again)
    return f"its MCP servers ({names}) are not restarted: name them in a new run" if names else ""


def model_for(settings: RunSettings, key: str) -> LLM:
    """The model that the settings name, with this key. Raises ModelError; sends nothing yet."""
    more: dict[str, Any] = {"max_output": settings.max_output} if settings.max_output else {}
    return connect(settings.provider, settings.model, key, settings.base_url, **more)


def _tools(
    settings: RunSettings,
    specs: Sequence[McpSpec],
    servers: RunServers,
    stack: ExitStack,
    calls: Sequence[ToolCall] = (),
    go_on: bool = False,
) -> ToolRegistry:
    """The tools of a run; with `go_on`, without those of a server that does not start, which `servers` then says."""
    own = make_tools(settings.tools, settings.folder or None, calls)
    theirs: list[Tool] = []
    for spec in specs:
        try:
            server = connect_server(spec)
        except FoldlineError as error:
            if not go_on:
                raise
            servers.failed(spec.name, f"{error}; {error.hint}" if error.hint else str(error))
            continue
        stack.callback(server.close)
        made = server.tools({tool.name for tool in (*own, *theirs)})
        servers.started(server, made)
        theirs += made
    return LimitedTools([*own, *theirs])
