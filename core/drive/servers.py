"""The MCP servers of a live run, as a person is told of them: how each stands, what went wrong, which tools it has."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from core.model.session import Frozen
from core.toolbox.mcp_servers import McpServer
from core.toolbox.tools import Tool

ServerStatus = Literal["connected", "dead", "not started"]


class ServerTool(Frozen):
    """One tool of a server, and whether the model is offered it now."""

    name: str
    description: str
    offered: bool


class ServerState(Frozen):
    """How a server stands. `target` is its program or the origin of its address, `problem` its last error in words."""

    name: str
    target: str
    status: ServerStatus
    problem: str = ""
    tools: tuple[ServerTool, ...] = ()


class RunServers:
    """The servers that a run names (`recorded`), those of them that were started, and why the others were not."""

    def __init__(self, recorded: Iterable[Mapping[str, Any]] = ()) -> None:
        self._recorded = tuple(recorded)
        self._running: dict[str, tuple[McpServer, Sequence[Tool]]] = {}
        self.problems: dict[str, str] = {}

    def started(self, server: McpServer, tools: Sequence[Tool]) -> None:
        """A server runs, with these tools."""
        self._running[server.spec.name] = (server, tools)

    def failed(self, name: str, problem: str) -> None:
        """A server could not be started."""
        self.problems[name] = problem

    def states(self) -> list[ServerState]:
        """How each server stands now."""
        return [self._state(one) for one in self._recorded]

    def _state(self, recorded: Mapping[str, Any]) -> ServerState:
        name = str(recorded.get("name", "?"))
        target = str(recorded.get("origin") or recorded.get("program") or "")
        if name not in self._running:
            why = self.problems.get(name, "Commands and addresses are not saved: name it in a new run.")
            return ServerState(name=name, target=target, status="not started", problem=why)
        server, tools = self._running[name]
        offered = tuple(ServerTool(name=t.name, description=t.description, offered=not t.gone()) for t in tools)
        status: ServerStatus = "dead" if server.ended else "connected"
        return ServerState(name=name, target=target, status=status, problem=server.problem, tools=offered)
