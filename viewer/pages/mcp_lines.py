"""MCP servers as a person types them, one per line."""

import shlex
from collections.abc import Iterable

from core.model.errors import ParameterError
from core.toolbox.mcp_servers import McpSpec


def mcp_servers(text: str) -> list[McpSpec]:
    """The servers of a text: `name = command arguments` or `name = https://address` on each line.

    Raises ParameterError for any other line. The error gives the line's number and not its text, which may hold a secret.
    """
    return [_server(line, number) for number, line in enumerate(text.splitlines(), 1) if line.strip()]


def _server(line: str, number: int) -> McpSpec:
    name, sign, target = (part.strip() for part in line.partition("="))
    if not sign or not name or not target:
        raise ParameterError(f"line {number} is not an MCP server", "write name = command, or name = https://address")
    if target.lower().startswith(("http://", "https://")):
        return McpSpec(name=name, url=target)
    try:
        command, *args = shlex.split(target)
    except ValueError as error:
        raise ParameterError(f"line {number} is not a command: {error}", "close the quotes") from None
    return McpSpec(name=name, command=command, args=tuple(args))


def commands(servers: Iterable[McpSpec]) -> str:
    """The commands that start these servers, one a line as a shell would take them; "" where none is started by a command.

    An argument with invisible characters, which could change how the line looks, is shown as a Python string.
    """
    return "\n".join(" ".join(map(_shown, [spec.command, *spec.args])) for spec in servers if spec.command)


def _shown(argument: str) -> str:
    return shlex.quote(argument) if argument.isprintable() else ascii(argument)
